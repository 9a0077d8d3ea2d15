#include "simd/isa.h"

#include "sqt/transition.h"

#include "fault.h"
#include "pose_lanes.h"

/// How far a transition has come: 0..1, and beyond where its ease goes beyond.
static double progress(double start_seconds, const sqt_transition *transition, double now_seconds) {
    const double elapsed = now_seconds - start_seconds, duration = (double)transition->duration_seconds;
    return elapsed < duration ? sqt_ease_value(transition->ease, elapsed / duration) : 1.0;
}

static sqt_result check_transition(double now_seconds, const sqt_transition *transition) {
    if (!sqt_finite_double(now_seconds)) return SQT_ERROR_NUMBER;
    if (!sqt_finite(transition->duration_seconds) || transition->duration_seconds < 0.0f) return SQT_ERROR_NUMBER;
    return sqt_ease_validate(&transition->ease, NULL);
}

sqt_result sqt_fade_to(sqt_fade *fade, double now_seconds, float target, sqt_transition transition) {
    if (!fade) return SQT_ERROR_NULL;
    const sqt_result result = check_transition(now_seconds, &transition);
    if (result) return result;
    if (!(target >= -1e15f && target <= 1e15f)) return SQT_ERROR_NUMBER;
    if (target == fade->to && transition.duration_seconds > 0.0f) return SQT_OK;
    const float weight = sqt_fade_weight(fade, now_seconds);
    if (!(weight >= -1e15f && weight <= 1e15f)) return SQT_ERROR_NUMBER; // the next ease could make no number of it
    const sqt_fade sent = {now_seconds, transition, weight, target};
    *fade = sent;
    return SQT_OK;
}

float sqt_fade_weight(const sqt_fade *fade, double now_seconds) {
    if (!fade) return 0.0f;
    if (!sqt_finite_double(now_seconds)) return fade->to;
    const double done = progress(fade->start_seconds, &fade->transition, now_seconds);
    if (done == 1.0) return fade->to;
    return (float)((double)fade->from + ((double)fade->to - (double)fade->from) * done);
}

/// The sources of a checked fade that have a weight, the last of the fade last.
static uint32_t weigh(sqt_fade_source *sources, const sqt_cross_fade *fade, double now_seconds) {
    const double eased = progress(fade->start_seconds, &fade->transition, now_seconds);
    const double done = eased < 0.0 ? 0.0 : eased > 1.0 ? 1.0 : eased;
    uint32_t count = 0;
    for (uint32_t k = 0; k < fade->source_count; ++k) {
        const double weight = (double)fade->sources[k].weight, rest = weight * (1.0 - done);
        sources[count] = fade->sources[k];
        sources[count].weight = (float)(k + 1 == fade->source_count ? rest + done : rest);
        if (sources[count].weight > 0.0f) ++count;
    }
    return count;
}

/// Takes a source out of a list, or makes a new one.
static sqt_fade_source take(sqt_fade_source *sources, uint32_t *count, uint32_t id, double now_seconds) {
    sqt_fade_source taken = {now_seconds, id, 0.0f};
    uint32_t kept = 0;
    for (uint32_t k = 0; k < *count; ++k) {
        if (sources[k].id == id) {
            taken = sources[k];
        } else {
            sources[kept++] = sources[k];
        }
    }
    *count = kept;
    return taken;
}

/// Makes the weights sum to 1, so that roundings do not add up from one interruption to the next.
static void share_out(sqt_fade_source *sources, uint32_t count) {
    double sum = 0.0;
    for (uint32_t k = 0; k < count; ++k) sum += (double)sources[k].weight;
    for (uint32_t k = 0; k < count; ++k) sources[k].weight = (float)((double)sources[k].weight / sum);
}

sqt_result sqt_cross_fade_to(sqt_cross_fade *fade, double now_seconds, uint32_t id, sqt_transition transition) {
    if (!fade) return SQT_ERROR_NULL;
    if (id == SQT_FADE_FROZEN || fade->source_count > SQT_FADE_SOURCES) return SQT_ERROR_COUNT;
    const sqt_result result = check_transition(now_seconds, &transition);
    if (result) return result;
    const bool at_once = transition.duration_seconds == 0.0f;
    if (fade->source_count > 0 && fade->sources[fade->source_count - 1].id == id && !at_once) return SQT_OK;
    // One more than there is room for: the source that is asked for may be among those that have a weight.
    sqt_fade_source sources[SQT_FADE_SOURCES + 1];
    uint32_t count = weigh(sources, fade, now_seconds);
    sqt_fade_source target = take(sources, &count, id, now_seconds);
    if (at_once) count = 0;
    if (count == SQT_FADE_SOURCES) return SQT_ERROR_SPACE;
    if (count == 0) target.weight = 1.0f;
    sources[count++] = target;
    share_out(sources, count);
    fade->start_seconds = now_seconds;
    fade->transition = transition;
    memcpy(fade->sources, sources, count * sizeof *sources);
    fade->source_count = count;
    return SQT_OK;
}

sqt_result sqt_cross_fade_freeze(sqt_cross_fade *fade, sqt_pose_block *frozen, const sqt_skeleton *skeleton,
                                 const sqt_pose_block *pose) {
    if (!fade || !frozen || !skeleton || !pose) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    static const sqt_cross_fade nothing;
    sqt_pose_copy(frozen, pose, skeleton->joint_count);
    *fade = nothing;
    fade->sources[0].id = SQT_FADE_FROZEN;
    fade->sources[0].weight = 1.0f;
    fade->source_count = 1;
    return SQT_OK;
}

sqt_result sqt_cross_fade_weights(sqt_fade_source *sources, uint32_t *source_count, const sqt_cross_fade *fade,
                                  double now_seconds) {
    if (!sources || !source_count || !fade) return SQT_ERROR_NULL;
    if (fade->source_count > SQT_FADE_SOURCES) return SQT_ERROR_COUNT;
    if (!sqt_finite_double(now_seconds)) return SQT_ERROR_NUMBER;
    *source_count = weigh(sources, fade, now_seconds);
    return SQT_OK;
}
