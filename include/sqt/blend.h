/// @file blend.h
/// Blending of local poses: two, many, and additive differences.
///
/// Rotations mix as four numbers, then are normalised (NLERP), or along the arc (SLERP, two poses and additive). Either
/// way q and -q are one rotation and the shorter arc is taken. Where two rotations are half a turn apart (180 degrees of
/// turn, 90 between the quaternions) both arcs are equally short: a pose that moves across that point makes the blend
/// jump to the other side. No blend of rotations is continuous there.
#ifndef SQT_BLEND_H
#define SQT_BLEND_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Blends two poses joint by joint: with w = weight * mask[joint], translation and scale (1 - w) a + w b; rotation by
/// NLERP or SLERP along the shorter arc (sqt_quat_nlerp, sqt_quat_slerp: the same bits).
///
/// Where w is exactly 0 the joint is exactly that of a, and where it is exactly 1 that of b (a zero may lose its sign).
/// With no mask, at weight 0 the result is a, bit for bit, and b is not read; at weight 1 it is b and a is not read.
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

/// The rest_threshold that suits most: a joint that nothing drives fades to rest, and all others are not touched by it.
#define SQT_REST_THRESHOLD 0.1f

/// One of the poses of sqt_blend_many. Beware: a weight left out of an initialiser is 0.
typedef struct sqt_blend_input {
    const sqt_pose_block *pose;    ///< [SQT_POSE_BLOCKS(joint_count)] unit rotations; not read where weight is 0
    const float *mask;             ///< [joint_count], below 0 it counts as 0; NULL: all ones
    const float *translation_mask; ///< [joint_count] in place of mask for translations; NULL: mask serves them too
    float weight;                  ///< 0..1e15
} sqt_blend_input;

/// Blends any number of poses in one pass. At each joint, with w_i = weight_i * mask_i and W their sum, the rest pose
/// joins with weight max(0, rest_threshold - W), and all weights are divided by their total:
///
///     translation, scale = sum of w_i x_i / total;   rotation = normalise(sum of +-w_i q_i)
///
/// Signs: each rotation is taken as the one of q and -q that is nearer to the heaviest pose at that joint (of equals the
/// first; the rest pose last), so that another order of the inputs changes the result by rounding only (1e-6), where one
/// pose is the heaviest. Where a pose passes half a turn from the heaviest (90 degrees between the quaternions) its sign
/// flips and continuity is lost; so it is where the heaviest changes between two poses and a third is nearer to q of the
/// one and -q of the other.
///
/// rest_threshold: 0 leaves the rest pose out (weights act as if divided by their sum); 0.1 lets a joint that nothing
/// drives fade to rest; 1 fills what the weights leave of 1. Where the total is below 1e-30 the joint is the rest pose.
///
/// One pose with a weight, no masks and no rest is copied bit for bit. Two without masks, weighing 1 - w and w (as
/// floats, w in 0..1) and no rest, give the numbers of sqt_blend_pair by NLERP at w, bit for bit but for the sign of the
/// whole quaternion, which is that of b where w > 1 - w.
///
/// @param out            [SQT_POSE_BLOCKS(joint_count)] out; may be an input's pose.
/// @param skeleton       its rest pose joins.
/// @param inputs         [input_count].
/// @param input_count    0 gives the rest pose, and inputs may be NULL.
/// @param rest_threshold 0..1e15.
/// @param flags          SQT_NLERP.
/// @return SQT_OK, SQT_ERROR_NULL (also the pose of an input whose weight is not 0), SQT_ERROR_COUNT (joint_count),
///         SQT_ERROR_NUMBER (a weight or threshold outside 0..1e15), SQT_ERROR_FLAG.
/// Source: Gregory, "Game Engine Architecture", chapter 11, animation blending.
sqt_result sqt_blend_many(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_blend_input *inputs,
                          uint32_t input_count, float rest_threshold, uint32_t flags);

