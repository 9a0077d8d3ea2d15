#include "bench_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = BENCH_RIG_SIZES, NO_LIMB = 0xFF, NAME_BYTES = 32 };

const uint32_t bench_rig_sizes[BENCH_RIG_SIZES] = {15, 67, 368};

static const double rate_hz = 30, pi = 3.14159265358979323846;

/// A chain of joints, several times around its parent or mirrored left and right. Lengths and copies of each level of
/// detail; 0: left out.
typedef struct limb {
    const char *name;
    uint8_t parent;         ///< limb above; NO_LIMB: none
    uint8_t at[LEVELS];     ///< joint of the parent's chain that it hangs on
    uint8_t copies[LEVELS]; ///< two of a kind are mirrored, more go around
    uint8_t length[LEVELS];
    float offset[3], step[3]; ///< metres: the first joint from its parent, the others
    float amplitude;          ///< radians
    uint16_t moves;           ///< BENCH_MOVES_...
} limb;

enum { TRUNK, ARM, UPPER_TWIST, LOWER_TWIST, THUMB, INDEX, MIDDLE, RING, LITTLE, PROP, LEG, THIGH_TWIST, CALF_TWIST };

static const limb limbs[] = {
    {"trunk", NO_LIMB, {0}, {1, 1, 1}, {5, 8, 8}, {0, 0.02f, 0}, {0, 0.18f, 0.01f}, 0.12f, BENCH_MOVES_TRANSLATION},
    {"arm", TRUNK, {2, 4, 4}, {2, 2, 2}, {3, 4, 4}, {0.06f, 0.12f, 0}, {0.24f, -0.02f, 0}, 0.6f, 0},
    {"upper_arm_twist", ARM, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0.12f, 0, 0}, {0}, 0.3f, BENCH_MOVES_SCALE},
    {"lower_arm_twist", ARM, {0, 2, 2}, {0, 1, 1}, {0, 1, 1}, {0.12f, 0, 0}, {0}, 0.3f, 0},
    {"thumb", ARM, {0, 3, 3}, {0, 1, 1}, {0, 3, 3}, {0.02f, 0, 0.03f}, {0.03f, 0, 0.01f}, 0.2f, 0},
    {"index", ARM, {0, 3, 3}, {0, 1, 1}, {0, 3, 3}, {0.09f, 0, 0.03f}, {0.03f, 0, 0}, 0.25f, 0},
    {"middle", ARM, {0, 3, 3}, {0, 1, 1}, {0, 3, 3}, {0.09f, 0, 0.01f}, {0.03f, 0, 0}, 0.25f, 0},
    {"ring", ARM, {0, 3, 3}, {0, 1, 1}, {0, 3, 3}, {0.09f, 0, -0.01f}, {0.03f, 0, 0}, 0.25f, 0},
    {"little", ARM, {0, 3, 3}, {0, 1, 1}, {0, 3, 3}, {0.08f, 0, -0.03f}, {0.02f, 0, 0}, 0.25f, 0},
    {"prop", ARM, {0, 3, 3}, {0, 1, 1}, {0, 1, 1}, {0.08f, -0.03f, 0}, {0}, 0, 0},
    {"leg", TRUNK, {1, 1, 1}, {2, 2, 2}, {2, 4, 4}, {0.1f, -0.05f, 0}, {0, -0.4f, 0.01f}, 0.5f, 0},
    {"thigh_twist", LEG, {0, 0, 0}, {0, 1, 1}, {0, 1, 1}, {0, -0.2f, 0}, {0}, 0.2f, BENCH_MOVES_SCALE},
    {"calf_twist", LEG, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0, -0.2f, 0}, {0}, 0.2f, 0},
    {"jaw", TRUNK, {0, 7, 7}, {0, 1, 1}, {0, 1, 1}, {0, 0.02f, 0.05f}, {0}, 0.2f, 0},
    {"eye", TRUNK, {0, 7, 7}, {0, 2, 2}, {0, 1, 1}, {0.03f, 0.08f, 0.08f}, {0}, 0.3f, 0},
    {"face", TRUNK, {0, 0, 7}, {0, 0, 48}, {0, 0, 1}, {0.07f, 0.08f, 0}, {0}, 0.05f, BENCH_MOVES_TRANSLATION},
    {"hair", TRUNK, {0, 0, 7}, {0, 0, 12}, {0, 0, 6}, {0.08f, 0.15f, 0}, {0, -0.05f, 0}, 0.2f, 0},
    {"skirt", TRUNK, {0, 0, 1}, {0, 0, 12}, {0, 0, 6}, {0.15f, -0.05f, 0}, {0, -0.08f, 0}, 0.25f, 0},
    {"cape", TRUNK, {0, 0, 4}, {0, 0, 8}, {0, 0, 8}, {0.2f, 0.05f, 0}, {0, -0.12f, 0}, 0.25f, 0},
    {"tail", TRUNK, {0, 0, 1}, {0, 0, 1}, {0, 0, 15}, {0, 0, -0.1f}, {0, 0, -0.06f}, 0.3f, 0},
    {"muscle", TRUNK, {0, 0, 3}, {0, 0, 30}, {0, 0, 1}, {0.15f, 0.1f, 0}, {0}, 0.05f, BENCH_MOVES_SCALE},
};

