/// @file event.h
/// Event tracks: footsteps, hits, sounds, each fired exactly once as time passes it.
///
///     sqt_event fired[16];
///     uint32_t fired_count;
///     sqt_event_collect(fired, &fired_count, &steps, &walk.timeline, 16, &character.last_seconds, seconds);
///     for (uint32_t i = 0; i < fired_count; ++i) play_sound(fired[i].id);
///
/// The time up to which events have fired is state (`last_seconds`), not "now - dt": that loses events, because
/// (now + dt) - dt is not always now. It begins as the local time at which playing begins: 0, or the
/// clock's local_seconds where that was started elsewhere or runs backwards.
#ifndef SQT_EVENT_H
#define SQT_EVENT_H

#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Something that happens at an instant of a clip.
typedef struct sqt_event {
    float seconds; ///< in [0, duration]
    uint32_t id;   ///< the caller's: a sqt_hash, an index
} sqt_event;

/// Events over a clip's timeline: a view.
typedef struct sqt_event_track {
    const sqt_event *events; ///< [event_count] times not descending; those of one time keep their order
    uint32_t event_count;
} sqt_event_track;

/// Checks a track against the clip's timeline.
///
/// @return SQT_OK; SQT_ERROR_NULL ("track", "timeline", "events"); SQT_ERROR_FLAG ("loop"); SQT_ERROR_NUMBER
///         ("duration_seconds", "events": not in [0, duration]; fault.index is the event); SQT_ERROR_ORDER ("events").
SQT_NODISCARD sqt_result sqt_event_validate(const sqt_event_track *track, const sqt_timeline *timeline,
                                            sqt_fault *fault);

/// The events that playing from *last_seconds to to_seconds passes, in the order of playing; moves *last_seconds on.
///
/// The interval is half-open, [last, to), and mirrored where time runs backwards, last included again: what lies at the
/// instant reached is still to come, whichever way time goes on. So however playing is cut into steps, each event fires
/// once each time it is passed. The start of a loop is an event at 0 and the end is one at the duration:
///
/// - Wrap: an event at 0 fires at the start of every loop, one at the duration at the end of every loop, just before
///   the seam: each once a loop, the one of the end first.
/// - Arriving fires the event of the end: at the duration (clamp, wrap) playing forwards, at 0 backwards. So a clock
///   that is held at the end of its last loop has fired the last event, and not that of a loop that does not come.
/// - Clamp: each event once each way, however far beyond the ends the times go.
/// - Ping-pong: events in between fire there and back, those at 0 and at the duration once a turn, as the turn is left.
/// - A clip of no length fires nothing.
///
/// A pause is a step of no length and fires nothing. A seek is an assignment to *last_seconds. An event whose time is
/// outside the clip never fires.
///
/// @param events         [event_capacity] out; may be NULL where event_capacity is 0.
/// @param event_count    out: how many fired; with SQT_ERROR_SPACE how many there would be, at most 0xFFFFFFFF.
/// @param event_capacity room in `events`. Where it is too small nothing is lost: *last_seconds stays, to try again
///                       with more room or (assigned) to drop the events. A million loops at once are counted by
///                       arithmetic.
/// @param last_seconds   in and out: unwrapped local time.
/// @param to_seconds     unwrapped local time (sqt_clock_local).
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_FLAG (timeline->loop), SQT_ERROR_NUMBER (a time that is not finite or more
///         than 2^50 loops away, a bad duration), SQT_ERROR_SPACE.
sqt_result sqt_event_collect(sqt_event *events, uint32_t *event_count, const sqt_event_track *track,
                             const sqt_timeline *timeline, uint32_t event_capacity, double *last_seconds,
                             double to_seconds);

#ifdef __cplusplus
}
#endif

#endif
