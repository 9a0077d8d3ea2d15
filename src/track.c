#include "simd/isa.h"

#include "sqt/track.h"

#include "base_pose.h"
#include "timeline_loop.h"

static sqt_result check_time(const sqt_timeline *timeline, double seconds) {
    const sqt_result result = sqt_timeline_validate(timeline, NULL);
    return result || sqt_finite_double(seconds) ? result : SQT_ERROR_NUMBER;
}

sqt_result sqt_track_sample(float *value, const sqt_curve *curve, const sqt_timeline *timeline, uint32_t *cursor,
                            double seconds) {
    const sqt_result result = check_time(timeline, seconds);
    return result ? result : sqt_curve_sample(value, curve, cursor, sqt_timeline_wrap(timeline, seconds));
}

// Held values

static sqt_result check_id_track(const sqt_id_track *track, sqt_fault *fault) {
    if (!track) return sqt_fail(fault, SQT_ERROR_NULL, "track", 0, 0);
    if (!track->times) return sqt_fail(fault, SQT_ERROR_NULL, "times", 0, 0);
    if (!track->ids) return sqt_fail(fault, SQT_ERROR_NULL, "ids", 0, 0);
    if (track->key_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "key_count", 0, 0);
    return SQT_OK;
}

sqt_result sqt_track_id_validate(const sqt_id_track *track, sqt_fault *fault) {
    const sqt_result result = check_id_track(track, fault);
    if (result) return result;
    for (uint32_t k = 0; k < track->key_count; ++k) {
        if (!sqt_finite(track->times[k])) return sqt_fail(fault, SQT_ERROR_NUMBER, "times", 0, k);
        if (k > 0 && track->times[k] < track->times[k - 1]) return sqt_fail(fault, SQT_ERROR_ORDER, "times", 0, k);
    }
    return SQT_OK;
}

sqt_result sqt_track_id(uint32_t *id, const sqt_id_track *track, const sqt_timeline *timeline, double seconds) {
    if (!id) return SQT_ERROR_NULL;
    sqt_result result = check_id_track(track, NULL);
    if (result == SQT_OK) result = check_time(timeline, seconds);
    if (result) return result;
    const double local = sqt_timeline_wrap(timeline, seconds);
    uint32_t low = 0, high = track->key_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)track->times[middle] <= local) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *id = track->ids[low];
    return SQT_OK;
}

// Locators: clips of channels over a skeleton of one joint

typedef struct one_joint {
    sqt_pose_block rest;
    sqt_skeleton skeleton;
    sqt_channel_clip clip;
} one_joint;

static void make_one_joint(one_joint *one, const sqt_locator *locator, const sqt_timeline *timeline) {
    static const sqt_skeleton bare = {.joint_count = 1, .full_joint_count = 1};
    const sqt_channel_clip clip = {
        .timeline = *timeline, .channel_count = locator->channel_count, .channels = locator->channels};
    sqt_pose_identity(&one->rest, 1);
    sqt_pose_set(&one->rest, 0, locator->rest);
    one->skeleton = bare;
    one->skeleton.rest = &one->rest;
    one->clip = clip;
}

sqt_result sqt_locator_validate(const sqt_skeleton *skeleton, const sqt_locator *locator, sqt_fault *fault) {
    static const sqt_timeline still = {0.0f, SQT_LOOP_CLAMP};
    if (!locator) return sqt_fail(fault, SQT_ERROR_NULL, "locator", 0, 0);
    if (locator->parent != SQT_NO_JOINT) {
        if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
        if (locator->parent >= sqt_rig_joint_count(skeleton)) return sqt_fail(fault, SQT_ERROR_COUNT, "parent", 0, 0);
    }
    one_joint one;
    make_one_joint(&one, locator, &still);
    const sqt_base_pose rest = {&one.rest, NULL, 1};
    if (sqt_base_pose_validate(&one.skeleton, &rest, NULL)) return sqt_fail(fault, SQT_ERROR_NUMBER, "rest", 0, 0);
    return sqt_channel_clip_validate(&one.clip, &one.skeleton, fault);
}

sqt_result sqt_locator_sample(sqt_transform *transform, const sqt_locator *locator, const sqt_timeline *timeline,
                              uint32_t *cursors, double seconds) {
    if (!transform || !locator || !timeline) return SQT_ERROR_NULL;
    one_joint one;
    sqt_pose_block pose;
    make_one_joint(&one, locator, timeline);
    const sqt_result result = sqt_channel_clip_sample(&pose, &one.skeleton, &one.clip, cursors, seconds);
    if (result) return result;
    *transform = sqt_pose_get(&pose, 0);
    return SQT_OK;
}

sqt_result sqt_locator_global(sqt_mat4 *matrix, const sqt_skeleton *skeleton, const sqt_locator *locator,
                              sqt_transform transform, const sqt_mat4 *global) {
    if (!matrix || !locator) return SQT_ERROR_NULL;
    const sqt_mat4 local = sqt_mat4_from_transform(transform);
    if (locator->parent == SQT_NO_JOINT) {
        *matrix = local;
        return SQT_OK;
    }
    if (!skeleton || !global) return SQT_ERROR_NULL;
    if (locator->parent >= skeleton->joint_count || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    *matrix = sqt_mat4_multiply(global[locator->parent], local);
    return SQT_OK;
}
