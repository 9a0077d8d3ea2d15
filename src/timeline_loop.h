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

#endif
