#include "simd/isa.h"

#include "sqt/mesh.h"

#include <math.h>
#include <string.h>

#include "fault.h"

// ---- Attributes ----

/// Bytes of a component; 0 for an unknown format.
static uint32_t format_bytes(uint32_t format) {
    switch (format) {
    case SQT_FORMAT_F32:
    case SQT_FORMAT_U32:
        return 4;
    case SQT_FORMAT_U16:
    case SQT_FORMAT_UNORM16:
        return 2;
    case SQT_FORMAT_U8:
    case SQT_FORMAT_UNORM8:
        return 1;
    default:
        return 0;
    }
}

static bool is_float_format(uint32_t format) { return format == SQT_FORMAT_F32; }

static bool is_joint_format(uint32_t format) {
    return format == SQT_FORMAT_U8 || format == SQT_FORMAT_U16 || format == SQT_FORMAT_U32;
}

static bool is_weight_format(uint32_t format) {
    return format == SQT_FORMAT_F32 || format == SQT_FORMAT_UNORM8 || format == SQT_FORMAT_UNORM16;
}

/// Where an element begins, `component_count` components being one element.
static const unsigned char *element_at(const sqt_attribute *attribute, uint32_t component_count, size_t element) {
    const size_t tight = (size_t)component_count * format_bytes(attribute->format);
    const size_t stride = attribute->stride_bytes ? attribute->stride_bytes : tight;
    return (const unsigned char *)attribute->data + element * stride;
}

static float read_float(const unsigned char *at) {
    float value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t read_unsigned(const unsigned char *at, uint32_t bytes) {
    uint16_t half;
    uint32_t word;
    switch (bytes) {
    case 1:
        return *at;
    case 2:
        memcpy(&half, at, sizeof half);
        return half;
    default:
        memcpy(&word, at, sizeof word);
        return word;
    }
}

static double read_weight(const unsigned char *at, uint32_t format) {
    switch (format) {
    case SQT_FORMAT_UNORM8:
        return (double)read_unsigned(at, 1) / 255.0;
    case SQT_FORMAT_UNORM16:
        return (double)read_unsigned(at, 2) / 65535.0;
    default:
        return (double)read_float(at);
    }
}

// ---- Influences ----

typedef struct influence {
    uint32_t joint;
    double weight;
} influence;

/// The influences of a vertex: where they begin and how they lie.
typedef struct influences {
    const unsigned char *joints, *weights;
    size_t joint_stride, weight_stride;
    uint32_t joint_bytes, weight_format;
    uint32_t count;
} influences;

/// The offsets must ascend. A vertex without influences reads nothing, its attributes may be absent.
static influences vertex_influences(const sqt_mesh *mesh, uint32_t vertex) {
    const bool fixed = !mesh->influence_offsets;
    const uint32_t joint_bytes = format_bytes(mesh->joints.format), weight_bytes = format_bytes(mesh->weights.format);
    const uint32_t component_count = fixed ? mesh->influence_count : 1;
    const uint32_t first = fixed ? vertex : mesh->influence_offsets[vertex];
    influences all = {.joint_bytes = joint_bytes, .weight_format = mesh->weights.format};
    all.count = fixed ? mesh->influence_count : mesh->influence_offsets[(size_t)vertex + 1] - first;
    if (all.count == 0) return all;
    all.joints = element_at(&mesh->joints, component_count, first);
    all.weights = element_at(&mesh->weights, component_count, first);
    all.joint_stride = !fixed && mesh->joints.stride_bytes ? mesh->joints.stride_bytes : joint_bytes;
    all.weight_stride = !fixed && mesh->weights.stride_bytes ? mesh->weights.stride_bytes : weight_bytes;
    return all;
}

/// Reads one influence and checks it.
static sqt_result read_influence(influence *out, const influences *all, uint32_t index, const sqt_mesh *mesh,
                                 uint32_t vertex, sqt_fault *fault) {
    const uint32_t joint = read_unsigned(all->joints + index * all->joint_stride, all->joint_bytes);
    const double weight = read_weight(all->weights + index * all->weight_stride, all->weight_format);
    if (joint >= mesh->palette_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", vertex, index);
    if (!sqt_finite_double(weight) || weight < 0.0) return sqt_fail(fault, SQT_ERROR_NUMBER, "weights", vertex, index);
    *out = (influence){joint, weight};
    return SQT_OK;
}

/// Whether any vertex may have influences, so that their attributes must be there.
static bool has_influences(const sqt_mesh *mesh) {
    if (mesh->vertex_count == 0) return false;
    if (!mesh->influence_offsets) return mesh->influence_count > 0;
    return mesh->influence_offsets[0] != mesh->influence_offsets[mesh->vertex_count];
}

// ---- Validating ----

/// Format and stride of an attribute that is there.
static sqt_result check_attribute(const sqt_attribute *attribute, uint32_t component_count,
                                  bool (*is_allowed)(uint32_t format), const char *field, sqt_fault *fault) {
    if (!attribute->data) return SQT_OK;
    if (!is_allowed(attribute->format)) return sqt_fail(fault, SQT_ERROR_FLAG, field, 0, 0);
    if (attribute->stride_bytes != 0 && attribute->stride_bytes < component_count * format_bytes(attribute->format)) {
        return sqt_fail(fault, SQT_ERROR_COUNT, field, 0, 0);
    }
    return SQT_OK;
}

static sqt_result check_offsets(const sqt_mesh *mesh, sqt_fault *fault) {
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const uint32_t first = mesh->influence_offsets[v], end = mesh->influence_offsets[(size_t)v + 1];
        if (end < first) return sqt_fail(fault, SQT_ERROR_ORDER, "influence_offsets", v, 0);
        if (end - first > SQT_MAX_INFLUENCES) return sqt_fail(fault, SQT_ERROR_COUNT, "influence_offsets", v, 0);
    }
    return SQT_OK;
}

/// What offsets, joints and weights must be before one influence is read.
static sqt_result check_influence_layout(const sqt_mesh *mesh, sqt_fault *fault) {
    const bool fixed = !mesh->influence_offsets;
    if (fixed && mesh->influence_count > SQT_MAX_INFLUENCES) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "influence_count", 0, 0);
    }
    sqt_result result = fixed ? SQT_OK : check_offsets(mesh, fault);
    if (result != SQT_OK) return result;
    if (has_influences(mesh)) {
        if (!mesh->joints.data) return sqt_fail(fault, SQT_ERROR_NULL, "joints", 0, 0);
        if (!mesh->weights.data) return sqt_fail(fault, SQT_ERROR_NULL, "weights", 0, 0);
    }
    const uint32_t component_count = fixed ? mesh->influence_count : 1;
    result = check_attribute(&mesh->joints, component_count, is_joint_format, "joints", fault);
    if (result != SQT_OK) return result;
    return check_attribute(&mesh->weights, component_count, is_weight_format, "weights", fault);
}

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
    sqt_result result = check_influence_layout(mesh, fault);
    for (uint32_t i = 0; result == SQT_OK && i < 3; ++i) {
        result = check_finite(geometry[i].attribute, geometry[i].component_count, mesh->vertex_count, geometry[i].field,
                              fault);
    }
    return result == SQT_OK ? check_influences(mesh, fault) : result;
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
    if (mesh->palette_count > 65536u) return sqt_fail(fault, SQT_ERROR_COUNT, "palette_count", 0, 0);
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
