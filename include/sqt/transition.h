/// @file transition.h
/// Fades and cross-fades: weights that move over time and may be sent elsewhere at any moment without a jump.
///
/// All state is plain structs without pointers: copy them to save, to restore, to send. Time is the caller's, in
/// seconds: a double that never wraps. inertial.h has the transitions that need one pose only.
///
/// A weight that comes and goes (a layer, a punch, a look-at):
///
///     static const sqt_transition quick = {.duration_seconds = 0.2f};
///     sqt_fade aim = {0};                                           // rests at 0
///     ...
///     sqt_fade_to(&aim, now, wants_to_aim ? 1.0f : 0.0f, quick);    // every frame, if you like
///     sqt_blend_pair(pose, &skeleton, pose, aiming, mask, sqt_fade_weight(&aim, now), SQT_NLERP);
///
/// A character's clip, where any clip may follow any other at any time:
///
///     // Smooth: all that plays goes on while it fades. Where too much does, the pose shown last stands for all of it.
///     if (sqt_cross_fade_to(&fade, now, JUMP, quick) == SQT_ERROR_SPACE) {
///         sqt_cross_fade_freeze(&fade, frozen, &skeleton, shown);
///         sqt_cross_fade_to(&fade, now, JUMP, quick);
///     }
///
///     sqt_fade_source sources[SQT_FADE_SOURCES];                    // then, every frame
///     uint32_t count;
///     sqt_cross_fade_weights(sources, &count, &fade, now);
///     for (uint32_t k = 0; k < count; ++k) {
///         inputs[k] = (sqt_blend_input){.pose = sources[k].id == SQT_FADE_FROZEN ? frozen : poses[k],
///                                       .weight = sources[k].weight};
///         if (sources[k].id == SQT_FADE_FROZEN) continue;
///         sqt_clip_sample(poses[k], &skeleton, &clips[sources[k].id], now - sources[k].start_seconds, SQT_NLERP);
///     }
///     sqt_blend_many(pose, &skeleton, inputs, count, 0.0f, SQT_NLERP);
///
/// A frozen cross-fade, where the pose last shown stands still while it fades, is one call more before
/// sqt_cross_fade_to: sqt_cross_fade_freeze.
#ifndef SQT_TRANSITION_H
#define SQT_TRANSITION_H

#include "ease.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a transition goes. A struct, so that a duration cannot be taken for a weight.
typedef struct sqt_transition {
    float duration_seconds; ///< finite, >= 0; 0 arrives at once
    sqt_ease ease;          ///< zero: linear
} sqt_transition;

/// A weight on its way from one value to another. Zero-initialised it rests at 0.
typedef struct sqt_fade {
    double start_seconds;      ///< when it was last sent somewhere
    sqt_transition transition; ///< how it goes there
    float from, to;            ///< the weight at the start, and where it goes
} sqt_fade;

/// Sends a fade to a target, from wherever it is now. Asked again for the target that it has, it goes on as it was, so
/// that a game may ask every frame; only a duration of 0 arrives there at once.
///
/// Sent elsewhere the weight does not jump, but its rate does: it begins anew at the slope that the ease has at 0,
/// which for SQT_EASE_CUBIC and for SQT_EASE_HERMITE with 0, 0 is a stop. Where fades are often interrupted take a
/// curve that starts at once and ends softly, {SQT_EASE_HERMITE, {2, 0}}, or inertial.h.
///
/// @param fade   in and out.
/// @param target the weight to end with; finite, and within 1e15 of 0.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_NUMBER (now_seconds, target, transition, or an ease has led the weight
///         beyond 1e15), SQT_ERROR_FLAG (its ease).
sqt_result sqt_fade_to(sqt_fade *fade, double now_seconds, float target, sqt_transition transition);

/// The weight at a time: from + (to - from) * ease((now - start) / duration), and exactly `to` from the end on. It has
/// no jumps (its rate has: sqt_fade_to), and where the slope of the ease is at most L its rate is at most L |to - from|
/// / duration.
///
/// @param fade        NULL gives 0.
/// @param now_seconds before the start: `from`; NaN and infinity: `to`.
float sqt_fade_weight(const sqt_fade *fade, double now_seconds);

