/// @file layer.h
/// A stack of layers, evaluated by one call, for those who have no graph of their own. Whoever has one calls the
/// functions of blend.h, of which this is made.
///
///     const sqt_layer layers[] = {
///         {.kind = SQT_LAYER_BASE, .pose = walk, .weight = 0.7f},
///         {.kind = SQT_LAYER_BASE, .pose = run, .weight = 0.3f},
///         {.kind = SQT_LAYER_OVERRIDE, .pose = wave, .mask = right_arm, .weight = sqt_fade_weight(&fade, now)},
///         {.kind = SQT_LAYER_ADDITIVE, .pose = lean, .weight = 0.5f},
///     };
///     sqt_layers_blend(pose, &skeleton, layers, 4, NULL, SQT_REST_THRESHOLD);
#ifndef SQT_LAYER_H
#define SQT_LAYER_H

#include "blend.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SQT_LAYER_BASE = 0,     ///< blended with the other base layers by sqt_blend_many
    SQT_LAYER_OVERRIDE = 1, ///< blended over what is below by sqt_blend_pair
    SQT_LAYER_ADDITIVE = 2  ///< a difference, added to what is below by sqt_blend_add (sqt_blend_add_mesh)
};

/// The most base layers of a weight above 0: for more, sqt_blend_many makes the one base layer.
#define SQT_LAYER_MAX_BASES 16u

/// One layer. Beware: a weight left out of an initialiser is 0.
typedef struct sqt_layer {
    const sqt_pose_block *pose;    ///< [SQT_POSE_BLOCKS(joint_count)]; not read where weight is 0
    const float *mask;             ///< [joint_count]; NULL: all ones
    const float *translation_mask; ///< base layers: as in sqt_blend_input; NULL for the other kinds
    float weight;                  ///< base: 0 or more; override and additive: any, usually 0..1
    uint32_t kind;                 ///< SQT_LAYER_...
    uint32_t flags; ///< override: SQT_NLERP or SQT_SLERP; additive: also SQT_SCALE_DIFFERENCE, SQT_MESH_SPACE; base: 0
} sqt_layer;

/// Evaluates layers from the first (lowest) to the last. All base layers come first and are one blend (a base layer
/// whose mask is 0 at a joint leaves that joint to the others, and to the rest pose below rest_threshold; without any
/// base layer the rest pose is the base); each layer above acts on the result so far, so their order matters. A layer of
/// weight 0 does nothing.
///
/// @param out            [SQT_POSE_BLOCKS(joint_count)] out; may be the pose of a base layer, not of another kind.
/// @param skeleton       its rest pose is below all layers.
/// @param layers         [layer_count]; NULL where layer_count is 0.
/// @param scratch        [3 * joint_count], needed where a layer has SQT_MESH_SPACE, else NULL.
/// @param rest_threshold as in sqt_blend_many; SQT_REST_THRESHOLD suits most.
/// @return SQT_OK; SQT_ERROR_NULL; SQT_ERROR_COUNT (joint_count, or too many base layers); SQT_ERROR_NUMBER (a weight or
///         threshold that is not finite, or of a base layer outside 0..1e15); SQT_ERROR_FLAG (a kind, a flag that the
///         kind does not know, a translation mask above the base); SQT_ERROR_ORDER (a base layer above another kind). On
///         error nothing is written.
/// Source: Gregory, "Game Engine Architecture", chapter 11, layered and additive blending.
sqt_result sqt_layers_blend(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_layer *layers,
                            uint32_t layer_count, sqt_quat *scratch, float rest_threshold);

#ifdef __cplusplus
}
#endif

#endif
