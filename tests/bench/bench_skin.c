#include "bench_skin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_mesh.h"

typedef struct skin_state {
    bench_mesh made;
    sqt_mesh mesh;
    sqt_skinned skinned;
    baseline_mesh baseline;
    uint32_t flags;
} skin_state;

static void run_skin(void *state, uint32_t calls) {
    const skin_state *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_skin_vertices(&s->skinned, &s->mesh, s->made.palette, s->made.palette_count, 0, s->made.vertex_count,
                          s->flags);
    }
}

static void base_skin(void *state, const bench_baseline *base, uint32_t calls) {
    const skin_state *const s = state;
    for (uint32_t i = 0; i < calls; ++i) base->skin(&s->baseline, (mat4 *)s->made.palette);
}

/// Every stream read once, every output written once.
static void memory_skin(void *state, uint32_t calls) {
    const skin_state *const s = state;
    const size_t count = s->made.vertex_count, influences = count * s->made.influence_count;
    for (uint32_t i = 0; i < calls; ++i) {
        bench_keep(bench_read(s->made.joints, influences * sizeof *s->made.joints) +
                   bench_read(s->made.weights, influences * sizeof *s->made.weights));
        memcpy(s->skinned.positions, s->made.positions, count * 12);
        if (s->skinned.normals) memcpy(s->skinned.normals, s->made.normals, count * 12);
        if (s->skinned.tangents) memcpy(s->skinned.tangents, s->made.tangents, count * 16);
    }
}

static void rewind_skin(void *state) { (void)state; }

static void collect_skin(float *out, const void *state, bool baseline) {
    const skin_state *const s = state;
    const size_t count = s->made.vertex_count;
    (void)baseline;
    memcpy(out, s->skinned.positions, count * 12);
    out += 3 * count;
    if (s->skinned.normals) memcpy(out, s->skinned.normals, count * 12);
    out += s->skinned.normals ? 3 * count : 0;
    if (s->skinned.tangents) memcpy(out, s->skinned.tangents, count * 16);
}

// The table

enum { NORMALS = 1, TANGENTS = 2, EVERY_INFLUENCE = 4, GROUPED = 8 };

typedef struct skin_job {
    const char *mode;
    uint32_t flags;  ///< of sqt_skin_vertices
    uint32_t traits; ///< which outputs; EVERY_INFLUENCE: at 1, 2, 4 and 8 influences, else at 4; GROUPED: by joint
                     ///< set, at load time
} skin_job;

static const skin_job jobs[] = {
    {"position", 0, EVERY_INFLUENCE},
    {"position grouped", 0, EVERY_INFLUENCE | GROUPED},
    {"normal", 0, NORMALS | EVERY_INFLUENCE},
    {"normal grouped", 0, NORMALS | EVERY_INFLUENCE | GROUPED},
    {"normal raw", SQT_RAW_NORMALS, NORMALS},
    {"normal raw grouped", SQT_RAW_NORMALS, NORMALS | GROUPED},
    {"normal plain", SQT_PLAIN_NORMALS, NORMALS},
    {"normal plain raw", SQT_PLAIN_NORMALS | SQT_RAW_NORMALS, NORMALS},
    {"tangent", 0, NORMALS | TANGENTS},
    {"tangent grouped", 0, NORMALS | TANGENTS | GROUPED},
    {"tangent raw", SQT_RAW_NORMALS, NORMALS | TANGENTS},
};

