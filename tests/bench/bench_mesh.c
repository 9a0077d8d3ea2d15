#include "bench_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_rig.h"

void bench_mesh_alloc(bench_mesh *mesh, bench_pool *pool, bool normals, bool tangents) {
    const size_t count = mesh->vertex_count, influences = count * mesh->influence_count;
    mesh->positions = bench_alloc(pool, count, 3 * sizeof(float));
    mesh->out_positions = bench_alloc(pool, count, 3 * sizeof(float));
    mesh->normals = normals ? bench_alloc(pool, count, 3 * sizeof(float)) : NULL;
    mesh->out_normals = normals ? bench_alloc(pool, count, 3 * sizeof(float)) : NULL;
    mesh->tangents = tangents ? bench_alloc(pool, count, 4 * sizeof(float)) : NULL;
    mesh->out_tangents = tangents ? bench_alloc(pool, count, 4 * sizeof(float)) : NULL;
    mesh->joints = bench_alloc(pool, influences, sizeof *mesh->joints);
    mesh->weights = bench_alloc(pool, influences, sizeof *mesh->weights);
    mesh->palette = bench_alloc(pool, mesh->palette_count, sizeof *mesh->palette);
}

static void random_direction(float out[3], bench_random *random) {
    double v[3], length = 0;
    do {
        for (int i = 0; i < 3; ++i) v[i] = bench_random_in(random, -1, 1);
        length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    } while (length < 0.1);
    for (int i = 0; i < 3; ++i) out[i] = (float)(v[i] / length);
}

static void random_vertex(bench_mesh *mesh, uint32_t vertex, bench_random *random) {
    const size_t v = vertex, k = mesh->influence_count;
    for (int i = 0; i < 3; ++i) mesh->positions[3 * v + (size_t)i] = (float)bench_random_in(random, -1, 1);
    random_direction(mesh->normals + 3 * v, random);
    random_direction(mesh->tangents + 4 * v, random);
    mesh->tangents[4 * v + 3] = v % 2 ? 1.0f : -1.0f;
    double weights[SQT_MAX_INFLUENCES], sum = 0;
    for (size_t i = 0; i < k; ++i) {
        mesh->joints[k * v + i] = (uint16_t)(bench_random_u32(random) % mesh->palette_count);
        weights[i] = bench_random_in(random, 0.05, 1);
        sum += weights[i];
    }
    for (size_t i = 0; i < k; ++i) mesh->weights[k * v + i] = (float)(weights[i] / sum);
}

/// A pose in the middle of a walk.
static void pose_palette(sqt_mat4 *palette) {
    bench_pool pool = {0};
    bench_rig rig;
    bench_rig_make(&rig, &pool, 1, false);
    const sqt_clip clip = bench_clip_make(&rig, &pool, 0);
    sqt_pose_block *const pose = bench_alloc(&pool, SQT_POSE_BLOCKS(rig.joint_count), sizeof *pose);
    sqt_mat4 *const global = bench_alloc(&pool, rig.joint_count, sizeof *global);
    sqt_clip_sample(pose, &rig.skeleton, &clip, 0.4, SQT_NLERP);
    sqt_global_from_local(global, &rig.skeleton, pose, NULL);
    sqt_skin_palette(palette, &rig.skeleton, &rig.skin, global, NULL);
    bench_free(&pool);
}

void bench_mesh_random(bench_mesh *mesh, bench_pool *pool, uint32_t vertex_count, uint32_t influence_count) {
    *mesh = (bench_mesh){.vertex_count = vertex_count,
                         .influence_count = influence_count,
                         .palette_count = bench_rig_sizes[1],
                         .average_influences = influence_count};
    bench_mesh_alloc(mesh, pool, true, true);
    bench_random random = {0x3E54ull + influence_count};
    for (uint32_t v = 0; v < vertex_count; ++v) random_vertex(mesh, v, &random);
    pose_palette(mesh->palette);
}

sqt_mesh bench_mesh_view(const bench_mesh *mesh) {
    const sqt_mesh view = {.vertex_count = mesh->vertex_count,
                           .influence_count = mesh->influence_count,
                           .palette_count = mesh->palette_count,
                           .positions = {mesh->positions, 0, SQT_FORMAT_F32},
                           .normals = {mesh->normals, 0, SQT_FORMAT_F32},
                           .tangents = {mesh->tangents, 0, SQT_FORMAT_F32},
                           .joints = {mesh->joints, 0, SQT_FORMAT_U16},
                           .weights = {mesh->weights, 0, SQT_FORMAT_F32}};
    return view;
}

static void require(sqt_result result, const char *what) {
    if (result == SQT_OK) return;
    fprintf(stderr, "sqt_bench: %s: %s\n", what, sqt_result_string(result));
    exit(1);
}

/// A new array with the elements in the order of the groups. NULL stays NULL.
static void *permuted(bench_pool *pool, const void *in, size_t bytes, const uint32_t *permutation, uint32_t count) {
    if (!in) return NULL;
    void *const out = bench_alloc(pool, count, bytes);
    require(sqt_mesh_permute(out, in, bytes, permutation, count, NULL), "permute");
    return out;
}

void bench_mesh_group(bench_mesh *mesh, bench_pool *pool) {
    const sqt_mesh view = bench_mesh_view(mesh);
    const uint32_t count = mesh->vertex_count;
    const size_t bytes = sqt_mesh_group_bytes(&view);
    uint32_t *const permutation = bench_alloc(pool, count, sizeof *permutation);
    require(sqt_mesh_group(&mesh->groups, permutation, &view, bench_alloc(pool, 1, bytes), bytes, NULL), "group");
    mesh->positions = permuted(pool, mesh->positions, 3 * sizeof(float), permutation, count);
    mesh->normals = permuted(pool, mesh->normals, 3 * sizeof(float), permutation, count);
    mesh->tangents = permuted(pool, mesh->tangents, 4 * sizeof(float), permutation, count);
    mesh->joints = permuted(pool, mesh->joints, mesh->influence_count * sizeof *mesh->joints, permutation, count);
    mesh->weights = permuted(pool, mesh->weights, mesh->influence_count * sizeof *mesh->weights, permutation, count);
}
