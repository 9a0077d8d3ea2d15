/// @file channel.h
/// Key-framed clips: curves of keys at any times, one a joint and property, as glTF, FBX and hand-written data have
/// them. They are exact and small where keys are few; sqt_channel_clip_bake makes a sampled clip of one, which is
/// faster.
#ifndef SQT_CHANNEL_H
#define SQT_CHANNEL_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a curve runs between two keys.
enum {
    SQT_STEP = 0,   ///< holds the earlier key
    SQT_LINEAR = 1, ///< straight; rotations by SLERP along the shorter arc
    SQT_CUBIC = 2   ///< Hermite spline with an in-tangent, a value and an out-tangent a key (glTF CUBICSPLINE)
};

/// Keys of 1 to 4 components. Also used alone, for camera angles, colours, any float over time.
typedef struct sqt_curve {
    const float *times;       ///< [key_count] seconds, not descending. Of equal times the last key counts from then on.
    const float *values;      ///< [key_count][component_count]; cubic: [key_count][3][component_count]: in, value, out
    uint32_t key_count;       ///< 1 or more
    uint16_t component_count; ///< 1..4
    uint16_t interpolation;   ///< SQT_STEP, SQT_LINEAR or SQT_CUBIC
} sqt_curve;

/// Which part of a joint's local transform a channel drives, with the number of components of its curve.
enum {
    SQT_TARGET_ROTATION = 0,    ///< 4: quaternion x, y, z, w; normalised by the sampler, so unit keys are not required
    SQT_TARGET_TRANSLATION = 1, ///< 3
    SQT_TARGET_SCALE = 2,       ///< 3
    SQT_TARGET_TRANSLATION_X = 3, ///< 1, and so on: the other components keep theirs
    SQT_TARGET_TRANSLATION_Y = 4,
    SQT_TARGET_TRANSLATION_Z = 5,
    SQT_TARGET_SCALE_X = 6,
    SQT_TARGET_SCALE_Y = 7,
    SQT_TARGET_SCALE_Z = 8,
    SQT_TARGET_EULER = 9,    ///< 3: radians about x, y, z, in the channel's euler_order
    SQT_TARGET_EULER_X = 10, ///< 1: radians; the other angles from the joint's earlier Euler channels, else euler_base
    SQT_TARGET_EULER_Y = 11,
    SQT_TARGET_EULER_Z = 12
};

/// The number of components of a target's curve: 4, 3 or 1; 0 for an unknown target.
uint32_t sqt_target_components(uint32_t target);

/// One curve on one property of one joint.
typedef struct sqt_channel {
    sqt_curve curve;
    uint16_t joint;      ///< below the rig's full joint count
    uint8_t target;      ///< SQT_TARGET_...
    uint8_t euler_order; ///< SQT_EULER_..., for the Euler targets; the same in all Euler channels of a joint
    sqt_vec3 euler_base; ///< Beware: left at zero it drops the rest rotation of the axes that are not driven. Radians,
                         ///< for the Euler targets: the angles that no channel of the joint drives (those of the rest
                         ///< pose: sqt_euler_from_quat); the same in all Euler channels of a joint
} sqt_channel;

/// A key-framed clip: a view.
typedef struct sqt_channel_clip {
    sqt_timeline timeline;       ///< duration (sqt_channel_clip_duration for that of the keys) and loop
    float authored_speed;        ///< length units a second at which the motion was made to travel; 0: in place
    uint32_t flags;              ///< 0 or SQT_CLIP_DIFFERENCE
    uint32_t rig_hash;           ///< of the skeleton it was made for; 0 fits any with enough joints
    uint32_t channel_count;      ///< 0 or more
    const sqt_channel *channels; ///< [channel_count] ascending by joint; within a joint the later channel wins
    sqt_base_pose base;          ///< for what no channel drives; zero: the rest pose
} sqt_channel_clip;

/// Sorts channels by joint, as a clip needs them; those of one joint keep their order. In place, for tools and loaders:
/// O(n log^2 n), and O(n) comparisons where the order is right already.
///
/// @param channels [channel_count] in and out; of any content.
/// @return SQT_OK or SQT_ERROR_NULL. channel_count 0 succeeds.
/// Source: Kim and Kutzner, "Stable Minimum Storage Merging by Symmetric Comparisons", ESA 2004.
SQT_NODISCARD sqt_result sqt_channel_sort(sqt_channel *channels, uint32_t channel_count);

/// Checks a curve: times finite and not descending, values finite, counts and interpolation known.
///
/// @return SQT_OK; SQT_ERROR_NULL ("times", "values"); SQT_ERROR_COUNT ("key_count", "component_count");
///         SQT_ERROR_ORDER ("times": element is the key); SQT_ERROR_NUMBER ("times", "values": element is the key);
///         SQT_ERROR_FLAG ("interpolation").
SQT_NODISCARD sqt_result sqt_curve_validate(const sqt_curve *curve, sqt_fault *fault);

