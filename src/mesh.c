#include "simd/isa.h"

#include "sqt/mesh.h"

#include <math.h>
#include <string.h>

#include "fault.h"
#include "mesh_influences.h"

// ---- Validating ----

static bool is_float_format(uint32_t format) { return format == SQT_FORMAT_F32; }

static sqt_result check_finite(const sqt_attribute *attribute, uint32_t component_count, uint32_t vertex_count,
                               const char *field, sqt_fault *fault) {
    if (!attribute->data) return SQT_OK;
    for (uint32_t v = 0; v < vertex_count; ++v) {
        const unsigned char *const at = element_at(attribute, component_count, v);
        for (uint32_t k = 0; k < component_count; ++k) {
            if (!sqt_finite(read_float(at + k * sizeof(float)))) {
                return sqt_fail(fault, SQT_ERROR_NUMBER, field, v, k);
            }
        }
    }
    return SQT_OK;
}

static sqt_result check_influences(const sqt_mesh *mesh, sqt_fault *fault) {
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const influences all = vertex_influences(mesh, v);
        for (uint32_t i = 0; i < all.count; ++i) {
            influence read;
            const sqt_result result = read_influence(&read, &all, i, mesh, v, fault);
            if (result != SQT_OK) return result;
        }
    }
    return SQT_OK;
}

/// Whether `count` elements from `first` on end at or before `end`.
static bool lies_within(uint64_t first, uint64_t count, uint64_t end) { return first <= end && count <= end - first; }

static sqt_result check_run(const sqt_mesh_groups *groups, uint32_t index, uint32_t next_vertex, uint32_t vertex_count,
                            sqt_fault *fault) {
    const sqt_mesh_run *const run = groups->runs + index;
    const uint32_t influence_count = run->influence_count;
    if (run->first_vertex != next_vertex) return sqt_fail(fault, SQT_ERROR_ORDER, "runs.first_vertex", index, 0);
    if (run->vertex_count == 0 || run->vertex_count > vertex_count - next_vertex) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "runs.vertex_count", index, 0);
    }
    if (run->kind > SQT_RUN_RIGID) return sqt_fail(fault, SQT_ERROR_FLAG, "runs.kind", index, 0);
    if (influence_count > SQT_MAX_INFLUENCES || (run->kind == SQT_RUN_RIGID && influence_count != 1)) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "runs.influence_count", index, 0);
    }
    const uint64_t every = (uint64_t)run->vertex_count * influence_count;
    const uint64_t joint_count = run->kind == SQT_RUN_MIXED ? every : influence_count;
    if (!lies_within(run->first_joint, joint_count, groups->joint_count)) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "runs.first_joint", index, 0);
    }
    if (!lies_within(run->first_weight, run->kind == SQT_RUN_RIGID ? 0 : every, groups->weight_count)) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "runs.first_weight", index, 0);
    }
    return SQT_OK;
}

static sqt_result check_runs(const sqt_mesh_groups *groups, uint32_t vertex_count, sqt_fault *fault) {
    uint32_t next_vertex = 0;
    for (uint32_t i = 0; i < groups->run_count; ++i) {
        const sqt_result result = check_run(groups, i, next_vertex, vertex_count, fault);
        if (result != SQT_OK) return result;
        next_vertex += groups->runs[i].vertex_count;
    }
    return next_vertex == vertex_count ? SQT_OK : sqt_fail(fault, SQT_ERROR_COUNT, "groups.run_count", 0, 0);
}

static sqt_result check_groups(const sqt_mesh *mesh, sqt_fault *fault) {
    const sqt_mesh_groups *const groups = mesh->groups;
    if (!groups->runs && groups->run_count > 0) return sqt_fail(fault, SQT_ERROR_NULL, "groups.runs", 0, 0);
    if (!groups->joints && groups->joint_count > 0) return sqt_fail(fault, SQT_ERROR_NULL, "groups.joints", 0, 0);
    if (!groups->weights && groups->weight_count > 0) return sqt_fail(fault, SQT_ERROR_NULL, "groups.weights", 0, 0);
    const sqt_result result = check_runs(groups, mesh->vertex_count, fault);
    if (result != SQT_OK) return result;
    for (uint32_t i = 0; i < groups->joint_count; ++i) {
        if (groups->joints[i] >= mesh->palette_count) return sqt_fail(fault, SQT_ERROR_COUNT, "groups.joints", i, 0);
    }
    for (uint32_t i = 0; i < groups->weight_count; ++i) {
        if (!sqt_finite(groups->weights[i]) || groups->weights[i] < 0.0f) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "groups.weights", i, 0);
        }
    }
    return SQT_OK;
}

sqt_result sqt_mesh_validate(const sqt_mesh *mesh, sqt_fault *fault) {
    if (!mesh) return sqt_fail(fault, SQT_ERROR_NULL, "mesh", 0, 0);
    if (!mesh->positions.data && mesh->vertex_count > 0) return sqt_fail(fault, SQT_ERROR_NULL, "positions", 0, 0);
    const struct {
        const sqt_attribute *attribute;
        uint32_t component_count;
        const char *field;
    } geometry[3] = {
        {&mesh->positions, 3, "positions"}, {&mesh->normals, 3, "normals"}, {&mesh->tangents, 4, "tangents"}};
    for (uint32_t i = 0; i < 3; ++i) {
        const sqt_result result = check_attribute(geometry[i].attribute, geometry[i].component_count, is_float_format,
                                                  geometry[i].field, fault);
        if (result != SQT_OK) return result;
    }
    if (mesh->palette_count > SQT_MAX_PALETTE) return sqt_fail(fault, SQT_ERROR_COUNT, "palette_count", 0, 0);
    sqt_result result = mesh->groups ? SQT_OK : check_influence_layout(mesh, fault);
    for (uint32_t i = 0; result == SQT_OK && i < 3; ++i) {
        result = check_finite(geometry[i].attribute, geometry[i].component_count, mesh->vertex_count, geometry[i].field,
                              fault);
    }
    if (result != SQT_OK) return result;
    return mesh->groups ? check_groups(mesh, fault) : check_influences(mesh, fault);
}

