#include "simd/isa.h"

#include "sqt/layer.h"

#include "fault.h"

static uint32_t flags_of_kind(uint32_t kind) {
    if (kind == SQT_LAYER_OVERRIDE) return SQT_SLERP;
    if (kind == SQT_LAYER_ADDITIVE) return SQT_SLERP | SQT_SCALE_DIFFERENCE | SQT_MESH_SPACE;
    return 0;
}

static sqt_result check_layer(const sqt_layer *layer, const sqt_quat *scratch) {
    if (layer->kind > SQT_LAYER_ADDITIVE || layer->flags & ~flags_of_kind(layer->kind)) return SQT_ERROR_FLAG;
    if (layer->kind != SQT_LAYER_BASE && layer->translation_mask) return SQT_ERROR_FLAG;
    if (!sqt_finite(layer->weight)) return SQT_ERROR_NUMBER;
    if (layer->kind == SQT_LAYER_BASE && layer->weight < 0.0f) return SQT_ERROR_NUMBER;
    if (layer->weight == 0.0f) return SQT_OK;
    return !layer->pose || (layer->flags & SQT_MESH_SPACE && !scratch) ? SQT_ERROR_NULL : SQT_OK;
}

typedef struct layer_bases {
    sqt_blend_input inputs[SQT_LAYER_MAX_BASES];
    uint32_t count;
} layer_bases;

/// Checks all layers, and gathers the base layers that weigh anything.
static sqt_result gather_bases(layer_bases *bases, const sqt_layer *layers, uint32_t layer_count,
                               const sqt_quat *scratch) {
    bases->count = 0;
    for (uint32_t i = 0; i < layer_count; ++i) {
        const sqt_layer *const layer = layers + i;
        const sqt_result result = check_layer(layer, scratch);
        if (result) return result;
        if (layer->kind != SQT_LAYER_BASE) continue;
        if (i > 0 && layers[i - 1].kind != SQT_LAYER_BASE) return SQT_ERROR_ORDER;
        if (layer->weight == 0.0f) continue;
        if (bases->count == SQT_LAYER_MAX_BASES) return SQT_ERROR_COUNT;
        const sqt_blend_input input = {layer->pose, layer->mask, layer->translation_mask, layer->weight};
        bases->inputs[bases->count++] = input;
    }
    return SQT_OK;
}

static sqt_result apply(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_layer *layer, sqt_quat *scratch) {
    if (layer->kind == SQT_LAYER_OVERRIDE) {
        return sqt_blend_pair(out, skeleton, out, layer->pose, layer->mask, layer->weight, layer->flags);
    }
    const uint32_t flags = layer->flags & ~(uint32_t)SQT_MESH_SPACE;
    if (layer->flags & SQT_MESH_SPACE) {
        return sqt_blend_add_mesh(out, skeleton, out, layer->pose, layer->mask, scratch, layer->weight, flags);
    }
    return sqt_blend_add(out, skeleton, out, layer->pose, layer->mask, layer->weight, flags);
}

sqt_result sqt_layers_blend(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_layer *layers,
                            uint32_t layer_count, sqt_quat *scratch, float rest_threshold) {
    if (!layers && layer_count > 0) return SQT_ERROR_NULL;
    layer_bases bases;
    sqt_result result = gather_bases(&bases, layers, layer_count, scratch);
    if (result) return result;
    result = sqt_blend_many(out, skeleton, bases.inputs, bases.count, rest_threshold, SQT_NLERP);
    for (uint32_t i = 0; result == SQT_OK && i < layer_count; ++i) {
        if (layers[i].kind == SQT_LAYER_BASE || layers[i].weight == 0.0f) continue;
        result = apply(out, skeleton, layers + i, scratch); // checked: none fails
    }
    return result;
}
