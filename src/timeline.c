#include "simd/isa.h"

#include "sqt/timeline.h"

#include <math.h>

#include "timeline_loop.h"

double sqt_timeline_wrap(const sqt_timeline *timeline, double seconds) {
    if (!sqt_timeline_has_length(timeline) || !sqt_finite_double(seconds)) return 0.0;
    return sqt_timeline_place(timeline, seconds);
}

float sqt_timeline_phase(const sqt_timeline *timeline, double seconds) {
    if (!sqt_timeline_has_length(timeline)) return 0.0f;
    const float phase = (float)(sqt_timeline_wrap(timeline, seconds) / (double)timeline->duration_seconds);
    return timeline->loop == SQT_LOOP_WRAP && phase >= 1.0f ? 0x1.fffffep-1f : phase; // rounded up to 1
}

int64_t sqt_timeline_loop(const sqt_timeline *timeline, double seconds) {
    if (!sqt_timeline_has_length(timeline) || !sqt_finite_double(seconds) || timeline->loop == SQT_LOOP_CLAMP) return 0;
    double loop;
    sqt_remainder_below(seconds, sqt_timeline_period(timeline), &loop);
    return loop < -0x1p62 ? -0x4000000000000000 : loop > 0x1p62 ? 0x4000000000000000 : (int64_t)loop;
}
