/// @file global.h
/// Local poses to global poses (joint -> model) and back.
///
/// Two conventions exist, and an asset is made for one of them. The first, sqt_global_from_local, multiplies full
/// matrices as glTF, FBX and most tools do: a rotated child under a non-uniformly scaled parent is sheared. The second,
/// sqt_global_transforms, carries rotation, position and scale apart as hand-written engines do: no shear ever.
///
/// `root` stands above the skeleton: the roots' parent (an armature node's transform, for instance). World coordinates
/// are not for here: the palette takes a model_to_world of its own, so that global poses keep the precision of model
/// space.
#ifndef SQT_GLOBAL_H
#define SQT_GLOBAL_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Global matrices, root to leaf: global[j] = global[parent] * (T * R * S of local[j]); a root's parent is `root`.
///
/// @param global [joint_count] out: joint -> model.
/// @param local  [SQT_POSE_BLOCKS(joint_count)] unit rotations.
/// @param root   affine; NULL: identity. Must not lie in `global`.
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT.
/// Source: glTF 2.0, section 3.5.2 "Transformations".
sqt_result sqt_global_from_local(sqt_mat4 *global, const sqt_skeleton *skeleton, const sqt_pose_block *local,
                                 const sqt_mat4 *root);

/// Renews the global matrices of one joint and everything below it after an edit of the local pose; all others are left
/// alone, and the result is bit for bit that of the full pass.
///
/// @param global [joint_count] in: the parent of `joint` is up to date; out.
/// @param root   the same as in the full pass; it counts where `joint` is a root.
/// @param joint  below joint_count.
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT.
sqt_result sqt_global_from_local_below(sqt_mat4 *global, const sqt_skeleton *skeleton, const sqt_pose_block *local,
                                       const sqt_mat4 *root, uint32_t joint);

/// Component-wise global transforms, root to leaf: global[j] = sqt_transform_multiply(global[parent], local[j]):
/// rotations multiply, scales multiply component by component, positions go through the parent's scale and rotation. No
/// shear.
///
/// @param global   [joint_count] out.
/// @param matrices optional: [joint_count] out, the same as matrices T * R * S, ready for a palette.
/// @param root     NULL: identity. Must not lie in `global`.
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT.
sqt_result sqt_global_transforms(sqt_transform *global, sqt_mat4 *matrices, const sqt_skeleton *skeleton,
                                 const sqt_pose_block *local, const sqt_transform *root);

/// Local pose of global matrices, for the caller's own inverse kinematics, ragdolls and importers of world matrices:
/// local[j] = sqt_transform_from_mat4(inverse(global[parent]) * global[j]). Shear is lost; below a singular parent, or
/// where the result is no float, the joint comes out with scale 0 and identity rotation.
///
/// @param local  [SQT_POSE_BLOCKS(joint_count)] out.
/// @param global [joint_count] affine.
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT.
sqt_result sqt_local_from_global(sqt_pose_block *local, const sqt_skeleton *skeleton, const sqt_mat4 *global,
                                 const sqt_mat4 *root);

/// Local pose of component-wise global transforms: the inverse of sqt_global_transforms; where a parent's scale is 0
/// the child's scale and translation along that axis are 0.
///
/// @param local  [SQT_POSE_BLOCKS(joint_count)] out.
/// @param global [joint_count] unit rotations.
/// @return SQT_OK, SQT_ERROR_NULL or SQT_ERROR_COUNT.
sqt_result sqt_local_from_transforms(sqt_pose_block *local, const sqt_skeleton *skeleton, const sqt_transform *global,
                                     const sqt_transform *root);

struct sqt_skin; // skin.h

/// One character of sqt_global_many: what goes in, and what is wanted. NULL outputs are not wanted.
typedef struct sqt_global_character {
    const sqt_pose_block *local;    ///< [SQT_POSE_BLOCKS(joint_count)] unit rotations
    const sqt_mat4 *root;           ///< affine, above the skeleton; NULL: identity
    const sqt_mat4 *model_to_world; ///< affine, for the palettes alone; NULL: identity
    sqt_mat4 *global;               ///< [joint_count] out, as sqt_global_from_local makes it
    sqt_mat4 *palette;              ///< [skin->joint_count] out, as sqt_skin_palette
    sqt_mat3x4 *palette_3x4;        ///< [skin->joint_count] out, as sqt_skin_palette_3x4
} sqt_global_character;

/// Bytes of memory that sqt_global_many needs, for any number of characters: a worker's scratch. 5 KB for the 67 joints
/// of a humanoid whose limbs lie one after another; more where branches are stored joint by joint in turns.
///
/// @param skin NULL where no palettes are wanted.
/// @return 0 where skeleton is NULL or its joint count out of range.
size_t sqt_global_many_bytes(const sqt_skeleton *skeleton, const struct sqt_skin *skin);

/// Global poses and palettes of many characters of one skeleton at once, a character in each lane of the processor:
/// from 6 or so characters on a half to twice as fast as one after another. Every matrix that is finite is bit for bit what
/// sqt_global_from_local, then sqt_skin_palette or sqt_skin_palette_3x4, give, whichever characters go together; so a
/// crowd can be cut for workers anywhere, best in multiples of 16. Neighbours go together where they want the same
/// outputs and have the same inputs; the others are worked out one at a time.
///
/// @param characters      [character_count]; no output may overlap another or an input.
/// @param skin            NULL where no palettes are wanted.
/// @param character_count 0 succeeds and does nothing.
/// @param memory          any alignment; its content does not matter before or after.
/// @param memory_bytes    at least sqt_global_many_bytes(skeleton, skin).
/// @return SQT_OK, SQT_ERROR_NULL (also a palette that is wanted without a skin), SQT_ERROR_COUNT (joint_count, or
///         skin->joint_limit above it), SQT_ERROR_RIG, SQT_ERROR_SPACE. On error no output is written.
sqt_result sqt_global_many(const sqt_global_character *characters, const sqt_skeleton *skeleton,
                           const struct sqt_skin *skin, uint32_t character_count, void *memory, size_t memory_bytes);

#ifdef __cplusplus
}
#endif

#endif
