/// @file mesh.h
/// Skinned meshes as vertex buffers of any layout, and what a loader does to their influences.
#ifndef SQT_MESH_H
#define SQT_MESH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Format of one component of an attribute.
enum {
    SQT_FORMAT_F32 = 0,
    SQT_FORMAT_U8 = 1,
    SQT_FORMAT_U16 = 2,
    SQT_FORMAT_U32 = 3,
    SQT_FORMAT_UNORM8 = 4, ///< c / 255: 255 is exactly 1
    SQT_FORMAT_UNORM16 = 5 ///< c / 65535
};

/// One attribute of every vertex, interleaved or not.
typedef struct sqt_attribute {
    const void *data;      ///< of the first vertex; needs no alignment. NULL: the attribute is absent.
    uint32_t stride_bytes; ///< from one vertex to the next; 0: tight
    uint32_t format;       ///< SQT_FORMAT_...
} sqt_attribute;

/// What the vertices of a run share.
enum {
    SQT_RUN_MIXED = 0,  ///< their number of influences: joints [vertex_count][influence_count], weights likewise
    SQT_RUN_SHARED = 1, ///< their joints: joints [influence_count], weights [influence_count][vertex_count]
    SQT_RUN_RIGID = 2   ///< one joint of weight exactly 1: joints [1], no weights
};

/// Consecutive vertices of a grouped mesh that are skinned by one kernel.
typedef struct sqt_mesh_run {
    uint32_t first_vertex, vertex_count; ///< runs follow one another without gaps, none is empty
    uint32_t first_joint;                ///< where the run's joints begin in sqt_mesh_groups.joints
    uint32_t first_weight;               ///< where its weights begin in sqt_mesh_groups.weights
    uint16_t influence_count;            ///< of each of its vertices, 0..SQT_MAX_INFLUENCES; rigid: 1
    uint16_t kind;                       ///< SQT_RUN_...
} sqt_mesh_run;

/// Influences in the order in which skinning is fastest, made by sqt_mesh_group: a view.
typedef struct sqt_mesh_groups {
    const sqt_mesh_run *runs; ///< [run_count] from vertex 0 to the last
    const uint16_t *joints;   ///< [joint_count] below the mesh's palette_count
    const float *weights;     ///< [weight_count] finite and not negative
    uint32_t run_count, joint_count, weight_count;
} sqt_mesh_groups;

/// The largest palette_count.
#define SQT_MAX_PALETTE 65536u

/// A mesh bound to a palette: its joint indices index the palette (the skin's list), not the skeleton.
///
/// Influences come in one of two forms. Fixed: every vertex has influence_count of them, consecutive components of the
/// attributes `joints` and `weights`. Variable: influence_offsets is given; vertex v has the influences
/// influence_offsets[v] up to influence_offsets[v + 1], one element of `joints` and `weights` each, and the strides of
/// those two go from influence to influence.
typedef struct sqt_mesh {
    uint32_t vertex_count;
    uint32_t influence_count; ///< fixed form: influences a vertex, 0..SQT_MAX_INFLUENCES; else ignored
    uint32_t palette_count;   ///< skin matrices in the palette, up to SQT_MAX_PALETTE; every joint index is below
    const uint32_t *influence_offsets; ///< variable form: [vertex_count + 1] ascending; NULL: fixed form
    sqt_attribute positions;           ///< 3 components, F32
    sqt_attribute normals;             ///< 3 components, F32, or absent
    sqt_attribute tangents;            ///< 4 components, F32: direction and handedness, or absent
    sqt_attribute joints;              ///< U8, U16 or U32
    sqt_attribute weights;             ///< F32, UNORM8 or UNORM16
    const sqt_mesh_groups *groups;     ///< optional, of a grouped mesh: skinning uses them in place of influence_count,
                                       ///< influence_offsets, joints and weights, which may then be absent
} sqt_mesh;

/// The largest fixed influence_count, and the largest number of influences of a vertex in the variable form.
#define SQT_MAX_INFLUENCES 255u

/// Checks a mesh: formats, strides (0, or at least an element), every joint index below palette_count (also where its
/// weight is 0), weights finite and not negative, positions, normals and tangents finite, offsets ascending. That
/// weights sum to 1 is not required: sqt_mesh_reduce_influences sees to that. Where there are groups, everything that
/// their comments promise is checked in place of what they stand for.
///
/// @return SQT_OK; SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_NUMBER, SQT_ERROR_ORDER ("influence_offsets",
///         "runs.first_vertex"), SQT_ERROR_FLAG (a format, "runs.kind"). fault.field names the member, index the
///         vertex, element the component or influence. Of groups: "groups.runs", "groups.joints", "groups.weights"
///         (index is the place in the array), "groups.run_count", and "runs.first_vertex", "runs.vertex_count",
///         "runs.first_joint", "runs.first_weight", "runs.influence_count", "runs.kind" (index is the run).
SQT_NODISCARD sqt_result sqt_mesh_validate(const sqt_mesh *mesh, sqt_fault *fault);

/// Normalises and reduces influences at load time: for each vertex the weights of one joint are added up, the
/// `influence_count` heaviest are kept (ties: the earlier one), in order of weight, and scaled to sum to 1 (double
/// precision, rounded). A vertex whose weights are all zero is bound wholly to its first joint (joint 0 if it has no
/// influence). Unused places get joint 0, weight 0.
///
/// @param joints          [vertex_count * influence_count] out; must not overlap the mesh.
/// @param weights         [vertex_count * influence_count] out; must not overlap the mesh.
/// @param mesh            a mesh that sqt_mesh_validate accepts, palette_count at most SQT_MAX_PALETTE.
/// @param influence_count 1..SQT_MAX_INFLUENCES.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_FLAG (a format), SQT_ERROR_NUMBER (a weight that is
///         negative or not finite; fault as for sqt_mesh_validate; outputs unspecified).
SQT_NODISCARD sqt_result sqt_mesh_reduce_influences(uint16_t *joints, float *weights, const sqt_mesh *mesh,
                                                    uint32_t influence_count, sqt_fault *fault);

