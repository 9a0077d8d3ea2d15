/// @file timeline.h
/// How long a clip lasts and what happens beyond its ends. Times that callers hold are doubles that never wrap; every
/// sampler maps them through the clip's timeline, so nobody carries loop counts.
#ifndef SQT_TIMELINE_H
#define SQT_TIMELINE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SQT_LOOP_CLAMP = 0,    ///< holds the first and the last instant
    SQT_LOOP_WRAP = 1,     ///< starts again: the local time is in [0, duration)
    SQT_LOOP_PING_PONG = 2 ///< forwards, backwards, forwards ...: a period of twice the duration
};

/// Embedded in every kind of clip. Zero is a clip of no length that clamps: one pose.
typedef struct sqt_timeline {
    float duration_seconds; ///< finite, >= 0
    uint32_t loop;          ///< SQT_LOOP_...
} sqt_timeline;

/// The local time at a time that does not wrap: within [0, duration] for clamp and ping-pong, [0, duration) for wrap.
///
/// Clamp: min(max(s, 0), d). Wrap: s - floor(s / d) d, and 0 for d = 0. Negative times count backwards: with duration
/// 1, -0.25 is at 0.75, and -1e-30 is at 0 or just below 1, never at 1. Times within the clip come back unchanged.
///
/// @param timeline NULL gives 0.
/// @param seconds  any finite number; NaN and infinity give 0. The error is that of the double `seconds` itself.
double sqt_timeline_wrap(const sqt_timeline *timeline, double seconds);

/// Normalised time: the local time / duration, 0..1 (below 1 for wrap); 0 for a clip of no length.
float sqt_timeline_phase(const sqt_timeline *timeline, double seconds);

/// The number of the loop that a time lies in, from 0: floor(s / d), for ping-pong (there and back) floor(s / 2d),
/// which is -1 just below 0. With wrap, sqt_timeline_wrap gives what is left: s = loop * d + wrap(s), to rounding.
///
/// @param seconds any finite number; NaN and infinity give 0, as do clamp and a clip of no length. Limited to +-2^62.
int64_t sqt_timeline_loop(const sqt_timeline *timeline, double seconds);

#ifdef __cplusplus
}
#endif

#endif
