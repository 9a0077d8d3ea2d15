// The clips of the embedded character. Motion is authored as functions of a phase that pose a figure: paths for the
// feet, legs solved to reach them, curves for the rest. Each function is then recorded as key frames.
#include "character_parts.h"

#include <stdlib.h>
#include <string.h>

static const float whole_turn = 6.28318531f, degree = 0.0174532925f;

/// Cosine over a phase, where 1 is a whole turn: 1 at `peak`.
static float swing(float phase, float peak) { return sqt_cos(whole_turn * (phase - peak)); }

typedef struct figure {
    sqt_transform local[JOINT_COUNT];
} figure;

static sqt_quat degrees(float x, float y, float z) {
    return sqt_quat_from_euler(vec3(x * degree, y * degree, z * degree), SQT_EULER_XYZ);
}

/// Turns a joint from its neutral direction, in degrees: x bends forwards (trunk) or backwards (limbs), y turns to the
/// left, z tips. For a limb, `side` RIGHT mirrors what is said for the left.
static void turn(figure *f, uint32_t joint, uint32_t side, float x, float y, float z) {
    f->local[joint + side].rotation = side ? degrees(x, -y, -z) : degrees(x, y, z);
}

static sqt_transform global_of(const figure *f, uint32_t joint) {
    sqt_transform global = f->local[joint];
    for (uint32_t p = character_rig[joint].parent; p != SQT_NO_JOINT; p = character_rig[p].parent)
        global = sqt_transform_multiply(f->local[p], global);
    return global;
}

// ---- Legs.

/// Where a foot has to be. Angles in degrees.
typedef struct footing {
    sqt_vec3 ankle; ///< model space
    float heading;  ///< about +y
    float pitch;    ///< heel up; negative: toes up
    float toes;     ///< how far the toes bend up from the foot
} footing;

/// Two-bone inverse kinematics: the law of cosines gives hip and knee, the plane of the leg is that of hip, ankle and
/// the direction between those of pelvis and foot. The knee only ever turns about x. A leg that is too short points at
/// its target.
static void step_on(figure *f, uint32_t side, const footing *target) {
    const float thigh = -character_rig[SHIN].rest.translation.y, shin = -character_rig[FOOT].rest.translation.y;
    const sqt_transform pelvis = global_of(f, PELVIS);
    const sqt_vec3 hip = sqt_transform_point(pelvis, f->local[THIGH + side].translation);
    const sqt_vec3 reach = vec3_subtract(target->ankle, hip), down = vec3_unit(reach);
    const float length = vec3_length(reach), longest = 0.9999f * (thigh + shin);
    const float distance = length < longest ? length : longest;
    const float hip_angle = sqt_acos((thigh * thigh + distance * distance - shin * shin) / (2 * thigh * distance));
    const float knee_angle = sqt_acos((distance * distance - thigh * thigh - shin * shin) / (2 * thigh * shin));

    const sqt_quat heading = degrees(0, target->heading, 0);
    const sqt_vec3 front = vec3(0, 0, 1);
    const sqt_vec3 ahead = vec3_add(sqt_quat_rotate(pelvis.rotation, front), sqt_quat_rotate(heading, front));
    const sqt_vec3 hinge = vec3_unit(vec3_cross(ahead, down)), shins = vec3_cross(down, hinge);
    const sqt_mat4 plane = {
        {hinge.x, hinge.y, hinge.z, 0, -down.x, -down.y, -down.z, 0, shins.x, shins.y, shins.z, 0, 0, 0, 0, 1}};
    const sqt_quat straight = sqt_transform_from_mat4(plane).rotation;

    const sqt_quat thigh_to_model = sqt_quat_multiply(straight, degrees(-hip_angle / degree, 0, 0));
    const sqt_quat knee = degrees(knee_angle / degree, 0, 0);
    const sqt_quat shin_to_model = sqt_quat_multiply(thigh_to_model, knee);
    const sqt_quat foot_to_model = sqt_quat_multiply(heading, degrees(target->pitch, 0, 0));
    f->local[THIGH + side].rotation = sqt_quat_multiply(sqt_quat_conjugate(pelvis.rotation), thigh_to_model);
    f->local[SHIN + side].rotation = knee;
    f->local[FOOT + side].rotation = sqt_quat_multiply(sqt_quat_conjugate(shin_to_model), foot_to_model);
    f->local[TOES + side].rotation = degrees(-target->toes, 0, 0);
}

