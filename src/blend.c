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

/// False for NaN as well. Beyond 1e15 the sum of weights might be no float.
static bool is_weight(float weight) { return weight >= 0.0f && weight <= 1e15f; }

/// Checks the inputs, and says whether any that counts has a mask.
static sqt_result check_inputs(const sqt_blend_input *inputs, uint32_t input_count, bool *masked) {
    *masked = false;
    for (uint32_t k = 0; k < input_count; ++k) {
        if (!is_weight(inputs[k].weight)) return SQT_ERROR_NUMBER;
        if (inputs[k].weight == 0.0f) continue;
        if (!inputs[k].pose) return SQT_ERROR_NULL;
        if (inputs[k].mask || inputs[k].translation_mask) *masked = true;
    }
    return SQT_OK;
}

/// The poses that count and their shares, in the order of operations of the masked kernel.
typedef struct blend_shares {
    sqt_blend_part parts[SQT_BLEND_PARTS];
    uint32_t part_count, heaviest;
} blend_shares;

/// False where there are too many.
static bool add_part(blend_shares *shares, const sqt_pose_block *pose, float weight) {
    if (weight == 0.0f) return true;
    if (shares->part_count == SQT_BLEND_PARTS) return false;
    shares->parts[shares->part_count].pose = pose;
    shares->parts[shares->part_count].weight = weight;
    if (weight > shares->parts[shares->heaviest].weight) shares->heaviest = shares->part_count;
    ++shares->part_count;
    return true;
}

static bool share_out(blend_shares *shares, const sqt_blend_input *inputs, uint32_t input_count,
                      const sqt_pose_block *rest, float rest_threshold) {
    float sum = 0.0f;
    shares->part_count = shares->heaviest = 0;
    for (uint32_t k = 0; k < input_count; ++k) {
        sum += inputs[k].weight;
        if (!add_part(shares, inputs[k].pose, inputs[k].weight)) return false;
    }
    const float missing = rest_threshold > sum ? rest_threshold - sum : 0.0f, total = sum + missing;
    const bool none = total < 1e-30f;
    if (none) shares->part_count = shares->heaviest = 0;
    if (!add_part(shares, rest, none ? 1.0f : missing)) return false;
    const float inverse = 1.0f / (none ? 1.0f : total);
    for (uint32_t k = 0; k < shares->part_count; ++k) shares->parts[k].weight *= inverse;
    return true;
}

sqt_result sqt_blend_many(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_blend_input *inputs,
                          uint32_t input_count, float rest_threshold, uint32_t flags) {
    if (!out || !skeleton || !skeleton->rest || (!inputs && input_count > 0)) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (!is_weight(rest_threshold)) return SQT_ERROR_NUMBER;
    if (flags != SQT_NLERP) return SQT_ERROR_FLAG;
    bool masked;
    const sqt_result result = check_inputs(inputs, input_count, &masked);
    if (result) return result;
    blend_shares shares;
    if (masked || !share_out(&shares, inputs, input_count, skeleton->rest, rest_threshold)) {
        const sqt_blend_masked_job job = {inputs, input_count, rest_threshold, skeleton->rest};
        sqt_kernels_current()->blend_many_masked(out, &job, skeleton->joint_count);
    } else if (shares.part_count == 1) {
        sqt_pose_copy(out, shares.parts[0].pose, skeleton->joint_count);
    } else {
        sqt_kernels_current()->blend_many(out, shares.parts, shares.part_count, shares.heaviest, skeleton->joint_count);
    }
    return SQT_OK;
}

sqt_result sqt_blend_difference(sqt_pose_block *difference, const sqt_skeleton *skeleton, const sqt_pose_block *pose,
                                const sqt_pose_block *reference, uint32_t flags) {
    if (!difference || !skeleton || !pose || !reference) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (flags & ~(uint32_t)SQT_SCALE_DIFFERENCE) return SQT_ERROR_FLAG;
    sqt_kernels_current()->difference(difference, pose, reference, skeleton->joint_count, flags != 0);
    return SQT_OK;
}

static float add_scale(float base, float delta, float w, bool scale_difference) {
    const float change = (delta - 1.0f) * w;
    return scale_difference ? base + change : base * (1.0f + change);
}

static void add_far(sqt_pose_block *out, const sqt_pose_block *base, const sqt_pose_block *delta, const float *mask,
                    float weight, uint32_t joint_count, bool scale_difference) {
    static const sqt_quat identity = SQT_QUAT_IDENTITY;
    for (uint32_t joint = 0; joint < joint_count; ++joint) {
        const float w = mask ? weight * mask[joint] : weight;
        const sqt_transform b = sqt_pose_get(base, joint), d = sqt_pose_get(delta, joint);
        const sqt_quat turn = sqt_quat_slerp(identity, d.rotation, w);
        const bool still = turn.x == 0.0f && turn.y == 0.0f && turn.z == 0.0f;
        const sqt_transform r = {still ? b.rotation : sqt_quat_multiply(b.rotation, turn),
                                 {b.translation.x + d.translation.x * w, b.translation.y + d.translation.y * w,
                                  b.translation.z + d.translation.z * w},
                                 {add_scale(b.scale.x, d.scale.x, w, scale_difference),
                                  add_scale(b.scale.y, d.scale.y, w, scale_difference),
                                  add_scale(b.scale.z, d.scale.z, w, scale_difference)}};
        sqt_pose_set(out, joint, r);
    }
    sqt_pose_pad(out, joint_count);
}

sqt_result sqt_blend_add(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *base,
                         const sqt_pose_block *difference, const float *mask, float weight, uint32_t flags) {
    if (!out || !skeleton || !base || !difference) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (!sqt_finite(weight)) return SQT_ERROR_NUMBER;
    if (flags & ~(uint32_t)(SQT_SLERP | SQT_SCALE_DIFFERENCE)) return SQT_ERROR_FLAG;
    const uint32_t joint_count = skeleton->joint_count;
    const bool slerp = (flags & SQT_SLERP) != 0, scale_difference = (flags & SQT_SCALE_DIFFERENCE) != 0;
    if (weight == 0.0f) {
        sqt_pose_copy(out, base, joint_count);
    } else if (slerp && slerp_is_far(mask, weight, joint_count)) {
        add_far(out, base, difference, mask, weight, joint_count, scale_difference);
    } else {
        sqt_kernels_current()->add(out, base, difference, mask, weight, joint_count, slerp, scale_difference);
    }
    return SQT_OK;
}
