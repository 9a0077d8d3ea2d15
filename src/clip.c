#include "simd/isa.h"

#include "sqt/clip.h"

#include <math.h>

#include "base_pose.h"
#include "fault.h"
#include "play.h"
#include "pose_lanes.h"
#include "simd/kernels.h"

enum { CLIP_FLAGS = SQT_CLIP_CYCLIC | SQT_CLIP_DIFFERENCE };

/// Joint joints[k] of the pose from lane k of `listed`; joints that a level of detail does not have are left out.
static void scatter(sqt_pose_block *pose, uint32_t joint_count, const sqt_pose_block *listed, const uint16_t *joints,
                    uint32_t listed_count) {
    for (uint32_t k = 0; k < listed_count; ++k) {
        if (joints[k] < joint_count) sqt_pose_copy_joint(pose, joints[k], listed, k);
    }
}

// Checks that the kinds of clips share

sqt_result sqt_play_validate(const sqt_skeleton *skeleton, const sqt_timeline *timeline, float authored_speed,
                             uint32_t rig_hash, sqt_fault *fault) {
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "skeleton", 0, 0);
    }
    if (rig_hash != 0 && rig_hash != skeleton->rig_hash) return sqt_fail(fault, SQT_ERROR_RIG, "rig_hash", 0, 0);
    const sqt_result timed = sqt_timeline_validate(timeline, fault);
    if (timed) return timed;
    if (!sqt_finite(authored_speed)) return sqt_fail(fault, SQT_ERROR_NUMBER, "authored_speed", 0, 0);
    return SQT_OK;
}

/// One joint of a stored pose: finite, and a rotation of length 1 within 1e-3.
static bool joint_is_sound(const sqt_pose_block *pose, uint32_t joint) {
    const sqt_transform t = sqt_pose_get(pose, joint);
    const float numbers[10] = {t.rotation.x,    t.rotation.y,    t.rotation.z, t.rotation.w, t.translation.x,
                               t.translation.y, t.translation.z, t.scale.x,    t.scale.y,    t.scale.z};
    double square = 0.0;
    for (int i = 0; i < 10; ++i) {
        if (!sqt_finite(numbers[i])) return false;
        if (i < 4) square += (double)numbers[i] * (double)numbers[i];
    }
    return square >= 0.999 * 0.999 && square <= 1.001 * 1.001;
}

static sqt_result validate_joints(const sqt_pose_block *pose, uint32_t joint_count, const char *field, uint32_t index,
                                  sqt_fault *fault) {
    for (uint32_t j = 0; j < joint_count; ++j) {
        if (!joint_is_sound(pose, j)) return sqt_fail(fault, SQT_ERROR_NUMBER, field, index, j);
    }
    return SQT_OK;
}

sqt_result sqt_joint_list_validate(const uint16_t *joints, uint32_t joint_count, uint32_t rig_joint_count,
                                   const char *field, sqt_fault *fault) {
    for (uint32_t k = 0; k < joint_count; ++k) {
        if (joints[k] >= rig_joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, field, k, 0);
        if (k > 0 && joints[k] <= joints[k - 1]) return sqt_fail(fault, SQT_ERROR_ORDER, field, k, 0);
    }
    return SQT_OK;
}

// The base pose

sqt_result sqt_base_pose_check(const sqt_skeleton *skeleton, const sqt_base_pose *base, uint32_t clip_flags) {
    if (base->pose && !base->joints) return base->joint_count < skeleton->joint_count ? SQT_ERROR_COUNT : SQT_OK;
    return skeleton->rest || (clip_flags & SQT_CLIP_DIFFERENCE) ? SQT_OK : SQT_ERROR_NULL;
}

void sqt_base_pose_fill(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_base_pose *base,
                        uint32_t clip_flags) {
    const uint32_t joint_count = skeleton->joint_count;
    if (base->pose && !base->joints) {
        sqt_pose_copy(pose, base->pose, joint_count);
        return;
    }
    if (clip_flags & SQT_CLIP_DIFFERENCE) {
        sqt_pose_identity(pose, joint_count);
    } else {
        sqt_pose_copy(pose, skeleton->rest, joint_count);
    }
    if (base->pose) scatter(pose, joint_count, base->pose, base->joints, base->joint_count);
}

