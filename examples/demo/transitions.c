// Transitions: standing, a cross-fade to a walk, interrupted half-way by one to a run; then, at full speed, inertial
// blending back to standing, for which the run is not sampled any more.
#include "demo.h"

#include "demo_clips.h"

enum { JOINTS = 29, BLOCKS = SQT_POSE_BLOCKS(JOINTS) };

typedef struct transitions_state {
    sqt_cross_fade fade;
    sqt_inertial inertial;
    sqt_inertial_block offsets[BLOCKS];
    sqt_pose_block shown[BLOCKS], shown_before[BLOCKS]; ///< in the last two frames
    double last;                                        ///< time of the last frame
    double stopped;                                     ///< when it began to stand again; 0: not yet
} transitions_state;

static bool transitions_start(void *state, const asset *character) {
    static const transitions_state none;
    *(transitions_state *)state = none;
    return character->skeleton.joint_count == JOINTS;
}

/// All that the cross-fade has playing, each clip at the time since it came in.
static bool cross_fade_pose(sqt_pose_block *pose, const asset *character, const sqt_cross_fade *fade, double now) {
    sqt_fade_source sources[SQT_FADE_SOURCES];
    sqt_pose_block poses[SQT_FADE_SOURCES][BLOCKS];
    sqt_blend_input inputs[SQT_FADE_SOURCES];
    uint32_t count;
    if (sqt_cross_fade_weights(sources, &count, fade, now) != SQT_OK) return false;
    for (uint32_t k = 0; k < count; ++k) {
        demo_sample(poses[k], character, sources[k].id, now - sources[k].start_seconds);
        const sqt_blend_input input = {.pose = poses[k], .weight = sources[k].weight};
        inputs[k] = input;
    }
    return sqt_blend_many(pose, &character->skeleton, inputs, count, 0, SQT_NLERP) == SQT_OK;
}

/// From what was shown in the last two frames to standing, in half a second.
static bool begin_to_stand(transitions_state *s, const asset *character, double dt) {
    sqt_pose_block target[BLOCKS], target_before[BLOCKS];
    demo_sample(target, character, DEMO_IDLE, 0);
    demo_sample(target_before, character, DEMO_IDLE, -dt);
    const sqt_inertial_switch change = {.pose = s->shown,
                                        .pose_before = s->shown_before,
                                        .target = target,
                                        .target_before = target_before,
                                        .seconds = s->last,
                                        .frame_seconds = dt,
                                        .duration_seconds = 0.5f};
    s->stopped = s->last;
    return sqt_inertial_begin(&s->inertial, s->offsets, &character->skeleton, &change) == SQT_OK;
}

static bool transitions_frame(sqt_pose_block *pose, sqt_transform *placement, const asset *character, void *state,
                              double now) {
    transitions_state *const s = state;
    const sqt_transform origin = SQT_TRANSFORM_IDENTITY;
    *placement = origin;
    bool posed;
    if (now < 1.69) {
        // Asked for every frame: what is playing already goes on, anything else begins to fade in.
        const uint32_t wanted = now < 0.29 ? DEMO_IDLE : now < 0.54 ? DEMO_WALK : DEMO_RUN;
        const sqt_transition smooth = {0.4f, {.kind = SQT_EASE_CUBIC}};
        posed = sqt_cross_fade_to(&s->fade, now, wanted, smooth) == SQT_OK &&
                cross_fade_pose(pose, character, &s->fade, now);
    } else {
        posed = s->stopped > 0 || begin_to_stand(s, character, now - s->last);
        demo_sample(pose, character, DEMO_IDLE, now - s->stopped);
        posed = posed && sqt_inertial_apply(pose, &character->skeleton, pose, &s->inertial, s->offsets, now) == SQT_OK;
    }
    for (uint32_t b = 0; b < BLOCKS; ++b) {
        s->shown_before[b] = s->shown[b];
        s->shown[b] = pose[b];
    }
    s->last = now;
    return posed;
}

const demo demo_transitions = {"transitions", 2.4, sizeof(transitions_state), transitions_start, transitions_frame};
