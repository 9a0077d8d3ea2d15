#include "simd/isa.h"

#include "sqt/root_motion.h"

#include <math.h>

#include "affine.h"
#include "base_pose.h"
#include "pose_lanes.h"
#include "timeline_loop.h"

// Rigid motions in double precision: a place is one.

static const sqt_root_place place_identity = SQT_ROOT_PLACE_IDENTITY;

/// False where there is no direction; then q is left alone.
static bool normalize(double q[4]) {
    const double square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    if (!(square >= 1e-30) || !sqt_finite_double(square)) return false;
    if (square == 1.0) return true;
    const double length = sqrt(square);
    for (uint32_t i = 0; i < 4; ++i) q[i] /= length;
    return true;
}

static void multiply_rotations(double out[4], const double a[4], const double b[4]) {
    const double x = (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]);
    const double y = (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]);
    const double z = (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]);
    const double w = (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]);
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

/// v + 2 u x (u x v + w v).
static void rotate(double out[3], const double q[4], const double v[3]) {
    const double c[3] = {q[1] * v[2] - q[2] * v[1] + q[3] * v[0], q[2] * v[0] - q[0] * v[2] + q[3] * v[1],
                         q[0] * v[1] - q[1] * v[0] + q[3] * v[2]};
    const double s[3] = {q[1] * c[2] - q[2] * c[1], q[2] * c[0] - q[0] * c[2], q[0] * c[1] - q[1] * c[0]};
    for (uint32_t i = 0; i < 3; ++i) out[i] = v[i] + 2.0 * s[i];
}

static sqt_root_place multiply(const sqt_root_place *a, const sqt_root_place *b) {
    sqt_root_place r;
    multiply_rotations(r.rotation, a->rotation, b->rotation);
    normalize(r.rotation);
    rotate(r.translation, a->rotation, b->translation);
    for (uint32_t i = 0; i < 3; ++i) r.translation[i] += a->translation[i];
    return r;
}

static sqt_root_place invert(const sqt_root_place *a) {
    sqt_root_place r = {{-a->rotation[0], -a->rotation[1], -a->rotation[2], a->rotation[3]}, {0.0, 0.0, 0.0}};
    const double back[3] = {-a->translation[0], -a->translation[1], -a->translation[2]};
    rotate(r.translation, r.rotation, back);
    return r;
}

/// base^n by squaring, n of either sign.
static sqt_root_place power(sqt_root_place base, int64_t n) {
    sqt_root_place result = place_identity;
    if (n < 0) base = invert(&base);
    for (uint64_t left = n < 0 ? (uint64_t)-n : (uint64_t)n; left > 0; left >>= 1) {
        if (left & 1u) result = multiply(&result, &base);
        base = multiply(&base, &base);
    }
    return result;
}

static void components(double c[7], const sqt_transform *t) {
    c[0] = (double)t->rotation.x, c[1] = (double)t->rotation.y, c[2] = (double)t->rotation.z;
    c[3] = (double)t->rotation.w;
    c[4] = (double)t->translation.x, c[5] = (double)t->translation.y, c[6] = (double)t->translation.z;
}

sqt_root_place sqt_root_place_from_transform(sqt_transform transform) {
    double c[7];
    components(c, &transform);
    sqt_root_place place = {{c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}};
    if (!normalize(place.rotation)) memcpy(place.rotation, place_identity.rotation, sizeof place.rotation);
    return place;
}

sqt_transform sqt_transform_from_root_place(const sqt_root_place *place) {
    const sqt_root_place *const p = place ? place : &place_identity;
    const sqt_transform r = {
        {(float)p->rotation[0], (float)p->rotation[1], (float)p->rotation[2], (float)p->rotation[3]},
        {(float)p->translation[0], (float)p->translation[1], (float)p->translation[2]},
        {1.0f, 1.0f, 1.0f}};
    return r;
}

// Extraction

