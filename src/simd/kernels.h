// The kernels: what each instruction set supplies, and how one is chosen. The public functions check their arguments
// and call through this table; every set gives the same bits (joint.inl and kernels.inl are compiled once a set).
#ifndef SQT_SRC_KERNELS_H
#define SQT_SRC_KERNELS_H

#include "sqt/blend.h"
#include "sqt/inertial.h"
#include "sqt/pose.h"
#include "sqt/skin.h"

#include "../uniform_row.h"

/// One of the poses of a blend, and its share: all shares together are 1.
typedef struct sqt_blend_part {
    const sqt_pose_block *pose;
    float weight;
} sqt_blend_part;

/// The most parts that blend_many takes.
#define SQT_BLEND_PARTS 8u

/// Inputs whose weight is 0 are left out.
typedef struct sqt_blend_masked_job {
    const sqt_blend_input *inputs;
    uint32_t input_count;
    float rest_threshold;
    const sqt_pose_block *rest;
} sqt_blend_masked_job;

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

/// What a joint of many characters needs, in storage order: indices of slots, which hold a global pose as long as
/// children want it. SQT_NO_JOINT: none.
typedef struct sqt_many_step {
    uint16_t above;      ///< of the parent; none: a root
    uint16_t slot;       ///< its own; none: no joint is below it
    uint16_t entry;      ///< the first of its palette entries
    uint16_t last_child; ///< only for making the steps
} sqt_many_step;

/// The most lanes of any set.
#define SQT_MOST_LANES 16u

/// `lanes` characters of one skeleton. Each kind of pointer is there for all of them or for none.
typedef struct sqt_many_job {
    const sqt_many_step *steps;   ///< [joint_count]
    const uint16_t *next_entries; ///< another palette entry of the same joint; NULL: a joint has one at most
    const sqt_mat4 *inverse_bind; ///< NULL: identity
    float *slots;                 ///< 12 * lanes floats a slot
    uint32_t joint_count;
    const sqt_pose_block *locals[SQT_MOST_LANES];
    const sqt_mat4 *roots[SQT_MOST_LANES], *worlds[SQT_MOST_LANES];
    float *globals[SQT_MOST_LANES], *palettes[SQT_MOST_LANES], *palettes_3x4[SQT_MOST_LANES];
} sqt_many_job;

/// Two rows of a uniform clip, and how far the time has come from a to b.
typedef struct sqt_uniform_job {
    const uint8_t *kinds;
    const float *values;
    const int16_t *a, *b;
    uint32_t share; ///< of b, 0..32767
    float t;        ///< the same, 0..1, for SLERP
} sqt_uniform_job;

typedef struct sqt_kernels {
    uint32_t lanes; ///< characters that global_many takes at once

    /// out = mix(a, b) a joint, w = weight (* mask[joint]): (1 - w) a + w b, rotations by nlerp or slerp. Lanes behind
    /// the last joint become identity. Sampling is this kernel between two rows of samples. out may be a or b. slerp
    /// asks for w in -1..2. With a mask the joint is exactly a's where w is 0, and b's where it is 1.
    void (*blend)(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                  float weight, uint32_t joint_count, bool slerp);

    /// The weighted sum of 1..SQT_BLEND_PARTS poses, rotations in the hemisphere of parts[heaviest]. out may be one of
    /// the poses.
    void (*blend_many)(sqt_pose_block *out, const sqt_blend_part *parts, uint32_t part_count, uint32_t heaviest,
                       uint32_t joint_count);

    /// sqt_blend_many with weights that differ from joint to joint; without masks the same bits as blend_many.
    void (*blend_many_masked)(sqt_pose_block *out, const sqt_blend_masked_job *job, uint32_t joint_count);

    /// sqt_blend_difference.
    void (*difference)(sqt_pose_block *out, const sqt_pose_block *pose, const sqt_pose_block *reference,
                       uint32_t joint_count, bool scale_difference);

    /// sqt_blend_add; slerp asks for weight * mask in -1..2. out may be base or delta.
    void (*add)(sqt_pose_block *out, const sqt_pose_block *base, const sqt_pose_block *delta, const float *mask,
                float weight, uint32_t joint_count, bool slerp, bool scale_difference);

    /// sqt_inertial_apply, `seconds` after the switch. out may be target.
    void (*inertial)(sqt_pose_block *out, const sqt_pose_block *target, const sqt_inertial_block *offsets,
                     float seconds, uint32_t joint_count);

    /// The matrix of each joint by itself: T * R * S.
    void (*matrices)(sqt_mat4 *out, const sqt_pose_block *pose, uint32_t joint_count);

    /// global[j] = global[parents[j]] * matrix(local[j]) along the schedule; roots below `root` (NULL: identity).
    void (*global)(sqt_mat4 *global, const uint16_t *parents, const uint16_t *schedule, const sqt_pose_block *local,
                   const sqt_mat4 *root, uint32_t joint_count);

    /// global and palette of `lanes` characters at once. NULL where lanes is 1.
    void (*global_many)(const sqt_many_job *job);

    /// palette[k] = model_to_world * (global[joints[k]] * inverse_bind[k]); joints, inverse_bind, model_to_world may be
    /// NULL for identity.
    void (*palette)(sqt_mat4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind, const sqt_mat4 *global,
                    const sqt_mat4 *model_to_world, uint32_t count);
    void (*palette_3x4)(sqt_mat3x4 *palette, const uint16_t *joints, const sqt_mat4 *inverse_bind,
                        const sqt_mat4 *global, const sqt_mat4 *model_to_world, uint32_t count);

    /// Skins the vertices first .. first + count - 1.
    void (*skin)(const sqt_skin_job *job, uint32_t first, uint32_t count);

    /// The blocks of a uniform clip, as uniform_clip.h defines them. Lanes behind the last joint become identity.
    void (*uniform)(sqt_pose_block *out, const sqt_uniform_job *job, uint32_t joint_count, bool slerp);
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
