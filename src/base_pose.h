// What the kinds of clips share: the pose below what a clip covers, and what their validators check.
#ifndef SQT_SRC_BASE_POSE_H
#define SQT_SRC_BASE_POSE_H

#include "fault.h"
#include "sqt/clip.h"

/// sqt_play_check for a validator, which names the fault and has a speed in place of a time.
sqt_result sqt_play_validate(const sqt_skeleton *skeleton, const sqt_timeline *timeline, float authored_speed,
                             uint32_t rig_hash, sqt_fault *fault);

/// A list of joints ascends, without repeats, and stays within the rig.
sqt_result sqt_joint_list_validate(const uint16_t *joints, uint32_t joint_count, uint32_t rig_joint_count,
                                   const char *field, sqt_fault *fault);

/// The O(1) checks before sqt_base_pose_fill: enough joints in a whole base, a rest pose where one is needed.
sqt_result sqt_base_pose_check(const sqt_skeleton *skeleton, const sqt_base_pose *base, uint32_t clip_flags);

/// Fills a pose with the base: the rest pose (identity for SQT_CLIP_DIFFERENCE), with the base's joints on top. A whole
/// base that is the pose itself stays. Lanes behind the last joint become identity.
void sqt_base_pose_fill(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_base_pose *base,
                        uint32_t clip_flags);

/// Every number, joint and count of a base; fields "base" and "base.joints".
sqt_result sqt_base_pose_validate(const sqt_skeleton *skeleton, const sqt_base_pose *base, sqt_fault *fault);

/// Joints that a clip may name: those of the whole rig, so that one clip serves every level of detail.
static inline uint32_t sqt_rig_joint_count(const sqt_skeleton *skeleton) {
    return skeleton->full_joint_count > skeleton->joint_count ? skeleton->full_joint_count : skeleton->joint_count;
}

#endif