// ---- Walking and running.

/// A foot in its plane of motion, as four numbers for the curve through the air.
enum {
    ANKLE_Z, ///< metres before the root
    ANKLE_Y, ///< metres above the ground
    PITCH,   ///< degrees, as footing has them
    BEND,    ///< degrees of the toes
    TREAD
};
typedef struct tread {
    float at[TREAD];
} tread;

/// Where a foot passes between toe-off and the next landing.
typedef struct air {
    float u; ///< 0..1 of the time in the air
    tread foot;
} air;

/// One cycle is two steps; phase 0 is the landing of the left foot.
typedef struct gait {
    float seconds, speed;     ///< of a cycle; metres a second
    float duty;               ///< of a cycle: how long a foot stays on the ground
    float ahead, apart;       ///< metres: ankle before the pelvis on landing; either foot beside the middle
    float strike, flat;       ///< degrees that the toes are up on landing; phase at which they are down
    float lift, push;         ///< phase at which the heel rises; degrees that it has risen at toe-off
    air airs[4];              ///< between toe-off and landing
    float drop, bob, highest; ///< metres below standing, up and down about it; phase of the highest place
    float sway, yaw, roll;    ///< pelvis: metres sideways; degrees
    float lean, chest;        ///< degrees: the trunk forwards; the chest's turn against the pelvis
    float arm, arm_back, out; ///< degrees: the upper arm's swing, its middle, and away from the body
    float elbow, elbow_swing; ///< degrees
    float inward, fist;       ///< degrees: forearms turned towards the middle; fingers
} gait;

// clang-format off
static const gait walk = {
    .seconds = 1.1f, .speed = 1.25f, .duty = 0.61f, .ahead = 0.335f, .apart = 0.068f,
    .strike = 20, .flat = 0.1f, .lift = 0.33f, .push = 52,
    .airs = {{0.2f, {{-0.35f, 0.228f, 56, 12}}}, {0.48f, {{-0.02f, 0.152f, 18, 0}}},
             {0.76f, {{0.265f, 0.105f, -10, 2}}}, {0.9f, {{0.34f, 0.095f, -19, 3}}}},
    .drop = 0.037f, .bob = 0.019f, .highest = 0.29f, .sway = 0.02f, .yaw = 6, .roll = 3.5f, .lean = 3, .chest = 6,
    .arm = 21, .arm_back = -2, .out = 9, .elbow = 22, .elbow_swing = 14, .inward = 6, .fist = 22,
};
static const gait run = {
    .seconds = 0.7f, .speed = 3.3f, .duty = 0.34f, .ahead = 0.25f, .apart = 0.05f,
    .strike = 8, .flat = 0.06f, .lift = 0.15f, .push = 58,
    .airs = {{0.22f, {{-0.6f, 0.4f, 98, 10}}}, {0.45f, {{-0.27f, 0.5f, 82, 0}}},
             {0.66f, {{0.18f, 0.36f, 26, 0}}}, {0.86f, {{0.35f, 0.17f, -8, 4}}}},
    .drop = 0.06f, .bob = 0.035f, .highest = 0.42f, .sway = 0.01f, .yaw = 9, .roll = 4, .lean = 11, .chest = 13,
    .arm = 38, .arm_back = 12, .out = 12, .elbow = 92, .elbow_swing = 14, .inward = 22, .fist = 55,
};
// clang-format on

/// On the ground: the foot comes down over the heel, lies flat, and rolls off over the ball, while the ground carries
/// it backwards at the gait's speed.
static tread gait_ground(const gait *g, float phase) {
    const sqt_vec3 ball = character_rig[TOES].rest.translation;
    const sqt_vec3 heel = {0, -character_rest(FOOT).translation.y, -0.035f};
    const float down = phase < g->flat ? 1 - phase / g->flat : 0;
    const float up = phase > g->lift ? (phase - g->lift) / (g->duty - g->lift) : 0;
    const float pitch = up > 0 ? g->push * up * up : -g->strike * down * down;
    const sqt_vec3 pivot = up > 0 ? ball : heel;
    const sqt_vec3 ankle = vec3_subtract(pivot, sqt_quat_rotate(degrees(pitch, 0, 0), pivot));
    const tread t = {{g->ahead - g->speed * g->seconds * phase + ankle.z, ankle.y - heel.y, pitch, up > 0 ? pitch : 0}};
    return t;
}