/// The difference between a pose and a reference, itself a pose, to be added to other poses:
///
///     rotation = conjugate(reference) * pose;   translation = pose - reference;   scale = pose / reference
///
/// The rotation stands on the right of what it is added to: it turns the joint in the joint's own axes, so that a nod is
/// a nod whichever way the head is turned (as ozz-animation, three.js; Unreal adds on the left, in the parent's axes).
/// Where pose and reference are the same rotation it is exactly the identity. A scale of the reference that is 0 gives
/// the ratio 1. With SQT_SCALE_DIFFERENCE the scale is 1 + pose - reference: data made as differences, such as three.js
/// makes from glTF, keep their meaning, and the identity still adds nothing.
///
/// @param difference [SQT_POSE_BLOCKS(joint_count)] out; may be pose or reference.
/// @param pose       [SQT_POSE_BLOCKS(joint_count)] unit rotations.
/// @param reference  [SQT_POSE_BLOCKS(joint_count)] unit rotations: one pose for a whole clip, or a clip in step.
/// @param flags      SQT_SCALE_DIFFERENCE or 0.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count), SQT_ERROR_FLAG.
/// Source: Gregory, "Game Engine Architecture", chapter 11, additive blending.
sqt_result sqt_blend_difference(sqt_pose_block *difference, const sqt_skeleton *skeleton, const sqt_pose_block *pose,
                                const sqt_pose_block *reference, uint32_t flags);

/// Adds a difference to a pose: with w = weight * mask[joint],
///
///     rotation = base * power(difference, w);   translation = base + w difference;   scale = base * (1 + w (difference - 1))
///
/// where power goes from the identity along the shorter arc, by NLERP or SLERP. At w = 1 on the reference this is the
/// pose that the difference was made of. With SQT_SCALE_DIFFERENCE the scale is base + w (difference - 1).
///
/// Where w is 0, and where the difference is the identity and w in 0..1, the joint is exactly that of base (a zero may
/// lose its sign); at weight 0 the result is base, bit for bit, and difference is not read. Rotations and translations
/// added at w by SLERP are taken back at -w, and scales with SQT_SCALE_DIFFERENCE. A scale is finite where
/// base * w * difference is.
///
/// @param out        [SQT_POSE_BLOCKS(joint_count)] out; may be base or difference.
/// @param base       [SQT_POSE_BLOCKS(joint_count)] rotations keep the length that they have.
/// @param difference [SQT_POSE_BLOCKS(joint_count)] of sqt_blend_difference or a clip of SQT_CLIP_DIFFERENCE.
/// @param mask       [joint_count] or NULL (all ones).
/// @param weight     any finite number.
/// @param flags      SQT_NLERP or SQT_SLERP, SQT_SCALE_DIFFERENCE as when the difference was made.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count), SQT_ERROR_NUMBER (weight), SQT_ERROR_FLAG.
sqt_result sqt_blend_add(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *base,
                         const sqt_pose_block *difference, const float *mask, float weight, uint32_t flags);

/// As sqt_blend_difference, but rotations differ in mesh space: with Q the product of the rotations from the root down to
/// the joint,
///
///     rotation = Q_pose * conjugate(Q_reference)
///
/// so that added to another pose it turns the joint about the axes of the mesh, however its parents stand: an arm that
/// aims 30 degrees up still does so on a body that leans, which is what aim offsets need. Scale takes no part in Q.
///
/// @param difference [SQT_POSE_BLOCKS(joint_count)] out; may be pose or reference.
/// @param scratch    [2 * joint_count]; its content does not matter before or after.
/// @param flags      SQT_SCALE_DIFFERENCE or 0.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count), SQT_ERROR_FLAG.
sqt_result sqt_blend_difference_mesh(sqt_pose_block *difference, const sqt_skeleton *skeleton,
                                     const sqt_pose_block *pose, const sqt_pose_block *reference, sqt_quat *scratch,
                                     uint32_t flags);

/// Adds a difference whose rotations are in mesh space: translation and scale as sqt_blend_add; at each joint
///
///     Q = power(difference, w) * Q_base;   rotation = conjugate(Q of the parent) * Q
///
/// A joint whose w is 0 keeps its direction in mesh space, so it turns against a parent that was turned: give whole
/// subtrees their weight, or a mask that falls off. Where nothing is added to a joint nor to those above it, it is
/// exactly that of base.
///
/// @param out     [SQT_POSE_BLOCKS(joint_count)] out; may be base or difference.
/// @param scratch [3 * joint_count]; its content does not matter before or after.
/// @param flags, mask, weight as sqt_blend_add.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count), SQT_ERROR_NUMBER (weight), SQT_ERROR_FLAG.
sqt_result sqt_blend_add_mesh(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *base,
                              const sqt_pose_block *difference, const float *mask, sqt_quat *scratch, float weight,
                              uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
