/// @file locomotion.h
/// Directional locomotion: which clips a moving character plays, by where it goes against where it faces. Weights are
/// those of sqt_blend_many; the clips are kept in step by sync.h.
///
/// Angles are in radians about the up axis, positive to the left (counterclockwise seen from above): with the
/// components of a movement along the character's facing and to its left, the direction is sqt_atan2(left, forward): 0
/// forward, +pi/2 left, -pi/2 right, +-pi back. Any finite angle is understood, whole turns do not matter.
///
/// A pivotal character turns its whole body to where it goes, and plays clips by speed. A targeted one keeps facing
/// (aiming) while it moves in any direction, and plays clips by direction.
///
/// Source: Gregory, "Game Engine Architecture", chapter 11, core locomotion blending: pivotal and targeted movement.
#ifndef SQT_LOCOMOTION_H
#define SQT_LOCOMOTION_H

#include "blend_space.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The turn from one heading to another the shorter way: to - from, brought to [-pi, pi] (as floats) by whole turns.
/// Positive is to the left. For the direction of a movement against the facing, and for what is left to turn.
///
/// The error is 1e-6 up to 1e8 radians. Beyond, whole turns are lost in the floats themselves, but the range is kept.
/// NaN and infinity give 0.
float sqt_locomotion_angle(float from_radians, float to_radians);

/// Pivotal movement: LERP by speed (sqt_blend_space_linear), and turning in place as far as the slowest clip plays.
/// With s the weights by speed and r = clamp(turn / full_turn, -1, 1):
///
///     weights[0] = s_0 (1 - |r|),   weights[k] = s_k,   turn left = s_0 max(0, r),   turn right = s_0 max(0, -r)
///
/// Weights are >= 0, their sum is 1 within 1e-6, and none changes by more than |change of speed| / (smallest distance
/// between speeds) + |change of turn| / full_turn + 2e-7.
///
/// @param weights     [speed_count + 2] out: the clips by speed, then turn in place to the left, to the right.
/// @param speeds      [speed_count] ascending, no two equal: the speeds at which the clips were authored, 0 for idle
///                    first.
/// @param speed_count >= 1.
/// @param speed       finite; below the first speed that one is meant, beyond the last that.
/// @param turn        finite, positive to the left: the turn rate (radians a second), or what is left to turn
///                    (radians).
/// @param full_turn   above 0, of the same unit: where the clip that turns in place plays alone.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (speed_count), SQT_ERROR_NUMBER, SQT_ERROR_ORDER (speeds).
sqt_result sqt_locomotion_pivotal(float *weights, const float *speeds, uint32_t speed_count, float speed, float turn,
                                  float full_turn);

/// The clips of targeted movement. Each hemisphere has strafes of its own, made so that the legs cross as in its
/// straight clip: a forward strafe cannot be blended with a backward run.
enum {
    SQT_TARGETED_FORWARD = 0,
    SQT_TARGETED_FORWARD_LEFT = 1,
    SQT_TARGETED_FORWARD_RIGHT = 2,
    SQT_TARGETED_BACKWARD = 3,
    SQT_TARGETED_BACKWARD_LEFT = 4,  ///< to the character's left
    SQT_TARGETED_BACKWARD_RIGHT = 5, ///< to the character's right
    SQT_TARGETED_CLIP_COUNT = 6
};

/// Which hemisphere a targeted character moves in. Zero-initialised: forward.
typedef struct sqt_locomotion {
    uint32_t backward; ///< 0 or 1
} sqt_locomotion;

/// Targeted movement: between the straight clip and a strafe of one hemisphere, the forward or the backward one. With a
/// the direction in [-pi, pi] and d its angle from the hemisphere's straight direction, |a| forward and pi - |a|
/// backward:
///
///     strafe = min(d / (pi/2), 1), the left one where a > 0, the right one where a < 0;   straight = 1 - strafe
///
/// Hysteresis: forward stays until |a| > pi/2 + hysteresis, backward until |a| < pi/2 - hysteresis; in between, beyond
/// the side, the strafe weighs 1. Within a hemisphere, straight back included, weights change by at most 2/pi a radian
/// (and 2e-7). Where the hemisphere changes they jump from one strafe to the other: `switched` says so, for the caller
/// to play a transition (a cross-fade or a clip in which the legs uncross). For a cross-fade each hemisphere keeps its
/// weights, so that the old one goes on as it was while it fades; fade is a sqt_cross_fade of ids 0 and 1:
///
///     sqt_locomotion_targeted(w, &switched, &state, direction, 0.2f);
///     memcpy(kept[state.backward], w, sizeof w);                      // float kept[2][SQT_TARGETED_CLIP_COUNT]
///     sqt_cross_fade_to(&fade, now, state.backward, quick);           // then clip i weighs the sum over the sources:
///                                                                     // source.weight * kept[source.id][i]
///
/// @param weights            [SQT_TARGETED_CLIP_COUNT] out, indexed by SQT_TARGETED_...; >= 0, their sum is 1 within
///                           1e-6.
/// @param switched           optional out: whether this call changed the hemisphere.
/// @param state              kept from call to call. A direction known to be the first may be preceded by a call whose
///                           switch is ignored.
/// @param direction_radians  finite: of the movement, against the facing.
/// @param hysteresis_radians 0..pi/4: 0.2 or so keeps a direction that wavers about the side from switching. (With
///                           more, the two strafes of a hemisphere could be less than a quarter turn apart.)
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (state), SQT_ERROR_NUMBER.
sqt_result sqt_locomotion_targeted(float *weights, bool *switched, sqt_locomotion *state, float direction_radians,
                                   float hysteresis_radians);

#ifdef __cplusplus
}
#endif

#endif
