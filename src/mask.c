#include "simd/isa.h"

#include "sqt/mask.h"

#include "fault.h"

sqt_result sqt_mask_subtree(float *mask, const sqt_skeleton *skeleton, uint32_t joint, float falloff_per_level) {
    if (!mask || !skeleton) return SQT_ERROR_NULL;
    if (joint >= skeleton->joint_count) return SQT_ERROR_COUNT;
    if (!sqt_finite(falloff_per_level) || falloff_per_level < 0.0f) return SQT_ERROR_NUMBER;

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
