/// @file uniform_clip.h
/// Sampled clips in 16 bits a number: a quarter of the memory of float clips, and faster to sample, at an error that is
/// measured.
///
///     const size_t bytes = sqt_uniform_clip_bytes(&clip, 1e-6f); // of memory that is yours and stays
///     sqt_uniform_clip small;
///     if (sqt_uniform_clip_build(&small, &skeleton, &clip, 1e-6f, memory, bytes, &fault)) { ... }
///     sqt_uniform_clip_error(&error, &skeleton, &clip, &small, 0.03f, SQT_NLERP, scratch, scratch_bytes);
///     sqt_uniform_clip_sample(pose, &skeleton, &small, seconds, SQT_NLERP);
///
/// A joint has three tracks: rotation, translation, scale. One that does not move is stored once, as floats. The
/// numbers s of one that moves are integers, -32767..32767, spread evenly over its range. Between the samples a and b,
/// at w = round(32767 u) of the way from 0 to 32767,
///
///     v = a (32767 - w) + b w        in integers, exactly
///     translation, scale:  offset + v step, a component each
///     rotation:            normalise(offset + v): its four components have one step, which cancels
///
/// For SLERP the rotations offset + 32767 a and offset + 32767 b are mixed along the arc instead. Samples that follow
/// each other have rotations in one hemisphere, so that no sign is looked at; a cyclic clip therefore stores its first
/// sample once more at the end.
#ifndef SQT_UNIFORM_CLIP_H
#define SQT_UNIFORM_CLIP_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The tracks of a joint, as bits.
enum { SQT_TRACK_ROTATION = 1, SQT_TRACK_TRANSLATION = 2, SQT_TRACK_SCALE = 4 };

/// A track that moves where few of its block do. Unused components are 0.
typedef struct sqt_lone_track {
    uint16_t lane;   ///< of the samples: joint joints[lane], or joint `lane` without a list
    uint16_t kind;   ///< one of SQT_TRACK_...
    float offset[4]; ///< rotation: x, y, z, w in steps; else x, y, z
    float step[4];   ///< rotation: step[0] alone, of a quaternion of length 1; else x, y, z
} sqt_lone_track;

/// A clip in 16 bits: a view. What sqt_clip has means the same here.
///
/// Tracks go by blocks of 16 lanes, as in poses. Where at least a quarter of a block's joints move in one kind, all 16
/// lanes of that kind are in the samples (the bit is set in block_kinds); else those that move are lone tracks. A row
/// of samples is block after block, rotation x y z w, translation x y z, scale x y z of the kinds that are there, 16
/// integers each for the lanes 0-3, 8-11, 4-7, 12-15; then the lone tracks' 4 or 3 integers each.
/// block_values is block after block, rotation, translation, scale, in rows of 16 floats in order of lanes: offsets x y
/// z w and one step for rotation, offsets x y z and steps x y z else; of kinds that are not in the samples the 4 or 3
/// rows of constant values.
typedef struct sqt_uniform_clip {
    sqt_timeline timeline;
    float authored_speed;
    uint32_t flags; ///< SQT_CLIP_...
    uint32_t rig_hash;
    uint32_t sample_count;
    uint32_t joint_count;
    const uint16_t *joints;
    sqt_base_pose base;
    uint32_t block_value_count, lone_track_count;
    uint32_t row_length;               ///< integers from one sample to the next
    uint32_t lone_first;               ///< integers of a row before those of the lone tracks
    const uint8_t *block_kinds;        ///< [SQT_POSE_BLOCKS(joint_count)] bits SQT_TRACK_...
    const float *block_values;         ///< [block_value_count]
    const sqt_lone_track *lone_tracks; ///< [lone_track_count] ascending by lane, then by kind
    const int16_t *samples;            ///< [row_length * sample_count], and once more row_length for a cyclic clip
} sqt_uniform_clip;

/// Bytes of memory that sqt_uniform_clip_build needs, all of which the clip keeps.
///
/// @param still_ratio as there.
/// @return 0 where clip or its samples are NULL, a count or still_ratio is out of range, or no memory could hold it.
size_t sqt_uniform_clip_bytes(const sqt_clip *clip, float still_ratio);

