// BASELINE_FUNCTION and BASELINE_NAME say which of the two compilations this is.
#include "bench_baseline.h"

#include <math.h>

static void mix(baseline_joint *out, baseline_joint *a, baseline_joint *b, float t, bool slerp) {
    if (slerp) {
        glm_quat_slerp(a->rotation, b->rotation, t, out->rotation);
    } else {
        glm_quat_nlerp(a->rotation, b->rotation, t, out->rotation);
    }
    glm_vec3_lerp(a->translation, b->translation, t, out->translation);
    glm_vec3_lerp(a->scale, b->scale, t, out->scale);
}

static void sample(baseline_joint *out, const baseline_clip *clip, double seconds, bool slerp) {
    double local = fmod(seconds, (double)clip->duration);
    if (local < 0) local += (double)clip->duration;
    const float position = (float)(local * (double)clip->rate);
    uint32_t index = (uint32_t)position;
    if (index > clip->sample_count - 2) index = clip->sample_count - 2;
    baseline_joint *const a = clip->samples + (size_t)index * clip->joint_count, *const b = a + clip->joint_count;
    for (uint32_t j = 0; j < clip->joint_count; ++j) mix(out + j, a + j, b + j, position - (float)index, slerp);
}

static void blend(baseline_joint *out, baseline_joint *a, baseline_joint *b, const float *mask, float weight,
                  uint32_t joint_count, bool slerp) {
    for (uint32_t j = 0; j < joint_count; ++j) mix(out + j, a + j, b + j, mask ? weight * mask[j] : weight, slerp);
}

/// The weighted sum, rotations in the hemisphere of the first.
static void blend3(baseline_joint *out, baseline_joint *const *inputs, const float weights[3], uint32_t joint_count) {
    for (uint32_t j = 0; j < joint_count; ++j) {
        baseline_joint sum = {{0, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k < 3; ++k) {
            baseline_joint *const in = inputs[k] + j;
            const bool away = glm_quat_dot(inputs[0][j].rotation, in->rotation) < 0;
            glm_vec4_muladds(in->rotation, away ? -weights[k] : weights[k], sum.rotation);
            glm_vec3_muladds(in->translation, weights[k], sum.translation);
            glm_vec3_muladds(in->scale, weights[k], sum.scale);
        }
        glm_quat_normalize_to(sum.rotation, out[j].rotation);
        glm_vec3_copy(sum.translation, out[j].translation);
        glm_vec3_copy(sum.scale, out[j].scale);
    }
}

static void add(baseline_joint *out, baseline_joint *base, baseline_joint *difference, float weight,
                uint32_t joint_count, bool slerp) {
    baseline_joint nothing = {{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}};
    for (uint32_t j = 0; j < joint_count; ++j) {
        baseline_joint part;
        mix(&part, &nothing, difference + j, weight, slerp);
        glm_quat_mul(base[j].rotation, part.rotation, out[j].rotation);
        glm_vec3_add(base[j].translation, part.translation, out[j].translation);
        glm_vec3_mul(base[j].scale, part.scale, out[j].scale);
    }
}

static void local_matrix(mat4 local, baseline_joint *joint) {
    glm_quat_mat4(joint->rotation, local);
    for (int i = 0; i < 3; ++i) glm_vec4_scale(local[i], joint->scale[i], local[i]);
    glm_vec3_copy(joint->translation, local[3]);
}

static void global(mat4 *global, const uint16_t *parents, baseline_joint *local, uint32_t joint_count) {
    for (uint32_t j = 0; j < joint_count; ++j) {
        if (parents[j] == 0xFFFF) {
            local_matrix(global[j], local + j);
        } else {
            mat4 matrix;
            local_matrix(matrix, local + j);
            glm_mat4_mul(global[parents[j]], matrix, global[j]);
        }
    }
}

static void palette(mat4 *palette, mat4 *global, mat4 *inverse_bind, uint32_t joint_count) {
    for (uint32_t j = 0; j < joint_count; ++j) glm_mat4_mul(global[j], inverse_bind[j], palette[j]);
}

static void blend_matrices(mat4 blended, const baseline_mesh *mesh, mat4 *palette, uint32_t vertex) {
    const uint16_t *const joints = mesh->joints + (size_t)vertex * mesh->influence_count;
    const float *const weights = mesh->weights + (size_t)vertex * mesh->influence_count;
    glm_mat4_zero(blended);
    for (uint32_t k = 0; k < mesh->influence_count; ++k) {
        for (int i = 0; i < 4; ++i) glm_vec4_muladds(palette[joints[k]][i], weights[k], blended[i]);
    }
}

static void skin_normal(const baseline_mesh *mesh, mat3 linear, uint32_t vertex) {
    mat3 matrix;
    glm_mat3_copy(linear, matrix);
    if (!mesh->plain_normals) {
        glm_mat3_inv(linear, matrix);
        glm_mat3_transpose(matrix);
        if (mesh->raw_normals) glm_mat3_scale(matrix, glm_mat3_det(linear)); // the cofactor matrix itself
    }
    glm_mat3_mulv(matrix, mesh->normals[vertex], mesh->out_normals[vertex]);
    if (!mesh->raw_normals) glm_vec3_normalize(mesh->out_normals[vertex]);
}

static void skin_tangent(const baseline_mesh *mesh, mat3 linear, uint32_t vertex) {
    vec3 tangent;
    glm_mat3_mulv(linear, mesh->tangents[vertex], tangent);
    if (!mesh->raw_normals) glm_vec3_normalize(tangent);
    glm_vec4(tangent, mesh->tangents[vertex][3], mesh->out_tangents[vertex]);
}

static void skin(const baseline_mesh *mesh, mat4 *palette) {
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        mat4 blended;
        blend_matrices(blended, mesh, palette, v);
        glm_mat4_mulv3(blended, mesh->positions[v], 1.0f, mesh->out_positions[v]);
        if (!mesh->normals && !mesh->tangents) continue;
        mat3 linear;
        glm_mat4_pick3(blended, linear);
        if (mesh->normals) skin_normal(mesh, linear, v);
        if (mesh->tangents) skin_tangent(mesh, linear, v);
    }
}

const bench_baseline *BASELINE_FUNCTION(void);

const bench_baseline *BASELINE_FUNCTION(void) {
    static const bench_baseline table = {BASELINE_NAME, sample, blend, blend3, add, global, palette, skin};
    return &table;
}
