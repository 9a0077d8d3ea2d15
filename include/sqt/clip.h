/// @file clip.h
/// Sampled clips: a whole pose, or that of a few listed joints, at evenly spaced instants.
///
/// A sample is an instant, an interval is what lies between two. A clip of N samples has N - 1 intervals: the first
/// sample is at 0, the last at duration_seconds. A cyclic clip (SQT_CLIP_CYCLIC) has N: from its last sample one more
/// interval leads back to the first, which is not stored twice. How samples are stored is apart from how they are
/// played (the timeline): a cyclic clip that is clamped ends on its first sample.
#ifndef SQT_CLIP_H
#define SQT_CLIP_H

#include "skeleton.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Flags of clips: in the flag space of base.h.
enum {
    SQT_CLIP_CYCLIC = 32,    ///< one more interval leads from the last sample back to the first
    SQT_CLIP_DIFFERENCE = 64 ///< additive: joints that the clip does not cover are identity; without it, rest
};

/// The pose below what a clip covers. Zero means: the rest pose of the skeleton (identity for SQT_CLIP_DIFFERENCE).
typedef struct sqt_base_pose {
    const sqt_pose_block *pose; ///< lane k is joint joints[k], or joint k where joints is NULL. NULL: none.
    const uint16_t *joints;     ///< [joint_count] ascending; NULL: all
    uint32_t joint_count;       ///< listed joints; without a list at least the skeleton's
} sqt_base_pose;

/// A sampled clip: a view.
typedef struct sqt_clip {
    sqt_timeline timeline;  ///< duration and loop
    float authored_speed;   ///< length units a second at which the motion was made to travel; 0: in place
    uint32_t flags;         ///< SQT_CLIP_...
    uint32_t rig_hash;      ///< of the skeleton it was made for; 0 fits any with enough joints
    uint32_t sample_count;  ///< 1 or more
    uint32_t joint_count;   ///< joints of a sample: the listed ones, or at least the skeleton's without a list
    const uint16_t *joints; ///< [joint_count] ascending; lane k of a sample is joint joints[k]. NULL: lane = joint
    const sqt_pose_block *samples; ///< [sample_count * SQT_POSE_BLOCKS(joint_count)] sample after sample
    sqt_base_pose base;            ///< for the joints that are not listed
} sqt_clip;

/// Checks a clip against the skeleton that will play it, in all its levels of detail: joints may be any of the whole
/// rig.
///
/// @return SQT_OK; SQT_ERROR_NULL ("samples", "base"); SQT_ERROR_RIG ("rig_hash"); SQT_ERROR_FLAG ("flags", "loop");
///         SQT_ERROR_COUNT ("sample_count", "joint_count", "joints": out of range, "base": too few joints);
///         SQT_ERROR_ORDER ("joints", "base.joints": not ascending); SQT_ERROR_NUMBER ("duration_seconds",
///         "authored_speed", "samples": fault.index is the sample, element the lane; "base": element the lane). Numbers
///         must be finite, rotations of a length within 1e-3 of 1.
SQT_NODISCARD sqt_result sqt_clip_validate(const sqt_clip *clip, const sqt_skeleton *skeleton, sqt_fault *fault);

/// Samples between evenly spaced instants: the two samples around the time are mixed, a at u = 0 and b at u = 1, by (1
/// - u) a + u b for translation and scale, and by NLERP or SLERP along the shorter arc for rotations.
///
/// Joints that the clip does not list come from clip->base, else from the rest pose. base.pose == pose (with no list)
/// samples over what is there. Listed joints that a level of detail does not have are left out.
///
/// @param pose    [SQT_POSE_BLOCKS(skeleton->joint_count)] out; must not overlap the clip's samples.
/// @param seconds any finite time; the clip's timeline maps it.
/// @param flags   SQT_NLERP or SQT_SLERP.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_RIG, SQT_ERROR_COUNT (no samples, or too few joints), SQT_ERROR_NUMBER
///         (the time, or a duration that is negative or not finite), SQT_ERROR_FLAG.
sqt_result sqt_clip_sample(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_clip *clip, double seconds,
                           uint32_t flags);

