#include "simd/isa.h"

#include "sqt/global.h"

#include "affine.h"
#include "pose_lanes.h"
#include "scalar_joint.h"
#include "simd/kernels.h"

static sqt_result check(const void *out, const sqt_skeleton *skeleton, const void *in) {
    if (!out || !skeleton || !in) return SQT_ERROR_NULL;
    return skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS ? SQT_ERROR_COUNT : SQT_OK;
}

sqt_result sqt_global_from_local(sqt_mat4 *global, const sqt_skeleton *skeleton, const sqt_pose_block *local,
                                 const sqt_mat4 *root) {
    const sqt_result result = check(global, skeleton, local);
    if (result) return result;
    sqt_kernels_current()->global(global, skeleton->parents, skeleton->schedule, local, root, skeleton->joint_count);
    return SQT_OK;
}

sqt_result sqt_global_from_local_below(sqt_mat4 *global, const sqt_skeleton *skeleton, const sqt_pose_block *local,
                                       const sqt_mat4 *root, uint32_t joint) {
    const sqt_result result = check(global, skeleton, local);
    if (result) return result;
    if (joint >= skeleton->joint_count) return SQT_ERROR_COUNT;
    uint32_t below[(SQT_MAX_JOINTS + 31) / 32]; // a bit a joint, from `joint` on: itself and what is below it
    memset(below, 0, (skeleton->joint_count - joint + 31) / 32 * sizeof *below);
    for (uint32_t j = joint; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        if (j > joint) {
            if (parent == SQT_NO_JOINT || parent < joint) continue;
            if (!((below[(parent - joint) / 32] >> (parent - joint) % 32) & 1u)) continue;
        }
        below[(j - joint) / 32] |= 1u << (j - joint) % 32;
        global[j] = sqt_mat4_from_transform(sqt_pose_get(local, j));
        const sqt_mat4 *const above = parent == SQT_NO_JOINT ? root : global + parent;
        if (above) m4_store(global[j].m, m4_product(above->m, global[j].m));
    }
    return SQT_OK;
}

sqt_result sqt_global_transforms(sqt_transform *global, sqt_mat4 *matrices, const sqt_skeleton *skeleton,
                                 const sqt_pose_block *local, const sqt_transform *root) {
    const sqt_result result = check(global, skeleton, local);
    if (result) return result;
    for (uint32_t first = 0; first < skeleton->joint_count; first += SQT_POSE_LANES) {
        const uint32_t left = skeleton->joint_count - first, count = left < SQT_POSE_LANES ? left : SQT_POSE_LANES;
        sqt_pose_block block;
        for (uint32_t j = first; j < first + count; ++j) {
            const uint32_t parent = skeleton->parents[j];
            const sqt_transform *const above = parent == SQT_NO_JOINT ? root : global + parent;
            const sqt_transform t = sqt_pose_get(local, j);
            global[j] = above ? transform_multiply(*above, t) : t;
            if (matrices) sqt_pose_set(&block, j - first, global[j]);
        }
        if (!matrices) continue;
        sqt_pose_pad(&block, count);
        sqt_kernels_current()->matrices(matrices + first, &block, count);
    }
    return SQT_OK;
}

sqt_result sqt_local_from_global(sqt_pose_block *local, const sqt_skeleton *skeleton, const sqt_mat4 *global,
                                 const sqt_mat4 *root) {
    const sqt_result result = check(local, skeleton, global);
    if (result) return result;
    static const sqt_transform collapsed = {SQT_QUAT_IDENTITY, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        const sqt_mat4 *const above = parent == SQT_NO_JOINT ? root : global + parent;
        sqt_affine m = sqt_affine_from_mat4(global[j]), inverse;
        sqt_transform t = collapsed;
        if (!above) {
            t = sqt_transform_from_affine(m);
        } else if (sqt_affine_invert(&inverse, sqt_affine_from_mat4(*above))) {
            m = sqt_affine_multiply(inverse, m);
            if (sqt_affine_fits_float(m)) t = sqt_transform_from_affine(m);
        }
        sqt_pose_set(local, j, t);
    }
    sqt_pose_pad(local, skeleton->joint_count);
    return SQT_OK;
}

/// n / d by components, not n * (1 / d): a reciprocal may overflow where the quotient does not. 0 where d is 0.
static sqt_vec3 quotient(sqt_vec3 n, sqt_vec3 d) {
    const sqt_vec3 r = {d.x != 0.0f ? n.x / d.x : 0.0f, d.y != 0.0f ? n.y / d.y : 0.0f, d.z != 0.0f ? n.z / d.z : 0.0f};
    return r;
}

sqt_result sqt_local_from_transforms(sqt_pose_block *local, const sqt_skeleton *skeleton, const sqt_transform *global,
                                     const sqt_transform *root) {
    const sqt_result result = check(local, skeleton, global);
    if (result) return result;
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        const sqt_transform *const above = parent == SQT_NO_JOINT ? root : global + parent;
        sqt_transform t = global[j];
        if (above) {
            const sqt_quat back = sqt_quat_conjugate(above->rotation);
            const sqt_vec3 offset = {t.translation.x - above->translation.x, t.translation.y - above->translation.y,
                                     t.translation.z - above->translation.z};
            t.rotation = quat_multiply(back, t.rotation);
            t.translation = quotient(quat_rotate(back, offset), above->scale);
            t.scale = quotient(t.scale, above->scale);
        }
        sqt_pose_set(local, j, t);
    }
    sqt_pose_pad(local, skeleton->joint_count);
    return SQT_OK;
}
