#include "simd/isa.h"

#include "sqt/clock.h"

#include "timeline_loop.h"

static sqt_result check(const sqt_timeline *timeline, double now_seconds, double number) {
    const sqt_result result = sqt_timeline_validate(timeline, NULL);
    if (result) return result;
    return sqt_finite_double(now_seconds) && sqt_finite_double(number) ? SQT_OK : SQT_ERROR_NUMBER;
}

static double unheld(const sqt_clock *clock, double now_seconds) {
    return clock->local_seconds + (now_seconds - clock->start_seconds) * clock->rate;
}

static double hold(const sqt_timeline *timeline, uint32_t loop_count, double seconds) {
    if (loop_count == 0) return seconds;
    const double last = sqt_timeline_end(timeline, (double)loop_count);
    return seconds < 0.0 ? 0.0 : seconds > last ? last : seconds;
}

sqt_result sqt_clock_start(sqt_clock *clock, const sqt_timeline *timeline, double now_seconds, double rate,
                           uint32_t loop_count) {
    if (!clock) return SQT_ERROR_NULL;
    const sqt_result result = check(timeline, now_seconds, rate);
    if (result) return result;
    const bool ends = loop_count > 0 || timeline->loop == SQT_LOOP_CLAMP;
    clock->start_seconds = now_seconds;
    clock->local_seconds = rate < 0.0 && ends ? sqt_timeline_end(timeline, (double)loop_count) : 0.0;
    clock->rate = rate;
    clock->loop_count = loop_count;
    return SQT_OK;
}

double sqt_clock_local(const sqt_clock *clock, const sqt_timeline *timeline, double now_seconds) {
    if (!clock || sqt_timeline_validate(timeline, NULL)) return 0.0;
    const double seconds = unheld(clock, now_seconds);
    return sqt_finite_double(seconds) ? hold(timeline, clock->loop_count, seconds) : 0.0;
}

bool sqt_clock_done(const sqt_clock *clock, const sqt_timeline *timeline, double now_seconds) {
    if (!clock || sqt_timeline_validate(timeline, NULL) || clock->loop_count == 0) return false;
    const double seconds = unheld(clock, now_seconds);
    if (!sqt_finite_double(seconds)) return false;
    if (clock->rate < 0.0) return seconds <= 0.0;
    return clock->rate > 0.0 && seconds >= sqt_timeline_end(timeline, (double)clock->loop_count);
}

sqt_result sqt_clock_set_rate(sqt_clock *clock, const sqt_timeline *timeline, double now_seconds, double rate) {
    if (!clock) return SQT_ERROR_NULL;
    const sqt_result result = check(timeline, now_seconds, rate);
    if (result || rate == clock->rate) return result;
    const double seconds = unheld(clock, now_seconds);
    if (!sqt_finite_double(seconds)) return SQT_ERROR_NUMBER;
    clock->local_seconds = hold(timeline, clock->loop_count, seconds);
    clock->start_seconds = now_seconds;
    clock->rate = rate;
    return SQT_OK;
}

sqt_result sqt_clock_seek(sqt_clock *clock, const sqt_timeline *timeline, double now_seconds, double local_seconds) {
    if (!clock) return SQT_ERROR_NULL;
    const sqt_result result = check(timeline, now_seconds, local_seconds);
    if (result) return result;
    clock->start_seconds = now_seconds;
    clock->local_seconds = hold(timeline, clock->loop_count, local_seconds);
    return SQT_OK;
}

double sqt_clock_rate(float authored_speed, float speed) {
    if (!sqt_finite(authored_speed) || !sqt_finite(speed) || authored_speed == 0.0f) return 1.0;
    return (double)speed / (double)authored_speed;
}

sqt_result sqt_clock_step(double *seconds, int64_t *loops, const sqt_timeline *timeline, double dt_seconds) {
    if (!seconds) return SQT_ERROR_NULL;
    const double sum = *seconds + dt_seconds;
    const sqt_result result = check(timeline, sum, dt_seconds);
    if (result) return result;
    const int64_t loop = sqt_timeline_loop(timeline, sum);
    if (timeline->loop == SQT_LOOP_PING_PONG) {
        const sqt_timeline there_and_back = {2.0f * timeline->duration_seconds, SQT_LOOP_WRAP};
        *seconds = sqt_timeline_wrap(&there_and_back, sum);
    } else {
        *seconds = sqt_timeline_wrap(timeline, sum);
    }
    if (loops) *loops = loop;
    return SQT_OK;
}
