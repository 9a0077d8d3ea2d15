/// @file blend.h
/// Blending of local poses.
#ifndef SQT_BLEND_H
#define SQT_BLEND_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Blends two poses joint by joint: with w = weight * mask[joint], translation and scale (1 - w) a + w b; rotation by
/// NLERP or SLERP along the shorter arc (sqt_quat_nlerp, sqt_quat_slerp: the same bits).
///
/// Where w is exactly 0 the joint's rotation is that of a, bit for bit, and where it is exactly 1 that of b. With no
/// mask, at weight 0 the result is a and b is not read; at weight 1 it is b and a is not read.
///
/// @param out    [SQT_POSE_BLOCKS(joint_count)] out; may be a or b.
/// @param a, b   [SQT_POSE_BLOCKS(joint_count)] unit rotations.
/// @param mask   [joint_count] or NULL (all ones).
/// @param weight any finite number; outside 0..1 it extrapolates.
/// @param flags  SQT_NLERP or SQT_SLERP.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count), SQT_ERROR_NUMBER (weight), SQT_ERROR_FLAG.
/// Source: Gregory, "Game Engine Architecture", chapter 11, animation blending.
sqt_result sqt_blend_pair(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *a,
                          const sqt_pose_block *b, const float *mask, float weight, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
