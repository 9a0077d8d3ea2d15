/// @file sync.h
/// Clips kept in step: by phase, or by marks such as the instants at which a foot comes down, so that walk and run with
/// different strides put the same foot down together.
///
/// A position along the marks is one number for all clips of a group: its whole part counts the marks passed, over any
/// number of loops, its fraction is how far the time has come from one mark to the next. A leader is a clip whose time
/// gives the position, a follower one whose time comes from it:
///
///     double position = sqt_sync_position(&walk_marks, &walk.timeline, walk_seconds);
///     double run_seconds = sqt_sync_seconds(&run_marks, &run.timeline, position);
///
/// The position itself can be the state, and then a change of leader is no event at all: sqt_sync_advance moves it at
/// the speed that the blended clips have together, and every clip takes its time from it.
///
///     sqt_sync_member members[] = {{&walk_marks, &walk.timeline, 0.7f}, {&run_marks, &run.timeline, 0.3f}};
///     sqt_sync_advance(&position, members, 2, dt);
///     sqt_clip_sample(a, &skeleton, &walk, sqt_sync_seconds(&walk_marks, &walk.timeline, position), SQT_NLERP);
///     sqt_clip_sample(b, &skeleton, &run, sqt_sync_seconds(&run_marks, &run.timeline, position), SQT_NLERP);
///
/// Events and root motion of a clip take the seconds before and after the step (weights are those of the poses):
///
///     double last = sqt_sync_seconds(&walk_marks, &walk.timeline, before);     // the position before sqt_sync_advance
///     const double seconds = sqt_sync_seconds(&walk_marks, &walk.timeline, position);
///     sqt_root_motion_delta(&deltas[0], &walk_motion, &last, seconds);       // each clip, then sqt_root_motion_blend
///
/// The steps of a group are those of its heaviest clip (sqt_event_collect with that one's seconds): all clips put the
/// same foot down together, and each would fire it. Where another is the heaviest in the next frame none is lost and
/// none comes twice, as long as all clips have their events at their marks (and the frames do not meet at one to within
/// rounding).
///
/// A clip without marks, such as idle, is no member of the group: it plays by its own clock, and for
/// sqt_root_motion_blend its delta is the identity. A group starts at any position, 0 for its first foot; where a clip
/// that has played by a clock comes first, at
///
///     position = sqt_sync_position(&walk_marks, &walk.timeline, sqt_clock_local(&clock, &walk.timeline, now));
///
/// A group is made alike: the same feet in the same order (left, right, left, right), as often as each clip's loop has
/// them: two marks in a walk's loop and four in a run's that holds two strides.
#ifndef SQT_SYNC_H
#define SQT_SYNC_H

#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The marks of one clip: a view. Zero: one mark at the start of the clip, which keeps clips in step by phase.
///
/// Marks recur from loop to loop, in both directions: from the last mark an interval leads over the seam to the first.
/// Times and positions run on so whatever timeline.loop says; a clip that clamps is held by its sampler.
typedef struct sqt_sync {
    const float *marks;  ///< [mark_count] seconds, strictly ascending, in [0, duration)
    uint32_t mark_count; ///< 0: one mark, at 0
    uint32_t first; ///< position of marks[0] in loop 0: 0 where it is the group's first foot, 1 where its second ...
} sqt_sync;

/// Checks marks against the clip's timeline.
///
/// @return SQT_OK; SQT_ERROR_NULL ("sync", "timeline", "marks"); SQT_ERROR_FLAG ("loop"); SQT_ERROR_NUMBER
///         ("duration_seconds": not above 0; "marks": not finite or outside [0, duration); element is the mark);
///         SQT_ERROR_ORDER ("marks").
SQT_NODISCARD sqt_result sqt_sync_validate(const sqt_sync *sync, const sqt_timeline *timeline, sqt_fault *fault);

/// The position at a local time that does not wrap: first + n * loop + i + (t - m_i) / (m_(i+1) - m_i) with n marks,
/// m_i the last mark at or before t; before the first mark m_(n-1) - duration is the one before. It never falls as time
/// grows.
///
/// @param seconds unwrapped; up to 2^29 loops.
/// @return `first` for a clip of no length, where a pointer is NULL or the time is not finite.
double sqt_sync_position(const sqt_sync *sync, const sqt_timeline *timeline, double seconds);

/// The local time at a position, unwrapped: the inverse. There and back, with n marks a loop and the shortest interval
/// s, the error is at most 1e-15 * max(seconds, duration) * duration / (n s) from a time, and 1e-15 * max(position, n +
/// first) * duration / (n s) from a position.
///
/// @param position up to 2^50 in magnitude.
/// @return 0 for a clip of no length, where a pointer is NULL or the position is not finite.
double sqt_sync_seconds(const sqt_sync *sync, const sqt_timeline *timeline, double position);

/// A clip that takes part in sqt_sync_advance.
typedef struct sqt_sync_member {
    const sqt_sync *sync;
    const sqt_timeline *timeline; ///< of a length above 0
    float weight;                 ///< >= 0; beware: left out of an initialiser it is 0
} sqt_sync_member;

/// Moves a shared position on:
///
///     d position / dt = sum of w_i / interval_i / sum of w_i
///
/// with interval_i the seconds from mark to mark in which the position lies in clip i: marks a second, blended. With
/// one weight above 0 that clip leads, at its own speed. The speed changes at marks only, and steps are cut there, so
/// that one step of dt comes to what many small ones do, but for rounding (1e-15 of the position a mark and a step).
///
/// Clips blended with these weights travel at
///
///     sum of w_i d_i * sum of w_i / interval_i / (sum of w_i)^2
///
/// with d_i the way of clip i from mark to mark: slower or faster than the weighted sum of their speeds where strides
/// and intervals both differ. To travel at a speed asked for, give dt times the rate that sqt_sync_speed has.
///
/// @param position     in and out; unchanged on error.
/// @param members      [member_count].
/// @param member_count 1 or more. Where all weights are 0 the position stays.
/// @param dt_seconds   any sign; times a rate for another speed than the clips' own (sqt_sync_speed). At most 65536
///                     marks a step.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_COUNT (member_count 0), SQT_ERROR_NUMBER (dt, position or a weight not
///         finite, a weight below 0, a position beyond 2^50, a clip or interval of no length, too many marks in a
///         step).
sqt_result sqt_sync_advance(double *position, const sqt_sync_member *members, uint32_t member_count, double dt_seconds);

/// The speed at which a group travels at a position: the formula of sqt_sync_advance with d_i = speed_i * interval_i.
/// With one weight above 0 it is that clip's own. A character that shall go at `wanted`:
///
///     const float speed = sqt_sync_speed(members, speeds, 2, position);
///     sqt_sync_advance(&position, members, 2, dt * sqt_clock_rate(speed, wanted));
///
/// Where clips without marks take part in the blend it travels at this speed times the members' share of all weights:
/// sqt_clock_rate(speed * share, wanted). The way of a step then is wanted * dt, to rounding, where the clips travel
/// evenly and no mark is passed at which the intervals change; otherwise it is so over a loop.
///
/// @param speeds   [member_count] length units a second at which the clips travel by themselves (authored_speed).
/// @param position where the step begins.
/// @return 0 where sqt_sync_advance would return an error or nothing has a weight, and where a speed is not finite.
float sqt_sync_speed(const sqt_sync_member *members, const float *speeds, uint32_t member_count, double position);

#ifdef __cplusplus
}
#endif

#endif
