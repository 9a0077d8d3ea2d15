/// @file inertial.h
/// Inertial blending: transitions that need one pose only. At the switch the new motion takes over at once; what the
/// shown pose was away from it, and how fast, is kept joint by joint as an offset that decays smoothly to nothing. The
/// old motion is not sampled any more. Positions never jump. Speeds do where the shown motion was leaving the new one:
/// that part of the velocity is dropped at the switch.
///
/// A character needs the two poses shown last and the offsets: 2 * 640 + 1152 bytes for every 16 joints.
///
///     sqt_inertial inertial = {0};
///     sqt_inertial_block offsets[SQT_POSE_BLOCKS(JOINTS)];
///     ...
///     // At a switch: `shown` is the pose last shown, at `last`; `shown_before` the one before, at last - dt.
///     sqt_clip_sample(target, &skeleton, &jump, 0.0, SQT_NLERP);         // where the new motion would have been at
///     sqt_clip_sample(target_before, &skeleton, &jump, -dt, SQT_NLERP);  // these two moments
///     const sqt_inertial_switch to_jump = {.pose = shown, .pose_before = shown_before,
///                                          .target = target, .target_before = target_before,
///                                          .seconds = last, .frame_seconds = dt, .duration_seconds = 0.3f};
///     sqt_inertial_begin(&inertial, offsets, &skeleton, &to_jump);
///
///     // Every frame, this one too:
///     sqt_clip_sample(pose, &skeleton, &jump, now - last, SQT_NLERP);
///     sqt_inertial_apply(pose, &skeleton, pose, &inertial, offsets, now);
///
/// A switch in the middle of another is no special case: the shown poses hold what is left of its offset.
///
/// The offset of a joint is a turn about an axis, 0..pi (the shorter arc), a way along a direction, and a change of
/// scale along a direction (in the space of the three scales). Each is one number x(t) >= 0, with x0 and v0 at the
/// switch. v0 > 0, away from the new motion, is taken as 0, and v0 < 0 shortens the time so that x does not go below 0:
///
///     t1 = min(duration, -5 x0 / v0);   u = t / t1;   k = -v0 t1 / x0, which is 0..5
///     x(t) = x0 (1 - u)^3 (1 + (3 - k) u + c u^2);   c = 6 - 3 k + max(0, 4 k - 10);   0 from t1 on
///
/// This is the polynomial of fifth degree with x(0) = x0, x'(0) = v0, x''(0) = max(0, -8 v0 t1 - 20 x0) / t1^2 and
/// x = x' = x'' = 0 at t1, with the zeros at its end taken out. It falls from x0 to 0 without a turn: it never exceeds
/// its start nor changes sign. What of the velocity is across the axis or direction is lost, as is what leads away.
///
/// Source: Bollo, "Inertialization: High-Performance Animation Transitions in Gears of War", GDC 2018.
#ifndef SQT_INERTIAL_H
#define SQT_INERTIAL_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One kind of offset of 16 joints.
typedef struct sqt_inertial_offset {
    float x[16], y[16], z[16]; ///< unit: axis or direction; 0 where there is no offset
    float size[16];            ///< x0: radians, lengths or ratios
    float pull[16];            ///< k: 0..5
    float rate[16];            ///< 1 / t1, a second
} sqt_inertial_offset;

/// The offsets of 16 joints: of rotation (it stands on the left of the new motion's, in the parent's axes), of
/// translation and of scale (added). Lanes behind the last joint are 0.
typedef struct sqt_inertial_block {
    sqt_inertial_offset rotation, translation, scale;
} sqt_inertial_block;

/// A transition under way; its offsets are [SQT_POSE_BLOCKS(joint_count)] blocks of the caller. Neither holds a pointer:
/// copy both to save, to restore, to send. Zero-initialised nothing is under way.
typedef struct sqt_inertial {
    double start_seconds;
    float duration_seconds; ///< all offsets are gone at start_seconds + duration_seconds
    uint32_t joint_count;   ///< that the offsets are for
} sqt_inertial;

/// A switch from what was shown to another motion. The shown and the new poses are of the same two moments.
typedef struct sqt_inertial_switch {
    const sqt_pose_block *pose;          ///< [SQT_POSE_BLOCKS(joint_count)] shown last
    const sqt_pose_block *pose_before;   ///< shown the frame before it; NULL: the same as pose, at rest
    const sqt_pose_block *target;        ///< the new motion when pose was shown
    const sqt_pose_block *target_before; ///< the new motion when pose_before was; NULL: the same as target, at rest
    double seconds;                      ///< when pose was shown: the transition begins there
    double frame_seconds;                ///< from the frame before to it; above 0; not read where both are NULL
    float duration_seconds;              ///< >= 0; 0: no transition at all
} sqt_inertial_switch;

/// Begins a transition, in place of any that is under way: offset x0 = pose - target, v0 = (x0 - (pose_before -
/// target_before)) / frame_seconds along its direction, or about its axis by the twist of the turn before.
///
/// Offsets below 1e-8 radians, 1e-15 in length or ratio are none.
///
/// @param inertial out.
/// @param offsets  [SQT_POSE_BLOCKS(joint_count)] out.
/// @return SQT_OK, SQT_ERROR_NULL (also of pose and target), SQT_ERROR_COUNT (joint_count), SQT_ERROR_NUMBER (seconds,
///         frame_seconds, duration_seconds).
sqt_result sqt_inertial_begin(sqt_inertial *inertial, sqt_inertial_block *offsets, const sqt_skeleton *skeleton,
                              const sqt_inertial_switch *change);

/// The shown pose: the new motion with what is left of the offsets. At the switch it is the pose that was shown, to
/// rounding (1e-6 of a turn); from the end on it is the new motion, bit for bit. What is left of an offset below 1e-8
/// radians or 1e-20 in length is 0. Rotations are unit within 3e-7 of the length that they have.
///
/// @param out         [SQT_POSE_BLOCKS(joint_count)] out; may be target.
/// @param skeleton    the same as at the switch, or a lower level of detail of it.
/// @param target      [SQT_POSE_BLOCKS(joint_count)] the new motion now; unit rotations.
/// @param offsets     [SQT_POSE_BLOCKS(inertial->joint_count)].
/// @param now_seconds before the switch it counts as the switch.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count; more joints than inertial->joint_count while it is
///         under way), SQT_ERROR_NUMBER (now_seconds).
sqt_result sqt_inertial_apply(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *target,
                              const sqt_inertial *inertial, const sqt_inertial_block *offsets, double now_seconds);

#ifdef __cplusplus
}
#endif

#endif
