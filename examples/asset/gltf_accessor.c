#include "gltf_accessor.h"

#include <stddef.h>
#include <string.h>

const char *gltf_component_name(uint32_t component_type) {
    switch (component_type) {
    case GLTF_I8:
        return "BYTE";
    case GLTF_U8:
        return "UNSIGNED_BYTE";
    case GLTF_I16:
        return "SHORT";
    case GLTF_U16:
        return "UNSIGNED_SHORT";
    case GLTF_U32:
        return "UNSIGNED_INT";
    case GLTF_F32:
        return "FLOAT";
    default:
        return "unknown type";
    }
}

uint32_t gltf_component_count(const gltf_accessor *accessor) { return accessor->row_count * accessor->column_count; }

/// 0 for an unknown type.
static uint32_t component_bytes(uint32_t component_type) {
    switch (component_type) {
    case GLTF_I8:
    case GLTF_U8:
        return 1;
    case GLTF_I16:
    case GLTF_U16:
        return 2;
    case GLTF_U32:
    case GLTF_F32:
        return 4;
    default:
        return 0;
    }
}

/// From one column of a matrix to the next: each begins at a multiple of four bytes.
static uint32_t column_bytes(const gltf_accessor *accessor) {
    const uint32_t bytes = accessor->row_count * component_bytes(accessor->component_type);
    return accessor->column_count > 1 ? (bytes + 3u) & ~3u : bytes;
}

static uint32_t element_bytes(const gltf_accessor *accessor) { return accessor->column_count * column_bytes(accessor); }

static uint32_t stride_bytes(const gltf_accessor *accessor) {
    return accessor->stride_bytes ? accessor->stride_bytes : element_bytes(accessor);
}

/// Whether `count` elements (1 or more), `stride` apart, lie within the view; without products that could overflow.
static bool range_holds(gltf_range range, uint64_t count, uint32_t stride, uint32_t element) {
    if (range.offset > range.bytes) return false;
    const uint64_t room = range.bytes - range.offset;
    return element <= room && count - 1 <= (room - element) / stride;
}

static uint64_t read_unsigned(const unsigned char *p, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)p[i] << (8 * i);
    return value;
}

static uint64_t sparse_index(const gltf_accessor *accessor, uint64_t k) {
    const uint32_t bytes = component_bytes(accessor->sparse_index_type);
    return read_unsigned(accessor->sparse_indices.data + accessor->sparse_indices.offset + k * bytes, bytes);
}

static const char *check_sparse(const gltf_accessor *accessor, uint64_t *at) {
    const uint32_t type = accessor->sparse_index_type;
    *at = type;
    if (type != GLTF_U8 && type != GLTF_U16 && type != GLTF_U32) return "is no component type of sparse indices";
    *at = accessor->sparse_count;
    if (accessor->sparse_count == 0) return "is too small a sparse count";
    if (accessor->sparse_count > accessor->count) return "sparse elements are more than the accessor has";
    const uint32_t index_bytes = component_bytes(type), value_bytes = element_bytes(accessor);
    if (!range_holds(accessor->sparse_indices, accessor->sparse_count, index_bytes, index_bytes)) {
        return "sparse indices run past their buffer view";
    }
    if (!range_holds(accessor->sparse_values, accessor->sparse_count, value_bytes, value_bytes)) {
        return "sparse values run past their buffer view";
    }
    for (uint64_t k = 0; k < accessor->sparse_count; k++) {
        *at = sparse_index(accessor, k);
        if (*at >= accessor->count) return "is a sparse index past the last element";
        if (k > 0 && *at <= sparse_index(accessor, k - 1)) return "is a sparse index that does not ascend";
    }
    return NULL;
}

const char *gltf_accessor_check(const gltf_accessor *accessor, uint64_t *at) {
    *at = accessor->component_type;
    const uint32_t bytes = component_bytes(accessor->component_type);
    if (bytes == 0) return "is no component type";
    if (accessor->normalized && bytes == 4) return "is a component type that cannot be normalized";
    *at = accessor->count;
    if (accessor->count == 0) return "is too small a count";
    if (accessor->has_view) {
        const uint32_t stride = stride_bytes(accessor), element = element_bytes(accessor);
        if (!range_holds(accessor->range, accessor->count, stride, element)) return "elements run past the buffer view";
        *at = stride;
        if (stride < element) return "bytes of stride are less than an element";
    }
    return accessor->is_sparse ? check_sparse(accessor, at) : NULL;
}

static double read_component(const unsigned char *p, uint32_t component_type) {
    switch (component_type) {
    case GLTF_I8: {
        const double value = p[0];
        return value < 128.0 ? value : value - 256.0;
    }
    case GLTF_I16: {
        const double value = (double)read_unsigned(p, 2);
        return value < 32768.0 ? value : value - 65536.0;
    }
    case GLTF_F32: {
        const uint32_t bits = (uint32_t)read_unsigned(p, 4);
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    default:
        return (double)read_unsigned(p, component_bytes(component_type));
    }
}

static double normalize(double value, uint32_t component_type) {
    switch (component_type) {
    case GLTF_I8:
        return value <= -127.0 ? -1.0 : value / 127.0;
    case GLTF_U8:
        return value / 255.0;
    case GLTF_I16:
        return value <= -32767.0 ? -1.0 : value / 32767.0;
    default:
        return value / 65535.0;
    }
}

static void read_element(double *values, const unsigned char *element, const gltf_accessor *accessor) {
    const uint32_t bytes = component_bytes(accessor->component_type), column = column_bytes(accessor);
    for (uint32_t c = 0; c < accessor->column_count; c++) {
        for (uint32_t r = 0; r < accessor->row_count; r++) {
            const double value = read_component(element + c * column + r * bytes, accessor->component_type);
            *values++ = accessor->normalized ? normalize(value, accessor->component_type) : value;
        }
    }
}

void gltf_accessor_read(double *values, const gltf_accessor *accessor) {
    const uint32_t components = gltf_component_count(accessor);
    if (accessor->has_view) {
        const unsigned char *const first = accessor->range.data + accessor->range.offset;
        const uint32_t stride = stride_bytes(accessor);
        for (uint64_t i = 0; i < accessor->count; i++)
            read_element(values + i * components, first + i * stride, accessor);
    } else {
        for (uint64_t i = 0; i < accessor->count * components; i++) values[i] = 0.0;
    }
    if (!accessor->is_sparse) return;
    const unsigned char *const replaced = accessor->sparse_values.data + accessor->sparse_values.offset;
    for (uint64_t k = 0; k < accessor->sparse_count; k++) {
        read_element(values + sparse_index(accessor, k) * components, replaced + k * element_bytes(accessor), accessor);
    }
}