enum {
    MOTION_FLAGS =
        SQT_MOTION_X | SQT_MOTION_Y | SQT_MOTION_Z | SQT_MOTION_TURN | SQT_MOTION_ROTATION | SQT_MOTION_IN_JOINT,
    TURN_AND_ROTATION = SQT_MOTION_TURN | SQT_MOTION_ROTATION
};

static bool is_sound(const sqt_transform *t) {
    double c[7], square = 0.0;
    components(c, t);
    for (uint32_t i = 0; i < 7; ++i) {
        if (!sqt_finite_double(c[i])) return false;
        if (i < 4) square += c[i] * c[i];
    }
    return square >= 0.999 * 0.999 && square <= 1.001 * 1.001;
}

/// The lane of a joint in the clip's rows; SQT_NO_JOINT where it is not listed.
static uint32_t find_lane(const sqt_clip *clip, uint32_t joint) {
    if (!clip->joints) return joint;
    uint32_t low = 0, high = clip->joint_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (clip->joints[middle] < joint) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < clip->joint_count && clip->joints[low] == joint ? low : SQT_NO_JOINT;
}

static sqt_result check_source(const sqt_skeleton *skeleton, const sqt_clip *clip, const sqt_root_motion_source *source,
                               sqt_fault *fault) {
    if (!skeleton->parents) return sqt_fail(fault, SQT_ERROR_NULL, "parents", 0, 0);
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS ||
        skeleton->joint_count != sqt_rig_joint_count(skeleton)) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "skeleton", 0, 0);
    }
    if (source->joint >= skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joint", 0, 0);
    const uint32_t flags = source->flags;
    if (flags & ~(uint32_t)MOTION_FLAGS || (flags & TURN_AND_ROTATION) == TURN_AND_ROTATION) {
        return sqt_fail(fault, SQT_ERROR_FLAG, "flags", 0, 0);
    }
    if (clip->flags & SQT_CLIP_DIFFERENCE) return sqt_fail(fault, SQT_ERROR_FLAG, "clip", 0, 0);
    const double up[3] = {(double)source->up.x, (double)source->up.y, (double)source->up.z};
    const double square = up[0] * up[0] + up[1] * up[1] + up[2] * up[2];
    if (flags & SQT_MOTION_TURN && (!(square > 0.0) || !sqt_finite_double(square))) {
        return sqt_fail(fault, SQT_ERROR_NUMBER, "up", 0, 0);
    }
    if (source->reference && !is_sound(source->reference)) return sqt_fail(fault, SQT_ERROR_NUMBER, "reference", 0, 0);
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const bool is_root = skeleton->parents[j] == SQT_NO_JOINT;
        if (!is_root && skeleton->parents[j] >= j) return sqt_fail(fault, SQT_ERROR_ORDER, "parents", j, 0);
        if ((flags & SQT_MOTION_IN_JOINT ? j == source->joint : is_root) && find_lane(clip, j) == SQT_NO_JOINT) {
            return sqt_fail(fault, SQT_ERROR_NOT_FOUND, "joints", j, 0);
        }
    }
    return SQT_OK;
}

static const sqt_pose_block *row_at(const sqt_clip *clip, uint32_t sample) {
    return clip->samples + (size_t)SQT_POSE_BLOCKS(clip->joint_count) * sample;
}

/// The pose of a sample.
static sqt_result sample_row(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_clip *clip,
                             uint32_t sample) {
    sqt_clip one = *clip; // alone, so that no timeline takes the last sample for the first
    one.samples = row_at(clip, sample);
    one.sample_count = 1;
    return sqt_clip_sample(pose, skeleton, &one, 0.0, SQT_NLERP);
}

/// Where a joint is in model space.
static sqt_root_place find_global(const sqt_skeleton *skeleton, const sqt_pose_block *pose, uint32_t joint) {
    sqt_transform global = sqt_pose_get(pose, joint);
    for (uint32_t j = skeleton->parents[joint]; j != SQT_NO_JOINT; j = skeleton->parents[j]) {
        global = sqt_transform_multiply(sqt_pose_get(pose, j), global);
    }
    return sqt_root_place_from_transform(global);
}