sqt_result sqt_base_pose_validate(const sqt_skeleton *skeleton, const sqt_base_pose *base, sqt_fault *fault) {
    if (!base->pose) {
        const bool none = !base->joints && base->joint_count == 0;
        return none ? SQT_OK : sqt_fail(fault, SQT_ERROR_NULL, "base", 0, 0);
    }
    if (base->joints) {
        const sqt_result list = sqt_joint_list_validate(base->joints, base->joint_count, sqt_rig_joint_count(skeleton),
                                                        "base.joints", fault);
        if (list) return list;
    } else if (base->joint_count < skeleton->joint_count || base->joint_count > SQT_MAX_JOINTS) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "base", 0, 0);
    }
    return validate_joints(base->pose, base->joint_count, "base", 0, fault);
}

// Sampled clips

static uint32_t interval_count(const sqt_clip *clip) {
    return clip->flags & SQT_CLIP_CYCLIC || clip->sample_count == 0 ? clip->sample_count : clip->sample_count - 1;
}

static sqt_result validate_counts(const sqt_clip *clip, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (clip->sample_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "sample_count", 0, 0);
    if (clip->joint_count > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    if (clip->joints) {
        return sqt_joint_list_validate(clip->joints, clip->joint_count, sqt_rig_joint_count(skeleton), "joints", fault);
    }
    if (clip->joint_count < skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    return SQT_OK;
}

sqt_result sqt_clip_validate(const sqt_clip *clip, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (!clip) return sqt_fail(fault, SQT_ERROR_NULL, "clip", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (!clip->samples) return sqt_fail(fault, SQT_ERROR_NULL, "samples", 0, 0);
    if (clip->flags & ~(uint32_t)CLIP_FLAGS) return sqt_fail(fault, SQT_ERROR_FLAG, "flags", 0, 0);
    sqt_result result = sqt_play_validate(skeleton, &clip->timeline, clip->authored_speed, clip->rig_hash, fault);
    if (result == SQT_OK) result = validate_counts(clip, skeleton, fault);
    if (result == SQT_OK) result = sqt_base_pose_validate(skeleton, &clip->base, fault);
    const size_t row_blocks = SQT_POSE_BLOCKS(clip->joint_count);
    for (uint32_t i = 0; result == SQT_OK && i < clip->sample_count; ++i) {
        result = validate_joints(clip->samples + row_blocks * i, clip->joint_count, "samples", i, fault);
    }
    return result;
}

/// Two rows of samples and how far the time has come from a to b. At 0 b is not read, at 1 a is not.
typedef struct moment {
    const sqt_pose_block *a, *b;
    float u;
} moment;

static moment find_moment(const sqt_clip *clip, double seconds) {
    const sqt_moment at = sqt_play_moment(&clip->timeline, interval_count(clip), seconds);
    const uint32_t next = at.index + 1 == clip->sample_count ? 0 : at.index + 1; // cyclic: back to the first
    const size_t row_blocks = SQT_POSE_BLOCKS(clip->joint_count);
    const moment found = {clip->samples + row_blocks * at.index, clip->samples + row_blocks * next, at.u};
    return found;
}

static void sample_whole(sqt_pose_block *pose, uint32_t joint_count, moment at, bool slerp) {
    if (at.u == 0.0f || at.u == 1.0f) {
        sqt_pose_copy(pose, at.u == 0.0f ? at.a : at.b, joint_count);
        return;
    }
    sqt_kernels_current()->blend(pose, at.a, at.b, NULL, at.u, joint_count, slerp);
}

static void sample_listed(sqt_pose_block *pose, uint32_t joint_count, const sqt_clip *clip, moment at, bool slerp) {
    for (uint32_t first = 0; first < clip->joint_count; first += SQT_POSE_LANES) {
        if (clip->joints[first] >= joint_count) return; // ascending: a level of detail has none of the rest
        const uint32_t left = clip->joint_count - first;
        const uint32_t lanes = left < SQT_POSE_LANES ? left : SQT_POSE_LANES;
        const size_t block = first / SQT_POSE_LANES;
        sqt_pose_block mixed;
        const moment part = {at.a + block, at.b + block, at.u};
        sample_whole(&mixed, lanes, part, slerp);
        scatter(pose, joint_count, &mixed, clip->joints + first, lanes);
    }
}

sqt_result sqt_clip_sample(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_clip *clip, double seconds,
                           uint32_t flags) {
    if (!pose || !skeleton || !clip || !clip->samples) return SQT_ERROR_NULL;
    if (flags & ~(uint32_t)SQT_SLERP || clip->flags & ~(uint32_t)CLIP_FLAGS) return SQT_ERROR_FLAG;
    const sqt_result playable = sqt_play_check(skeleton, &clip->timeline, clip->rig_hash, seconds);
    if (playable) return playable;
    if (clip->sample_count == 0 || clip->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    const bool slerp = (flags & SQT_SLERP) != 0;
    if (!clip->joints) {
        if (clip->joint_count < skeleton->joint_count) return SQT_ERROR_COUNT;
        sample_whole(pose, skeleton->joint_count, find_moment(clip, seconds), slerp);
        return SQT_OK;
    }
    const sqt_result based = sqt_base_pose_check(skeleton, &clip->base, clip->flags);
    if (based) return based;
    sqt_base_pose_fill(pose, skeleton, &clip->base, clip->flags);
    sample_listed(pose, skeleton->joint_count, clip, find_moment(clip, seconds), slerp);
    return SQT_OK;
}

/// The O(1) checks of one of two clips.
static sqt_result pair_check(const sqt_skeleton *skeleton, const sqt_clip *clip, double seconds) {
    if (clip->flags & ~(uint32_t)CLIP_FLAGS) return SQT_ERROR_FLAG;
    const sqt_result playable = sqt_play_check(skeleton, &clip->timeline, clip->rig_hash, seconds);
    if (playable) return playable;
    const bool whole = !clip->joints && clip->joint_count >= skeleton->joint_count;
    return whole && clip->sample_count > 0 && clip->joint_count <= SQT_MAX_JOINTS ? SQT_OK : SQT_ERROR_COUNT;
}

/// The samples of a clip that count, each with its share of the clip's weight.
static uint32_t add_samples(sqt_blend_part *parts, uint32_t part_count, moment at, float weight) {
    const sqt_blend_part both[2] = {{at.a, weight * (1.0f - at.u)}, {at.b, weight * at.u}};
    for (uint32_t i = 0; i < 2; ++i) {
        if (both[i].weight >= 1e-30f) parts[part_count++] = both[i]; // below, flush-to-zero would decide
    }
    return part_count;
}

sqt_result sqt_clip_sample_pair(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_clip *clip_a,
                                const sqt_clip *clip_b, double seconds_a, double seconds_b, float weight,
                                uint32_t flags) {
    if (!pose || !skeleton || !clip_a || !clip_a->samples || !clip_b || !clip_b->samples) return SQT_ERROR_NULL;
    if (flags != SQT_NLERP) return SQT_ERROR_FLAG;
    sqt_result result = pair_check(skeleton, clip_a, seconds_a);
    if (result == SQT_OK) result = pair_check(skeleton, clip_b, seconds_b);
    if (result) return result;
    if (!(weight >= 0.0f && weight <= 1.0f)) return SQT_ERROR_NUMBER;
    sqt_blend_part parts[4];
    uint32_t part_count = add_samples(parts, 0, find_moment(clip_a, seconds_a), 1.0f - weight), heaviest = 0;
    part_count = add_samples(parts, part_count, find_moment(clip_b, seconds_b), weight);
    for (uint32_t i = 1; i < part_count; ++i) {
        if (parts[i].weight > parts[heaviest].weight) heaviest = i;
    }
    if (part_count == 1) {
        sqt_pose_copy(pose, parts[0].pose, skeleton->joint_count);
    } else {
        sqt_kernels_current()->blend_many(pose, parts, part_count, heaviest, skeleton->joint_count);
    }
    return SQT_OK;
}

float sqt_clip_rate_hz(const sqt_clip *clip) {
    if (!clip || !sqt_finite(clip->timeline.duration_seconds) || !(clip->timeline.duration_seconds > 0.0f)) return 0.0f;
    return (float)((double)interval_count(clip) / (double)clip->timeline.duration_seconds);
}

uint32_t sqt_clip_sample_count(float duration_seconds, float rate_hz, uint32_t flags) {
    if (!sqt_finite(duration_seconds) || duration_seconds < 0.0f || !sqt_finite(rate_hz) || rate_hz < 0.0f) return 0;
    if (flags & ~(uint32_t)SQT_CLIP_CYCLIC) return 0;
    const double exact = (double)duration_seconds * (double)rate_hz;
    const double nearest = floor(exact + 0.5);
    const double intervals = fabs(exact - nearest) <= 1e-4 ? nearest : floor(exact) + 1.0;
    const double count = flags & SQT_CLIP_CYCLIC ? intervals : intervals + 1.0;
    if (count > 2147483648.0) return 0;
    return count < 1.0 ? 1 : (uint32_t)count;
}

double sqt_clip_sample_seconds(const sqt_clip *clip, uint32_t index) {
    if (!clip || index == 0) return 0.0;
    const double duration = (double)clip->timeline.duration_seconds;
    const uint32_t intervals = interval_count(clip);
    return index < intervals ? (double)index * duration / (double)intervals : duration;
}
