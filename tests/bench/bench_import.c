// Real meshes: the embedded character and glTF files, through the code of the examples where it is built.
#include "bench_mesh.h"

#if defined(BENCH_HAS_ASSETS)

#include <stdio.h>
#include <string.h>

#include "character.h"
#if ASSET_HAS_GLTF
#include "gltf_import.h"
#endif

static void copy_tight(float *out, const sqt_attribute *attribute, uint32_t vertex_count, uint32_t components) {
    const size_t bytes = components * sizeof(float);
    const size_t stride = attribute->stride_bytes ? attribute->stride_bytes : bytes;
    for (size_t v = 0; v < vertex_count; ++v) {
        memcpy(out + v * components, (const char *)attribute->data + v * stride, bytes);
    }
}

/// Whether every primitive of the first skin has the attribute.
static bool all_have(const asset *a, size_t member) {
    for (uint32_t i = 0; i < a->prim_count; ++i) {
        const sqt_mesh *const geometry = &a->prims[i].geometry;
        const sqt_attribute *const attribute = (const void *)((const char *)geometry + member);
        if (a->prims[i].skin == 0 && !attribute->data) return false;
    }
    return true;
}

static void join_primitives(bench_mesh *mesh, const asset *a) {
    size_t first = 0;
    for (uint32_t i = 0; i < a->prim_count; ++i) {
        if (a->prims[i].skin != 0) continue;
        const sqt_mesh *const g = &a->prims[i].geometry;
        copy_tight(mesh->positions + 3 * first, &g->positions, g->vertex_count, 3);
        if (mesh->normals) copy_tight(mesh->normals + 3 * first, &g->normals, g->vertex_count, 3);
        if (mesh->tangents) copy_tight(mesh->tangents + 4 * first, &g->tangents, g->vertex_count, 4);
        const size_t influence = first * mesh->influence_count;
        if (sqt_mesh_reduce_influences(mesh->joints + influence, mesh->weights + influence, g, mesh->influence_count,
                                       NULL)) {
            fprintf(stderr, "sqt_bench: %s: the influences of a primitive are wrong\n", a->file);
        }
        first += g->vertex_count;
    }
    size_t used = 0;
    for (size_t i = 0; i < first * mesh->influence_count; ++i) used += mesh->weights[i] > 0.0f;
    mesh->average_influences = (double)used / (double)first;
}

static void pose_by_first_clip(bench_mesh *mesh, const asset *a) {
    bench_pool pool = {0};
    const sqt_skeleton *const skeleton = &a->skeleton;
    sqt_pose_block *const pose = bench_alloc(&pool, SQT_POSE_BLOCKS(skeleton->joint_count), sizeof *pose);
    sqt_mat4 *const global = bench_alloc(&pool, skeleton->joint_count, sizeof *global);
    sqt_skeleton_rest(pose, skeleton);
    if (a->clip_count > 0) {
        const sqt_channel_clip *const clip = &a->clips[0].clip;
        sqt_channel_clip_sample(pose, skeleton, clip, NULL, 0.4 * (double)clip->timeline.duration_seconds);
    }
    sqt_global_from_local(global, skeleton, pose, NULL);
    sqt_skin_palette(mesh->palette, skeleton, &a->skins[0].skin, global, NULL);
    bench_free(&pool);
}

static bool open_asset(asset *a, const char *path) {
    if (!path) return character_make(a);
#if ASSET_HAS_GLTF
    char error[256];
    if (gltf_import(a, path, error, sizeof error)) return true;
    fprintf(stderr, "sqt_bench: left out: %s\n", error);
#endif
    return false;
}

bool bench_mesh_import(bench_mesh *mesh, bench_pool *pool, const char *path) {
    asset a;
    if (!open_asset(&a, path)) return false;
    *mesh = (bench_mesh){.influence_count = 4, .palette_count = a.skin_count ? a.skins[0].skin.joint_count : 0};
    for (uint32_t i = 0; i < a.prim_count; ++i) {
        if (a.prims[i].skin == 0) mesh->vertex_count += a.prims[i].geometry.vertex_count;
    }
    const bool usable = mesh->vertex_count > 0 && mesh->palette_count > 0;
    if (usable) {
        bench_mesh_alloc(mesh, pool, all_have(&a, offsetof(sqt_mesh, normals)),
                         all_have(&a, offsetof(sqt_mesh, tangents)));
        join_primitives(mesh, &a);
        pose_by_first_clip(mesh, &a);
    }
    asset_free(&a);
    return usable;
}

bool bench_can_import(const char *path) { return !path || ASSET_HAS_GLTF; }

#else

bool bench_can_import(const char *path) {
    (void)path;
    return false;
}

bool bench_mesh_import(bench_mesh *mesh, bench_pool *pool, const char *path) {
    (void)mesh, (void)pool, (void)path;
    return false;
}

#endif
