// The clips of the embedded character that the examples play.
#ifndef DEMO_CLIPS_H
#define DEMO_CLIPS_H

#include "demo.h"

enum { DEMO_IDLE, DEMO_WALK, DEMO_RUN, DEMO_TURN, DEMO_WAVE, DEMO_LEAN };

static inline const sqt_channel_clip *demo_clip(const asset *character, uint32_t clip) {
    return &character->clips[clip].clip;
}

/// The pose of a clip at a time that may go on for ever: the clip's timeline wraps it.
static inline void demo_sample(sqt_pose_block *pose, const asset *character, uint32_t clip, double seconds) {
    sqt_channel_clip_sample(pose, &character->skeleton, demo_clip(character, clip), NULL, seconds);
}

#endif
