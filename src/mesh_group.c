#include "simd/isa.h"

#include "sqt/mesh.h"

#include <float.h>
#include <string.h>

#include "fault.h"
#include "mesh_influences.h"

enum {
    SHARED_VERTICES = 16, ///< the smallest set with a run of its own: a full vector of the widest instruction set
    ALIGNMENT = 64
};

// ---- Memory ----

/// All influences of a mesh that can be indexed by 32 bits; false where there are more.
static bool influence_total(uint32_t *total, const sqt_mesh *mesh) {
    if (mesh->influence_offsets) {
        *total = mesh->influence_offsets[mesh->vertex_count] - mesh->influence_offsets[0];
        return true;
    }
    const uint64_t all = (uint64_t)mesh->vertex_count * mesh->influence_count;
    *total = (uint32_t)all;
    return all <= UINT32_MAX;
}

/// More runs than there can be: one for 16 vertices, and a mixed one for each number of influences.
static uint32_t run_limit(uint32_t vertex_count) {
    const uint32_t limit = vertex_count / SHARED_VERTICES + SQT_MAX_INFLUENCES + 1;
    return limit < vertex_count ? limit : vertex_count;
}

/// What lies in the memory: first what the groups keep, then what is done with when they are made.
typedef struct workspace {
    float *weights;
    sqt_mesh_run *runs;
    uint16_t *joints;
    uint32_t *first; ///< [vertex_count + 1] where the influences of each vertex begin in the two lists
    uint32_t *order; ///< [vertex_count]
    float *list_weights;
    uint16_t *list_joints;
    bool *is_shared; ///< [vertex_count] whether the vertex has a place in a rigid or shared run
} workspace;

/// Where each array begins, from the first one's address, in elements of the largest alignment first.
typedef struct layout {
    uint64_t runs, first, order, list_weights, joints, list_joints, is_shared, bytes;
} layout;

static layout layout_of(uint32_t vertex_count, uint32_t total) {
    layout l;
    l.runs = (uint64_t)total * sizeof(float);
    l.first = l.runs + (uint64_t)run_limit(vertex_count) * sizeof(sqt_mesh_run);
    l.order = l.first + ((uint64_t)vertex_count + 1) * sizeof(uint32_t);
    l.list_weights = l.order + (uint64_t)vertex_count * sizeof(uint32_t);
    l.joints = l.list_weights + (uint64_t)total * sizeof(float);
    l.list_joints = l.joints + (uint64_t)total * sizeof(uint16_t);
    l.is_shared = l.list_joints + (uint64_t)total * sizeof(uint16_t);
    l.bytes = l.is_shared + (uint64_t)vertex_count * sizeof(bool) + ALIGNMENT - 1;
    return l;
}

static workspace workspace_in(void *memory, layout l) {
    const size_t misalignment = (uintptr_t)memory % ALIGNMENT;
    unsigned char *const start = (unsigned char *)memory + (misalignment ? ALIGNMENT - misalignment : 0);
    const workspace w = {(float *)(void *)start,
                         (sqt_mesh_run *)(void *)(start + l.runs),
                         (uint16_t *)(void *)(start + l.joints),
                         (uint32_t *)(void *)(start + l.first),
                         (uint32_t *)(void *)(start + l.order),
                         (float *)(void *)(start + l.list_weights),
                         (uint16_t *)(void *)(start + l.list_joints),
                         (bool *)(void *)(start + l.is_shared)};
    return w;
}

size_t sqt_mesh_group_bytes(const sqt_mesh *mesh) {
    uint32_t total;
    if (!mesh || mesh->vertex_count == 0 || !influence_total(&total, mesh)) return 0;
    const uint64_t bytes = layout_of(mesh->vertex_count, total).bytes;
    return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

// ---- One form of influences: ascending joints, each once, no weight of 0 ----

/// Puts an influence into a list in order of joints; false where the sum of a joint's weights is no float any more.
static bool insert(influence *list, uint32_t *count, influence added) {
    uint32_t k = *count;
    while (k > 0 && list[k - 1].joint > added.joint) --k;
    if (k > 0 && list[k - 1].joint == added.joint) {
        list[k - 1].weight += added.weight;
        return list[k - 1].weight <= (double)FLT_MAX;
    }
    memmove(list + k + 1, list + k, (*count - k) * sizeof *list);
    list[k] = added;
    ++*count;
    return true;
}

/// The list of one vertex, or what is wrong with its influences.
static sqt_result list_influences(influence list[SQT_MAX_INFLUENCES], uint32_t *count, const sqt_mesh *mesh,
                                  uint32_t vertex, sqt_fault *fault) {
    const influences all = vertex_influences(mesh, vertex);
    *count = 0;
    for (uint32_t i = 0; i < all.count; ++i) {
        influence read;
        const sqt_result result = read_influence(&read, &all, i, mesh, vertex, fault);
        if (result != SQT_OK) return result;
        if (read.weight > 0.0 && !insert(list, count, read)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "weights", vertex, i);
        }
    }
    return SQT_OK;
}