/// In the air: a spline through the gait's places, leaving and meeting the ground at the speeds it has there.
static tread gait_air(const gait *g, float u) {
    enum { KNOTS = 6 };
    float times[KNOTS] = {0, g->airs[0].u, g->airs[1].u, g->airs[2].u, g->airs[3].u, 1};
    const tread places[KNOTS] = {gait_ground(g, g->duty), g->airs[0].foot, g->airs[1].foot,
                                 g->airs[2].foot,         g->airs[3].foot, gait_ground(g, 0)};
    const float moment = 1e-3f; // of the cycle: short, to take the speeds at the ends
    const tread leaving = gait_ground(g, g->duty - moment), landed = gait_ground(g, moment);
    float keys[KNOTS][3][TREAD]; // in-tangent, value, out-tangent
    for (uint32_t k = 0; k < KNOTS; ++k) {
        for (uint32_t c = 0; c < TREAD; ++c) {
            const float here = places[k].at[c];
            float slope;
            if (k == 0)
                slope = (here - leaving.at[c]) * (1 - g->duty) / moment;
            else if (k == KNOTS - 1)
                slope = (landed.at[c] - here) * (1 - g->duty) / moment;
            else
                slope = (places[k + 1].at[c] - places[k - 1].at[c]) / (times[k + 1] - times[k - 1]);
            keys[k][1][c] = here;
            keys[k][0][c] = keys[k][2][c] = slope;
        }
    }
    const sqt_curve curve = {times, &keys[0][0][0], KNOTS, TREAD, SQT_CUBIC};
    tread t = places[0];
    (void)sqt_curve_sample(t.at, &curve, NULL, u);
    return t;
}

static void gait_pose(figure *f, float phase, const gait *g) {
    const float middle = 0.5f * g->duty; // the left foot is under the body
    const float yaw = -g->yaw * swing(phase, 0), roll = g->roll * swing(phase, middle);
    const float chest = g->chest * swing(phase, 0.02f);
    f->local[PELVIS].translation.x += g->sway * swing(phase, middle);
    f->local[PELVIS].translation.y += g->bob * swing(2 * phase, 2 * g->highest) - g->drop;
    turn(f, PELVIS, 0, 0.4f * g->lean, yaw, roll);
    // The trunk turns against the pelvis and stays upright above it; the head looks ahead.
    for (uint32_t j = SPINE_1; j <= SPINE_3; ++j) turn(f, j, 0, 0.2f * g->lean, (chest - yaw) / 3, -roll / 3);
    turn(f, NECK, 0, -0.35f * g->lean, -0.5f * chest, 0);
    turn(f, HEAD, 0, -0.35f * g->lean + 1.5f * swing(2 * phase, 2 * g->highest - 0.1f), -0.5f * chest, 0);
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t side = k ? RIGHT : 0;
        const float own = phase + 0.5f * (float)k, around = own < 1 ? own : own - 1;
        const float back = swing(own, 0.03f), late = swing(own, 0.07f); // 1: the arm is behind, as the leg is ahead
        turn(f, CLAVICLE, side, 0, 3 * back, 1);
        turn(f, UPPER_ARM, side, g->arm_back + g->arm * back, -g->inward, g->out - 2 * back);
        turn(f, FOREARM, side, -g->elbow + g->elbow_swing * late, 0, 0);
        turn(f, FOREARM_TWIST, side, 0, -10, 0);
        turn(f, HAND, side, 4 * late, 0, -4);
        turn(f, FINGERS, side, 0, 0, -g->fist);
        turn(f, THUMB, side, 0, 0, -0.3f * g->fist);
        const tread t = around < g->duty ? gait_ground(g, around) : gait_air(g, (around - g->duty) / (1 - g->duty));
        const footing foot = {vec3(k ? -g->apart : g->apart, t.at[ANKLE_Y], t.at[ANKLE_Z]), k ? -5.0f : 5.0f,
                              t.at[PITCH], t.at[BEND]};
        step_on(f, side, &foot);
    }
}

static void walk_pose(figure *f, float phase) { gait_pose(f, phase, &walk); }
static void run_pose(figure *f, float phase) { gait_pose(f, phase, &run); }

// ---- Standing.

