/// @file clock.h
/// Playing a clip: from the game's global time to the clip's local time.
///
/// A clock remembers when it was started and how fast it runs, not how far it has come: local time is worked out anew
/// from the global time, so nothing adds up and nothing drifts. Two characters whose clocks start at one global time
/// agree bit for bit in whichever order they are updated:
///
///     sqt_clock_start(&puncher.clock, &punch.timeline, now, 1.0, 1);    // the punch and its victim: one moment
///     sqt_clock_start(&victim.clock, &punched.timeline, now, 1.0, 1);
///     ...
///     sqt_clip_sample(pose, &skeleton, &punch, sqt_clock_local(&puncher.clock, &punch.timeline, now), SQT_NLERP);
///
/// Characters that each add the frame's dt to a time of their own do not: where the punch starts the victim's clip, the
/// two are a frame apart if the victim has its update after the puncher's, and in step if it had it before.
///
/// Source: Gregory, "Game Engine Architecture", chapter 11, "Local and Global Time Lines".
#ifndef SQT_CLOCK_H
#define SQT_CLOCK_H

#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// local = local_seconds + (global - start_seconds) * rate, held at the ends of loop_count loops. Zero-initialised: a
/// clock that rests at the first instant. Plain values: copy, save and restore it as bytes.
///
/// One loop is the timeline's duration (ping-pong: there and back, twice the duration). Loops are counted from local
/// time 0, and the hold is at 0 and at the last instant of the last loop: a timeline that wraps is held just before the
/// seam, so that the last pose stays and not the first. A clamped timeline has one loop, whatever number is asked for.
typedef struct sqt_clock {
    double start_seconds; ///< global time from which the clock runs
    double local_seconds; ///< local time at start_seconds: unwrapped, for the samplers
    double rate;          ///< local seconds a global second; 0: paused; below 0: backwards
    uint32_t loop_count;  ///< 0: forever, without an end in either direction
} sqt_clock;

/// Starts a clock: at local time 0, or where rate is below 0 at the last instant of the last loop (with loop_count 0
/// that of a clamped timeline, and 0 of others, which run on into negative times).
///
/// @param clock      out.
/// @param rate       local seconds a global second (sqt_clock_rate gives that of a speed).
/// @param loop_count 0: forever; 1 with a clamped timeline: one shot that holds its last pose.
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_FLAG (timeline->loop), SQT_ERROR_NUMBER (not finite, or a duration below
///         0).
sqt_result sqt_clock_start(sqt_clock *clock, const sqt_timeline *timeline, double now_seconds, double rate,
                           uint32_t loop_count);

/// The local time at a global time: what the samplers, sqt_event_collect and sqt_root_motion_delta take. It never
/// wraps. A global time before the start is before it: the clip runs up to its start.
///
/// The error is one rounding each of the difference, the product and the sum, at any distance from the start.
///
/// @return 0 where a pointer is NULL or a number is not finite.
double sqt_clock_local(const sqt_clock *clock, const sqt_timeline *timeline, double now_seconds);

/// True where the clock is held at the end that it runs towards: 0 for a rate below 0, the last instant for one above.
/// False for a paused clock, for loop_count 0 and where sqt_clock_local gives 0 for want of a number.
bool sqt_clock_done(const sqt_clock *clock, const sqt_timeline *timeline, double now_seconds);

/// Runs on at another rate from the local time of now, without a jump. The rate that it has already changes no bit.
///
/// @param clock in and out; unchanged on error.
/// @return as sqt_clock_start.
sqt_result sqt_clock_set_rate(sqt_clock *clock, const sqt_timeline *timeline, double now_seconds, double rate);

/// Jumps to a local time, and runs on from there at the rate that it has. Beyond the ends it is held at them. (Events
/// and root motion keep a last_seconds of their own: assign local_seconds to it where they shall not see the jump.)
///
/// @param clock         in and out; unchanged on error.
/// @param local_seconds unwrapped.
/// @return as sqt_clock_start.
sqt_result sqt_clock_seek(sqt_clock *clock, const sqt_timeline *timeline, double now_seconds, double local_seconds);

/// The rate at which a clip made to travel at authored_speed travels at `speed`: speed / authored_speed; 1 for a clip
/// in place (authored_speed 0), and where a number is not finite. Both in length units a second.
double sqt_clock_rate(float authored_speed, float speed);

/// For those who step a time of their own by dt: seconds + dt, brought back into one loop, [0, duration) for wrap, [0,
/// 2 duration) for ping-pong (so that the direction is not lost), [0, duration] for clamp; 0 for a clip of no length.
/// This adds up rounding errors, half an ulp of the duration a step; clocks do not.
///
/// @param seconds in and out; unchanged on error.
/// @param loops   optional: out, how many starts of a loop were passed; below 0 backwards. With duration 1, a step of
///                3.75 from 0 leads to 0.75 and passes 3, a step of -3.75 leads to 0.25 and passes -4. 0 for clamp.
/// @param dt_seconds of any size and sign.
/// @return as sqt_clock_start.
sqt_result sqt_clock_step(double *seconds, int64_t *loops, const sqt_timeline *timeline, double dt_seconds);

#ifdef __cplusplus
}
#endif

#endif
