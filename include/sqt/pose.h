/// @file pose.h
/// A local pose: one transform a joint, joint -> parent, as blocks of 16 joints with one array a component.
///
/// Joint j lies in block j / 16, lane j % 16. A pose of n joints is SQT_POSE_BLOCKS(n) blocks, declared by the caller:
///
///     sqt_pose_block pose[SQT_POSE_BLOCKS(67)];
///
/// The lanes beyond the last joint are never read into a result, and every function that writes a whole pose makes them
/// identity, so that poses can be compared and hashed as bytes. A pose that is filled joint by joint (sqt_pose_set)
/// starts with sqt_pose_identity or sqt_skeleton_rest.
#ifndef SQT_POSE_H
#define SQT_POSE_H

#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joints in a block: 16 for ever, in memory and in files.
#define SQT_POSE_LANES 16u

/// Blocks that hold so many joints.
#define SQT_POSE_BLOCKS(joint_count) (((joint_count) + 15u) / 16u)

/// 16 transforms, structure of arrays: rotation (unit), translation (the asset's unit), scale.
typedef struct sqt_pose_block {
    float rx[16], ry[16], rz[16], rw[16];
    float tx[16], ty[16], tz[16];
    float sx[16], sy[16], sz[16];
} sqt_pose_block;

/// The transform of one joint.
///
/// @param pose  at least joint + 1 joints.
/// @param joint SQT_NO_JOINT (a look-up that missed) gives the identity, as does a NULL pose.
sqt_transform sqt_pose_get(const sqt_pose_block *pose, uint32_t joint);

/// Sets the transform of one joint, as given: a rotation should be unit.
///
/// @param pose  at least joint + 1 joints.
/// @param joint SQT_NO_JOINT (a look-up that missed) does nothing, as does a NULL pose.
void sqt_pose_set(sqt_pose_block *pose, uint32_t joint, sqt_transform transform);

/// Fills every joint, and the lanes behind the last, with identity.
///
/// @param pose [SQT_POSE_BLOCKS(joint_count)] out.
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT (more than SQT_MAX_JOINTS).
sqt_result sqt_pose_identity(sqt_pose_block *pose, uint32_t joint_count);

/// Copies an array of transforms into a pose.
///
/// @param pose       [SQT_POSE_BLOCKS(joint_count)] out.
/// @param transforms [joint_count]; must not overlap pose.
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT (more than SQT_MAX_JOINTS).
sqt_result sqt_pose_pack(sqt_pose_block *pose, const sqt_transform *transforms, uint32_t joint_count);

/// Copies a pose into an array of transforms.
///
/// @param transforms [joint_count] out; must not overlap pose.
/// @param pose       [SQT_POSE_BLOCKS(joint_count)].
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT (more than SQT_MAX_JOINTS).
sqt_result sqt_pose_unpack(sqt_transform *transforms, const sqt_pose_block *pose, uint32_t joint_count);

#ifdef __cplusplus
}
#endif

#endif