// The skeleton

typedef struct builder {
    bench_rig *rig;
    char (*names)[NAME_BYTES];
    uint32_t level, count;
} builder;

/// The first joint's translation: mirrored for the right of a pair, turned about y for one of a ring.
static sqt_vec3 place(const limb *l, uint32_t copy, uint32_t copies, float side) {
    const sqt_vec3 at = {l->offset[0] * side, l->offset[1], l->offset[2]};
    if (copies <= 2) return at;
    const double angle = 2 * pi * copy / copies;
    const sqt_vec3 around = {(float)(cos(angle) * (double)at.x), at.y, (float)(sin(angle) * (double)l->offset[0])};
    return around;
}

static uint32_t add_joint(builder *b, const limb *l, uint32_t parent, uint32_t copy, uint32_t number, sqt_vec3 at) {
    const uint32_t joint = b->count++;
    snprintf(b->names[joint], NAME_BYTES, "%s_%u_%u_%u", l->name, (unsigned)copy, (unsigned)number, (unsigned)joint);
    const double tilt = 0.1 * sin(1.7 * joint), turn = 0.1 * cos(2.3 * joint); // a rest pose is no identity
    const double w = sqrt(1 - tilt * tilt - turn * turn);
    const sqt_transform rest = {{(float)tilt, (float)turn, 0, (float)w}, at, {1, 1, 1}};
    b->rig->joints[joint] = (sqt_joint){b->names[joint], parent, rest};
    b->rig->amplitudes[joint] = l->amplitude;
    b->rig->channels[joint] = number == 0 || l->moves == BENCH_MOVES_SCALE ? l->moves : 0;
    return joint;
}

static void grow(builder *b, uint32_t which, uint32_t parent, float side, bool inherit);

static void grow_children(builder *b, uint32_t which, uint32_t number, uint32_t joint, float side) {
    for (uint32_t i = which + 1; i < sizeof limbs / sizeof *limbs; ++i) {
        const bool here = limbs[i].parent == which && limbs[i].at[b->level] == number;
        if (here && limbs[i].length[b->level] > 0) grow(b, i, joint, side, which != TRUNK);
    }
}

/// Depth first, as exporters write joints. Limbs of limbs keep the side of what they hang on.
static void grow(builder *b, uint32_t which, uint32_t parent, float side, bool inherit) {
    const limb *const l = limbs + which;
    const uint32_t copies = l->copies[b->level];
    for (uint32_t copy = 0; copy < copies; ++copy) {
        const float own_side = inherit || copy == 0 ? side : -side;
        uint32_t joint = parent;
        for (uint32_t k = 0; k < l->length[b->level]; ++k) {
            const sqt_vec3 step = {l->step[0] * own_side, l->step[1], l->step[2]};
            joint = add_joint(b, l, joint, copy, k, k == 0 ? place(l, copy, copies, own_side) : step);
            grow_children(b, which, k, joint, own_side);
        }
    }
}

static void require(sqt_result result, const char *what) {
    if (result == SQT_OK) return;
    fprintf(stderr, "sqt_bench: %s: %s\n", what, sqt_result_string(result));
    exit(1);
}