/// Stands with both feet where they are: the pelvis moved by sway and drop, arms at the sides.
static void stand(figure *f, sqt_vec3 shift, const footing feet[2]) {
    f->local[PELVIS].translation = vec3_add(f->local[PELVIS].translation, shift);
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t side = k ? RIGHT : 0;
        turn(f, UPPER_ARM, side, 1, -8, 9);
        turn(f, FOREARM, side, -14, 0, 0);
        turn(f, FOREARM_TWIST, side, 0, -8, 0);
        turn(f, HAND, side, 0, 0, -4);
        turn(f, FINGERS, side, 0, 0, -18);
        step_on(f, side, &feet[k]);
    }
}

/// A foot flat on the ground beside the middle, the whole stance turned by an angle.
static footing stance(uint32_t k, float heading) {
    const sqt_vec3 ankle = {k ? -0.105f : 0.105f, character_rest(FOOT).translation.y, k ? -0.01f : 0.01f};
    const footing foot = {sqt_quat_rotate(degrees(0, heading, 0), ankle), heading + (k ? -9.0f : 9.0f), 0, 0};
    return foot;
}

static void idle_pose(figure *f, float phase) {
    const footing feet[2] = {stance(0, 0), stance(1, 0)};
    const float breath = swing(2 * phase, 0.25f), sway = swing(phase, 0.25f);
    turn(f, PELVIS, 0, 0, 1.5f * sway, 1.2f * sway);
    stand(f, vec3(0.018f * sway, -0.010f + 0.002f * breath, -0.004f * breath), feet);
    turn(f, SPINE_1, 0, 1, -0.8f * sway, -0.8f * sway);
    turn(f, SPINE_2, 0, 1 - 0.8f * breath, -0.8f * sway, -0.6f * sway);
    turn(f, SPINE_3, 0, -1.2f * breath, -0.5f * sway, 0);
    turn(f, NECK, 0, 0.8f * breath, 2 * swing(phase, 0.4f), 0);
    turn(f, HEAD, 0, 0.8f * breath, 4 * swing(phase, 0.42f), 0.8f * sway);
    for (uint32_t side = 0; side <= RIGHT; side += RIGHT) {
        turn(f, CLAVICLE, side, 0, 0, 1.2f * breath);
        turn(f, FOREARM, side, -15 - 1.5f * breath, 0, 0);
    }
}

/// The right arm goes up, waves from the elbow, and comes down.
static void wave_pose(figure *f, float phase) {
    const footing feet[2] = {stance(0, 0), stance(1, 0)};
    const float raised = smooth_step(0.02f, 0.24f, phase) - smooth_step(0.76f, 0.98f, phase);
    const float waving = smooth_step(0.2f, 0.3f, phase) - smooth_step(0.7f, 0.8f, phase);
    const float to_and_fro = waving * sqt_sin(whole_turn * 5 * (phase - 0.25f));
    turn(f, PELVIS, 0, 0, 0, 1.0f * raised);
    stand(f, vec3(0.015f * raised, -0.010f, 0), feet);
    for (uint32_t j = SPINE_1; j <= SPINE_3; ++j) turn(f, j, 0, 0, -1.5f * raised, 1.2f * raised);
    turn(f, NECK, 0, -1 * raised, 1.5f * raised, 0);
    turn(f, HEAD, 0, -2 * raised, 2.0f * raised, -4 * raised + 1.5f * to_and_fro);
    // Raised, the upper arm points outwards and its hinge forwards, so that the forearm swings in the frontal plane.
    const sqt_mat4 lifted = {{0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1}};
    const sqt_quat up = sqt_quat_multiply(degrees(8, -22, 0), sqt_transform_from_mat4(lifted).rotation);
    const uint32_t arm = UPPER_ARM + RIGHT;
    turn(f, CLAVICLE, RIGHT, 0, 0, 14 * raised);
    f->local[arm].rotation = sqt_quat_slerp(f->local[arm].rotation, up, raised);
    turn(f, FOREARM, RIGHT, -14 - 78 * raised - 26 * to_and_fro, 0, 0);
    turn(f, FOREARM_TWIST, RIGHT, 0, -8 + 14 * raised, 0);
    turn(f, HAND, RIGHT, 10 * to_and_fro, 0, -4 + 10 * raised);
    turn(f, FINGERS, RIGHT, 0, 0, -18 + 16 * raised);
}

