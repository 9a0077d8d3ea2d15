// Where loops of a timeline begin and end, for clocks, events and root motion.
#ifndef SQT_SRC_TIMELINE_LOOP_H
#define SQT_SRC_TIMELINE_LOOP_H

#include <math.h>

#include "fault.h"
#include "sqt/timeline.h"

/// Times further out than this many loops are refused where every loop has to be told from the next.
#define SQT_MAX_LOOPS 0x1p50

static inline sqt_result sqt_timeline_validate(const sqt_timeline *timeline, sqt_fault *fault) {
    if (!timeline) return sqt_fail(fault, SQT_ERROR_NULL, "timeline", 0, 0);
    if (timeline->loop > SQT_LOOP_PING_PONG) return sqt_fail(fault, SQT_ERROR_FLAG, "loop", 0, 0);
    if (!sqt_finite(timeline->duration_seconds) || timeline->duration_seconds < 0.0f) {
        return sqt_fail(fault, SQT_ERROR_NUMBER, "duration_seconds", 0, 0);
    }
    return SQT_OK;
}

/// From the start of a loop to that of the next.
static inline double sqt_timeline_period(const sqt_timeline *timeline) {
    return (double)timeline->duration_seconds * (timeline->loop == SQT_LOOP_PING_PONG ? 2.0 : 1.0);
}

/// The last instant of the loop before loop number `loops`. One that wraps ends just before the seam, one or two ulps
/// below the product, which is at most half an ulp above the true one.
static inline double sqt_timeline_end(const sqt_timeline *timeline, double loops) {
    if (timeline->loop == SQT_LOOP_CLAMP) return (double)timeline->duration_seconds;
    const double period = sqt_timeline_period(timeline), seam = loops * period;
    if (timeline->loop == SQT_LOOP_PING_PONG) return seam;
    return seam - (loops == 0.0 ? period : fabs(seam)) * 0x1p-52;
}

/// The whole number next to x. A sum of this size is rounded to one: without a call, and sooner than by an integer.
static inline double sqt_nearest(double x) {
    if (!(x > -0x1p51 && x < 0x1p51)) return floor(x);
    return (x + 0x1.8p52) - 0x1.8p52;
}

/// The remainder of seconds / period in [0, period), and the whole quotient that belongs to it; seconds is finite,
/// period finite and above 0.
static inline double sqt_remainder_below(double seconds, double period, double *quotient) {
    *quotient = 0.0;
    if (seconds >= 0.0 && seconds < period) return seconds;
    // A period is a float's 24 bits, so below 2^29 turns the product and the difference are exact; above, the product
    // is rounded by no more than seconds itself was.
    const double nearest = sqt_nearest(seconds / period), difference = seconds - nearest * period;
    const double rest = difference + (difference < 0.0 ? period : 0.0);
    *quotient = nearest - (difference < 0.0 ? 1.0 : 0.0);
    if (rest >= 0.0 && rest < period) return rest;
    if (rest == period) return period * (1.0 - 0x1p-53); // rounded up: less than half an ulp before the seam
    return 0.0; // one ulp of seconds spans several periods (or the quotient overflowed): every phase is as right
}

static inline bool sqt_timeline_has_length(const sqt_timeline *timeline) {
    return timeline && sqt_finite(timeline->duration_seconds) && timeline->duration_seconds > 0.0f;
}

/// sqt_timeline_wrap of a finite time on a timeline that has a length.
static inline double sqt_timeline_place(const sqt_timeline *timeline, double seconds) {
    const double duration = (double)timeline->duration_seconds;
    double loop;
    if (seconds >= 0.0 && seconds < duration) return seconds;
    if (timeline->loop == SQT_LOOP_WRAP) return sqt_remainder_below(seconds, duration, &loop);
    if (timeline->loop == SQT_LOOP_PING_PONG) {
        // Even about 0, so that a time just before 0 keeps all its digits.
        const double turned = sqt_remainder_below(seconds < 0.0 ? -seconds : seconds, 2.0 * duration, &loop);
        return turned > duration ? 2.0 * duration - turned : turned;
    }
    return seconds < 0.0 ? 0.0 : duration;
}

#endif
