// What the parts of the embedded character share: the rig, and small vector arithmetic.
#ifndef CHARACTER_PARTS_H
#define CHARACTER_PARTS_H

#include "character.h"

#include <math.h>

// Parents first. The right side repeats the left in the same order, so that "joint + RIGHT" is the other hand.
enum {
    ROOT,
    PELVIS,
    SPINE_1,
    SPINE_2,
    SPINE_3,
    NECK,
    HEAD,
    CLAVICLE,
    UPPER_ARM,
    FOREARM,
    FOREARM_TWIST,
    HAND,
    FINGERS,
    THUMB,
    THIGH,
    SHIN,
    FOOT,
    TOES,
    RIGHT = TOES + 1 - CLAVICLE,
    JOINT_COUNT = TOES + 1 + RIGHT
};

/// The rig as people write it. Unrotated, the arms hang: -y runs down every limb, and elbows and knees are hinges
/// about x. The rest pose lifts the arms, so that the skin of the shoulders is made halfway of where it has to go.
extern const sqt_joint character_rig[JOINT_COUNT];

bool character_mesh_make(asset *a);
bool character_clips_make(asset *a);

/// Joint -> model in the rest pose.
sqt_transform character_rest(uint32_t joint);

static inline sqt_vec3 vec3(float x, float y, float z) {
    const sqt_vec3 v = {x, y, z};
    return v;
}
static inline sqt_vec3 vec3_add(sqt_vec3 a, sqt_vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline sqt_vec3 vec3_subtract(sqt_vec3 a, sqt_vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline sqt_vec3 vec3_scale(sqt_vec3 v, float s) { return vec3(v.x * s, v.y * s, v.z * s); }
static inline float vec3_dot(sqt_vec3 a, sqt_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float vec3_length(sqt_vec3 v) { return sqrtf(vec3_dot(v, v)); }
static inline sqt_vec3 vec3_cross(sqt_vec3 a, sqt_vec3 b) {
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// The vector itself where it has no length.
static inline sqt_vec3 vec3_unit(sqt_vec3 v) {
    const float length = vec3_length(v);
    return length > 0 ? vec3_scale(v, 1 / length) : v;
}
static inline float clamp01(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/// 0 up to `from`, 1 from `to` on, without a kink in between.
static inline float smooth_step(float from, float to, float x) {
    const float t = clamp01((x - from) / (to - from));
    return clamp01(t * t * t * (t * (t * 6 - 15) + 10)); // rounding can pass 1
}

#endif
