/// @file root_motion.h
/// Root motion: what a clip moves the whole character by, taken out of the clip, and given back as steps that the game
/// can check against its world before it takes them.
///
/// Once, after loading: the motion is extracted, and the remainder is a clip in place.
///
///     const sqt_root_motion_source source = {
///         .joint = hips, // below a root that stands still: SQT_MOTION_IN_JOINT
///         .flags = SQT_MOTION_X | SQT_MOTION_Z | SQT_MOTION_TURN | SQT_MOTION_IN_JOINT, .up = {0, 1, 0}};
///     sqt_root_motion_extract(&motion, motion_samples, &in_place, in_place_samples, &skeleton, &clip, &source,
///                             scratch, &fault);
///
/// Every frame: sample the remainder, and move the character by the delta since the last frame.
///
///     sqt_root_motion_delta(&delta, &motion, &character.last_seconds, seconds);
///     sqt_root_motion_move(&character.place, delta);                   // or what the physics leaves of it
///
/// Motion is in model space: a delta is in the frame in which the character stands at its beginning, so that transforms
/// of the character are followed by it on the right: place * delta. Its scale is always 1.
#ifndef SQT_ROOT_MOTION_H
#define SQT_ROOT_MOTION_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is taken out of a clip: in the flag space of base.h. What is not named stays in the clip.
enum {
    SQT_MOTION_X = 1 << 20,        ///< translation along x of model space
    SQT_MOTION_Y = 1 << 21,        ///< along y
    SQT_MOTION_Z = 1 << 22,        ///< along z
    SQT_MOTION_TURN = 1 << 23,     ///< rotation about `up`
    SQT_MOTION_ROTATION = 1 << 24, ///< all of the rotation
    SQT_MOTION_IN_JOINT = 1 << 25  ///< taken out of the joint itself, not out of the roots
};

/// The motion of one clip: a view. Samples are evenly spaced, the first at 0 and the last at the duration, and mixed as
/// sqt_clip_sample mixes them (NLERP).
typedef struct sqt_root_motion {
    sqt_timeline timeline;        ///< the clip's
    uint32_t sample_count;        ///< 1 or more
    const sqt_transform *samples; ///< [sample_count] where the character stands, in model space; the scale is not read
} sqt_root_motion;

/// Which motion is extracted.
typedef struct sqt_root_motion_source {
    uint32_t joint;                 ///< its way through model space is the motion: the root, or the hips below it.
                                    ///< Beware: hips that travel below a root that stands still (as glTF files often
                                    ///< have them) need SQT_MOTION_IN_JOINT, or the remainder cannot be blended
    uint32_t flags;                 ///< SQT_MOTION_...
    sqt_vec3 up;                    ///< for SQT_MOTION_TURN: the axis, of any length but 0
    const sqt_transform *reference; ///< where the joint is when the motion is the identity; NULL: in the first sample
} sqt_root_motion_source;

/// Takes the motion out of a clip. With G the transform of the joint in model space (its position as
/// sqt_global_from_local has it, its rotation the product of rotations), G0 the reference and
/// D = rotation(G) * conjugate(rotation(G0)):
///
///     rotation of M    = D, its turn about `up` (swing-twist decomposition), or identity
///     translation of M = position(G) - rotate(M, position(G0)), 0 along axes that are not named
///     remainder        = inverse(M) * local transform, for each root of the skeleton; other joints keep theirs
///
/// so that M * remainder = original for every joint in model space, at every sample, within rounding (2e-6 of the
/// largest coordinate, after ten joints). With no reference the motion begins at the identity. Where a half
/// turn about an axis across `up` leaves the turn open, it is that of the sample before.
///
/// Hips that travel below a root that stands still are still on their way in such a remainder, and the root goes the
/// opposite way: played alone that is right, but blended with another pose, masked or in inertial.h each of the two
/// ways is mixed for itself, and the character is metres off. SQT_MOTION_IN_JOINT is for this:
///
///     remainder        = inverse(P) * inverse(M) * P * local transform, for the joint alone, P the transform of its
///                        parent in model space; all other joints keep theirs, bit for bit
///
/// Then M * remainder = original for the joint and all below it, and the joints above keep their place in the
/// character. The position of the joint is right whatever P is; its rotation is that of the product of rotations, and
/// so what hangs on it is right where the scales above the joint are uniform and positive. What does not hang on the
/// joint (a weapon, the targets of feet beside the hips) keeps what way it has.
///
/// Which to choose: name the joint whose own keys have the way. A root: without the flag, which then only matters where
/// there are several roots. Hips below a root that stands still: with it. Where a root and the hips each have a part of
/// the way, or joints beside the hips travel along, neither remainder is in place joint by joint: such a clip is to be
/// played alone, without the flag, or its way moved into the root by the tool that it comes from.
///
/// A cyclic clip leads back to its first sample, and so does its motion: over a whole loop it moves nothing. A clip
/// whose loops add up is stored closed, the last sample at the end of the way. (A key-framed clip:
/// sqt_channel_clip_bake first.)
///
/// @param motion            out: a view of motion_samples.
/// @param motion_samples    [clip->sample_count, one more for SQT_CLIP_CYCLIC] out.
/// @param remainder         out: the clip with remainder_samples. May be clip.
/// @param remainder_samples [as clip->samples] out; may be clip->samples, where that is the caller's to write.
/// @param skeleton          in full: no level of detail.
/// @param clip              validated.
/// @param scratch           [SQT_POSE_BLOCKS(skeleton->joint_count)] overwritten.
/// @return SQT_OK, or what sqt_clip_sample returns ("clip"); SQT_ERROR_NULL (the argument's name, "samples",
///         "parents"); SQT_ERROR_COUNT ("joint", "skeleton", "sample_count"); SQT_ERROR_ORDER ("parents");
///         SQT_ERROR_FLAG ("flags": unknown, or turn and rotation together; "clip": an additive one); SQT_ERROR_NUMBER
///         ("up", "reference"; with SQT_MOTION_IN_JOINT "scale": 0 at sample fault.index in joint fault.element above
///         the joint); SQT_ERROR_NOT_FOUND ("joints": the clip does not list fault.index, a root or, with
///         SQT_MOTION_IN_JOINT, the joint). On error only scratch is written.
SQT_NODISCARD sqt_result sqt_root_motion_extract(sqt_root_motion *motion, sqt_transform *motion_samples,
                                                 sqt_clip *remainder, sqt_pose_block *remainder_samples,
                                                 const sqt_skeleton *skeleton, const sqt_clip *clip,
                                                 const sqt_root_motion_source *source, sqt_pose_block *scratch,
                                                 sqt_fault *fault);