void bench_rig_make(bench_rig *rig, bench_pool *pool, uint32_t size, bool scaled) {
    const uint32_t joint_count = bench_rig_sizes[size];
    memset(rig, 0, sizeof *rig);
    rig->joints = bench_alloc(pool, joint_count, sizeof *rig->joints);
    rig->amplitudes = bench_alloc(pool, joint_count, sizeof *rig->amplitudes);
    rig->channels = bench_alloc(pool, joint_count, sizeof *rig->channels);
    builder b = {.rig = rig, .names = bench_alloc(pool, joint_count, NAME_BYTES), .level = size};
    grow(&b, TRUNK, SQT_NO_JOINT, 1, false);
    if (b.count != joint_count) {
        fprintf(stderr, "sqt_bench: a rig of %u joints came out with %u\n", (unsigned)joint_count, (unsigned)b.count);
        exit(1);
    }
    rig->joint_count = joint_count;
    rig->mask = bench_alloc(pool, joint_count, sizeof *rig->mask);
    for (uint32_t j = 0; j < joint_count; ++j) {
        if (!scaled) rig->channels[j] &= (uint16_t)~BENCH_MOVES_SCALE;
        rig->mask[j] = j % 7 == 0 ? 0.5f : j < joint_count / 2 ? 0.0f : 1.0f;
    }
    const size_t bytes = sqt_skeleton_bytes(rig->joints, joint_count);
    require(sqt_skeleton_build(&rig->skeleton, rig->joints, joint_count, bench_alloc(pool, 1, bytes), bytes, NULL),
            "skeleton");
    rig->inverse_bind = bench_alloc(pool, joint_count, sizeof *rig->inverse_bind);
    require(sqt_skin_bind_from_rest(rig->inverse_bind, &rig->skeleton, NULL, joint_count, NULL), "inverse bind");
    require(sqt_skin_init(&rig->skin, &rig->skeleton, NULL, joint_count, rig->inverse_bind, NULL), "skin");
}

// The motion

double bench_motion_duration(uint32_t motion) {
    static const double durations[BENCH_MOTIONS] = {2.0, 1.4, 3.0, 2.6};
    return durations[motion % BENCH_MOTIONS];
}

static void multiply(double out[4], const double a[4], const double b[4]) {
    const double r[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, r, sizeof r);
}

/// A swing, its harmonic and a little of what muscles add, as captured motion has it.
static double swing(double phase, double offset) {
    return 0.75 * sin(phase + offset) + 0.25 * sin(2 * phase + 1.9 * offset) + 0.03 * sin(5 * phase + 2.3 * offset) +
           0.01 * sin(9 * phase + 0.7 * offset);
}

void bench_motion_at(double transform[10], const bench_rig *rig, uint32_t motion, uint32_t joint, double seconds) {
    const sqt_transform *const rest = &rig->joints[joint].rest;
    const double phase = 2 * pi * seconds / bench_motion_duration(motion);
    const double offset = 0.9 * joint + 1.3 * motion, amplitude = (double)rig->amplitudes[joint] * (1 - 0.15 * motion);
    const double x = 0.5 * amplitude * swing(phase, offset), z = 0.25 * amplitude * swing(phase, offset + 1);
    const double about_x[4] = {sin(x), 0, 0, cos(x)}, about_z[4] = {0, 0, sin(z), cos(z)};
    const double start[4] = {(double)rest->rotation.x, (double)rest->rotation.y, (double)rest->rotation.z,
                             (double)rest->rotation.w};
    multiply(transform, start, about_x);
    multiply(transform, transform, about_z);
    const double length = sqrt(transform[0] * transform[0] + transform[1] * transform[1] + transform[2] * transform[2] +
                               transform[3] * transform[3]);
    for (int i = 0; i < 4; ++i) transform[i] /= length;
    const double moved = rig->channels[joint] & BENCH_MOVES_TRANSLATION ? 0.02 * swing(2 * phase, offset) : 0;
    transform[4] = (double)rest->translation.x + 0.5 * moved;
    transform[5] = (double)rest->translation.y + moved;
    transform[6] = (double)rest->translation.z;
    const double scale = rig->channels[joint] & BENCH_MOVES_SCALE ? 1.1 + 0.05 * swing(phase, offset) : 1;
    transform[7] = scale;
    transform[8] = transform[9] = rig->channels[joint] & BENCH_MOVES_SCALE ? 1 / sqrt(scale) : 1;
}

static void set_joint(sqt_pose_block *pose, uint32_t joint, const double t[10]) {
    sqt_transform value = {{(float)t[0], (float)t[1], (float)t[2], (float)t[3]},
                           {(float)t[4], (float)t[5], (float)t[6]},
                           {(float)t[7], (float)t[8], (float)t[9]}};
    sqt_pose_set(pose, joint, value);
}