/// The space that a joint's transform is in, and the product of the rotations above it.
typedef struct parent_space {
    sqt_affine to_model, from_model;
    double rotation[4];
} parent_space;

/// SQT_NO_JOINT, or the joint above that is flat: its space has no inverse.
static uint32_t find_parent_space(parent_space *space, const sqt_skeleton *skeleton, const sqt_pose_block *pose,
                                  uint32_t joint) {
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    space->to_model = space->from_model = sqt_affine_from_transform(identity);
    memcpy(space->rotation, place_identity.rotation, sizeof space->rotation);
    for (uint32_t j = skeleton->parents[joint]; j != SQT_NO_JOINT; j = skeleton->parents[j]) {
        const sqt_transform local = sqt_pose_get(pose, j);
        const sqt_affine to_parent = sqt_affine_from_transform(local);
        sqt_affine from_parent;
        if (!sqt_affine_invert(&from_parent, to_parent)) return j;
        space->to_model = sqt_affine_multiply(to_parent, space->to_model);
        space->from_model = sqt_affine_multiply(space->from_model, from_parent);
        const sqt_root_place turn = sqt_root_place_from_transform(local);
        multiply_rotations(space->rotation, turn.rotation, space->rotation);
    }
    return SQT_NO_JOINT;
}

/// That no joint above is flat at any sample.
static sqt_result check_parent_spaces(const sqt_skeleton *skeleton, const sqt_clip *clip, uint32_t joint,
                                      sqt_pose_block *scratch, sqt_fault *fault) {
    for (uint32_t i = 0; i < clip->sample_count; ++i) {
        parent_space space;
        const sqt_result result = sample_row(scratch, skeleton, clip, i);
        if (result) return sqt_fail(fault, result, "clip", 0, 0);
        const uint32_t flat = find_parent_space(&space, skeleton, scratch, joint);
        if (flat != SQT_NO_JOINT) return sqt_fail(fault, SQT_ERROR_NUMBER, "scale", i, flat);
    }
    return SQT_OK;
}

/// The part of a rotation that turns about an axis; `turn` stays where there is none. The swing-twist decomposition.
static void find_turn(double turn[4], const double q[4], sqt_vec3 axis) {
    const double x = (double)axis.x, y = (double)axis.y, z = (double)axis.z, length = sqrt(x * x + y * y + z * z);
    const double u[3] = {x / length, y / length, z / length};
    const double along = q[0] * u[0] + q[1] * u[1] + q[2] * u[2];
    double twist[4] = {along * u[0], along * u[1], along * u[2], q[3]};
    if (along * along + q[3] * q[3] < 1e-12 || !normalize(twist)) return;
    memcpy(turn, twist, sizeof twist);
}

/// The motion of one sample; `motion` holds that of the sample before.
static void find_motion(sqt_root_place *motion, const sqt_root_place *global, const sqt_root_place *reference,
                        const sqt_root_motion_source *source) {
    const double *const r = reference->rotation;
    const double back[4] = {-r[0], -r[1], -r[2], r[3]};
    double change[4], turn[4], moved[3];
    multiply_rotations(change, global->rotation, back);
    memcpy(turn, motion->rotation, sizeof turn);
    if (source->flags & SQT_MOTION_TURN) find_turn(turn, change, source->up);
    if (source->flags & SQT_MOTION_ROTATION) memcpy(turn, change, sizeof turn);
    const double *const last = motion->rotation;
    const double dot = (last[0] * turn[0] + last[1] * turn[1]) + (last[2] * turn[2] + last[3] * turn[3]);
    for (uint32_t i = 0; i < 4; ++i) motion->rotation[i] = dot < 0.0 ? -turn[i] : turn[i];
    rotate(moved, motion->rotation, reference->translation);
    for (uint32_t i = 0; i < 3; ++i) {
        const bool named = (source->flags & ((uint32_t)SQT_MOTION_X << i)) != 0;
        motion->translation[i] = named ? global->translation[i] - moved[i] : 0.0;
    }
}