static sqt_result list_all_influences(const workspace *w, const sqt_mesh *mesh, sqt_fault *fault) {
    uint32_t end = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        influence list[SQT_MAX_INFLUENCES];
        uint32_t count;
        const sqt_result result = list_influences(list, &count, mesh, v, fault);
        if (result != SQT_OK) return result;
        w->first[v] = end;
        for (uint32_t i = 0; i < count; ++i, ++end) {
            w->list_joints[end] = (uint16_t)list[i].joint;
            w->list_weights[end] = (float)list[i].weight;
        }
    }
    w->first[mesh->vertex_count] = end;
    return SQT_OK;
}

static uint32_t list_count(const workspace *w, uint32_t vertex) {
    return w->first[(size_t)vertex + 1] - w->first[vertex];
}

static bool is_rigid(const workspace *w, uint32_t vertex) {
    return list_count(w, vertex) == 1 && w->list_weights[w->first[vertex]] == 1.0f;
}

// ---- Sets: vertices in order of their joints ----

/// Negative where a's set comes before b's, 0 where it is the same: joint by joint, then the shorter list, then rigid.
static int compare_sets(const workspace *w, uint32_t a, uint32_t b) {
    const uint16_t *const left = w->list_joints + w->first[a], *const right = w->list_joints + w->first[b];
    const uint32_t left_count = list_count(w, a), right_count = list_count(w, b);
    for (uint32_t i = 0; i < left_count && i < right_count; ++i) {
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    }
    if (left_count != right_count) return left_count < right_count ? -1 : 1;
    return (int)is_rigid(w, b) - (int)is_rigid(w, a);
}

/// Merges two neighbours; equals keep their order.
static void merge(uint32_t *out, const workspace *w, const uint32_t *left, uint32_t left_count, const uint32_t *right,
                  uint32_t right_count) {
    if (left_count == 0 || right_count == 0 || compare_sets(w, left[left_count - 1], right[0]) <= 0) {
        memcpy(out, left, left_count * sizeof *out); // meshes come half in order
        memcpy(out + left_count, right, right_count * sizeof *out);
        return;
    }
    while (left_count > 0 && right_count > 0) {
        if (compare_sets(w, *left, *right) <= 0) {
            *out++ = *left++;
            --left_count;
        } else {
            *out++ = *right++;
            --right_count;
        }
    }
    memcpy(out, left, left_count * sizeof *out);
    memcpy(out + left_count, right, right_count * sizeof *out);
}

/// Fills w->order: a merge sort from below, so that nothing recurses. `spare` has room for every vertex.
static void sort_by_set(const workspace *w, uint32_t *spare, uint32_t vertex_count) {
    uint32_t *from = w->order, *to = spare;
    for (uint32_t v = 0; v < vertex_count; ++v) from[v] = v;
    for (uint64_t width = 1; width < vertex_count; width *= 2) {
        for (uint64_t at = 0; at < vertex_count; at += 2 * width) {
            const uint64_t left = vertex_count - at < width ? vertex_count - at : width;
            const uint64_t rest = vertex_count - at - left, right = rest < width ? rest : width;
            merge(to + at, w, from + at, (uint32_t)left, from + at + left, (uint32_t)right);
        }
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != w->order) memcpy(w->order, from, vertex_count * sizeof *from);
}

// ---- Runs ----

/// What was made so far, and where the next run goes.
typedef struct progress {
    uint32_t run_count, vertex_count, joint_count, weight_count;
} progress;

/// Begins a run behind the others.
static sqt_mesh_run *add_run(const workspace *w, progress *made, uint32_t vertex_count, uint32_t influence_count,
                             uint32_t kind) {
    sqt_mesh_run *const run = w->runs + made->run_count++;
    const sqt_mesh_run filled = {made->vertex_count,        vertex_count,  made->joint_count, made->weight_count,
                                 (uint16_t)influence_count, (uint16_t)kind};
    *run = filled;
    made->vertex_count += vertex_count;
    made->joint_count += influence_count * (kind == SQT_RUN_MIXED ? vertex_count : 1);
    made->weight_count += kind == SQT_RUN_RIGID ? 0 : influence_count * vertex_count;
    return run;
}

