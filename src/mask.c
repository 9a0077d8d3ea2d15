#include "simd/isa.h"

#include "sqt/mask.h"

#include "fault.h"

sqt_result sqt_mask_subtree(float *mask, const sqt_skeleton *skeleton, uint32_t joint, float falloff_per_level,
                            sqt_fault *fault) {
    if (!mask) return sqt_fail(fault, SQT_ERROR_NULL, "mask", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (joint >= skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joint", 0, 0);
    if (!sqt_finite(falloff_per_level) || falloff_per_level < 0.0f) {
        return sqt_fail(fault, SQT_ERROR_NUMBER, "falloff_per_level", 0, 0);
    }

    // First the levels below the joint, -1 for joints elsewhere. Parents precede children, so one pass knows them all;
    // floats hold every level exactly.
    for (uint32_t i = 0; i < joint; ++i) mask[i] = -1.0f;
    mask[joint] = 0.0f;
    for (uint32_t i = joint + 1; i < skeleton->joint_count; ++i) {
        const uint32_t parent = skeleton->parents[i];
        mask[i] = parent < i && mask[parent] >= 0.0f ? mask[parent] + 1.0f : -1.0f; // a root's is SQT_NO_JOINT
    }
    for (uint32_t i = 0; i < skeleton->joint_count; ++i) {
        const double value = 1.0 - (double)falloff_per_level * (double)mask[i];
        mask[i] = mask[i] >= 0.0f && value > 0.0 ? (float)value : 0.0f;
    }
    return SQT_OK;
}

sqt_result sqt_mask_joints(float *mask, const sqt_skeleton *skeleton, const uint16_t *joints, const float *weights,
                           uint32_t list_count, sqt_fault *fault) {
    if (!mask) return sqt_fail(fault, SQT_ERROR_NULL, "mask", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (!joints && list_count > 0) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
    for (uint32_t k = 0; k < list_count; ++k) {
        if (joints[k] >= skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", k, 0);
        if (weights && !sqt_finite(weights[k])) return sqt_fail(fault, SQT_ERROR_NUMBER, "weights", k, 0);
    }
    memset(mask, 0, skeleton->joint_count * sizeof *mask);
    for (uint32_t k = 0; k < list_count; ++k) mask[joints[k]] = weights ? weights[k] : 1.0f;
    return SQT_OK;
}

sqt_result sqt_mask_multiply(float *mask, const sqt_skeleton *skeleton, const float *a, const float *b) {
    if (!mask || !skeleton) return SQT_ERROR_NULL;
    for (uint32_t i = 0; i < skeleton->joint_count; ++i) mask[i] = (a ? a[i] : 1.0f) * (b ? b[i] : 1.0f);
    return SQT_OK;
}

sqt_result sqt_mask_max(float *mask, const sqt_skeleton *skeleton, const float *a, const float *b) {
    if (!mask || !skeleton) return SQT_ERROR_NULL;
    for (uint32_t i = 0; i < skeleton->joint_count; ++i) {
        const float x = a ? a[i] : 1.0f, y = b ? b[i] : 1.0f;
        mask[i] = x > y ? x : y;
    }
    return SQT_OK;
}

sqt_result sqt_mask_add(float *mask, const sqt_skeleton *skeleton, const float *a, const float *b) {
    if (!mask || !skeleton) return SQT_ERROR_NULL;
    for (uint32_t i = 0; i < skeleton->joint_count; ++i) {
        const float sum = (a ? a[i] : 1.0f) + (b ? b[i] : 1.0f);
        mask[i] = sum < 1.0f ? sum : 1.0f;
    }
    return SQT_OK;
}

sqt_result sqt_mask_invert(float *mask, const sqt_skeleton *skeleton, const float *a) {
    if (!mask || !skeleton) return SQT_ERROR_NULL;
    for (uint32_t i = 0; i < skeleton->joint_count; ++i) mask[i] = 1.0f - (a ? a[i] : 1.0f);
    return SQT_OK;
}