/// The most clips that fade at once.
#define SQT_FADE_SOURCES 8u

/// The source that is a pose held still: see sqt_cross_fade_freeze.
#define SQT_FADE_FROZEN 0xFFFFFFFFu

/// One of what a cross-fade mixes.
typedef struct sqt_fade_source {
    double start_seconds; ///< when it came in: now - start_seconds is how long it has played
    uint32_t id;          ///< the caller's: the index of a clip, for instance. SQT_FADE_FROZEN: the frozen pose
    float weight;         ///< 0..1; in sqt_cross_fade: when the last transition began
} sqt_fade_source;

/// What plays, and what it fades to. Zero-initialised nothing plays.
typedef struct sqt_cross_fade {
    double start_seconds;                      ///< of the last transition
    sqt_transition transition;                 ///< how it goes
    sqt_fade_source sources[SQT_FADE_SOURCES]; ///< [source_count]; the last is where it goes
    uint32_t source_count;
} sqt_cross_fade;

/// Fades from all that plays to one source. Whatever has a weight now keeps it and goes down from there, the new one
/// goes up from 0, or from where it is if it has been fading out, and goes on playing. What is playing can be asked for
/// again every frame: that changes nothing, unless the duration is 0. Where nothing plays yet it starts at weight 1.
///
/// As in sqt_fade_to the weights do not jump, but their rates begin anew at the slope that the ease has at 0: a stop
/// for SQT_EASE_CUBIC and SQT_EASE_HERMITE with 0, 0; {SQT_EASE_HERMITE, {2, 0}} starts at once.
///
/// The time of a clip is now - start_seconds of its source. With a clock of your own, start it where start_seconds has
/// changed since the last frame.
///
/// A clip that shall start again over its own end needs another id, which the caller maps to the same clip.
///
/// @param fade in and out.
/// @param id   any but SQT_FADE_FROZEN.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (id, or the fade's own source_count), SQT_ERROR_NUMBER (now_seconds,
///         transition), SQT_ERROR_FLAG (its ease), SQT_ERROR_SPACE: SQT_FADE_SOURCES others have a weight; freeze first.
sqt_result sqt_cross_fade_to(sqt_cross_fade *fade, double now_seconds, uint32_t id, sqt_transition transition);

/// Puts one pose, held still, in place of all that plays: with the pose shown last nothing changes on the screen, and
/// all of its clips are done with. The next sqt_cross_fade_to fades from it. Any pose will do: that of a ragdoll, too.
///
/// @param fade   in and out.
/// @param frozen [SQT_POSE_BLOCKS(joint_count)] out: the copy; it must live as long as SQT_FADE_FROZEN is a source.
/// @param pose   [SQT_POSE_BLOCKS(joint_count)]; may be frozen.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (joint_count).
sqt_result sqt_cross_fade_freeze(sqt_cross_fade *fade, sqt_pose_block *frozen, const sqt_skeleton *skeleton,
                                 const sqt_pose_block *pose);

/// What plays at a time, and how much it weighs. With e = ease((now - start) / duration), held within 0..1, the last
/// source weighs w + (1 - w) e and each other one w (1 - e), w being its weight when the transition began. They sum to
/// 1 within 1e-6, after any number of interruptions (sqt_blend_many divides by the sum), each moves at most at L / duration (L: the slope of the ease),
/// and from the end on the last is alone with exactly 1. Sources that weigh nothing are left out.
///
/// @param sources      [SQT_FADE_SOURCES] out.
/// @param source_count out: 0 where nothing plays yet.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_NUMBER (now_seconds), SQT_ERROR_COUNT (the fade's own source_count).
sqt_result sqt_cross_fade_weights(sqt_fade_source *sources, uint32_t *source_count, const sqt_cross_fade *fade,
                                  double now_seconds);

#ifdef __cplusplus
}
#endif

#endif