/// Value of a curve at a time; each component for itself, no normalisation. Before the first key and after the last it
/// holds that key; times are not wrapped.
///
/// With keys (t0, v0, out b0), (t1, v1, in a1), d = t1 - t0 and u = (t - t0) / d: step v0; linear (1 - u) v0 + u v1;
/// cubic (2u^3 - 3u^2 + 1) v0 + d (u^3 - 2u^2 + u) b0 + (3u^2 - 2u^3) v1 + d (u^3 - u^2) a1.
///
/// @param value   [component_count] out.
/// @param cursor  optional: a key index to start the search at, updated. Any content is allowed and none changes the
///                result; kept from call to call it makes playing forwards O(1).
/// @param seconds finite.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER, SQT_ERROR_FLAG.
/// Source: glTF 2.0, appendix C.
sqt_result sqt_curve_sample(float *value, const sqt_curve *curve, uint32_t *cursor, double seconds);

/// Checks a key-framed clip against the skeleton that will play it: every curve as sqt_curve_validate, the component
/// count that each target asks for, joints in range and ascending, one Euler order a joint, rotation keys not zero.
///
/// @return SQT_OK, or what sqt_curve_validate returns; SQT_ERROR_NULL ("channels", "base"); SQT_ERROR_COUNT ("joint"
///         out of range, "component_count" that is not the target's, "base"); SQT_ERROR_ORDER ("joint" before that of
///         the channel in front of it, "base.joints"); SQT_ERROR_FLAG ("target", "euler_order" unknown or not that of
///         the joint's other Euler channels, "flags", "loop"); SQT_ERROR_NUMBER ("values": also a zero quaternion,
///         "euler_base": not finite or not that of the joint's other Euler channels, "duration_seconds",
///         "authored_speed", "base"); SQT_ERROR_RIG ("rig_hash"). fault.index is the channel, element the key (for
///         "euler_base" the component).
SQT_NODISCARD sqt_result sqt_channel_clip_validate(const sqt_channel_clip *clip, const sqt_skeleton *skeleton,
                                                   sqt_fault *fault);

/// The time of the last key of any channel: the duration that glTF gives a clip; 0 without channels or keys.
float sqt_channel_clip_duration(const sqt_channel_clip *clip);

/// Samples every channel on top of the base pose. Each channel clamps to its own keys. Linear rotations mix by SLERP,
/// as glTF has it (a sampled clip has the choice); cubic ones take their keys as stored, without turning signs;
/// rotations come out unit.
///
/// Channels of joints at or above skeleton->joint_count (a level of detail) are skipped.
///
/// @param pose    [SQT_POSE_BLOCKS(skeleton->joint_count)] out. clip->base.pose == pose (with no list) samples over
///                what is there.
/// @param cursors optional: [clip->channel_count], as for sqt_curve_sample; zero-initialised to begin with.
/// @param seconds any finite time; the clip's timeline maps it.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_RIG, SQT_ERROR_COUNT, SQT_ERROR_NUMBER (the time or the duration),
///         SQT_ERROR_FLAG.
sqt_result sqt_channel_clip_sample(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_channel_clip *clip,
                                   uint32_t *cursors, double seconds);

/// Bakes a key-framed clip into a sampled one: evaluates it at sample_count evenly spaced instants. Tiny values are
/// snapped (sqt_snap). The baked clip has the channel clip's timeline, speed, rig, base and SQT_CLIP_DIFFERENCE. The
/// instants are local times: they are not wrapped, so that the last sample of a clip that loops is its end.
///
/// Between two samples a clip only mixes. So a jump, of a SQT_STEP channel or of two keys at one time, becomes a ramp
/// over the interval that holds it, whatever the rate, and a joint passes through places between. Where that is seen (a
/// prop that changes hands, a cut) bake at a rate that makes the interval shorter than a frame, leave the joint out of
/// the list and sample its channels over the baked pose (base.pose == pose), or leave the clip as it is.
///
/// @param baked        out: a view of `samples`, `joints` and clip->base. On error untouched.
/// @param samples      [sample_count * SQT_POSE_BLOCKS(joint_count)] out.
/// @param joints       [joint_count] ascending: the joints to keep; NULL: all, and joint_count is the skeleton's.
/// @param scratch      [SQT_POSE_BLOCKS(skeleton->joint_count)] overwritten; may be NULL where joints is NULL.
/// @param sample_count 1 or more (sqt_clip_sample_count gives it for a rate).
/// @param flags        SQT_CLIP_CYCLIC: the instants are k duration / sample_count; 0: k duration / (sample_count - 1).
/// @return SQT_OK; SQT_ERROR_NULL (the argument's name, "channels", "times", "values"); SQT_ERROR_FLAG ("flags",
///         "target", "euler_order", "interpolation"); SQT_ERROR_COUNT ("sample_count", "joint_count", "joints",
///         "key_count", "component_count"); SQT_ERROR_ORDER ("joints"); what else sqt_channel_clip_sample returns
///         ("clip"). For "joints" fault.index is the place in the list, for a channel's fields the channel. On error
///         nothing is written.
SQT_NODISCARD sqt_result sqt_channel_clip_bake(sqt_clip *baked, sqt_pose_block *samples, const sqt_skeleton *skeleton,
                                               const sqt_channel_clip *clip, const uint16_t *joints,
                                               uint32_t joint_count, uint32_t sample_count, uint32_t flags,
                                               sqt_pose_block *scratch, sqt_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
