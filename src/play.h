// What every sampler of a frame does before it touches a pose: its checks, and where the time lies among the samples.
#ifndef SQT_SRC_PLAY_H
#define SQT_SRC_PLAY_H

#include "sqt/skeleton.h"

#include "timeline_loop.h"

/// Joint count (SQT_ERROR_COUNT), rig, loop, and that time and duration are numbers.
static inline sqt_result sqt_play_check(const sqt_skeleton *skeleton, const sqt_timeline *timeline, uint32_t rig_hash,
                                        double seconds) {
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (rig_hash != 0 && rig_hash != skeleton->rig_hash) return SQT_ERROR_RIG;
    const sqt_result timed = sqt_timeline_validate(timeline, NULL);
    if (timed) return timed;
    return sqt_finite_double(seconds) ? SQT_OK : SQT_ERROR_NUMBER;
}

/// The interval that a time lies in, and how far it has come in it, 0..1.
typedef struct sqt_moment {
    uint32_t index;
    float u;
} sqt_moment;

/// After sqt_play_check. The weights and addresses of everything that follows wait for this: so the quotient that does
/// not need the time is taken beside the other, and nothing goes by way of integers.
static inline sqt_moment sqt_play_moment(const sqt_timeline *timeline, uint32_t intervals, double seconds) {
    const double duration = (double)timeline->duration_seconds;
    const sqt_moment start = {0, 0.0f};
    if (!(duration > 0.0) || intervals == 0) return start;
    const double position = sqt_timeline_place(timeline, seconds) * (intervals / duration);
    const double nearest = sqt_nearest(position), above = position - nearest;
    // sqt_clip_sample_seconds and the position are rounded four times between them. Within that error of a sample it is
    // the sample that is meant, bit for bit.
    if (fabs(above) <= nearest * 0x1p-51) {
        const uint32_t index = (uint32_t)nearest;
        const sqt_moment at = {index == intervals ? index - 1 : index, index == intervals ? 1.0f : 0.0f};
        return at;
    }
    const sqt_moment between = {(uint32_t)(nearest - (above < 0.0 ? 1.0 : 0.0)),
                                (float)(above + (above < 0.0 ? 1.0 : 0.0))};
    return between;
}

#endif
