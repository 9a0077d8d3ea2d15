#include "mesh_stats.h"

#include <math.h>
#include <string.h>

static uint32_t component_bytes(uint32_t format) {
    switch (format) {
    case SQT_FORMAT_U8:
    case SQT_FORMAT_UNORM8:
        return 1;
    case SQT_FORMAT_U16:
    case SQT_FORMAT_UNORM16:
        return 2;
    default:
        return 4;
    }
}

static double read_component(const unsigned char *p, uint32_t format) {
    uint16_t u16;
    uint32_t u32;
    float f32;
    switch (format) {
    case SQT_FORMAT_U8:
        return p[0];
    case SQT_FORMAT_UNORM8:
        return p[0] / 255.0;
    case SQT_FORMAT_U16:
        memcpy(&u16, p, sizeof u16);
        return u16;
    case SQT_FORMAT_UNORM16:
        memcpy(&u16, p, sizeof u16);
        return u16 / 65535.0;
    case SQT_FORMAT_U32:
        memcpy(&u32, p, sizeof u32);
        return u32;
    default:
        memcpy(&f32, p, sizeof f32);
        return f32;
    }
}

/// The influences of a vertex, in either form of a mesh.
typedef struct influences {
    uint32_t count;
    size_t first; ///< variable form: index of the first
    bool variable;
} influences;

static influences influences_of(const sqt_mesh *mesh, uint32_t vertex) {
    const uint32_t *const offsets = mesh->influence_offsets;
    if (offsets) return (influences){offsets[vertex + 1] - offsets[vertex], offsets[vertex], true};
    return (influences){mesh->influence_count, 0, false};
}

static double read_influence(const sqt_attribute *attribute, influences of, uint32_t vertex, uint32_t i) {
    const size_t bytes = component_bytes(attribute->format);
    const size_t tight = of.variable ? bytes : bytes * of.count;
    const size_t stride = attribute->stride_bytes ? attribute->stride_bytes : tight;
    const size_t offset = of.variable ? (of.first + i) * stride : vertex * stride + i * bytes;
    return read_component((const unsigned char *)attribute->data + offset, attribute->format);
}

mesh_stats mesh_stats_collect(bool *used, const sqt_mesh *mesh) {
    mesh_stats stats = {0, 0.0, 0, 0, 1.0, 1.0};
    double influence_total = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const influences of = influences_of(mesh, v);
        double sum = 0;
        uint32_t count = 0;
        for (uint32_t i = 0; i < of.count; i++) {
            const double weight = read_influence(&mesh->weights, of, v, i);
            if (!(weight > 0)) continue;
            sum += weight;
            count++;
            used[(uint32_t)read_influence(&mesh->joints, of, v, i)] = true;
        }
        influence_total += count;
        if (count > stats.influences_most) stats.influences_most = count;
        if (count == 0) {
            stats.unweighted_count++;
        } else if (fabs(sum - 1.0) > 1e-3) {
            stats.unbalanced_count++;
        }
        if (v == 0 || sum < stats.sum_least) stats.sum_least = sum;
        if (v == 0 || sum > stats.sum_most) stats.sum_most = sum;
    }
    if (mesh->vertex_count > 0) stats.influences_average = influence_total / mesh->vertex_count;
    return stats;
}