/// A rigid or shared run of the vertices set[0 .. vertex_count - 1], which have the same joints.
static void add_set(const workspace *w, uint32_t *permutation, progress *made, const uint32_t *set,
                    uint32_t vertex_count) {
    const uint32_t influence_count = list_count(w, set[0]);
    const uint32_t kind = is_rigid(w, set[0]) ? SQT_RUN_RIGID : SQT_RUN_SHARED;
    const sqt_mesh_run *const run = add_run(w, made, vertex_count, influence_count, kind);
    memcpy(w->joints + run->first_joint, w->list_joints + w->first[set[0]], influence_count * sizeof *w->joints);
    for (uint32_t i = 0; i < vertex_count; ++i) {
        permutation[run->first_vertex + i] = set[i];
        w->is_shared[set[i]] = true;
        if (kind == SQT_RUN_RIGID) continue;
        const float *const weights = w->list_weights + w->first[set[i]];
        for (uint32_t k = 0; k < influence_count; ++k) {
            w->weights[run->first_weight + (size_t)k * vertex_count + i] = weights[k];
        }
    }
}

static void add_sets(const workspace *w, uint32_t *permutation, progress *made, uint32_t vertex_count) {
    memset(w->is_shared, 0, vertex_count * sizeof *w->is_shared);
    for (uint32_t at = 0, end; at < vertex_count; at = end) {
        end = at + 1;
        while (end < vertex_count && compare_sets(w, w->order[at], w->order[end]) == 0) ++end;
        const bool shares = end - at >= SHARED_VERTICES && list_count(w, w->order[at]) > 0;
        if (shares) add_set(w, permutation, made, w->order + at, end - at);
    }
}

/// One run for each number of influences that is left, its vertices in their old order.
static void add_mixed(const workspace *w, uint32_t *permutation, progress *made, uint32_t vertex_count) {
    uint32_t left[SQT_MAX_INFLUENCES + 1] = {0};
    const sqt_mesh_run *runs[SQT_MAX_INFLUENCES + 1] = {0};
    for (uint32_t v = 0; v < vertex_count; ++v) left[list_count(w, v)] += !w->is_shared[v];
    for (uint32_t count = 0; count <= SQT_MAX_INFLUENCES; ++count) {
        if (left[count]) runs[count] = add_run(w, made, left[count], count, SQT_RUN_MIXED);
    }
    for (uint32_t v = 0; v < vertex_count; ++v) {
        if (w->is_shared[v]) continue;
        const uint32_t count = list_count(w, v);
        const sqt_mesh_run *const run = runs[count];
        const size_t place = run->vertex_count - left[count]--;
        permutation[run->first_vertex + place] = v;
        memcpy(w->joints + run->first_joint + place * count, w->list_joints + w->first[v], count * sizeof *w->joints);
        memcpy(w->weights + run->first_weight + place * count, w->list_weights + w->first[v],
               count * sizeof *w->weights);
    }
}

sqt_result sqt_mesh_group(sqt_mesh_groups *groups, uint32_t *permutation, const sqt_mesh *mesh, void *memory,
                          size_t memory_bytes, sqt_fault *fault) {
    if (!groups) return sqt_fail(fault, SQT_ERROR_NULL, "groups", 0, 0);
    if (!mesh) return sqt_fail(fault, SQT_ERROR_NULL, "mesh", 0, 0);
    if (mesh->palette_count > SQT_MAX_PALETTE) return sqt_fail(fault, SQT_ERROR_COUNT, "palette_count", 0, 0);
    sqt_result result = check_influence_layout(mesh, fault);
    if (result != SQT_OK) return result;
    sqt_mesh_groups made = {0};
    if (mesh->vertex_count > 0) {
        uint32_t total;
        if (!influence_total(&total, mesh)) return sqt_fail(fault, SQT_ERROR_COUNT, "influence_count", 0, 0);
        if (!permutation) return sqt_fail(fault, SQT_ERROR_NULL, "permutation", 0, 0);
        if (!memory) return sqt_fail(fault, SQT_ERROR_NULL, "memory", 0, 0);
        const layout l = layout_of(mesh->vertex_count, total);
        if (memory_bytes < l.bytes) return sqt_fail(fault, SQT_ERROR_SPACE, "memory_bytes", 0, 0);
        const workspace w = workspace_in(memory, l);
        result = list_all_influences(&w, mesh, fault);
        if (result != SQT_OK) return result;
        progress p = {0};
        sort_by_set(&w, permutation, mesh->vertex_count);
        add_sets(&w, permutation, &p, mesh->vertex_count);
        add_mixed(&w, permutation, &p, mesh->vertex_count);
        const sqt_mesh_groups filled = {w.runs, w.joints, w.weights, p.run_count, p.joint_count, p.weight_count};
        made = filled;
    }
    *groups = made;
    return SQT_OK;
}