/// A foot that leaves the ground at one phase and comes down at another, in the stance's new heading.
static footing turning_foot(uint32_t k, float phase, float from, float to) {
    const float third = (to - from) / 3;
    const float aloft = smooth_step(from, from + third, phase) - smooth_step(to - third, to, phase);
    footing foot = stance(k, 90 * smooth_step(from + 0.5f * third, to - 0.5f * third, phase));
    foot.ankle.y += 0.085f * aloft;
    foot.pitch = 12 * aloft;
    return foot;
}

/// A quarter turn to the left on the spot: the root turns, the left foot steps out, the right one follows; the head
/// goes first.
static void turn_pose(figure *f, float phase) {
    const float done = smooth_step(0.06f, 0.94f, phase), heading = 90 * done;
    const float left = smooth_step(0.12f, 0.3f, phase) - smooth_step(0.4f, 0.52f, phase);
    const float right = smooth_step(0.42f, 0.56f, phase) - smooth_step(0.78f, 0.98f, phase);
    const footing feet[2] = {turning_foot(0, phase, 0.16f, 0.46f), turning_foot(1, phase, 0.54f, 0.84f)};
    const float look = 24 * (smooth_step(0, 0.3f, phase) - smooth_step(0.4f, 0.95f, phase));
    f->local[ROOT].rotation = degrees(0, heading, 0);
    turn(f, PELVIS, 0, 0, 0, 2 * (right - left));
    // Weight goes over the foot that stays: first the right one, then the left.
    stand(f, vec3(0.05f * (right - left), -0.012f - 0.02f * (left + right), 0.01f * (left + right)), feet);
    for (uint32_t j = SPINE_1; j <= SPINE_3; ++j)
        turn(f, j, 0, 0.7f * (left + right), 0.2f * look, 0.7f * (left - right));
    turn(f, NECK, 0, 0, 0.4f * look, 0);
    turn(f, HEAD, 0, 2 * (left + right), 0.5f * look, 0);
    turn(f, UPPER_ARM, 0, 1 + 8 * left, -8, 9 + 7 * left);
    turn(f, UPPER_ARM, RIGHT, 1 - 10 * left, -8, 9 + 4 * (left + right));
    turn(f, FOREARM, 0, -14 - 8 * (left + right), 0, 0);
    turn(f, FOREARM, RIGHT, -14 - 12 * (left + right), 0, 0);
}

/// Additive: what to add to any pose to lean into a curve, from the waist up, so that feet stay where they are. Phase
/// 0.25 is full to the left, 0.75 to the right.
static void lean_pose(figure *f, float phase) {
    const float lean = swing(phase, 0.25f);
    for (uint32_t j = SPINE_1; j <= SPINE_3; ++j) turn(f, j, 0, 0, 2 * lean, -5 * lean);
    turn(f, NECK, 0, 0, 2 * lean, 4 * lean);
    turn(f, HEAD, 0, 0, 3 * lean, 5 * lean);
}

// ---- Recording.

typedef struct take {
    const char *name;
    void (*pose)(figure *f, float phase); ///< given the neutral figure; for additive takes, one of identities
    float seconds, speed;
    uint32_t interval_count, loop, flags;
} take;

/// The figure at each key, with one more before the first and behind the last for the tangents there.
static void perform(figure *figures, const take *t) {
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    const uint32_t n = t->interval_count;
    for (uint32_t k = 0; k < n + 3; ++k) {
        figure *const f = &figures[k];
        for (uint32_t j = 0; j < JOINT_COUNT; ++j) {
            f->local[j] = identity;
            if (!(t->flags & SQT_CLIP_DIFFERENCE)) f->local[j].translation = character_rig[j].rest.translation;
        }
        const uint32_t held = k < 1 ? 0 : k - 1 < n ? k - 1 : n, wrapped = (k + n - 1) % n;
        t->pose(f, (float)(t->loop == SQT_LOOP_WRAP ? wrapped : held) / (float)n);
        // q and -q are one rotation, but a spline must not go through zero to get from one to the other.
        for (uint32_t j = 0; j < JOINT_COUNT && k > 0; ++j) {
            sqt_quat *const q = &f->local[j].rotation;
            const sqt_quat p = figures[k - 1].local[j].rotation, negative = {-q->x, -q->y, -q->z, -q->w};
            if (p.x * q->x + p.y * q->y + p.z * q->z + p.w * q->w < 0) *q = negative;
        }
    }
}

/// The part of a transform that a channel drives.
static const float *part(const sqt_transform *t, uint8_t target) {
    return target == SQT_TARGET_ROTATION ? &t->rotation.x : &t->translation.x;
}
static uint16_t part_size(uint8_t target) { return target == SQT_TARGET_ROTATION ? 4 : 3; }

