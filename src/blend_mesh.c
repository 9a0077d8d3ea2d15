#include "simd/isa.h"

#include "sqt/blend.h"

#include "fault.h"

static sqt_quat rotation_of(const sqt_pose_block *pose, uint32_t joint) { return sqt_pose_get(pose, joint).rotation; }

/// Q of every joint: the product of the rotations from its root down.
static void mesh_rotations(sqt_quat *q, const sqt_skeleton *skeleton, const sqt_pose_block *pose) {
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        const sqt_quat local = rotation_of(pose, j);
        q[j] = parent == SQT_NO_JOINT ? local : sqt_quat_normalize(sqt_quat_multiply(q[parent], local));
    }
}

static void set_rotations(sqt_pose_block *pose, const sqt_quat *rotations, uint32_t joint_count) {
    for (uint32_t j = 0; j < joint_count; ++j) {
        sqt_transform t = sqt_pose_get(pose, j);
        t.rotation = rotations[j];
        sqt_pose_set(pose, j, t);
    }
}

sqt_result sqt_blend_difference_mesh(sqt_pose_block *difference, const sqt_skeleton *skeleton,
                                     const sqt_pose_block *pose, const sqt_pose_block *reference, sqt_quat *scratch,
                                     uint32_t flags) {
    if (!skeleton || !pose || !reference || !scratch) return SQT_ERROR_NULL;
    const uint32_t joint_count = skeleton->joint_count;
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    sqt_quat *const of_pose = scratch, *const of_reference = scratch + joint_count;
    mesh_rotations(of_pose, skeleton, pose);
    mesh_rotations(of_reference, skeleton, reference);
    const sqt_result result = sqt_blend_difference(difference, skeleton, pose, reference, flags);
    if (result) return result;
    for (uint32_t j = 0; j < joint_count; ++j) {
        const sqt_quat turn = sqt_quat_multiply(of_pose[j], sqt_quat_conjugate(of_reference[j]));
        of_pose[j] = sqt_quat_normalize(turn);
    }
    set_rotations(difference, of_pose, joint_count);
    return SQT_OK;
}

/// What is added to a joint in mesh space: the power of its difference.
static sqt_quat added_turn(sqt_quat difference, float w, bool slerp) {
    static const sqt_quat identity = SQT_QUAT_IDENTITY;
    return slerp ? sqt_quat_slerp(identity, difference, w) : sqt_quat_nlerp(identity, difference, w);
}

static bool is_still(sqt_quat turn) { return turn.x == 0.0f && turn.y == 0.0f && turn.z == 0.0f; }

static bool same(sqt_quat a, sqt_quat b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

/// The local rotations after the addition, in `out`. `before` and `after` are Q without and with what is added.
static void add_rotations(sqt_quat *out, sqt_quat *before, sqt_quat *after, const sqt_skeleton *skeleton,
                          const sqt_pose_block *base, const sqt_pose_block *difference, const float *mask, float weight,
                          bool slerp) {
    mesh_rotations(before, skeleton, base);
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        const sqt_quat turn = added_turn(rotation_of(difference, j), mask ? weight * mask[j] : weight, slerp);
        const bool still = is_still(turn);
        const bool parent_still = parent == SQT_NO_JOINT || same(before[parent], after[parent]);
        after[j] = still ? before[j] : sqt_quat_normalize(sqt_quat_multiply(turn, before[j]));
        if (still && parent_still) {
            out[j] = rotation_of(base, j);
        } else if (parent == SQT_NO_JOINT) {
            out[j] = after[j];
        } else {
            out[j] = sqt_quat_normalize(sqt_quat_multiply(sqt_quat_conjugate(after[parent]), after[j]));
        }
    }
}

sqt_result sqt_blend_add_mesh(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *base,
                              const sqt_pose_block *difference, const float *mask, sqt_quat *scratch, float weight,
                              uint32_t flags) {
    if (!out || !skeleton || !base || !difference || !scratch) return SQT_ERROR_NULL;
    const uint32_t joint_count = skeleton->joint_count;
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (!sqt_finite(weight)) return SQT_ERROR_NUMBER;
    const bool adds = weight != 0.0f;
    if (adds) {
        add_rotations(scratch, scratch + joint_count, scratch + 2 * (size_t)joint_count, skeleton, base, difference,
                      mask, weight, (flags & SQT_SLERP) != 0);
    }
    const sqt_result result = sqt_blend_add(out, skeleton, base, difference, mask, weight, flags);
    if (result == SQT_OK && adds) set_rotations(out, scratch, joint_count);
    return result;
}
