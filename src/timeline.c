#include "simd/isa.h"

#include "sqt/timeline.h"

#include <math.h>

#include "timeline_loop.h"

/// floor, without a call where the number is small: a frame asks for it twice a clip.
static double floor_of(double x) {
    if (!(x > -0x1p31 && x < 0x1p31)) return floor(x);
    const double whole = (double)(int32_t)x;
    return whole > x ? whole - 1.0 : whole;
}

/// The remainder of seconds / period in [0, period), and the whole quotient that belongs to it; seconds is finite,
/// period finite and above 0.
static double remainder_below(double seconds, double period, double *quotient) {
    *quotient = 0.0;
    if (seconds >= 0.0 && seconds < period) return seconds;
    // A period is a float's 24 bits, so below 2^29 turns the product and the difference are exact; above, the product
    // is rounded by no more than seconds itself was.
    *quotient = floor_of(seconds / period);
    double rest = seconds - *quotient * period;
    if (rest < 0.0) { // just before a seam the quotient is rounded up to a whole number
        rest += period;
        *quotient -= 1.0;
    }
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
    double loop;
    if (seconds >= 0.0 && seconds < duration) return seconds;
    if (timeline->loop == SQT_LOOP_WRAP) return remainder_below(seconds, duration, &loop);
    if (timeline->loop == SQT_LOOP_PING_PONG) {
        // Even about 0, so that a time just before 0 keeps all its digits.
        const double turned = remainder_below(seconds < 0.0 ? -seconds : seconds, 2.0 * duration, &loop);
        return turned > duration ? 2.0 * duration - turned : turned;
    }
    return seconds < 0.0 ? 0.0 : duration;
}

float sqt_timeline_phase(const sqt_timeline *timeline, double seconds) {
    if (!has_length(timeline)) return 0.0f;
    const float phase = (float)(sqt_timeline_wrap(timeline, seconds) / (double)timeline->duration_seconds);
    return timeline->loop == SQT_LOOP_WRAP && phase >= 1.0f ? 0x1.fffffep-1f : phase; // rounded up to 1
}

int64_t sqt_timeline_loop(const sqt_timeline *timeline, double seconds) {
    if (!has_length(timeline) || !sqt_finite_double(seconds) || timeline->loop == SQT_LOOP_CLAMP) return 0;
    double loop;
    remainder_below(seconds, sqt_timeline_period(timeline), &loop);
    return loop < -0x1p62 ? -0x4000000000000000 : loop > 0x1p62 ? 0x4000000000000000 : (int64_t)loop;
}
