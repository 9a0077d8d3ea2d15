#include "simd/isa.h"

#include "sqt/blend.h"

#include "fault.h"
#include "pose_lanes.h"
#include "simd/kernels.h"

/// Whether SLERP leaves the range of the kernels' polynomials, for any joint.
static bool slerp_is_far(const float *mask, float weight, uint32_t joint_count) {
    if (!mask) return !(weight >= -1.0f && weight <= 2.0f);
    for (uint32_t joint = 0; joint < joint_count; ++joint) {
        const float w = weight * mask[joint];
        if (!(w >= -1.0f && w <= 2.0f)) return true;
    }
    return false;
}

static void slerp_far(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                      float weight, uint32_t joint_count) {
    for (uint32_t joint = 0; joint < joint_count; ++joint) {
        const float w = mask ? weight * mask[joint] : weight, s = 1.0f - w;
        const sqt_transform p = sqt_pose_get(a, joint), q = sqt_pose_get(b, joint);
        const sqt_transform r = {
            w == 0.0f   ? p.rotation
            : w == 1.0f ? q.rotation
                        : sqt_quat_slerp(p.rotation, q.rotation, w),
            {p.translation.x * s + q.translation.x * w, p.translation.y * s + q.translation.y * w,
             p.translation.z * s + q.translation.z * w},
            {p.scale.x * s + q.scale.x * w, p.scale.y * s + q.scale.y * w, p.scale.z * s + q.scale.z * w}};
        sqt_pose_set(out, joint, r);
    }
    sqt_pose_pad(out, joint_count);
}

sqt_result sqt_blend_pair(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *a,
                          const sqt_pose_block *b, const float *mask, float weight, uint32_t flags) {
    if (!out || !skeleton || !a || !b) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (!sqt_finite(weight)) return SQT_ERROR_NUMBER;
    if (flags & ~(uint32_t)SQT_SLERP) return SQT_ERROR_FLAG;
    const uint32_t joint_count = skeleton->joint_count;
    if (!mask && (weight == 0.0f || weight == 1.0f)) {
        sqt_pose_copy(out, weight == 0.0f ? a : b, joint_count);
    } else if ((flags & SQT_SLERP) && slerp_is_far(mask, weight, joint_count)) {
        slerp_far(out, a, b, mask, weight, joint_count);
    } else {
        sqt_kernels_current()->blend(out, a, b, mask, weight, joint_count, (flags & SQT_SLERP) != 0);
    }
    return SQT_OK;
}