static void wire(skin_state *s, const skin_job *job) {
    bench_mesh *const m = &s->made;
    const bool normals = job->traits & NORMALS, tangents = job->traits & TANGENTS;
    s->flags = job->flags;
    s->mesh = bench_mesh_view(m);
    if (job->traits & GROUPED) s->mesh.groups = &m->groups;
    s->skinned = (sqt_skinned){.positions = m->out_positions,
                               .normals = normals ? m->out_normals : NULL,
                               .tangents = tangents ? m->out_tangents : NULL};
    s->baseline = (baseline_mesh){.vertex_count = m->vertex_count,
                                  .influence_count = m->influence_count,
                                  .positions = (vec3 *)m->positions,
                                  .normals = normals ? (vec3 *)m->normals : NULL,
                                  .tangents = tangents ? (vec4 *)m->tangents : NULL,
                                  .joints = m->joints,
                                  .weights = m->weights,
                                  .out_positions = (vec3 *)m->out_positions,
                                  .out_normals = (vec3 *)m->out_normals,
                                  .out_tangents = (vec4 *)m->out_tangents,
                                  .plain_normals = (job->flags & SQT_PLAIN_NORMALS) != 0,
                                  .raw_normals = (job->flags & SQT_RAW_NORMALS) != 0};
}

static void measure(bench *b, const skin_job *job, const char *asset, skin_state *s, bench_pool *pool) {
    if (job->traits & GROUPED) bench_mesh_group(&s->made, pool);
    wire(s, job);
    const uint32_t floats = 3u + (job->traits & NORMALS ? 3u : 0u) + (job->traits & TANGENTS ? 4u : 0u);
    const bench_case c = {.job = "skin",
                          .mode = job->mode,
                          .asset = asset,
                          .vertices = s->made.vertex_count,
                          .influences = s->made.average_influences,
                          .error = -1,
                          .units = s->made.vertex_count,
                          .unit = "vertex",
                          .state = s,
                          .run = run_skin,
                          .run_baseline = base_skin,
                          .run_memory = memory_skin,
                          .rewind = rewind_skin,
                          .collect = collect_skin,
                          .output_count = floats * s->made.vertex_count,
                          .tolerance = 2e-5};
    bench_measure(b, &c);
}

static void run_random(bench *b, const skin_job *job, uint32_t vertex_count, uint32_t influence_count) {
    char size[48];
    snprintf(size, sizeof size, "%ux%u", (unsigned)vertex_count, (unsigned)influence_count);
    if (!bench_wants(b, "skin", job->mode, size)) return;
    bench_pool pool = {0};
    skin_state state;
    bench_mesh_random(&state.made, &pool, vertex_count, influence_count);
    measure(b, job, NULL, &state, &pool);
    bench_free(&pool);
}

/// A glTF file, or the embedded character where file is NULL.
static void run_asset(bench *b, const skin_job *job, const char *folder, const char *file) {
    char path[512];
    const char *const name = file ? file : "embedded"; // no job's name, for the filter
    snprintf(path, sizeof path, "%s/%s", folder, file ? file : "");
    if (!bench_can_import(file) || !bench_wants(b, "skin", job->mode, name)) return;
    bench_pool pool = {0};
    skin_state state;
    if (bench_mesh_import(&state.made, &pool, file ? path : NULL)) {
        const bool normals = state.made.normals || !(job->traits & NORMALS);
        const bool tangents = state.made.tangents || !(job->traits & TANGENTS);
        if (normals && tangents) measure(b, job, name, &state, &pool);
    }
    bench_free(&pool);
}

static void run_assets(bench *b, const skin_job *job) {
    static const char *const files[] = {"CesiumMan.glb", "Fox.glb", "robot.glb", "03_skinned_cylinder.gltf"};
    const char *const folder = getenv("SQT_ASSETS");
    run_asset(b, job, "", NULL);
    for (int i = 0; folder && i < 4; ++i) run_asset(b, job, folder, files[i]);
}

void bench_skin(bench *b) {
    static const uint32_t vertices[] = {3000, 30000, 1000000}, influences[] = {1, 2, 4, 8};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; ++i) {
        for (int v = 0; v < 3; ++v) {
            for (int k = 0; k < 4; ++k) {
                if (influences[k] != 4 && !(jobs[i].traits & EVERY_INFLUENCE)) continue;
                run_random(b, jobs + i, vertices[v], influences[k]);
            }
        }
        run_assets(b, jobs + i);
    }
}