sqt_clip bench_clip_make(const bench_rig *rig, bench_pool *pool, uint32_t motion) {
    const double duration = bench_motion_duration(motion);
    sqt_clip clip = {.timeline = {(float)duration, SQT_LOOP_WRAP},
                     .rig_hash = rig->skeleton.rig_hash,
                     .sample_count = (uint32_t)(duration * rate_hz + 0.5) + 1,
                     .joint_count = rig->joint_count};
    const uint32_t row = SQT_POSE_BLOCKS(rig->joint_count);
    sqt_pose_block *const samples = bench_alloc(pool, (size_t)clip.sample_count * row, sizeof *samples);
    for (uint32_t i = 0; i < clip.sample_count; ++i) {
        sqt_pose_identity(samples + (size_t)i * row, rig->joint_count);
        for (uint32_t j = 0; j < rig->joint_count; ++j) {
            double t[10]; // w stays above 0 for these amplitudes: signs are continuous
            bench_motion_at(t, rig, motion, j, duration * i / (clip.sample_count - 1));
            set_joint(samples + (size_t)i * row, j, t);
        }
    }
    sqt_snap(samples->rx, (size_t)clip.sample_count * row * sizeof *samples / sizeof(float));
    clip.samples = samples;
    require(sqt_clip_validate(&clip, &rig->skeleton, NULL), "clip");
    return clip;
}

void bench_pose_for_baseline(baseline_joint *joints, const sqt_pose_block *pose, uint32_t joint_count) {
    for (uint32_t j = 0; j < joint_count; ++j) {
        const sqt_transform t = sqt_pose_get(pose, j);
        memcpy(joints[j].rotation, &t.rotation, sizeof t.rotation);
        memcpy(joints[j].translation, &t.translation, sizeof t.translation);
        memcpy(joints[j].scale, &t.scale, sizeof t.scale);
    }
}

baseline_clip bench_clip_for_baseline(const sqt_clip *clip, bench_pool *pool) {
    const baseline_clip made = {
        .duration = clip->timeline.duration_seconds,
        .rate = sqt_clip_rate_hz(clip),
        .sample_count = clip->sample_count,
        .joint_count = clip->joint_count,
        .samples = bench_alloc(pool, (size_t)clip->sample_count * clip->joint_count, sizeof(baseline_joint))};
    for (uint32_t i = 0; i < clip->sample_count; ++i) {
        bench_pose_for_baseline(made.samples + (size_t)i * clip->joint_count,
                                clip->samples + (size_t)i * SQT_POSE_BLOCKS(clip->joint_count), clip->joint_count);
    }
    return made;
}

// Key frames

static sqt_curve make_curve(bench_pool *pool, const sqt_clip *clip, const float *times, uint32_t joint,
                            uint32_t target) {
    const uint32_t components = target == SQT_TARGET_ROTATION ? 4 : 3;
    float *const values = bench_alloc(pool, (size_t)clip->sample_count * components, sizeof *values);
    for (uint32_t i = 0; i < clip->sample_count; ++i) {
        const sqt_transform t = sqt_pose_get(clip->samples + (size_t)i * SQT_POSE_BLOCKS(clip->joint_count), joint);
        const void *const part = target == SQT_TARGET_ROTATION      ? (const void *)&t.rotation
                                 : target == SQT_TARGET_TRANSLATION ? (const void *)&t.translation
                                                                    : (const void *)&t.scale;
        memcpy(values + (size_t)i * components, part, components * sizeof *values);
    }
    const sqt_curve curve = {times, values, clip->sample_count, (uint16_t)components, SQT_LINEAR};
    return curve;
}

sqt_channel_clip bench_channel_clip_make(const bench_rig *rig, bench_pool *pool, const sqt_clip *clip) {
    float *const times = bench_alloc(pool, clip->sample_count, sizeof *times);
    for (uint32_t i = 0; i < clip->sample_count; ++i) times[i] = (float)sqt_clip_sample_seconds(clip, i);
    sqt_channel *const channels = bench_alloc(pool, (size_t)rig->joint_count * 3, sizeof *channels);
    uint32_t count = 0;
    for (uint32_t j = 0; j < rig->joint_count; ++j) {
        const bool moves[] = {rig->amplitudes[j] > 0, rig->channels[j] & BENCH_MOVES_TRANSLATION,
                              rig->channels[j] & BENCH_MOVES_SCALE};
        for (uint32_t target = SQT_TARGET_ROTATION; target <= SQT_TARGET_SCALE; ++target) {
            if (!moves[target]) continue;
            const sqt_curve curve = make_curve(pool, clip, times, j, target);
            channels[count++] = (sqt_channel){.curve = curve, .joint = (uint16_t)j, .target = (uint8_t)target};
        }
    }
    const sqt_channel_clip made = {
        .timeline = clip->timeline, .rig_hash = clip->rig_hash, .channel_count = count, .channels = channels};
    require(sqt_channel_clip_validate(&made, &rig->skeleton, NULL), "channel clip");
    return made;
}