/// Quantises weights to bytes whose sum a vertex is exactly 255: each is rounded down, then the largest remainders
/// (ties: the earlier one) are rounded up.
///
/// @param quantized [vertex_count * influence_count] out.
/// @param weights   [vertex_count * influence_count] not negative, of sum 1 within 1e-3 a vertex.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (influence_count 0 or above SQT_MAX_INFLUENCES), SQT_ERROR_NUMBER
///         (fault "weights": index is the vertex; outputs unspecified).
SQT_NODISCARD sqt_result sqt_mesh_quantize_weights(uint8_t *quantized, const float *weights, uint32_t vertex_count,
                                                   uint32_t influence_count, sqt_fault *fault);

/// Bytes of memory that sqt_mesh_group needs for this mesh: what the groups keep, and room to work in. 0 where there is
/// nothing to group (mesh is NULL or has no vertices) or no memory could hold it.
size_t sqt_mesh_group_bytes(const sqt_mesh *mesh);

/// Groups the vertices of a mesh by joint set, at load time, in the order in which skinning is fastest: twice as fast or
/// more, where sets repeat. For instance:
///
///     sqt_mesh_groups groups;
///     if (sqt_mesh_group(&groups, permutation, &mesh, memory, sqt_mesh_group_bytes(&mesh), &fault)) { ... }
///     if (sqt_mesh_permute(positions, mesh.positions.data, 12, permutation, mesh.vertex_count, &fault)) { ... }
///     mesh.positions.data = positions; // and so every other attribute, then the index buffer
///     mesh.groups = &groups;
///
/// A vertex's influences are brought into one form: the weights of one joint are added up (double precision, rounded),
/// weights of 0 dropped, joints put in ascending order. Vertices that then have the same joints are a set. A set of 16
/// vertices or more becomes a run, rigid where the only weight is exactly 1, shared else; sets ascend by joints. All
/// other vertices follow in mixed runs, by their number of influences. Within a run vertices keep their order. The same
/// mesh always gives the same groups.
///
/// A vertex is skinned to the same bits as without groups if its influences were in that form before (a zero may have
/// another sign); else the terms of its sum come in another order, and results differ by rounding.
///
/// @param groups       out: views into memory.
/// @param permutation  [mesh->vertex_count] out: vertex v of the grouped mesh is vertex permutation[v] of `mesh`.
/// @param mesh         in the fixed or the variable form; its groups are ignored.
/// @param memory       any alignment; kept by the groups. Must not overlap the mesh.
/// @param memory_bytes at least sqt_mesh_group_bytes(mesh).
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT, SQT_ERROR_ORDER, SQT_ERROR_FLAG, SQT_ERROR_NUMBER, all as
///         sqt_mesh_validate reports influences (also 2^32 influences in all: "influence_count"; also a sum of weights
///         that is not finite: "weights"), SQT_ERROR_SPACE ("memory_bytes"). On error only memory was written.
SQT_NODISCARD sqt_result sqt_mesh_group(sqt_mesh_groups *groups, uint32_t *permutation, const sqt_mesh *mesh,
                                        void *memory, size_t memory_bytes, sqt_fault *fault);

/// Brings the elements of a vertex buffer into a new order: out[v] = in[permutation[v]].
///
/// @param out           [vertex_count * element_bytes] must not overlap the inputs.
/// @param in            [vertex_count * element_bytes] an attribute, or whole interleaved vertices.
/// @param element_bytes 1 or more: from one element to the next.
/// @param permutation   [vertex_count] below vertex_count, as sqt_mesh_group writes it.
/// @return SQT_OK, SQT_ERROR_NULL (the argument's name), SQT_ERROR_COUNT ("element_bytes"; "permutation": fault.index
///         is the entry). On error nothing is written.
SQT_NODISCARD sqt_result sqt_mesh_permute(void *out, const void *in, size_t element_bytes, const uint32_t *permutation,
                                          uint32_t vertex_count, sqt_fault *fault);

/// The inverse of a permutation: new_of_old[permutation[v]] = v.
///
/// @param new_of_old  [vertex_count] out; must not overlap permutation. On error unspecified.
/// @param permutation [vertex_count] every number below vertex_count once.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT ("permutation": not below vertex_count), SQT_ERROR_ORDER
///         ("permutation": there before). fault.index is the place.
SQT_NODISCARD sqt_result sqt_mesh_invert_permutation(uint32_t *new_of_old, const uint32_t *permutation,
                                                     uint32_t vertex_count, sqt_fault *fault);

/// Renumbers an index buffer for vertices that were brought into a new order: out[i] = new_of_old[in[i]]. The triangles
/// and their order stay.
///
/// @param out        [index_count] in the same format as in; may be exactly in.
/// @param in         [index_count] of any alignment.
/// @param format     SQT_FORMAT_U8, SQT_FORMAT_U16 or SQT_FORMAT_U32.
/// @param new_of_old [vertex_count] below vertex_count, from sqt_mesh_invert_permutation.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_FLAG ("format"), SQT_ERROR_COUNT ("new_of_old", "in": not below
///         vertex_count), SQT_ERROR_SPACE ("format": too narrow for the new number). fault.index is the place, at most
///         UINT32_MAX. On error nothing is written.
SQT_NODISCARD sqt_result sqt_mesh_renumber(void *out, const void *in, uint32_t format, size_t index_count,
                                           const uint32_t *new_of_old, uint32_t vertex_count, sqt_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
