#include "simd/isa.h"

#include "sqt/skin.h"

#include "affine.h"
#include "fault.h"
#include "simd/kernels.h"

static uint32_t skin_joint(const uint16_t *joints, uint32_t k) { return joints ? joints[k] : k; }

static sqt_result validate_inverse_bind(const sqt_mat4 *inverse_bind, uint32_t joint_count, sqt_fault *fault) {
    for (uint32_t k = 0; k < joint_count; ++k) {
        const float *const m = inverse_bind[k].m;
        for (uint32_t i = 0; i < 16; ++i) {
            const bool last_row = i % 4 == 3;
            if (!sqt_finite(m[i]) || (last_row && m[i] != (i == 15 ? 1.0f : 0.0f))) {
                return sqt_fail(fault, SQT_ERROR_NUMBER, "inverse_bind", k, i);
            }
        }
    }
    return SQT_OK;
}

sqt_result sqt_skin_validate(const sqt_skin *skin, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (!skin) return sqt_fail(fault, SQT_ERROR_NULL, "skin", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (skin->rig_hash != 0 && skin->rig_hash != skeleton->rig_hash) {
        return sqt_fail(fault, SQT_ERROR_RIG, "rig_hash", 0, 0);
    }
    if (skin->joint_count == 0 || skin->joint_count > SQT_MAX_JOINTS) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    }
    if (skin->joint_limit > skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_limit", 0, 0);
    for (uint32_t k = 0; k < skin->joint_count; ++k) {
        if (skin_joint(skin->joints, k) >= skin->joint_limit) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", k, 0);
    }
    return skin->inverse_bind ? validate_inverse_bind(skin->inverse_bind, skin->joint_count, fault) : SQT_OK;
}

sqt_result sqt_skin_init(sqt_skin *skin, const sqt_skeleton *skeleton, const uint16_t *joints, uint32_t joint_count,
                         const sqt_mat4 *inverse_bind, sqt_fault *fault) {
    if (!skin) return sqt_fail(fault, SQT_ERROR_NULL, "skin", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    }
    sqt_skin made = {skeleton->rig_hash, joint_count, 0, joints, inverse_bind};
    for (uint32_t k = 0; k < joint_count; ++k) {
        const uint32_t joint = skin_joint(joints, k);
        if (joint >= skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", k, 0);
        if (joint >= made.joint_limit) made.joint_limit = joint + 1;
    }
    const sqt_result result = sqt_skin_validate(&made, skeleton, fault);
    if (result == SQT_OK) *skin = made;
    return result;
}

/// The inverse of a bind matrix as float, or false where it has none.
static bool invert_bind(sqt_mat4 *inverse_bind, sqt_affine global) {
    sqt_affine inverse;
    if (!sqt_affine_fits_float(global) || !sqt_affine_invert(&inverse, global) || !sqt_affine_fits_float(inverse)) {
        return false;
    }
    *inverse_bind = sqt_affine_to_mat4(inverse);
    return true;
}

sqt_result sqt_skin_bind_from_global(sqt_mat4 *inverse_bind, const uint16_t *joints, uint32_t joint_count,
                                     const sqt_mat4 *global, uint32_t global_count, sqt_fault *fault) {
    if (!inverse_bind) return sqt_fail(fault, SQT_ERROR_NULL, "inverse_bind", 0, 0);
    if (!global) return sqt_fail(fault, SQT_ERROR_NULL, "global", 0, 0);
    sqt_mat4 unused;
    for (uint32_t k = 0; k < joint_count; ++k) { // everything is checked before anything is written
        const uint32_t joint = skin_joint(joints, k);
        if (joint >= global_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", k, 0);
        if (!invert_bind(&unused, sqt_affine_from_mat4(global[joint]))) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "global", k, 0);
        }
    }
    for (uint32_t k = 0; k < joint_count; ++k) {
        invert_bind(inverse_bind + k, sqt_affine_from_mat4(global[skin_joint(joints, k)]));
    }
    return SQT_OK;
}

/// The rest pose's global matrix of one joint, along its chain.
static sqt_affine rest_global(const sqt_skeleton *skeleton, uint32_t joint) {
    sqt_affine m = sqt_affine_from_transform(sqt_pose_get(skeleton->rest, joint));
    for (uint32_t p = skeleton->parents[joint]; p != SQT_NO_JOINT; p = skeleton->parents[p]) {
        m = sqt_affine_multiply(sqt_affine_from_transform(sqt_pose_get(skeleton->rest, p)), m);
    }
    return m;
}

sqt_result sqt_skin_bind_from_rest(sqt_mat4 *inverse_bind, const sqt_skeleton *skeleton, const uint16_t *joints,
                                   uint32_t joint_count, sqt_fault *fault) {
    if (!inverse_bind) return sqt_fail(fault, SQT_ERROR_NULL, "inverse_bind", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    sqt_mat4 unused;
    for (uint32_t k = 0; k < joint_count; ++k) {
        const uint32_t joint = skin_joint(joints, k);
        if (joint >= skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", k, 0);
        if (!invert_bind(&unused, rest_global(skeleton, joint))) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "rest", k, 0);
        }
    }
    for (uint32_t k = 0; k < joint_count; ++k) {
        invert_bind(inverse_bind + k, rest_global(skeleton, skin_joint(joints, k)));
    }
    return SQT_OK;
}

static sqt_result palette_check(const void *palette, const sqt_skeleton *skeleton, const sqt_skin *skin,
                                const sqt_mat4 *global) {
    if (!palette || !skeleton || !skin || !global) return SQT_ERROR_NULL;
    if (skin->rig_hash != 0 && skin->rig_hash != skeleton->rig_hash) return SQT_ERROR_RIG;
    if (skin->joint_limit > skeleton->joint_count) return SQT_ERROR_COUNT;
    return !skin->joints && skin->joint_count > skin->joint_limit ? SQT_ERROR_COUNT : SQT_OK;
}

sqt_result sqt_skin_palette(sqt_mat4 *palette, const sqt_skeleton *skeleton, const sqt_skin *skin,
                            const sqt_mat4 *global, const sqt_mat4 *model_to_world) {
    const sqt_result result = palette_check(palette, skeleton, skin, global);
    if (result) return result;
    sqt_kernels_current()->palette(palette, skin->joints, skin->inverse_bind, global, model_to_world,
                                   skin->joint_count);
    return SQT_OK;
}

sqt_result sqt_skin_palette_3x4(sqt_mat3x4 *palette, const sqt_skeleton *skeleton, const sqt_skin *skin,
                                const sqt_mat4 *global, const sqt_mat4 *model_to_world) {
    const sqt_result result = palette_check(palette, skeleton, skin, global);
    if (result) return result;
    sqt_kernels_current()->palette_3x4(palette, skin->joints, skin->inverse_bind, global, model_to_world,
                                       skin->joint_count);
    return SQT_OK;
}

/// The bytes from one element to the next: as given, or tight.
static size_t stride_or(uint32_t stride_bytes, size_t tight) { return stride_bytes ? stride_bytes : tight; }

static size_t format_bytes(uint32_t format) {
    static const uint8_t bytes[] = {[SQT_FORMAT_F32] = 4, [SQT_FORMAT_U8] = 1,     [SQT_FORMAT_U16] = 2,
                                    [SQT_FORMAT_U32] = 4, [SQT_FORMAT_UNORM8] = 1, [SQT_FORMAT_UNORM16] = 2};
    return format <= SQT_FORMAT_UNORM16 ? bytes[format] : 0;
}

/// One attribute and where it goes: absent where it is not wanted.
static sqt_result map_attribute(const char **in, size_t *in_stride, char **out, size_t *out_stride,
                                const sqt_attribute *attribute, float *output, uint32_t output_stride_bytes,
                                size_t bytes) {
    if (!output) return SQT_OK;
    if (!attribute->data) return SQT_ERROR_NULL;
    if (attribute->format != SQT_FORMAT_F32) return SQT_ERROR_FLAG;
    *in = attribute->data;
    *in_stride = stride_or(attribute->stride_bytes, bytes);
    *out = (char *)output;
    *out_stride = stride_or(output_stride_bytes, bytes);
    return *in_stride < bytes || *out_stride < bytes || *out_stride % sizeof(float) ? SQT_ERROR_COUNT : SQT_OK;
}

/// Whether any vertex has influences: where none has, their attributes may be absent.
static bool has_influences(const sqt_mesh *mesh) {
    if (mesh->vertex_count == 0) return false;
    if (!mesh->influence_offsets) return mesh->influence_count > 0;
    return mesh->influence_offsets[0] != mesh->influence_offsets[mesh->vertex_count];
}

/// That the runs end with the last vertex: what can be seen at once of groups of another mesh.
static sqt_result check_groups(const sqt_mesh_groups *groups, uint32_t vertex_count) {
    if (vertex_count == 0) return SQT_OK;
    if (!groups->runs) return SQT_ERROR_NULL;
    if (groups->run_count == 0) return SQT_ERROR_COUNT;
    const sqt_mesh_run *const last = groups->runs + groups->run_count - 1;
    return (uint64_t)last->first_vertex + last->vertex_count == vertex_count ? SQT_OK : SQT_ERROR_COUNT;
}

static sqt_result map_influences(sqt_skin_job *job, const sqt_mesh *mesh) {
    job->groups = mesh->groups;
    if (mesh->groups) return check_groups(mesh->groups, mesh->vertex_count);
    if (!has_influences(mesh)) {
        job->joints = job->weights = ""; // never read, and no null pointer to reckon with
        return SQT_OK;
    }
    if (!mesh->joints.data || !mesh->weights.data) return SQT_ERROR_NULL;
    const uint32_t joint = mesh->joints.format, weight = mesh->weights.format;
    if (joint != SQT_FORMAT_U8 && joint != SQT_FORMAT_U16 && joint != SQT_FORMAT_U32) return SQT_ERROR_FLAG;
    if (weight != SQT_FORMAT_F32 && weight != SQT_FORMAT_UNORM8 && weight != SQT_FORMAT_UNORM16) return SQT_ERROR_FLAG;
    if (!mesh->influence_offsets && mesh->influence_count > SQT_MAX_INFLUENCES) return SQT_ERROR_COUNT;
    const size_t in_a_row = mesh->influence_offsets ? 1 : mesh->influence_count;
    job->joints = mesh->joints.data;
    job->weights = mesh->weights.data;
    job->joint_format = joint;
    job->weight_format = weight;
    job->joint_stride = stride_or(mesh->joints.stride_bytes, in_a_row * format_bytes(joint));
    job->weight_stride = stride_or(mesh->weights.stride_bytes, in_a_row * format_bytes(weight));
    job->influence_offsets = mesh->influence_offsets;
    job->influence_count = mesh->influence_count;
    const bool fits =
        job->joint_stride >= in_a_row * format_bytes(joint) && job->weight_stride >= in_a_row * format_bytes(weight);
    return fits ? SQT_OK : SQT_ERROR_COUNT;
}

sqt_result sqt_skin_vertices(const sqt_skinned *skinned, const sqt_mesh *mesh, const sqt_mat4 *palette,
                             uint32_t palette_count, uint32_t first_vertex, uint32_t vertex_count, uint32_t flags) {
    if (!skinned || !mesh || !palette) return SQT_ERROR_NULL;
    if (flags & ~(uint32_t)(SQT_PLAIN_NORMALS | SQT_RAW_NORMALS | SQT_FUSED)) return SQT_ERROR_FLAG;
    if (first_vertex > mesh->vertex_count || vertex_count > mesh->vertex_count - first_vertex) return SQT_ERROR_COUNT;
    if (palette_count < mesh->palette_count || mesh->palette_count > SQT_MAX_PALETTE) return SQT_ERROR_COUNT;
    sqt_skin_job job = {0};
    job.palette = palette;
    job.palette_count = mesh->palette_count;
    job.plain_normals = (flags & SQT_PLAIN_NORMALS) != 0;
    job.raw_normals = (flags & SQT_RAW_NORMALS) != 0;
    job.fused = (flags & SQT_FUSED) != 0;
    sqt_result result = map_influences(&job, mesh);
    if (!result) {
        result = map_attribute(&job.positions, &job.position_stride, &job.out_positions, &job.out_position_stride,
                               &mesh->positions, skinned->positions, skinned->position_stride_bytes, 12);
    }
    if (!result) {
        result = map_attribute(&job.normals, &job.normal_stride, &job.out_normals, &job.out_normal_stride,
                               &mesh->normals, skinned->normals, skinned->normal_stride_bytes, 12);
    }
    if (!result) {
        result = map_attribute(&job.tangents, &job.tangent_stride, &job.out_tangents, &job.out_tangent_stride,
                               &mesh->tangents, skinned->tangents, skinned->tangent_stride_bytes, 16);
    }
    if (result || vertex_count == 0) return result;
    sqt_kernels_current()->skin(&job, first_vertex, vertex_count);
    return SQT_OK;
}
