/// @file core_pose.h
/// How far two poses are apart, in positions and velocities of chosen joints: whether one clip may follow another
/// without a blend (both begin or end on a core pose), and what motion matching minimises.
///
/// Global poses are what is compared, so a small turn of a hip counts as much as it moves the foot. A character that
/// travels is at another place at the end of a clip: take its root motion out first, or give both the same root.
#ifndef SQT_CORE_POSE_H
#define SQT_CORE_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One of the two poses.
typedef struct sqt_core_pose {
    const sqt_mat4 *global;     ///< [joint_count] joint -> model; positions are m[12], m[13], m[14]
    const sqt_vec3 *velocities; ///< [joint_count] model space, length units a second; NULL: at rest
} sqt_core_pose;

/// How far apart they are; p: distances between positions (length units), v: between velocities (units a second), of
/// the joints whose mask m is above 0. All are 0 where no joint counts.
typedef struct sqt_core_distance {
    float position;       ///< sqrt(sum of m p^2 / sum of m)
    float velocity;       ///< sqrt(sum of m v^2 / sum of m)
    float position_most;  ///< the largest p
    float velocity_most;  ///< the largest v
    uint32_t position_at; ///< its joint; SQT_NO_JOINT where no joint counts
    uint32_t velocity_at; ///< its joint; SQT_NO_JOINT where no joint counts
} sqt_core_distance;

/// The distance of two poses of one skeleton. Sums are in double precision.
///
/// @param distance out.
/// @param mask     [joint_count] or NULL (all ones); at or below 0 the joint does not count and is not read.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count).
/// Source: Gregory, "Game Engine Architecture", chapter 11, core poses; Clavet, "Motion Matching and The Road to
/// Next-Gen Animation", GDC 2016.
sqt_result sqt_core_pose_distance(sqt_core_distance *distance, const sqt_skeleton *skeleton, const sqt_core_pose *a,
                                  const sqt_core_pose *b, const float *mask);

/// Velocities from two global poses: (position - position in other) / seconds.
///
/// @param velocities [joint_count] out: model space, length units a second.
/// @param global     [joint_count] the pose whose velocities are wanted.
/// @param other      [joint_count] the pose `seconds` before it; below 0: after it.
/// @param seconds    finite and not 0.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count), SQT_ERROR_NUMBER (seconds).
sqt_result sqt_core_pose_velocities(sqt_vec3 *velocities, const sqt_skeleton *skeleton, const sqt_mat4 *global,
                                    const sqt_mat4 *other, float seconds);

#ifdef __cplusplus
}
#endif

#endif
