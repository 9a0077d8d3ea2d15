// Examples of a character's frame, each a file to be read in one sitting: what plays is decided anew every frame, out of
// small values that the game keeps. The tests run them; `sqt render --demo NAME` draws them.
//
//   layers.c       a run, a wave of one arm over it, a lean added on top
//   transitions.c  cross-fades that are interrupted, and inertial blending
//   locomotion.c   a blend space from standing to running, feet in step, footsteps as events, root motion
#ifndef DEMO_H
#define DEMO_H

#include "asset.h"

/// One example, played by the embedded character (character.h).
typedef struct demo {
    const char *name;
    double seconds;     ///< how long it goes
    size_t state_bytes; ///< of what start fills and frame goes on with; plain data that may be copied

    /// At load time. False where the asset is not such a character.
    bool (*start)(void *state, const asset *character);

    /// One frame, in the order of time.
    ///
    /// @param pose      [SQT_POSE_BLOCKS(joint_count)] out.
    /// @param placement out: model -> world.
    bool (*frame)(sqt_pose_block *pose, sqt_transform *placement, const asset *character, void *state, double now);
} demo;

extern const demo demo_layers, demo_transitions, demo_locomotion;

#endif
