#include "simd/isa.h"

#include "sqt/blend.h"

#include "fault.h"
#include "scalar_joint.h"

static vq rotation_of(const sqt_pose_block *pose, uint32_t joint) {
    const sqt_pose_block *const block = pose + joint / SQT_POSE_LANES;
    const uint32_t lane = joint % SQT_POSE_LANES;
    const vq q = {block->rx[lane], block->ry[lane], block->rz[lane], block->rw[lane]};
    return q;
}

static void set_rotation(sqt_pose_block *pose, uint32_t joint, sqt_quat q) {
    sqt_pose_block *const block = pose + joint / SQT_POSE_LANES;
    const uint32_t lane = joint % SQT_POSE_LANES;
    block->rx[lane] = q.x, block->ry[lane] = q.y, block->rz[lane] = q.z, block->rw[lane] = q.w;
}

/// Q of a joint, given those of the joints above it: the product of the rotations from its root down.
static vq mesh_rotation(const sqt_quat *q, uint32_t parent, vq local) {
    return parent == SQT_NO_JOINT ? local : vq_normalize(vq_multiply(vq_from_quat(q[parent]), local));
}

static vq turn_between(vq pose, vq reference) {
    const vq turn = vq_multiply(pose, vq_conjugate(reference)), none = {0.0f, 0.0f, 0.0f, 1.0f};
    return vq_is_still(turn) ? none : vq_normalize(turn);
}

sqt_result sqt_blend_difference_mesh(sqt_pose_block *difference, const sqt_skeleton *skeleton,
                                     const sqt_pose_block *pose, const sqt_pose_block *reference, sqt_quat *scratch,
                                     uint32_t flags) {
    if (!skeleton || !pose || !reference || !scratch) return SQT_ERROR_NULL;
    const uint32_t joint_count = skeleton->joint_count;
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    sqt_quat *const of_pose = scratch, *const of_reference = scratch + joint_count;
    for (uint32_t j = 0; j < joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        of_pose[j] = quat_from_vq(mesh_rotation(of_pose, parent, rotation_of(pose, j)));
        of_reference[j] = quat_from_vq(mesh_rotation(of_reference, parent, rotation_of(reference, j)));
    }
    const sqt_result result = sqt_blend_difference(difference, skeleton, pose, reference, flags);
    if (result) return result;
    for (uint32_t j = 0; j < joint_count; ++j) {
        const vq turn = turn_between(vq_from_quat(of_pose[j]), vq_from_quat(of_reference[j]));
        set_rotation(difference, j, quat_from_vq(turn));
    }
    return SQT_OK;
}

/// The power of a difference.
static vq turn_by(vq difference, float w, bool slerp) {
    const vq none = {0.0f, 0.0f, 0.0f, 1.0f};
    if (!slerp) return vq_nlerp(none, difference, w);
    if (w >= -1.0f && w <= 2.0f) return vq_slerp(none, difference, w);
    return vq_from_quat(sqt_quat_slerp(quat_from_vq(none), quat_from_vq(difference), w));
}

static bool is_same(sqt_quat a, sqt_quat b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

/// The local rotations after the addition, in `out`.
static void add_rotations(sqt_quat *out, sqt_quat *before, sqt_quat *after, const sqt_skeleton *skeleton,
                          const sqt_pose_block *base, const sqt_pose_block *difference, const float *mask, float weight,
                          bool slerp) {
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        const vq local = rotation_of(base, j), q = mesh_rotation(before, parent, local);
        const vq turn = turn_by(rotation_of(difference, j), mask ? weight * mask[j] : weight, slerp);
        const bool still = vq_is_still(turn);
        const vq turned = still ? q : vq_normalize(vq_multiply(turn, q));
        before[j] = quat_from_vq(q);
        after[j] = quat_from_vq(turned);
        if (still && (parent == SQT_NO_JOINT || is_same(before[parent], after[parent]))) {
            out[j] = quat_from_vq(local);
        } else if (parent == SQT_NO_JOINT) {
            out[j] = after[j];
        } else {
            out[j] = quat_from_vq(vq_normalize(vq_multiply(vq_conjugate(vq_from_quat(after[parent])), turned)));
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
    for (uint32_t j = 0; result == SQT_OK && adds && j < joint_count; ++j) set_rotation(out, j, scratch[j]);
    return result;
}
