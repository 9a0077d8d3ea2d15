/// @file track.h
/// What is animated beside the joints: numbers (a camera's field of view, colours, morph weights), states, and
/// transforms of cameras, lights and other locators. All are sampled at the clip's unwrapped time and by the clip's
/// timeline, so that they loop, clamp and turn with the pose.
#ifndef SQT_TRACK_H
#define SQT_TRACK_H

#include "channel.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Value of a float track, a curve of 1 to 4 components, at sqt_timeline_wrap(timeline, seconds): see sqt_curve_sample,
/// and sqt_curve_validate. (More than four morph weights are several curves.)
///
/// @param value   [component_count] out.
/// @param cursor  optional, as for sqt_curve_sample.
/// @param seconds any finite time.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER (the time or the duration), SQT_ERROR_FLAG.
sqt_result sqt_track_sample(float *value, const sqt_curve *curve, const sqt_timeline *timeline, uint32_t *cursor,
                            double seconds);

/// A value that is held from key to key: an animation state, which foot is down, a name's hash. A boolean is 0 or 1. A
/// view.
typedef struct sqt_id_track {
    const float *times;  ///< [key_count] seconds, not descending. Of equal times the last key counts from then on.
    const uint32_t *ids; ///< [key_count]
    uint32_t key_count;  ///< 1 or more
} sqt_id_track;

/// Checks a held track.
///
/// @return SQT_OK; SQT_ERROR_NULL ("track", "times", "ids"); SQT_ERROR_COUNT ("key_count"); SQT_ERROR_NUMBER and
///         SQT_ERROR_ORDER ("times": element is the key).
SQT_NODISCARD sqt_result sqt_track_id_validate(const sqt_id_track *track, sqt_fault *fault);

/// The id of the last key at or before sqt_timeline_wrap(timeline, seconds); that of the first key where there is none.
///
/// @param id      out.
/// @param seconds any finite time.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER (the time or the duration), SQT_ERROR_FLAG.
sqt_result sqt_track_id(uint32_t *id, const sqt_id_track *track, const sqt_timeline *timeline, double seconds);

/// An animated transform that is no joint: a camera, a light, a grip. Its channels are those of a joint (quaternions,
/// translation, scale, single components, Euler angles), with `joint` 0 in each. A view.
///
///     static const sqt_channel channels[] = {
///         {{times, turns, 2, 4, SQT_LINEAR}, 0, SQT_TARGET_ROTATION, 0, {0, 0, 0}},
///         {{times, places, 2, 3, SQT_CUBIC}, 0, SQT_TARGET_TRANSLATION, 0, {0, 0, 0}}};
///     const sqt_locator camera = {channels, 2, SQT_TRANSFORM_IDENTITY, SQT_NO_JOINT};
typedef struct sqt_locator {
    const sqt_channel *channels; ///< [channel_count]; of two on the same target the later wins
    uint32_t channel_count;      ///< 0: it rests
    sqt_transform rest;          ///< for what no channel drives. Beware: a scale left out of an initialiser is 0.
    uint32_t parent;             ///< the joint that carries it; SQT_NO_JOINT: it stands in model space
} sqt_locator;

/// Checks a locator as sqt_channel_clip_validate checks a clip: the same results and fields, fault.index the channel.
///
/// @param skeleton that of the parent; may be NULL where parent is SQT_NO_JOINT.
/// @return also SQT_ERROR_NULL ("locator", "skeleton"), SQT_ERROR_COUNT ("parent": no such joint), SQT_ERROR_NUMBER
///         ("rest": not finite, or a rotation whose length is off 1 by more than 1e-3).
SQT_NODISCARD sqt_result sqt_locator_validate(const sqt_skeleton *skeleton, const sqt_locator *locator,
                                              sqt_fault *fault);

/// The transform of a locator, to its parent: sqt_channel_clip_sample for one joint, the same bits.
///
/// @param transform out.
/// @param cursors   optional: [channel_count], as for sqt_curve_sample.
/// @param seconds   any finite time.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER (the time or the duration), SQT_ERROR_FLAG.
sqt_result sqt_locator_sample(sqt_transform *transform, const sqt_locator *locator, const sqt_timeline *timeline,
                              uint32_t *cursors, double seconds);

/// The matrix of a locator, to model space: global[parent] * (T * R * S of transform), or that alone without a parent.
///
/// @param matrix    out; may be one of `global`.
/// @param skeleton  may be NULL without a parent, as may global.
/// @param transform of sqt_locator_sample.
/// @param global    [skeleton->joint_count] joint -> model, of sqt_global_from_local.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (parent not below skeleton->joint_count: a level of detail may lack
///         it).
sqt_result sqt_locator_global(sqt_mat4 *matrix, const sqt_skeleton *skeleton, const sqt_locator *locator,
                              sqt_transform transform, const sqt_mat4 *global);

#ifdef __cplusplus
}
#endif

#endif