/// Whether any key of a part differs from what the clip leaves alone.
static bool moves(const figure *figures, const take *t, uint32_t joint, uint8_t target) {
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    const sqt_transform still = t->flags & SQT_CLIP_DIFFERENCE ? identity : character_rig[joint].rest;
    for (uint32_t k = 0; k < t->interval_count + 3; ++k) {
        const float *const now = part(&figures[k].local[joint], target);
        if (memcmp(now, part(&still, target), part_size(target) * sizeof(float)) != 0) return true;
    }
    return false;
}

/// A cubic channel with the tangents of Catmull and Rom: the slope from the key before to the key after.
static bool record_channel(asset *a, sqt_channel *channel, const figure *figures, const take *t, uint32_t joint,
                           uint8_t target) {
    const uint16_t size = part_size(target);
    const uint32_t key_count = t->interval_count + 1;
    const float interval = t->seconds / (float)t->interval_count;
    float *const times = asset_alloc(a, key_count, sizeof(float));
    float *const values = asset_alloc(a, key_count, 3 * size * sizeof(float));
    if (!times || !values) return false;
    for (uint32_t k = 0; k < key_count; ++k) {
        const float *const before = part(&figures[k].local[joint], target);
        const float *const here = part(&figures[k + 1].local[joint], target);
        const float *const after = part(&figures[k + 2].local[joint], target);
        float *const key = values + (size_t)k * 3 * size;
        times[k] = k < t->interval_count ? (float)k * interval : t->seconds;
        for (uint32_t c = 0; c < size; ++c) {
            key[size + c] = here[c];
            key[c] = key[2 * size + c] = (after[c] - before[c]) / (2 * interval);
        }
    }
    sqt_snap(values, (size_t)key_count * 3 * size);
    const sqt_channel made = {
        .curve = {times, values, key_count, size, SQT_CUBIC}, .joint = (uint16_t)joint, .target = target};
    *channel = made;
    return true;
}

static bool record_channels(asset *a, sqt_channel_clip *clip, const figure *figures, const take *t) {
    sqt_channel *const channels = asset_alloc(a, 2 * JOINT_COUNT, sizeof *channels);
    if (!channels) return false;
    for (uint32_t j = 0; j < JOINT_COUNT; ++j) {
        for (uint8_t target = SQT_TARGET_ROTATION; target <= SQT_TARGET_TRANSLATION; ++target) {
            if (!moves(figures, t, j, target)) continue;
            if (!record_channel(a, &channels[clip->channel_count++], figures, t, j, target)) return false;
        }
    }
    clip->channels = channels;
    return true;
}

static bool record(asset *a, asset_clip *clip, const take *t) {
    figure *const figures = malloc((t->interval_count + 3) * sizeof *figures);
    if (!figures) return false;
    perform(figures, t);
    const sqt_channel_clip empty = {.timeline = {t->seconds, t->loop},
                                    .authored_speed = t->speed,
                                    .flags = t->flags,
                                    .rig_hash = a->skeleton.rig_hash};
    clip->name = t->name;
    clip->clip = empty;
    const bool recorded = record_channels(a, &clip->clip, figures, t);
    free(figures);
    return recorded;
}

bool character_clips_make(asset *a) {
    const take takes[] = {
        {"idle", idle_pose, 6, 0, 24, SQT_LOOP_WRAP, 0},
        {"walk", walk_pose, walk.seconds, walk.speed, 40, SQT_LOOP_WRAP, 0},
        {"run", run_pose, run.seconds, run.speed, 40, SQT_LOOP_WRAP, 0},
        {"turn", turn_pose, 1.3f, 0, 40, SQT_LOOP_CLAMP, 0},
        {"wave", wave_pose, 3, 0, 48, SQT_LOOP_WRAP, 0},
        {"lean", lean_pose, 2, 0, 16, SQT_LOOP_WRAP, SQT_CLIP_DIFFERENCE},
    };
    const uint32_t count = sizeof takes / sizeof *takes;
    a->clips = asset_alloc(a, count, sizeof *a->clips);
    if (!a->clips) return false;
    for (a->clip_count = 0; a->clip_count < count; ++a->clip_count)
        if (!record(a, &a->clips[a->clip_count], &takes[a->clip_count])) return false;
    return true;
}