/// inverse(motion) * local. The scale, and the length of the rotation, stay.
static sqt_transform leave_behind(const sqt_root_place *motion, sqt_transform local) {
    const sqt_root_place back = invert(motion);
    double c[7];
    components(c, &local);
    sqt_root_place rest;
    multiply_rotations(rest.rotation, back.rotation, c);
    rotate(rest.translation, back.rotation, c + 4);
    for (uint32_t i = 0; i < 3; ++i) rest.translation[i] += back.translation[i];
    sqt_transform r = sqt_transform_from_root_place(&rest);
    r.scale = local.scale;
    return r;
}

/// inverse(parent) * inverse(motion) * parent * local. The scale stays.
static sqt_transform leave_behind_below(const parent_space *parent, const sqt_root_place *motion, sqt_transform local) {
    const sqt_transform there = {local.rotation, local.translation, {1.0f, 1.0f, 1.0f}};
    const sqt_affine posed = sqt_affine_multiply(parent->to_model, sqt_affine_from_transform(there));
    const sqt_root_place back = invert(motion);
    double c[7], moved[3];
    rotate(moved, back.rotation, posed.m + 9);
    for (uint32_t i = 0; i < 3; ++i) moved[i] += back.translation[i];
    const double *const m = parent->from_model.m, *const p = parent->rotation;
    const double undo[4] = {-p[0], -p[1], -p[2], p[3]};
    components(c, &local);
    sqt_root_place rest;
    multiply_rotations(rest.rotation, p, c);
    multiply_rotations(rest.rotation, back.rotation, rest.rotation);
    multiply_rotations(rest.rotation, undo, rest.rotation);
    for (uint32_t i = 0; i < 3; ++i) {
        rest.translation[i] = m[i] * moved[0] + m[3 + i] * moved[1] + m[6 + i] * moved[2] + m[9 + i];
    }
    sqt_transform r = sqt_transform_from_root_place(&rest);
    r.scale = local.scale;
    return r;
}

/// `pose` is that of the sample.
static void write_remainder(sqt_pose_block *row, const sqt_skeleton *skeleton, const sqt_clip *clip, uint32_t sample,
                            const sqt_root_motion_source *source, const sqt_root_place *motion,
                            const sqt_pose_block *pose) {
    sqt_pose_copy(row, row_at(clip, sample), clip->joint_count);
    if (source->flags & SQT_MOTION_IN_JOINT) {
        parent_space space;
        find_parent_space(&space, skeleton, pose, source->joint);
        sqt_pose_set(row, find_lane(clip, source->joint),
                     leave_behind_below(&space, motion, sqt_pose_get(pose, source->joint)));
        return;
    }
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        if (skeleton->parents[j] != SQT_NO_JOINT) continue;
        const uint32_t lane = find_lane(clip, j);
        sqt_pose_set(row, lane, leave_behind(motion, sqt_pose_get(row, lane)));
    }
}

