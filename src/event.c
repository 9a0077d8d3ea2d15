#include "simd/isa.h"

#include "sqt/event.h"

#include "timeline_loop.h"

sqt_result sqt_event_validate(const sqt_event_track *track, const sqt_timeline *timeline, sqt_fault *fault) {
    if (!track) return sqt_fail(fault, SQT_ERROR_NULL, "track", 0, 0);
    const sqt_result result = sqt_timeline_validate(timeline, fault);
    if (result) return result;
    if (track->event_count > 0 && !track->events) return sqt_fail(fault, SQT_ERROR_NULL, "events", 0, 0);
    for (uint32_t i = 0; i < track->event_count; ++i) {
        const float seconds = track->events[i].seconds;
        if (!(seconds >= 0.0f && seconds <= timeline->duration_seconds)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "events", i, 0);
        }
        if (i > 0 && seconds < track->events[i - 1].seconds) return sqt_fail(fault, SQT_ERROR_ORDER, "events", i, 0);
    }
    return SQT_OK;
}

/// A stretch of time that is played, in one direction.
typedef struct stretch {
    const sqt_timeline *timeline;
    double period, low, high;
    bool backwards;
} stretch;

/// One event as it recurs, once a loop. Each occurrence has one definite time, as a double, and every question is a
/// comparison with it: that, not arithmetic on local times, is why none fires twice or never at any cut.
typedef struct recurrence {
    double seconds;
    bool returning; ///< on the way back of a ping-pong
    bool at_end;    ///< just before the seam
    bool strict;    ///< counts from just behind the low end to the high end inclusive, not from low to just before high
} recurrence;

static double occurrence_seconds(const stretch *s, const recurrence *r, int64_t loop) {
    if (s->timeline->loop == SQT_LOOP_CLAMP) return r->seconds;
    if (r->at_end) return sqt_timeline_end(s->timeline, (double)(loop + 1));
    const double start = (double)(r->returning ? loop + 1 : loop) * s->period;
    return r->returning ? start - r->seconds : start + r->seconds;
}

/// Whether an occurrence belongs behind a cut of time at `seconds`.
static bool is_behind(const stretch *s, const recurrence *r, int64_t loop, double seconds) {
    const double at = occurrence_seconds(s, r, loop);
    return r->strict ? at > seconds : at >= seconds;
}

/// The first loop whose occurrence is behind a cut.
static int64_t first_behind(const stretch *s, const recurrence *r, double seconds) {
    if (s->timeline->loop == SQT_LOOP_CLAMP) return is_behind(s, r, 0, seconds) ? 0 : 1;
    // Within 2^50 loops the quotient is off by less than one loop.
    int64_t loop = (int64_t)floor(seconds / s->period) - 2;
    while (!is_behind(s, r, loop, seconds)) ++loop;
    return loop;
}

static recurrence find_recurrence(const stretch *s, float seconds, bool returning) {
    const bool turns = s->timeline->loop == SQT_LOOP_PING_PONG, last = seconds == s->timeline->duration_seconds;
    const bool arrives = !turns && (s->backwards ? seconds == 0.0f : last);
    const recurrence r = {(double)seconds, returning, !turns && last, arrives != s->backwards};
    return r;
}

/// Whether an event happens at all, there or on the way back.
static bool occurs(const stretch *s, float seconds, bool returning) {
    const float duration = s->timeline->duration_seconds;
    if (!returning) return seconds >= 0.0f && seconds <= duration;
    return s->timeline->loop == SQT_LOOP_PING_PONG && seconds > 0.0f && seconds < duration;
}

static uint32_t count_all(const stretch *s, const sqt_event_track *track) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < track->event_count; ++i) {
        for (uint32_t returning = 0; returning < 2; ++returning) {
            if (!occurs(s, track->events[i].seconds, returning)) continue;
            const recurrence r = find_recurrence(s, track->events[i].seconds, returning);
            total += (uint64_t)(first_behind(s, &r, s->high) - first_behind(s, &r, s->low));
            if (total >= UINT32_MAX) return UINT32_MAX;
        }
    }
    return (uint32_t)total;
}

/// Events of one way of one loop, in the order of playing. Returns how many there are now.
static uint32_t emit_way(sqt_event *events, uint32_t count, uint32_t total, const stretch *s,
                         const sqt_event_track *track, int64_t loop, bool returning) {
    const bool descending = returning != s->backwards;
    for (uint32_t k = 0; k < track->event_count && count < total; ++k) {
        const sqt_event *const event = track->events + (descending ? track->event_count - 1 - k : k);
        if (!occurs(s, event->seconds, returning)) continue;
        const recurrence r = find_recurrence(s, event->seconds, returning);
        if (is_behind(s, &r, loop, s->low) && !is_behind(s, &r, loop, s->high)) events[count++] = *event;
    }
    return count;
}

static void emit_all(sqt_event *events, uint32_t total, const stretch *s, const sqt_event_track *track) {
    const bool single = s->timeline->loop == SQT_LOOP_CLAMP;
    const int64_t first = single ? 0 : (int64_t)floor(s->low / s->period) - 2;
    const int64_t last = single ? 0 : (int64_t)floor(s->high / s->period) + 2;
    uint32_t count = 0;
    for (int64_t k = 0; k <= last - first && count < total; ++k) {
        const int64_t loop = s->backwards ? last - k : first + k;
        count = emit_way(events, count, total, s, track, loop, s->backwards);
        count = emit_way(events, count, total, s, track, loop, !s->backwards);
    }
}

sqt_result sqt_event_collect(sqt_event *events, uint32_t *event_count, const sqt_event_track *track,
                             const sqt_timeline *timeline, uint32_t event_capacity, double *last_seconds,
                             double to_seconds) {
    if (!event_count || !track || !last_seconds || (!events && event_capacity > 0)) return SQT_ERROR_NULL;
    if (!track->events && track->event_count > 0) return SQT_ERROR_NULL;
    const sqt_result result = sqt_timeline_validate(timeline, NULL);
    if (result) return result;
    const double from = *last_seconds, period = sqt_timeline_period(timeline);
    if (!sqt_finite_double(from) || !sqt_finite_double(to_seconds)) return SQT_ERROR_NUMBER;
    const double bound = timeline->loop == SQT_LOOP_CLAMP || period == 0.0 ? INFINITY : period * SQT_MAX_LOOPS;
    if (fabs(from) > bound || fabs(to_seconds) > bound) return SQT_ERROR_NUMBER;
    const bool backwards = to_seconds < from;
    const stretch s = {timeline, period, backwards ? to_seconds : from, backwards ? from : to_seconds, backwards};
    const uint32_t total = period > 0.0 && s.low < s.high ? count_all(&s, track) : 0;
    if (total > event_capacity) {
        *event_count = total;
        return SQT_ERROR_SPACE;
    }
    if (total > 0) emit_all(events, total, &s, track);
    *event_count = total;
    *last_seconds = to_seconds;
    return SQT_OK;
}
