// Accessors: typed arrays within the buffers of a glTF file, checked and then decoded to double, which holds every
// component type exactly.
#ifndef GLTF_ACCESSOR_H
#define GLTF_ACCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Component types, by glTF's numbers.
enum {
    GLTF_I8 = 5120,
    GLTF_U8 = 5121,
    GLTF_I16 = 5122,
    GLTF_U16 = 5123,
    GLTF_U32 = 5125,
    GLTF_F32 = 5126,
};

/// A buffer view, and where in it to begin.
typedef struct gltf_range {
    const unsigned char *data; ///< of the view
    uint64_t bytes;            ///< length of the view
    uint64_t offset;           ///< from its start
} gltf_range;

typedef struct gltf_accessor {
    uint64_t count;          ///< elements
    uint32_t component_type; ///< GLTF_...
    uint32_t row_count;      ///< 1 scalar; 2, 3, 4 vectors and matrices
    uint32_t column_count;   ///< 1 scalars and vectors; 2, 3, 4 matrices
    uint32_t stride_bytes;   ///< 0: tight
    bool normalized;
    bool has_view; ///< false: every element is zero
    gltf_range range;
    bool is_sparse; ///< some elements are replaced
    uint64_t sparse_count;
    uint32_t sparse_index_type;
    gltf_range sparse_indices, sparse_values;
} gltf_accessor;

/// "FLOAT" and so on; "unknown type" for other values.
const char *gltf_component_name(uint32_t component_type);

/// Components of an element: 1..16.
uint32_t gltf_component_count(const gltf_accessor *accessor);

/// Checks types, counts, offsets, strides and the indices of a sparse accessor; gltf_accessor_read needs it passed.
///
/// @return NULL, or what is wrong; *at is then the number to name with it: the count, the type, the sparse element.
const char *gltf_accessor_check(const gltf_accessor *accessor, uint64_t *at);

/// Decodes every element. Normalised integers: max(c / 127, -1), c / 255, max(c / 32767, -1), c / 65535.
///
/// @param values [count * gltf_component_count] out; matrices column after column.
/// Source: glTF 2.0, sections 3.6.2 "Accessors" and 3.11 "Animations".
void gltf_accessor_read(double *values, const gltf_accessor *accessor);

#ifdef __cplusplus
}
#endif

#endif