sqt_result sqt_root_motion_extract(sqt_root_motion *motion, sqt_transform *motion_samples, sqt_clip *remainder,
                                   sqt_pose_block *remainder_samples, const sqt_skeleton *skeleton,
                                   const sqt_clip *clip, const sqt_root_motion_source *source, sqt_pose_block *scratch,
                                   sqt_fault *fault) {
    static const char *const names[] = {"motion",   "motion_samples", "remainder", "remainder_samples",
                                        "skeleton", "clip",           "source",    "scratch"};
    const void *const needed[] = {motion,   motion_samples, remainder, remainder_samples,
                                  skeleton, clip,           source,    scratch};
    for (uint32_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
        if (!needed[i]) return sqt_fail(fault, SQT_ERROR_NULL, names[i], 0, 0);
    }
    if (!clip->samples) return sqt_fail(fault, SQT_ERROR_NULL, "samples", 0, 0);
    if (clip->sample_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "sample_count", 0, 0);
    sqt_result result = check_source(skeleton, clip, source, fault);
    if (result) return result;
    const sqt_clip view = *clip; // remainder may be clip
    sqt_root_place place = place_identity;
    result = sample_row(scratch, skeleton, &view, 0);
    if (result) return sqt_fail(fault, result, "clip", 0, 0);
    sqt_root_place reference = find_global(skeleton, scratch, source->joint);
    if (source->flags & SQT_MOTION_IN_JOINT) {
        result = check_parent_spaces(skeleton, &view, source->joint, scratch, fault);
        if (result) return result;
    }
    if (source->reference) reference = sqt_root_place_from_transform(*source->reference);
    for (uint32_t i = 0; i < view.sample_count; ++i) {
        result = sample_row(scratch, skeleton, &view, i);
        if (result) return sqt_fail(fault, result, "clip", i, 0); // what can fail has failed for the first
        const sqt_root_place global = find_global(skeleton, scratch, source->joint);
        find_motion(&place, &global, &reference, source);
        motion_samples[i] = sqt_transform_from_root_place(&place);
        sqt_snap(&motion_samples[i].rotation.x, 4);
        sqt_snap(&motion_samples[i].translation.x, 3);
        const sqt_root_place rounded = sqt_root_place_from_transform(motion_samples[i]);
        write_remainder(remainder_samples + (size_t)SQT_POSE_BLOCKS(view.joint_count) * i, skeleton, &view, i, source,
                        &rounded, scratch);
    }
    const uint32_t closing = view.flags & SQT_CLIP_CYCLIC ? 1 : 0;
    if (closing) motion_samples[view.sample_count] = motion_samples[0];
    motion->timeline = view.timeline;
    motion->sample_count = view.sample_count + closing;
    motion->samples = motion_samples;
    *remainder = view;
    remainder->samples = remainder_samples;
    return SQT_OK;
}

// Playing

sqt_result sqt_root_motion_validate(const sqt_root_motion *motion, sqt_fault *fault) {
    if (!motion) return sqt_fail(fault, SQT_ERROR_NULL, "motion", 0, 0);
    if (!motion->samples) return sqt_fail(fault, SQT_ERROR_NULL, "samples", 0, 0);
    if (motion->sample_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "sample_count", 0, 0);
    const sqt_result result = sqt_timeline_validate(&motion->timeline, fault);
    if (result) return result;
    for (uint32_t i = 0; i < motion->sample_count; ++i) {
        if (!is_sound(motion->samples + i)) return sqt_fail(fault, SQT_ERROR_NUMBER, "samples", i, 0);
    }
    return SQT_OK;
}

/// Where the character stands at a local time within the clip.
static sqt_root_place find_place(const sqt_root_motion *motion, double local_seconds) {
    const double duration = (double)motion->timeline.duration_seconds, last = (double)(motion->sample_count - 1);
    const double position = duration > 0.0 ? local_seconds / duration * last : 0.0;
    uint32_t index = position < last ? (uint32_t)position : motion->sample_count - 1;
    const double u = position - (double)index;
    const sqt_root_place a = sqt_root_place_from_transform(motion->samples[index]);
    if (!(u > 0.0) || index + 1 == motion->sample_count) return a;
    const sqt_root_place b = sqt_root_place_from_transform(motion->samples[index + 1]);
    const double *const p = a.rotation, *const q = b.rotation;
    const double dot = (p[0] * q[0] + p[1] * q[1]) + (p[2] * q[2] + p[3] * q[3]), v = dot < 0.0 ? -u : u;
    sqt_root_place r;
    for (uint32_t i = 0; i < 4; ++i) r.rotation[i] = (1.0 - u) * p[i] + v * q[i];
    normalize(r.rotation);
    for (uint32_t i = 0; i < 3; ++i) r.translation[i] = (1.0 - u) * a.translation[i] + u * b.translation[i];
    return r;
}