/// Makes a clip in 16 bits. Numbers below 1e-30 become 0, as sqt_snap has it.
///
/// A track does not move if each of its numbers stays within still_ratio of its middle, which then stands for it: of
/// rotations and scales as they are, of translations in relation to the largest translation component of the clip, as a
/// rule the longest limb. Captured motion and the output of solvers are full of such noise: at 1e-6, a micrometre a
/// metre, it often goes unseen and most of the clip with it. sqt_uniform_clip_error says what it comes to.
///
/// @param uniform      out: views into memory; base views what clip->base does. The list of joints is copied.
/// @param clip         not needed afterwards, but for what its base views.
/// @param still_ratio  0..1; below 1e-7, which is the rounding of floats, it counts as that.
/// @param memory       any alignment; kept by the clip. Must not overlap what clip views.
/// @param memory_bytes at least sqt_uniform_clip_bytes(clip, still_ratio).
/// @return SQT_OK, the errors of sqt_clip_validate, SQT_ERROR_NULL, SQT_ERROR_NUMBER ("still_ratio"), SQT_ERROR_SPACE
///         ("memory_bytes"). On error nothing was written.
SQT_NODISCARD sqt_result sqt_uniform_clip_build(sqt_uniform_clip *uniform, const sqt_skeleton *skeleton,
                                                const sqt_clip *clip, float still_ratio, void *memory,
                                                size_t memory_bytes, sqt_fault *fault);

/// Checks a clip against the skeleton that will play it. Any samples are right: after this none can lead out of bounds.
///
/// @return SQT_OK; the errors of sqt_clip_validate but for "samples"; SQT_ERROR_NULL ("block_kinds", "block_values",
///         "lone_tracks", "samples"); SQT_ERROR_FLAG ("block_kinds": index is the block; "lone_tracks.kind": index is
///         the track); SQT_ERROR_COUNT ("block_value_count", "lone_track_count", "lone_first", "row_length": not what the blocks and
///         tracks need; "lone_tracks.lane": behind the last joint); SQT_ERROR_ORDER ("lone_tracks.lane": not
///         ascending, or of a kind that its block has); SQT_ERROR_NUMBER ("block_values": index is the place,
///         "lone_tracks": index the track: not finite, above 1e18 for rotations, or a range that is not finite).
SQT_NODISCARD sqt_result sqt_uniform_clip_validate(const sqt_uniform_clip *uniform, const sqt_skeleton *skeleton,
                                                   sqt_fault *fault);

/// Samples as sqt_clip_sample does, listed joints over their base with it.
///
/// @param pose    [SQT_POSE_BLOCKS(skeleton->joint_count)] out.
/// @param uniform a clip that sqt_uniform_clip_build made or sqt_uniform_clip_validate accepts.
/// @param seconds any finite time; the clip's timeline maps it.
/// @param flags   SQT_NLERP or SQT_SLERP.
/// @return as sqt_clip_sample.
sqt_result sqt_uniform_clip_sample(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_uniform_clip *uniform,
                                   double seconds, uint32_t flags);

/// How far a clip in 16 bits is from the clip that it was made from, at most.
typedef struct sqt_clip_error {
    float distance; ///< in model space, length units: of joint origins, and of points on the joints' axes
    float rotation_radians;
    float translation; ///< distance in the parent's space
    float scale;       ///< of a component
    uint32_t joint;    ///< where `distance` is largest
    double seconds;    ///< when it is
} sqt_clip_error;

/// Bytes of memory that sqt_uniform_clip_error needs; 0 where skeleton is NULL or its joint count out of range.
size_t sqt_uniform_clip_error_bytes(const sqt_skeleton *skeleton);

/// Measures the error: both clips are sampled at every sample and, between each two, in the middle and next to the ends
/// where rounding the time to w is worst, then walked from the roots in double precision, parents with
/// their errors. Poses of difference clips are first added to the rest pose.
///
/// @param error          out.
/// @param clip           what the other was made from.
/// @param shell_distance >= 0: how far along each axis the points are that move with a joint; 3 cm for a person.
/// @param flags          SQT_NLERP or SQT_SLERP.
/// @param memory         scratch of any alignment.
/// @param memory_bytes   at least sqt_uniform_clip_error_bytes(skeleton).
/// @return SQT_OK, the errors of sqt_clip_sample for either, SQT_ERROR_NULL (also parents, or a difference clip
///         without a rest pose), SQT_ERROR_COUNT (the clips' samples differ in number, or one is cyclic), SQT_ERROR_NUMBER
///         (shell_distance), SQT_ERROR_SPACE. On error nothing but memory was written.
sqt_result sqt_uniform_clip_error(sqt_clip_error *error, const sqt_skeleton *skeleton, const sqt_clip *clip,
                                  const sqt_uniform_clip *uniform, float shell_distance, uint32_t flags, void *memory,
                                  size_t memory_bytes);

#ifdef __cplusplus
}
#endif

#endif
