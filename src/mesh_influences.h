// How the influences of a mesh are found, read and checked, in whatever form they lie.
#ifndef SQT_SRC_MESH_INFLUENCES_H
#define SQT_SRC_MESH_INFLUENCES_H

#include <string.h>

#include "sqt/mesh.h"

#include "fault.h"

// ---- Attributes ----

/// Bytes of a component; 0 for an unknown format.
static inline uint32_t format_bytes(uint32_t format) {
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

static inline bool is_joint_format(uint32_t format) {
    return format == SQT_FORMAT_U8 || format == SQT_FORMAT_U16 || format == SQT_FORMAT_U32;
}

static inline bool is_weight_format(uint32_t format) {
    return format == SQT_FORMAT_F32 || format == SQT_FORMAT_UNORM8 || format == SQT_FORMAT_UNORM16;
}

/// Where an element begins, `component_count` components being one element.
static inline const unsigned char *element_at(const sqt_attribute *attribute, uint32_t component_count,
                                              size_t element) {
    const size_t tight = (size_t)component_count * format_bytes(attribute->format);
    const size_t stride = attribute->stride_bytes ? attribute->stride_bytes : tight;
    return (const unsigned char *)attribute->data + element * stride;
}

static inline float read_float(const unsigned char *at) {
    float value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint32_t read_unsigned(const unsigned char *at, uint32_t bytes) {
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

static inline double read_weight(const unsigned char *at, uint32_t format) {
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
static inline influences vertex_influences(const sqt_mesh *mesh, uint32_t vertex) {
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
static inline sqt_result read_influence(influence *out, const influences *all, uint32_t index, const sqt_mesh *mesh,
                                        uint32_t vertex, sqt_fault *fault) {
    const uint32_t joint = read_unsigned(all->joints + index * all->joint_stride, all->joint_bytes);
    const double weight = read_weight(all->weights + index * all->weight_stride, all->weight_format);
    if (joint >= mesh->palette_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", vertex, index);
    if (!sqt_finite_double(weight) || weight < 0.0) return sqt_fail(fault, SQT_ERROR_NUMBER, "weights", vertex, index);
    *out = (influence){joint, weight};
    return SQT_OK;
}

/// Whether any vertex may have influences, so that their attributes must be there.
static inline bool has_influences(const sqt_mesh *mesh) {
    if (mesh->vertex_count == 0) return false;
    if (!mesh->influence_offsets) return mesh->influence_count > 0;
    return mesh->influence_offsets[0] != mesh->influence_offsets[mesh->vertex_count];
}

// ---- Layout ----

/// Format and stride of an attribute that is there.
static inline sqt_result check_attribute(const sqt_attribute *attribute, uint32_t component_count,
                                         bool (*is_allowed)(uint32_t format), const char *field, sqt_fault *fault) {
    if (!attribute->data) return SQT_OK;
    if (!is_allowed(attribute->format)) return sqt_fail(fault, SQT_ERROR_FLAG, field, 0, 0);
    if (attribute->stride_bytes != 0 && attribute->stride_bytes < component_count * format_bytes(attribute->format)) {
        return sqt_fail(fault, SQT_ERROR_COUNT, field, 0, 0);
    }
    return SQT_OK;
}

static inline sqt_result check_offsets(const sqt_mesh *mesh, sqt_fault *fault) {
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const uint32_t first = mesh->influence_offsets[v], end = mesh->influence_offsets[(size_t)v + 1];
        if (end < first) return sqt_fail(fault, SQT_ERROR_ORDER, "influence_offsets", v, 0);
        if (end - first > SQT_MAX_INFLUENCES) return sqt_fail(fault, SQT_ERROR_COUNT, "influence_offsets", v, 0);
    }
    return SQT_OK;
}

/// What offsets, joints and weights must be before one influence is read.
static inline sqt_result check_influence_layout(const sqt_mesh *mesh, sqt_fault *fault) {
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

#endif
