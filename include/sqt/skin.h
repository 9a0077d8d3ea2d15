/// @file skin.h
/// Skins (which joints a mesh hangs on, and its inverse bind matrices), palettes of skin matrices, CPU skinning.
#ifndef SQT_SKIN_H
#define SQT_SKIN_H

#include "mesh.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A skin: a view. Many skins can share one skeleton. A mesh's joint index k means joints[k].
typedef struct sqt_skin {
    uint32_t rig_hash;            ///< of the skeleton it was made for; 0 fits any with enough joints
    uint32_t joint_count;         ///< length of the palette, 1 or more; a joint may be listed more than once
    uint32_t joint_limit;         ///< every joints[k] is below it: the largest + 1. The O(1) check of each frame.
    const uint16_t *joints;       ///< [joint_count] in any order; NULL: joint k is k
    const sqt_mat4 *inverse_bind; ///< [joint_count] model -> joint at bind time, affine; NULL: identity
} sqt_skin;

/// Fills a skin: rig hash, joint_limit, and the checks of sqt_skin_validate.
///
/// @param skin         out; on error untouched.
/// @param joints       [joint_count], kept; NULL: joint k is k.
/// @param inverse_bind [joint_count], kept; NULL: identity.
/// @return as sqt_skin_validate.
SQT_NODISCARD sqt_result sqt_skin_init(sqt_skin *skin, const sqt_skeleton *skeleton, const uint16_t *joints,
                                       uint32_t joint_count, const sqt_mat4 *inverse_bind, sqt_fault *fault);

/// Checks a skin that came from elsewhere.
///
/// @return SQT_OK; SQT_ERROR_NULL; SQT_ERROR_RIG ("rig_hash"); SQT_ERROR_COUNT ("joint_count", "joint_limit", "joints":
///         not below joint_limit); SQT_ERROR_NUMBER ("inverse_bind": not finite, or the last row is not 0, 0, 0, 1;
///         index is the palette entry, element the number).
SQT_NODISCARD sqt_result sqt_skin_validate(const sqt_skin *skin, const sqt_skeleton *skeleton, sqt_fault *fault);

/// Inverse bind matrices from the global matrices of the bind pose: inverse_bind[k] =
/// sqt_mat4_invert(global[joints[k]]).
///
/// @param inverse_bind [joint_count] out; must not overlap global.
/// @param joints       [joint_count] below global_count; NULL: joint k is k.
/// @param global       [global_count] joint -> model at bind time.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT ("joints"), SQT_ERROR_NUMBER ("global": singular or not finite,
///         index is the palette entry). On error nothing is written.
SQT_NODISCARD sqt_result sqt_skin_bind_from_global(sqt_mat4 *inverse_bind, const uint16_t *joints, uint32_t joint_count,
                                                   const sqt_mat4 *global, uint32_t global_count, sqt_fault *fault);

/// Inverse bind matrices from the skeleton's rest pose, in double precision along each joint's chain: a load-time
/// function, whose time grows with joints * depth.
///
/// @param inverse_bind [joint_count] out.
/// @param joints       [joint_count] below skeleton->joint_count; NULL: joint k is k.
/// @return as sqt_skin_bind_from_global ("rest" in place of "global").
SQT_NODISCARD sqt_result sqt_skin_bind_from_rest(sqt_mat4 *inverse_bind, const sqt_skeleton *skeleton,
                                                 const uint16_t *joints, uint32_t joint_count, sqt_fault *fault);

/// Skin matrices: palette[k] = global[joints[k]] * inverse_bind[k], or model_to_world * (global * inverse_bind):
/// bind-space point -> posed point in model (or world) space.
///
/// The palette is written once, in order, and never read back, so it may be mapped GPU memory.
///
/// @param palette        [skin->joint_count] out; must not overlap an input.
/// @param global         [skeleton->joint_count] affine.
/// @param model_to_world affine; NULL: identity.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_RIG, SQT_ERROR_COUNT (skin->joint_limit above skeleton->joint_count).
/// Source: glTF 2.0, section 3.7.3 "Skins".
sqt_result sqt_skin_palette(sqt_mat4 *palette, const sqt_skeleton *skeleton, const sqt_skin *skin,
                            const sqt_mat4 *global, const sqt_mat4 *model_to_world);

/// The same, as the upper three rows of each matrix: the numbers are bit for bit those of sqt_skin_palette.
sqt_result sqt_skin_palette_3x4(sqt_mat3x4 *palette, const sqt_skeleton *skeleton, const sqt_skin *skin,
                                const sqt_mat4 *global, const sqt_mat4 *model_to_world);

/// Where skinned vertices go. NULL: not wanted. Vertex v is written at v * stride from the pointer, whatever range is
/// skinned. Strides are in bytes, a multiple of 4; 0: tight (12, 12, 16).
typedef struct sqt_skinned {
    float *positions; ///< 3 floats a vertex
    float *normals;   ///< 3 floats a vertex
    float *tangents;  ///< 4 floats a vertex
    uint32_t position_stride_bytes, normal_stride_bytes, tangent_stride_bytes;
} sqt_skinned;

/// Linear blend skinning of a range of vertices. With B = sum over the influences of weight * palette[joint]:
///
///     position = B * (p, 1);   normal = unit(sign(det B) cofactor(B) * n);   tangent = (unit(B3x3 * t), w unchanged)
///
/// The cofactor matrix (determinant times inverse transpose) keeps normals at right angles to the surface under
/// non-uniform scale, and the sign of the determinant keeps them on the outer side under a mirror. Its elements are
/// products of two scales: between scales of 3e-8 and 4e9 normals keep their direction, beyond they become (0, 0, 0). SQT_PLAIN_NORMALS uses B's 3x3 instead, as glTF's reference
/// and most shaders do. A vector that comes out shorter than 1e-15 is (0, 0, 0). Weights are used as they are; a vertex
/// without weights lands on the origin.
///
/// Ranges are independent: however a mesh is cut, and whatever runs at once, each vertex gets the same bits. A mesh with
/// groups (sqt_mesh_group) is skinned about twice as fast as one without.
///
/// @param skinned      outputs for vertices first_vertex up to first_vertex + vertex_count; an output may be exactly
///                     the mesh's own attribute with the same stride (in place); no other overlap.
/// @param mesh         one that sqt_mesh_validate accepts.
/// @param palette      [palette_count] affine.
/// @param palette_count at least mesh->palette_count: the skin's joint_count.
/// @param flags        SQT_PLAIN_NORMALS, SQT_RAW_NORMALS (skip the normalisation, where a shader does it anyway),
///                     SQT_FUSED (multiplies and adds with one rounding where the instruction set can: AVX2, AVX-512
///                     and NEON then agree with each other, and with the other sets but for rounding).
/// @return SQT_OK, SQT_ERROR_NULL (also a wanted output whose input is absent), SQT_ERROR_COUNT (the range, the
///         influence count, groups that do not end with the last vertex, or a stride below an element or not a multiple
///         of 4), SQT_ERROR_FLAG (also formats).
sqt_result sqt_skin_vertices(const sqt_skinned *skinned, const sqt_mesh *mesh, const sqt_mat4 *palette,
                             uint32_t palette_count, uint32_t first_vertex, uint32_t vertex_count, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