// ---- Vertices in a new order ----

sqt_result sqt_mesh_permute(void *out, const void *in, size_t element_bytes, const uint32_t *permutation,
                            uint32_t vertex_count, sqt_fault *fault) {
    if (element_bytes == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "element_bytes", 0, 0);
    if (vertex_count == 0) return SQT_OK;
    if (!out) return sqt_fail(fault, SQT_ERROR_NULL, "out", 0, 0);
    if (!in) return sqt_fail(fault, SQT_ERROR_NULL, "in", 0, 0);
    if (!permutation) return sqt_fail(fault, SQT_ERROR_NULL, "permutation", 0, 0);
    for (uint32_t v = 0; v < vertex_count; ++v) {
        if (permutation[v] >= vertex_count) return sqt_fail(fault, SQT_ERROR_COUNT, "permutation", v, 0);
    }
    unsigned char *to = out;
    const unsigned char *const from = in;
    for (uint32_t v = 0; v < vertex_count; ++v, to += element_bytes) {
        memcpy(to, from + permutation[v] * element_bytes, element_bytes);
    }
    return SQT_OK;
}

sqt_result sqt_mesh_invert_permutation(uint32_t *new_of_old, const uint32_t *permutation, uint32_t vertex_count,
                                       sqt_fault *fault) {
    if (vertex_count == 0) return SQT_OK;
    if (!new_of_old) return sqt_fail(fault, SQT_ERROR_NULL, "new_of_old", 0, 0);
    if (!permutation) return sqt_fail(fault, SQT_ERROR_NULL, "permutation", 0, 0);
    for (uint32_t v = 0; v < vertex_count; ++v) new_of_old[v] = UINT32_MAX; // no vertex: there are fewer
    for (uint32_t v = 0; v < vertex_count; ++v) {
        if (permutation[v] >= vertex_count) return sqt_fail(fault, SQT_ERROR_COUNT, "permutation", v, 0);
        if (new_of_old[permutation[v]] != UINT32_MAX) return sqt_fail(fault, SQT_ERROR_ORDER, "permutation", v, 0);
        new_of_old[permutation[v]] = v;
    }
    return SQT_OK;
}

static void write_unsigned(unsigned char *at, uint32_t bytes, uint32_t value) {
    const uint8_t byte = (uint8_t)value;
    const uint16_t half = (uint16_t)value;
    switch (bytes) {
    case 1:
        *at = byte;
        break;
    case 2:
        memcpy(at, &half, sizeof half);
        break;
    default:
        memcpy(at, &value, sizeof value);
        break;
    }
}

sqt_result sqt_mesh_renumber(void *out, const void *in, uint32_t format, size_t index_count, const uint32_t *new_of_old,
                             uint32_t vertex_count, sqt_fault *fault) {
    if (!is_joint_format(format)) return sqt_fail(fault, SQT_ERROR_FLAG, "format", 0, 0);
    if (index_count == 0) return SQT_OK;
    if (!out) return sqt_fail(fault, SQT_ERROR_NULL, "out", 0, 0);
    if (!in) return sqt_fail(fault, SQT_ERROR_NULL, "in", 0, 0);
    if (!new_of_old) return sqt_fail(fault, SQT_ERROR_NULL, "new_of_old", 0, 0);
    const uint32_t bytes = format_bytes(format);
    for (uint32_t v = 0; v < vertex_count; ++v) {
        if (new_of_old[v] >= vertex_count) return sqt_fail(fault, SQT_ERROR_COUNT, "new_of_old", v, 0);
    }
    const uint32_t largest = bytes < 4 ? (1u << 8 * bytes) - 1 : UINT32_MAX;
    const unsigned char *const from = in;
    for (size_t i = 0; i < index_count; ++i) {
        const uint32_t old = read_unsigned(from + i * bytes, bytes), place = i < UINT32_MAX ? (uint32_t)i : UINT32_MAX;
        if (old >= vertex_count) return sqt_fail(fault, SQT_ERROR_COUNT, "in", place, 0);
        if (new_of_old[old] > largest) return sqt_fail(fault, SQT_ERROR_SPACE, "format", place, 0);
    }
    unsigned char *const to = out;
    for (size_t i = 0; i < index_count; ++i) {
        write_unsigned(to + i * bytes, bytes, new_of_old[read_unsigned(from + i * bytes, bytes)]);
    }
    return SQT_OK;
}