/// Whole loops between two times, each of which leads on from where the last has led; false beyond 2^50.
static bool count_loops(int64_t *loops, const sqt_timeline *timeline, double from, double to) {
    *loops = 0;
    if (timeline->loop != SQT_LOOP_WRAP) return true;
    const int64_t a = sqt_timeline_loop(timeline, from), b = sqt_timeline_loop(timeline, to); // within +-2^62
    *loops = b - a;
    return fabs((double)*loops) <= SQT_MAX_LOOPS;
}

sqt_result sqt_root_motion_delta(sqt_transform *delta, const sqt_root_motion *motion, double *last_seconds,
                                 double to_seconds) {
    if (!delta || !motion || !motion->samples || !last_seconds) return SQT_ERROR_NULL;
    if (motion->sample_count == 0) return SQT_ERROR_COUNT;
    const sqt_timeline *const timeline = &motion->timeline;
    const sqt_result result = sqt_timeline_validate(timeline, NULL);
    if (result) return result;
    const double from = *last_seconds;
    int64_t loops;
    if (!sqt_finite_double(from) || !sqt_finite_double(to_seconds)) return SQT_ERROR_NUMBER;
    if (!count_loops(&loops, timeline, from, to_seconds)) return SQT_ERROR_NUMBER;
    *last_seconds = to_seconds;
    const sqt_root_place a = find_place(motion, sqt_timeline_wrap(timeline, from)), back = invert(&a);
    sqt_root_place b = find_place(motion, sqt_timeline_wrap(timeline, to_seconds));
    if (loops != 0) {
        const sqt_root_place first = find_place(motion, 0.0), undo = invert(&first);
        const sqt_root_place last = find_place(motion, (double)timeline->duration_seconds);
        const sqt_root_place whole = power(multiply(&last, &undo), loops);
        b = multiply(&whole, &b);
    }
    const sqt_root_place step = multiply(&back, &b);
    *delta = sqt_transform_from_root_place(&step);
    return SQT_OK;
}

sqt_result sqt_root_motion_blend(sqt_transform *delta, const sqt_transform *deltas, const float *weights,
                                 uint32_t count) {
    if (!delta || (count > 0 && (!deltas || !weights))) return SQT_ERROR_NULL;
    double total = 0.0;
    uint32_t heaviest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!sqt_finite(weights[i]) || weights[i] < 0.0f) return SQT_ERROR_NUMBER;
        if (weights[i] > weights[heaviest]) heaviest = i;
        total += (double)weights[i];
    }
    sqt_root_place sum = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double lead[7], c[7];
    if (total >= 1e-30) components(lead, deltas + heaviest);
    for (uint32_t i = 0; total >= 1e-30 && i < count; ++i) {
        if (weights[i] == 0.0f) continue;
        components(c, deltas + i);
        const double dot = (lead[0] * c[0] + lead[1] * c[1]) + (lead[2] * c[2] + lead[3] * c[3]);
        const double w = (double)weights[i] / total;
        for (uint32_t k = 0; k < 4; ++k) sum.rotation[k] += dot < 0.0 ? -w * c[k] : w * c[k];
        for (uint32_t k = 0; k < 3; ++k) sum.translation[k] += w * c[4 + k];
    }
    if (!normalize(sum.rotation)) memcpy(sum.rotation, place_identity.rotation, sizeof sum.rotation);
    *delta = sqt_transform_from_root_place(&sum);
    return SQT_OK;
}

sqt_result sqt_root_motion_move(sqt_root_place *place, sqt_transform delta) {
    if (!place) return SQT_ERROR_NULL;
    double c[7];
    components(c, &delta);
    for (uint32_t i = 0; i < 7; ++i) {
        if (!sqt_finite_double(c[i])) return SQT_ERROR_NUMBER;
    }
    sqt_root_place step = {{c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}};
    if (!normalize(step.rotation)) return SQT_ERROR_NUMBER;
    *place = multiply(place, &step);
    return SQT_OK;
}