// ---- Reducing ----

/// Adds a weight to that of the same joint, or appends the influence; returns the new count.
static uint32_t gather(influence *list, uint32_t count, influence added) {
    for (uint32_t i = 0; i < count; ++i) {
        if (list[i].joint == added.joint) {
            list[i].weight += added.weight;
            return count;
        }
    }
    list[count] = added;
    return count + 1;
}

/// Heaviest first; an insertion sort, so that equals keep their order. Vertices have few influences.
static void sort_by_weight(influence *list, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        const influence moved = list[i];
        uint32_t k = i;
        for (; k > 0 && list[k - 1].weight < moved.weight; --k) list[k] = list[k - 1];
        list[k] = moved;
    }
}

/// Writes the places of one vertex from a list that is sorted by weight.
static void write_influences(uint16_t *joints, float *weights, uint32_t place_count, const influence *list,
                             uint32_t count) {
    const uint32_t kept_count = count < place_count ? count : place_count;
    memset(joints, 0, place_count * sizeof *joints);
    memset(weights, 0, place_count * sizeof *weights);
    double sum = 0.0;
    for (uint32_t i = 0; i < kept_count; ++i) sum += list[i].weight;
    if (!(sum > 0.0)) { // equals were not moved: the first is the vertex's first
        joints[0] = count > 0 ? (uint16_t)list[0].joint : 0;
        weights[0] = 1.0f;
        return;
    }
    for (uint32_t i = 0; i < kept_count; ++i) {
        const double share = list[i].weight / sum;
        if (share < 1e-30) break; // what sqt_snap takes for 0, and so is all that follows
        joints[i] = (uint16_t)list[i].joint;
        weights[i] = (float)share;
    }
}

sqt_result sqt_mesh_reduce_influences(uint16_t *joints, float *weights, const sqt_mesh *mesh, uint32_t influence_count,
                                      sqt_fault *fault) {
    if (!joints) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
    if (!weights) return sqt_fail(fault, SQT_ERROR_NULL, "weights", 0, 0);
    if (!mesh) return sqt_fail(fault, SQT_ERROR_NULL, "mesh", 0, 0);
    if (influence_count == 0 || influence_count > SQT_MAX_INFLUENCES) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "influence_count", 0, 0);
    }
    if (mesh->palette_count > SQT_MAX_PALETTE) return sqt_fail(fault, SQT_ERROR_COUNT, "palette_count", 0, 0);
    sqt_result result = check_influence_layout(mesh, fault);
    if (result != SQT_OK) return result;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const influences all = vertex_influences(mesh, v);
        influence list[SQT_MAX_INFLUENCES];
        uint32_t count = 0;
        for (uint32_t i = 0; i < all.count; ++i) {
            influence read;
            result = read_influence(&read, &all, i, mesh, v, fault);
            if (result != SQT_OK) return result;
            count = gather(list, count, read);
        }
        sort_by_weight(list, count);
        const size_t place = (size_t)v * influence_count;
        write_influences(joints + place, weights + place, influence_count, list, count);
    }
    return SQT_OK;
}

// ---- Quantising ----

/// The weights of one vertex; false where one is negative or not finite, or the sum is off 1 by more than 1e-3.
///
/// The sum of the weights times 255 is below 255.3, so their floors never exceed 255; and what the floors lack is below
/// 0.3 more than the sum of the remainders, so that there are always enough remainders above 0 to round up.
static bool quantize_vertex(uint8_t *quantized, const float *weights, uint32_t count, uint32_t *bad) {
    double remainders[SQT_MAX_INFLUENCES];
    double sum = 0.0;
    *bad = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!sqt_finite(weights[i]) || weights[i] < 0.0f) {
            *bad = i;
            return false;
        }
        sum += (double)weights[i];
    }
    if (!(fabs(sum - 1.0) <= 1e-3)) return false;
    uint32_t missing = 255;
    for (uint32_t i = 0; i < count; ++i) {
        const double scaled = (double)weights[i] * 255.0;
        const uint8_t floor = (uint8_t)scaled;
        quantized[i] = floor;
        remainders[i] = scaled - floor;
        missing -= floor;
    }
    for (; missing > 0; --missing) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < count; ++i) {
            if (remainders[i] > remainders[largest]) largest = i;
        }
        remainders[largest] = -1.0;
        ++quantized[largest];
    }
    return true;
}

sqt_result sqt_mesh_quantize_weights(uint8_t *quantized, const float *weights, uint32_t vertex_count,
                                     uint32_t influence_count, sqt_fault *fault) {
    if (influence_count == 0 || influence_count > SQT_MAX_INFLUENCES) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "influence_count", 0, 0);
    }
    if (vertex_count == 0) return SQT_OK;
    if (!quantized) return sqt_fail(fault, SQT_ERROR_NULL, "quantized", 0, 0);
    if (!weights) return sqt_fail(fault, SQT_ERROR_NULL, "weights", 0, 0);
    for (uint32_t v = 0; v < vertex_count; ++v) {
        const size_t place = (size_t)v * influence_count;
        uint32_t bad;
        if (!quantize_vertex(quantized + place, weights + place, influence_count, &bad)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "weights", v, bad);
        }
    }
    return SQT_OK;
}
