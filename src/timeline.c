#include "simd/isa.h"

#include "sqt/timeline.h"

#include <math.h>

#include "fault.h"

/// The remainder of seconds / period in [0, period); seconds is finite, period finite and above 0.
static double remainder_below(double seconds, double period) {
    if (seconds >= 0.0 && seconds < period) return seconds;
    // A period is a float's 24 bits, so below 2^29 turns the product and the difference are exact; above, the product
    // is rounded by no more than seconds itself was.
    double rest = seconds - floor(seconds / period) * period;
    if (rest < 0.0) rest += period; // just before a seam the quotient is rounded up to a whole number
    if (rest >= 0.0 && rest < period) return rest;
    if (rest == period) return period * (1.0 - 0x1p-53); // rounded up: less than half an ulp before the seam
    return 0.0; // one ulp of seconds spans several periods (or the quotient overflowed): every phase is as right
}

static bool has_length(const sqt_timeline *timeline) {
    return timeline && sqt_finite(timeline->duration_seconds) && timeline->duration_seconds > 0.0f;
}

double sqt_timeline_wrap(const sqt_timeline *timeline, double seconds) {
    if (!has_length(timeline) || !sqt_finite_double(seconds)) return 0.0;
    const double duration = (double)timeline->duration_seconds;
    if (seconds >= 0.0 && seconds < duration) return seconds;
    if (timeline->loop == SQT_LOOP_WRAP) return remainder_below(seconds, duration);
    if (timeline->loop == SQT_LOOP_PING_PONG) {
        // Even about 0, so that a time just before 0 keeps all its digits.
        const double turned = remainder_below(seconds < 0.0 ? -seconds : seconds, 2.0 * duration);
        return turned > duration ? 2.0 * duration - turned : turned;
    }
    return seconds < 0.0 ? 0.0 : duration;
}

float sqt_timeline_phase(const sqt_timeline *timeline, double seconds) {
    if (!has_length(timeline)) return 0.0f;
    const float phase = (float)(sqt_timeline_wrap(timeline, seconds) / (double)timeline->duration_seconds);
    return timeline->loop == SQT_LOOP_WRAP && phase >= 1.0f ? 0x1.fffffep-1f : phase; // rounded up to 1
}
