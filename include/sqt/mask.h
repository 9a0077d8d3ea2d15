/// @file mask.h
/// Joint masks: float[joint_count], how much each joint takes part in a blend. NULL stands for all ones wherever a
/// function takes a mask. Usually 0..1; the blends say what other values do.
#ifndef SQT_MASK_H
#define SQT_MASK_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The mask of a joint and everything below it: max(0, 1 - falloff_per_level * d) at d levels below the joint, 0
/// elsewhere. (For a ramp into the subtree write its first joints after the call: mask[spine] = 0.4f.)
///
/// @param mask              [skeleton->joint_count] out.
/// @param joint             below skeleton->joint_count.
/// @param falloff_per_level finite, >= 0; 0: the whole subtree at 1.
/// @return SQT_OK, SQT_ERROR_NULL ("mask", "skeleton"), SQT_ERROR_COUNT ("joint"), SQT_ERROR_NUMBER
///         ("falloff_per_level"). On error nothing is written.
SQT_NODISCARD sqt_result sqt_mask_subtree(float *mask, const sqt_skeleton *skeleton, uint32_t joint,
                                          float falloff_per_level, sqt_fault *fault);

/// The mask of listed joints: weights[k] at joints[k], 0 elsewhere. A joint listed twice has the later weight.
///
/// @param mask       [skeleton->joint_count] out; must not overlap weights.
/// @param joints     [list_count] in any order, each below skeleton->joint_count (as sqt_skeleton_map gives them).
/// @param weights    [list_count] finite; NULL: all ones.
/// @param list_count 0 gives all zeros, and joints may be NULL.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT ("joints", index), SQT_ERROR_NUMBER ("weights", index).
SQT_NODISCARD sqt_result sqt_mask_joints(float *mask, const sqt_skeleton *skeleton, const uint16_t *joints,
                                         const float *weights, uint32_t list_count, sqt_fault *fault);

/// a * b at each joint: where both take part.
///
/// @param mask [skeleton->joint_count] out; may be a or b.
/// @param a, b [skeleton->joint_count] or NULL (all ones).
/// @return SQT_OK or SQT_ERROR_NULL.
sqt_result sqt_mask_multiply(float *mask, const sqt_skeleton *skeleton, const float *a, const float *b);

/// The larger of a and b at each joint: where either takes part. Arguments as of sqt_mask_multiply.
sqt_result sqt_mask_max(float *mask, const sqt_skeleton *skeleton, const float *a, const float *b);

/// min(a + b, 1) at each joint: both together. Arguments as of sqt_mask_multiply.
sqt_result sqt_mask_add(float *mask, const sqt_skeleton *skeleton, const float *a, const float *b);

/// 1 - a at each joint: what the mask leaves. Of NULL (all ones) all zeros.
///
/// @param mask [skeleton->joint_count] out; may be a.
/// @param a    [skeleton->joint_count] or NULL.
/// @return SQT_OK or SQT_ERROR_NULL.
sqt_result sqt_mask_invert(float *mask, const sqt_skeleton *skeleton, const float *a);

#ifdef __cplusplus
}
#endif

#endif
