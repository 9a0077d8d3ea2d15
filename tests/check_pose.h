// Poses and rigs for tests of clips: random ones with a printed seed, canaries around outputs, and rotations mixed in
// double precision by another route than the library's.
#ifndef CHECK_POSE_H
#define CHECK_POSE_H

#include "check.h"

enum { CHECK_RIG_JOINTS = 70, CHECK_RIG_HASH = 0x51C7, CHECK_POSE_CAPACITY = SQT_POSE_BLOCKS(CHECK_RIG_JOINTS) };

// Rigs and random poses

static inline sqt_transform check_random_transform(check_random *random) {
    sqt_transform transform;
    transform.rotation = check_random_quat(random);
    transform.translation = check_random_vec3(random, -3, 3);
    transform.scale = check_random_vec3(random, 0.5f, 2);
    return transform;
}

/// Random joints, and identity in the lanes behind them.
static inline void check_random_pose(sqt_pose_block *pose, uint32_t joint_count, check_random *random) {
    assert_int_equal(sqt_pose_identity(pose, joint_count), SQT_OK);
    for (uint32_t j = 0; j < joint_count; ++j) sqt_pose_set(pose, j, check_random_transform(random));
}

/// A chain of joints with a random rest pose: what a sampler reads of a skeleton.
typedef struct check_rig {
    sqt_skeleton skeleton;
    sqt_pose_block rest[CHECK_POSE_CAPACITY];
} check_rig;

static inline void check_rig_init(check_rig *rig, uint32_t joint_count, check_random *random) {
    memset(rig, 0, sizeof *rig);
    check_random_pose(rig->rest, joint_count, random);
    rig->skeleton.joint_count = joint_count;
    rig->skeleton.full_joint_count = joint_count;
    rig->skeleton.rig_hash = CHECK_RIG_HASH;
    rig->skeleton.rest = rig->rest;
}

// Outputs between canaries

/// An output of up to CHECK_POSE_CAPACITY blocks, filled with 0xFF (NaN in every float).
typedef struct check_output {
    unsigned char before[64];
    sqt_pose_block pose[CHECK_POSE_CAPACITY];
    unsigned char after[64];
} check_output;

static inline void check_output_reset(check_output *output) { memset(output, 0xFF, sizeof *output); }

/// Fails where anything but the first `block_count` blocks has been written.
static inline void check_output_assert_only(const check_output *output, uint32_t block_count) {
    const unsigned char *const bytes = (const unsigned char *)output;
    const size_t start = offsetof(check_output, pose), end = start + block_count * sizeof *output->pose;
    for (size_t i = 0; i < sizeof *output; ++i) {
        if ((i < start || i >= end) && bytes[i] != 0xFF) fail_msg("byte %zu outside the output was written", i);
    }
}

/// Fails unless the joints are the same bits and the lanes behind them identity.
static inline void check_assert_pose_bits(const sqt_pose_block *pose, const sqt_pose_block *expected,
                                          uint32_t joint_count) {
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    for (uint32_t j = 0; j < SQT_POSE_BLOCKS(joint_count) * SQT_POSE_LANES; ++j) {
        const sqt_transform a = sqt_pose_get(pose, j), b = j < joint_count ? sqt_pose_get(expected, j) : identity;
        if (memcmp(&a, &b, sizeof a) != 0) fail_msg("lane %u of %u joints has other bits", j, joint_count);
    }
}

static inline void check_assert_transform(sqt_transform a, sqt_transform b, double tolerance) {
    assert_rotation_close(a.rotation, b.rotation, tolerance);
    assert_vec3_close(a.translation, b.translation, tolerance);
    assert_vec3_close(a.scale, b.scale, tolerance);
}

// Rotations in double precision

typedef struct check_dquat {
    double x, y, z, w;
} check_dquat;

static inline check_dquat check_dquat_unit(check_dquat q) {
    const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const check_dquat unit = {q.x / length, q.y / length, q.z / length, q.w / length};
    return unit;
}

static inline check_dquat check_dquat_of(const float *q) {
    const check_dquat wide = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    return check_dquat_unit(wide);
}

static inline check_dquat check_dquat_multiply(check_dquat a, check_dquat b) {
    const check_dquat product = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return product;
}

/// Along the shorter arc at constant speed, as a turn about the axis that leads from a to b.
static inline check_dquat check_dquat_slerp(check_dquat a, check_dquat b, double t) {
    const check_dquat back = {-a.x, -a.y, -a.z, a.w};
    check_dquat turn = check_dquat_multiply(b, back);
    if (turn.w < 0) turn = (check_dquat){-turn.x, -turn.y, -turn.z, -turn.w};
    const double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    if (sine == 0) return a;
    const double half = t * atan2(sine, turn.w), factor = sin(half) / sine;
    const check_dquat part = {turn.x * factor, turn.y * factor, turn.z * factor, cos(half)};
    return check_dquat_multiply(part, a);
}

static inline check_dquat check_dquat_nlerp(check_dquat a, check_dquat b, double t) {
    const double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
    const check_dquat mix = {(1 - t) * a.x + t * sign * b.x, (1 - t) * a.y + t * sign * b.y,
                             (1 - t) * a.z + t * sign * b.z, (1 - t) * a.w + t * sign * b.w};
    return check_dquat_unit(mix);
}

static inline sqt_quat check_dquat_rounded(check_dquat q) {
    const sqt_quat rounded = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    return rounded;
}

/// The turn by some degrees about an axis of length 1.
static inline sqt_quat check_degrees(double x, double y, double z, double degrees) {
    const double half = degrees * (3.14159265358979323846 / 360), s = sin(half);
    const sqt_quat q = {(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(half)};
    return q;
}

static inline sqt_quat check_negated(sqt_quat q) {
    const sqt_quat negated = {-q.x, -q.y, -q.z, -q.w};
    return negated;
}

#endif
