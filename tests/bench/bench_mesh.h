// Meshes to skin: made in code with random joints, where no two vertices share a set of joints, and real ones.
#ifndef BENCH_MESH_H
#define BENCH_MESH_H

#include "bench_baseline.h"
#include "bench_memory.h"
#include "sqt/sqt.h"

/// Tight arrays, and a posed palette.
typedef struct bench_mesh {
    uint32_t vertex_count, influence_count, palette_count;
    double average_influences;             ///< of those whose weight is not 0
    float *positions, *normals, *tangents; ///< normals, tangents NULL: the file has none
    uint16_t *joints;
    float *weights;
    sqt_mat4 *palette;
    float *out_positions, *out_normals, *out_tangents;
    sqt_mesh_groups groups; ///< once bench_mesh_group was called
} bench_mesh;

/// The joints of each vertex are random ones of a posed character of 67.
void bench_mesh_random(bench_mesh *mesh, bench_pool *pool, uint32_t vertex_count, uint32_t influence_count);

/// The primitives that hang on the first skin of a glTF file (NULL: of the embedded character), joined and posed by the
/// first clip. False where it cannot be had.
bool bench_mesh_import(bench_mesh *mesh, bench_pool *pool, const char *path);

/// Whether the build can import it at all.
bool bench_can_import(const char *path);

/// The mesh as sqt sees it, without groups.
sqt_mesh bench_mesh_view(const bench_mesh *mesh);

/// Groups the mesh: its arrays come into the order of the groups, so that the baseline skins the same vertices.
void bench_mesh_group(bench_mesh *mesh, bench_pool *pool);

/// Arrays for so many vertices and influences.
void bench_mesh_alloc(bench_mesh *mesh, bench_pool *pool, bool normals, bool tangents);

#endif
