// The kernels: what each instruction set supplies, and how one is chosen. The public functions check their arguments
// and call through this table; every set gives the same bits (joint.inl and kernels.inl are compiled once a set).
#ifndef SQT_SRC_KERNELS_H
#define SQT_SRC_KERNELS_H

#include "sqt/pose.h"
#include "sqt/skin.h"

/// What the skinning kernel reads and writes: sqt_mesh and sqt_skinned with strides resolved. Absent: NULL.
typedef struct sqt_skin_job {
    const sqt_mat4 *palette;
    uint32_t palette_count;        ///< 0: not known
    const sqt_mesh_groups *groups; ///< in place of all that follows up to influence_count
    const char *joints, *weights;
    size_t joint_stride, weight_stride;
    const uint32_t *influence_offsets;
    uint32_t joint_format, weight_format, influence_count;
    bool plain_normals, raw_normals, fused;
    const char *positions, *normals, *tangents;
    char *out_positions, *out_normals, *out_tangents;
    size_t position_stride, normal_stride, tangent_stride;
    size_t out_position_stride, out_normal_stride, out_tangent_stride;
} sqt_skin_job;

typedef struct sqt_kernels {
    /// out = mix(a, b) a joint, w = weight (* mask[joint]): (1 - w) a + w b, rotations by nlerp or slerp. Lanes behind
    /// the last joint become identity. Sampling is this kernel between two rows of samples. out may be a or b. slerp
    /// asks for w in -1..2. With a mask the rotation is exactly a's where w is 0, and b's where it is 1.
    void (*blend)(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                  float weight, uint32_t joint_count, bool slerp);

    /// global[j] = global[parents[j]] * matrix(local[j]) along the schedule; roots below `root` (NULL: identity).
    void (*global)(sqt_mat4 *global, const uint16_t *parents, const uint16_t *schedule, const sqt_pose_block *local,
                   const sqt_mat4 *root, uint32_t joint_count);

    /// palette[k] = model_to_world * (global[joints[k]] * inverse_bind[k]); joints, inverse_bind, model_to_world may be
    /// NULL for identity.
    void (*palette)(sqt_mat4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind, const sqt_mat4 *global,
                    const sqt_mat4 *model_to_world, uint32_t count);
    void (*palette_3x4)(sqt_mat3x4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind,
                        const sqt_mat4 *global, const sqt_mat4 *model_to_world, uint32_t count);

    /// Skins the vertices first .. first + count - 1.
    void (*skin)(const sqt_skin_job *job, uint32_t first, uint32_t count);
} sqt_kernels;

/// The kernels in use: chosen on first use, one relaxed atomic load after that.
const sqt_kernels *sqt_kernels_current(void);

/// The kernels of one set, whether or not it is the current one; NULL where this build or CPU does not have it.
const sqt_kernels *sqt_kernels_of(uint32_t isa);

/// What each set's source supplies; NULL where the build is for another architecture.
const sqt_kernels *sqt_kernels_scalar(void);
const sqt_kernels *sqt_kernels_sse(void);
const sqt_kernels *sqt_kernels_avx2(void);
const sqt_kernels *sqt_kernels_avx512(void);
const sqt_kernels *sqt_kernels_neon(void);
const sqt_kernels *sqt_kernels_wasm(void);

/// sqt_kernels.skin with fused multiply-add, of the sets that have it.
void sqt_skin_avx2_fused(const sqt_skin_job *job, uint32_t first, uint32_t count);
void sqt_skin_avx512_fused(const sqt_skin_job *job, uint32_t first, uint32_t count);
void sqt_skin_neon_fused(const sqt_skin_job *job, uint32_t first, uint32_t count);

#endif
