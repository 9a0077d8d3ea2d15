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
/// elsewhere.
///
/// @param mask              [skeleton->joint_count] out.
/// @param joint             below skeleton->joint_count.
/// @param falloff_per_level finite, >= 0; 0: the whole subtree at 1.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint), SQT_ERROR_NUMBER. On error nothing is written.
SQT_NODISCARD sqt_result sqt_mask_subtree(float *mask, const sqt_skeleton *skeleton, uint32_t joint,
                                          float falloff_per_level);

#ifdef __cplusplus
}
#endif

#endif