/// Checks a motion that came from elsewhere.
///
/// @return SQT_OK; SQT_ERROR_NULL ("motion", "samples"); SQT_ERROR_COUNT ("sample_count"); SQT_ERROR_FLAG ("loop");
///         SQT_ERROR_NUMBER ("duration_seconds"; "samples": fault.index is the sample; not finite, or a rotation whose
///         length is off 1 by more than 1e-3).
SQT_NODISCARD sqt_result sqt_root_motion_validate(const sqt_root_motion *motion, sqt_fault *fault);

/// The motion from *last_seconds to to_seconds, in the frame of its beginning, and moves *last_seconds on:
///
///     delta = inverse(M(a)) * K^n * M(b),   K = M(duration) * inverse(M(0))
///
/// with a and b the local times and n the loops between them, negative backwards: wrap goes on from loop to loop, clamp
/// stands still beyond the ends, ping-pong comes back. In double precision and with a power by squaring, so that
/// neither the time nor the number of loops costs accuracy: the error is that of rounding the result to float, and n
/// roundings of 1e-16 of K.
///
/// Of any cut of a step the deltas multiply to the whole, and the delta of the way back is the inverse, within rounding
/// (1e-6 for ways of length 1; a step of no length is exactly the identity). Where the character stands after a time
/// without any error adding up, is the delta from 0.
///
/// @param delta        out: scale 1.
/// @param last_seconds in and out: unwrapped local time.
/// @param to_seconds   unwrapped local time (sqt_clock_local).
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (no samples), SQT_ERROR_FLAG, SQT_ERROR_NUMBER (a time that is not
///         finite, more than 2^50 loops in one step, a bad duration).
sqt_result sqt_root_motion_delta(sqt_transform *delta, const sqt_root_motion *motion, double *last_seconds,
                                 double to_seconds);

/// Blends the deltas of clips that are blended, with the same weights: translation sum of w_i t_i / W, rotation
/// normalise(sum of +-w_i q_i) with signs by the heaviest (of equals the first), W the sum: sqt_blend_many for one
/// joint and rest_threshold 0. Where W is below 1e-30 nothing moves.
///
/// @param delta   out: scale 1; may be one of deltas.
/// @param deltas  [count] unit rotations; not read where the weight is 0.
/// @param weights [count] 0..1e15.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_NUMBER (a weight negative or not finite). count 0 moves nothing.
sqt_result sqt_root_motion_blend(sqt_transform *delta, const sqt_transform *deltas, const float *weights,
                                 uint32_t count);

/// Where a character stands, in double precision, so that what adds up is the rounding of the deltas and no more: after
/// 1e5 cycles a straight walk is on its line to the last bit and its way right to 1e-9, and one of a circle of radius
/// 8, in 4e5 steps, is 1e-3 off. Start with SQT_ROOT_PLACE_IDENTITY or sqt_root_place_from_transform.
typedef struct sqt_root_place {
    double rotation[4];    ///< x, y, z, w, unit
    double translation[3]; ///< in world space
} sqt_root_place;

#define SQT_ROOT_PLACE_IDENTITY                 \
    {                                           \
        {0.0, 0.0, 0.0, 1.0}, { 0.0, 0.0, 0.0 } \
    }

/// Moves a character: place = place * delta, renormalised.
///
/// @param place in and out.
/// @param delta unit rotation; the scale is not read.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_NUMBER (not finite, or a rotation of length 0).
sqt_result sqt_root_motion_move(sqt_root_place *place, sqt_transform delta);

/// The place of a transform; its scale is left out. A rotation without direction is the identity.
sqt_root_place sqt_root_place_from_transform(sqt_transform transform);

/// The transform of a place, rounded to float, for the palette's model_to_world (sqt_mat4_from_transform). NULL gives
/// the identity.
sqt_transform sqt_transform_from_root_place(const sqt_root_place *place);

#ifdef __cplusplus
}
#endif

#endif
