// Layers: a run; over it, on the right arm alone, a wave that comes and goes; on top a lean that is added to whatever
// stands below.
#include "demo.h"

#include "demo_clips.h"

enum { JOINTS = 29, BLOCKS = SQT_POSE_BLOCKS(JOINTS) };

typedef struct layers_state {
    float right_arm[JOINTS]; ///< the mask of the wave
    sqt_fade wave;           ///< its weight
} layers_state;

static bool layers_start(void *state, const asset *character) {
    layers_state *const s = state;
    const layers_state none = {0};
    *s = none;
    const sqt_skeleton *const skeleton = &character->skeleton;
    if (skeleton->joint_count != JOINTS) return false;
    return sqt_mask_subtree(s->right_arm, skeleton, sqt_skeleton_find(skeleton, "clavicle.r"), 0, NULL) == SQT_OK;
}

static bool layers_frame(sqt_pose_block *pose, sqt_transform *placement, const asset *character, void *state,
                         double now) {
    layers_state *const s = state;
    const sqt_transform origin = SQT_TRANSFORM_IDENTITY;
    *placement = origin;
    // The game wants a wave from 0.4 s to 3 s. It may ask every frame: only a new target starts a fade.
    const sqt_transition gentle = {0.4f, {.kind = SQT_EASE_CUBIC}};
    sqt_fade_to(&s->wave, now, now > 0.4 && now < 3.0 ? 1.0f : 0.0f, gentle);

    sqt_pose_block run[BLOCKS], wave[BLOCKS], lean[BLOCKS];
    demo_sample(run, character, DEMO_RUN, now);
    demo_sample(wave, character, DEMO_WAVE, now * 0.7 + 0.3);
    demo_sample(lean, character, DEMO_LEAN, now * 0.5);
    const sqt_layer layers[] = {
        {.kind = SQT_LAYER_BASE, .pose = run, .weight = 1},
        {.kind = SQT_LAYER_OVERRIDE, .pose = wave, .mask = s->right_arm, .weight = sqt_fade_weight(&s->wave, now)},
        {.kind = SQT_LAYER_ADDITIVE, .pose = lean, .weight = 1},
    };
    return sqt_layers_blend(pose, &character->skeleton, layers, 3, NULL, SQT_REST_THRESHOLD) == SQT_OK;
}

const demo demo_layers = {"layers", 4, sizeof(layers_state), layers_start, layers_frame};