/// Samples two clips and blends them in one pass, a at weight 0 and b at 1: a third faster than two calls of
/// sqt_clip_sample and one of sqt_blend_pair, for walks and runs that a crowd mixes by its speed. Both clips have every
/// joint (no list).
///
/// The four samples around the times are added up with the weights (1 - w)(1 - u), (1 - w) u, w (1 - v), w v, rotations
/// in the hemisphere of the heaviest (the first of equals), and normalised once. Three calls normalise in between.
/// Translations and scales are theirs to rounding. A rotation differs where a clip's own samples are far apart: their
/// mix is shorter than 1, by D^2 / 32 at most where they are D radians apart, and weighs that much less. Against a pose
/// A radians away that turns a joint by A w (1 - w) D^2 / 32: 0.03 degrees for 90 degrees between poses and 12 between
/// samples.
///
/// At weight 0 or 1, where the time is that of a sample, the pose is that sample, bit for bit; and the other clip is
/// not read.
///
/// @param pose      [SQT_POSE_BLOCKS(skeleton->joint_count)] out; must not overlap the clips' samples.
/// @param seconds_a any finite time; the clip's timeline maps it.
/// @param weight    0..1.
/// @param flags     SQT_NLERP.
/// @return as sqt_clip_sample for either; SQT_ERROR_COUNT also for a clip with a list, SQT_ERROR_NUMBER for the weight.
sqt_result sqt_clip_sample_pair(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_clip *clip_a,
                                const sqt_clip *clip_b, double seconds_a, double seconds_b, float weight,
                                uint32_t flags);

/// Intervals / duration: samples a second; 0 for a clip of no length.
float sqt_clip_rate_hz(const sqt_clip *clip);

/// The sample count at which a duration is sampled at least `rate_hz` times a second, with the last instant exactly at
/// the end: ceil(duration * rate) intervals (within 1e-4 of a whole number: that number), one more sample than that
/// unless the clip is cyclic, at least 1.
///
/// @param flags SQT_CLIP_CYCLIC or 0; with any other bit the answer is 0.
/// @return 0 where an argument is negative or not finite, or the count would pass 2^31.
uint32_t sqt_clip_sample_count(float duration_seconds, float rate_hz, uint32_t flags);

/// Seconds of a sample: index * duration / intervals. An index behind the last gives the duration.
double sqt_clip_sample_seconds(const sqt_clip *clip, uint32_t index);

/// Bytes of scratch for sqt_clip_difference; 0 where skeleton is NULL or its joint count out of range.
size_t sqt_clip_difference_bytes(const sqt_skeleton *skeleton);

/// Makes a difference clip, at load time: each sample of the source minus the reference at the same phase, by
/// sqt_blend_difference (or sqt_blend_difference_mesh), to be sampled like any clip and added by sqt_blend_add
/// (sqt_blend_add_mesh). The reference may be
///
/// - a clip in step with the source: an aiming run minus the run leaves the aim;
/// - one pose: {.sample_count = 1, .joint_count = skeleton.joint_count, .samples = pose}, such as the source's own first
///   sample {.samples = source.samples} or the skeleton's rest pose {.samples = skeleton.rest}.
///
/// @param difference   out: SQT_CLIP_DIFFERENCE, with the timeline, sample count, joints and SQT_CLIP_CYCLIC of the
///                     source, authored_speed 0, no base. Joints that the source does not list add nothing.
/// @param samples      [source->sample_count * SQT_POSE_BLOCKS(source->joint_count)] out; must not overlap an input.
/// @param skeleton     whole (not a level of detail).
/// @param source       one that sqt_clip_validate accepts; one without a list has exactly the skeleton's joints.
/// @param reference    the same; it may list joints, and the others are its base or the rest pose.
/// @param flags        SQT_NLERP or SQT_SLERP (between the reference's samples), SQT_SCALE_DIFFERENCE, SQT_MESH_SPACE.
/// @param memory       scratch; float alignment.
/// @param memory_bytes at least sqt_clip_difference_bytes(skeleton).
/// @return SQT_OK, or what sqt_clip_sample returns ("source", "reference"); SQT_ERROR_NULL (the argument's name);
///         SQT_ERROR_COUNT ("skeleton", "sample_count", "joint_count" of the source; "joints": fault.index is the
///         place in the list); SQT_ERROR_FLAG ("flags"; "source", "reference": a difference itself); SQT_ERROR_SPACE
///         ("memory_bytes"). On error nothing but memory is written.
SQT_NODISCARD sqt_result sqt_clip_difference(sqt_clip *difference, sqt_pose_block *samples,
                                             const sqt_skeleton *skeleton, const sqt_clip *source,
                                             const sqt_clip *reference, uint32_t flags, void *memory,
                                             size_t memory_bytes, sqt_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
