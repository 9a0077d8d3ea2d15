#include "simd/isa.h"

#include "sqt/channel.h"

#include <math.h>

#include "base_pose.h"
#include "fault.h"
#include "play.h"
#include "pose_lanes.h"
#include "quat.h"

enum { TARGET_COUNT = SQT_TARGET_EULER_Z + 1, EULER_COUNT = SQT_EULER_ZYX + 1 };

static const uint8_t target_components[TARGET_COUNT] = {
    [SQT_TARGET_ROTATION] = 4,      [SQT_TARGET_TRANSLATION] = 3,   [SQT_TARGET_SCALE] = 3,
    [SQT_TARGET_TRANSLATION_X] = 1, [SQT_TARGET_TRANSLATION_Y] = 1, [SQT_TARGET_TRANSLATION_Z] = 1,
    [SQT_TARGET_SCALE_X] = 1,       [SQT_TARGET_SCALE_Y] = 1,       [SQT_TARGET_SCALE_Z] = 1,
    [SQT_TARGET_EULER] = 3,         [SQT_TARGET_EULER_X] = 1,       [SQT_TARGET_EULER_Y] = 1,
    [SQT_TARGET_EULER_Z] = 1,
};

uint32_t sqt_target_components(uint32_t target) { return target < TARGET_COUNT ? target_components[target] : 0; }

static bool is_euler(uint8_t target) { return target >= SQT_TARGET_EULER && target <= SQT_TARGET_EULER_Z; }

// Curves

/// The O(1) checks, which keep every later read inside the arrays that the counts promise.
static sqt_result check_curve(const sqt_curve *curve, sqt_fault *fault, uint32_t index) {
    if (!curve->times) return sqt_fail(fault, SQT_ERROR_NULL, "times", index, 0);
    if (!curve->values) return sqt_fail(fault, SQT_ERROR_NULL, "values", index, 0);
    if (curve->key_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "key_count", index, 0);
    if (curve->component_count == 0 || curve->component_count > 4) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "component_count", index, 0);
    }
    if (curve->interpolation > SQT_CUBIC) return sqt_fail(fault, SQT_ERROR_FLAG, "interpolation", index, 0);
    return SQT_OK;
}

static size_t floats_per_key(const sqt_curve *curve) {
    return curve->component_count * (curve->interpolation == SQT_CUBIC ? (size_t)3 : (size_t)1);
}

static sqt_result validate_keys(const sqt_curve *curve, sqt_fault *fault, uint32_t index) {
    const size_t stride = floats_per_key(curve);
    for (uint32_t k = 0; k < curve->key_count; ++k) {
        if (!sqt_finite(curve->times[k])) return sqt_fail(fault, SQT_ERROR_NUMBER, "times", index, k);
        if (k > 0 && curve->times[k] < curve->times[k - 1]) return sqt_fail(fault, SQT_ERROR_ORDER, "times", index, k);
        for (size_t i = 0; i < stride; ++i) {
            if (!sqt_finite(curve->values[k * stride + i])) {
                return sqt_fail(fault, SQT_ERROR_NUMBER, "values", index, k);
            }
        }
    }
    return SQT_OK;
}

sqt_result sqt_curve_validate(const sqt_curve *curve, sqt_fault *fault) {
    if (!curve) return sqt_fail(fault, SQT_ERROR_NULL, "curve", 0, 0);
    const sqt_result result = check_curve(curve, fault, 0);
    return result ? result : validate_keys(curve, fault, 0);
}

/// True where key k is the one that bisection finds: the last at or before the time, or the first.
static bool key_governs(const sqt_curve *curve, uint32_t key, double seconds) {
    return (key == 0 || (double)curve->times[key] <= seconds) &&
           (key + 1 == curve->key_count || seconds < (double)curve->times[key + 1]);
}

/// The last key at or before the time; the first where there is none.
static uint32_t find_key(const sqt_curve *curve, uint32_t *cursor, double seconds) {
    if (cursor) {
        for (uint32_t i = 0; i < 2; ++i) {
            const uint32_t guess = *cursor + i;
            if (guess < curve->key_count && key_governs(curve, guess, seconds)) return *cursor = guess;
        }
    }
    uint32_t low = 0, high = curve->key_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)curve->times[middle] <= seconds) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (cursor) *cursor = low;
    return low;
}

/// Where a time falls on a curve: on `key` itself (or held before the first and after the last), or a part u of the way
/// to the next.
typedef struct curve_place {
    size_t key;
    bool between;
    double u, span_seconds;
} curve_place;

static curve_place find_place(const sqt_curve *curve, uint32_t *cursor, double seconds) {
    const uint32_t key = find_key(curve, cursor, seconds);
    curve_place place = {key, false, 0.0, 0.0};
    if (key + 1 < curve->key_count && seconds > (double)curve->times[key]) {
        const double start = (double)curve->times[key];
        place.between = true;
        place.span_seconds = (double)curve->times[key + 1] - start;
        place.u = (seconds - start) / place.span_seconds;
    }
    return place;
}

/// Evaluates in double precision, rounded once at the end by the caller: in floats (cglm's glm_hermite among them) an
/// error of 1e-7 of the tangents remains, which is 1e-5 of the value where tangents are a hundred times as large.
static void evaluate(double value[4], const sqt_curve *curve, curve_place place) {
    const size_t n = curve->component_count, stride = floats_per_key(curve);
    const float *const from = curve->values + place.key * stride; // cubic: in-tangent, value, out-tangent
    const bool cubic = curve->interpolation == SQT_CUBIC;
    if (!place.between || curve->interpolation == SQT_STEP) {
        for (size_t i = 0; i < n; ++i) value[i] = (double)from[cubic ? n + i : i];
        return;
    }
    const float *const to = from + stride;
    const double u = place.u, d = place.span_seconds;
    if (!cubic) {
        for (size_t i = 0; i < n; ++i) value[i] = (1.0 - u) * (double)from[i] + u * (double)to[i];
        return;
    }
    const double uu = u * u, uuu = uu * u;
    const double v0 = 2.0 * uuu - 3.0 * uu + 1.0, v1 = 3.0 * uu - 2.0 * uuu;
    const double out0 = d * (uuu - 2.0 * uu + u), in1 = d * (uuu - uu);
    for (size_t i = 0; i < n; ++i) {
        value[i] =
            v0 * (double)from[n + i] + out0 * (double)from[2 * n + i] + v1 * (double)to[n + i] + in1 * (double)to[i];
    }
}

sqt_result sqt_curve_sample(float *value, const sqt_curve *curve, uint32_t *cursor, double seconds) {
    if (!value || !curve) return SQT_ERROR_NULL;
    const sqt_result result = check_curve(curve, NULL, 0);
    if (result) return result;
    if (!sqt_finite_double(seconds)) return SQT_ERROR_NUMBER;
    double exact[4];
    evaluate(exact, curve, find_place(curve, cursor, seconds));
    for (size_t i = 0; i < curve->component_count; ++i) value[i] = (float)exact[i];
    return SQT_OK;
}

// Channels

/// Unit, rounded once; the identity for what has no direction, as sqt_quat_normalize.
static sqt_quat unit_quat(const double q[4]) {
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const sqt_quat identity = SQT_QUAT_IDENTITY;
    if (!sqt_finite_double(square) || square < 1e-30) return identity;
    const double scale = 1.0 / sqrt(square);
    const sqt_quat unit = {(float)(q[0] * scale), (float)(q[1] * scale), (float)(q[2] * scale), (float)(q[3] * scale)};
    return unit;
}

static sqt_quat evaluate_rotation(const sqt_curve *curve, curve_place place) {
    if (!place.between || curve->interpolation != SQT_LINEAR) {
        double q[4];
        evaluate(q, curve, place);
        return unit_quat(q);
    }
    const float *const keys = curve->values + place.key * 4;
    double a[4], b[4], dot = 0.0;
    for (int i = 0; i < 4; ++i) {
        a[i] = (double)keys[i];
        b[i] = (double)keys[4 + i];
        dot += a[i] * b[i];
    }
    // The arc is chosen here: near a half turn the float dot of rounded keys could choose the other one.
    if (dot < 0.0) {
        for (int i = 0; i < 4; ++i) b[i] = -b[i];
    }
    return sqt_quat_slerp_aligned(unit_quat(a), unit_quat(b), (float)place.u);
}

/// What the channels of one joint have come to. Angles of several channels make one rotation, so it waits for the last.
typedef struct joint_state {
    sqt_transform local;
    sqt_vec3 angles;
    bool angles_drive;
} joint_state;

static float *single_component(joint_state *state, uint8_t target) {
    switch (target) {
    case SQT_TARGET_TRANSLATION_X:
        return &state->local.translation.x;
    case SQT_TARGET_TRANSLATION_Y:
        return &state->local.translation.y;
    case SQT_TARGET_TRANSLATION_Z:
        return &state->local.translation.z;
    case SQT_TARGET_SCALE_X:
        return &state->local.scale.x;
    case SQT_TARGET_SCALE_Y:
        return &state->local.scale.y;
    case SQT_TARGET_SCALE_Z:
        return &state->local.scale.z;
    case SQT_TARGET_EULER_X:
        return &state->angles.x;
    case SQT_TARGET_EULER_Y:
        return &state->angles.y;
    default:
        return &state->angles.z;
    }
}

static void apply_channel(joint_state *state, const sqt_channel *channel, uint32_t *cursor, double local_seconds) {
    const curve_place place = find_place(&channel->curve, cursor, local_seconds);
    if (channel->target == SQT_TARGET_ROTATION) {
        state->local.rotation = evaluate_rotation(&channel->curve, place);
        state->angles_drive = false;
        return;
    }
    double exact[4] = {0.0, 0.0, 0.0, 0.0};
    evaluate(exact, &channel->curve, place);
    const sqt_vec3 value = {(float)exact[0], (float)exact[1], (float)exact[2]};
    if (channel->target == SQT_TARGET_TRANSLATION) {
        state->local.translation = value;
    } else if (channel->target == SQT_TARGET_SCALE) {
        state->local.scale = value;
    } else if (channel->target == SQT_TARGET_EULER) {
        state->angles = value;
    } else {
        *single_component(state, channel->target) = value.x;
    }
    if (is_euler(channel->target)) state->angles_drive = true;
}

/// The first Euler channel of a joint, which has the order and the base angles for all of them; NULL: none.
static const sqt_channel *first_euler(const sqt_channel *channels, uint32_t channel_count) {
    for (uint32_t i = 0; i < channel_count; ++i) {
        if (is_euler(channels[i].target)) return channels + i;
    }
    return NULL;
}

/// Drives one joint by its channels.
static void drive_joint(sqt_pose_block *pose, const sqt_channel *channels, uint32_t channel_count, uint32_t *cursors,
                        double local_seconds) {
    const uint32_t joint = channels[0].joint;
    const sqt_channel *const euler = first_euler(channels, channel_count);
    joint_state state = {sqt_pose_get(pose, joint), {0.0f, 0.0f, 0.0f}, false};
    if (euler) state.angles = euler->euler_base;
    for (uint32_t i = 0; i < channel_count; ++i) {
        apply_channel(&state, channels + i, cursors ? cursors + i : NULL, local_seconds);
    }
    if (state.angles_drive) state.local.rotation = sqt_quat_from_euler(state.angles, euler->euler_order);
    sqt_pose_set(pose, joint, state.local);
}

// Sorting

static void reverse(sqt_channel *channels, size_t first, size_t end) {
    for (; first + 1 < end; ++first, --end) {
        const sqt_channel kept = channels[first];
        channels[first] = channels[end - 1];
        channels[end - 1] = kept;
    }
}

/// Merges [first, middle) and [middle, end), each of them sorted: what of the left half belongs behind the pivot
/// changes places with what of the right half belongs before it, and two merges of half the size are left.
static void merge(sqt_channel *channels, size_t first, size_t middle, size_t end) {
    enum { DEPTH = 64 }; // sizes halve, and one of two halves waits
    size_t waiting[DEPTH][3], count = 0;
    for (;;) {
        const bool mixed =
            first < middle && middle < end && channels[middle].joint < channels[middle - 1].joint && count < DEPTH;
        if (!mixed) {
            if (count == 0) return;
            --count;
            first = waiting[count][0], middle = waiting[count][1], end = waiting[count][2];
            continue;
        }
        const size_t pivot = first + (end - first) / 2, sum = pivot + middle;
        size_t low = middle > pivot ? sum - end : first, high = middle > pivot ? pivot : middle;
        while (low < high) {
            const size_t probe = low + (high - low) / 2;
            if (channels[sum - 1 - probe].joint < channels[probe].joint) {
                high = probe;
            } else {
                low = probe + 1;
            }
        }
        const size_t last = sum - low;
        reverse(channels, low, middle);
        reverse(channels, middle, last);
        reverse(channels, low, last);
        waiting[count][0] = pivot, waiting[count][1] = last, waiting[count][2] = end;
        ++count;
        middle = low, end = pivot;
    }
}

sqt_result sqt_channel_sort(sqt_channel *channels, uint32_t channel_count) {
    if (channel_count == 0) return SQT_OK;
    if (!channels) return SQT_ERROR_NULL;
    const size_t count = channel_count;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t first = 0; count - first > width; first += 2 * width) {
            const size_t end = count - first > 2 * width ? first + 2 * width : count;
            merge(channels, first, first + width, end);
            if (end == count) break;
        }
    }
    return SQT_OK;
}

// Clips of channels

static sqt_result check_channel(const sqt_channel *channel, sqt_fault *fault, uint32_t index) {
    if (channel->target >= TARGET_COUNT) return sqt_fail(fault, SQT_ERROR_FLAG, "target", index, 0);
    const sqt_result curve = check_curve(&channel->curve, fault, index);
    if (curve) return curve;
    if (channel->curve.component_count != target_components[channel->target]) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "component_count", index, 0);
    }
    if (is_euler(channel->target) && channel->euler_order >= EULER_COUNT) {
        return sqt_fail(fault, SQT_ERROR_FLAG, "euler_order", index, 0);
    }
    return SQT_OK;
}

static sqt_result validate_euler_base(const sqt_channel *channel, sqt_fault *fault, uint32_t index) {
    const float angles[3] = {channel->euler_base.x, channel->euler_base.y, channel->euler_base.z};
    for (uint32_t i = 0; i < 3; ++i) {
        if (!sqt_finite(angles[i])) return sqt_fail(fault, SQT_ERROR_NUMBER, "euler_base", index, i);
    }
    return SQT_OK;
}

/// Quaternion keys have a direction; the tangents of a cubic curve may be zero.
static sqt_result validate_rotations(const sqt_curve *curve, sqt_fault *fault, uint32_t index) {
    const size_t stride = floats_per_key(curve), value = curve->interpolation == SQT_CUBIC ? 4 : 0;
    for (uint32_t k = 0; k < curve->key_count; ++k) {
        const float *const q = curve->values + k * stride + value;
        double square = 0.0;
        for (int i = 0; i < 4; ++i) square += (double)q[i] * (double)q[i];
        if (square < 1e-30) return sqt_fail(fault, SQT_ERROR_NUMBER, "values", index, k);
    }
    return SQT_OK;
}

static sqt_result validate_channel(const sqt_channel *channel, uint32_t rig_joint_count, sqt_fault *fault,
                                   uint32_t index) {
    sqt_result result = check_channel(channel, fault, index);
    if (result == SQT_OK && channel->joint >= rig_joint_count) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "joint", index, 0);
    }
    if (result == SQT_OK) result = validate_keys(&channel->curve, fault, index);
    if (result == SQT_OK && is_euler(channel->target)) result = validate_euler_base(channel, fault, index);
    if (result == SQT_OK && channel->target == SQT_TARGET_ROTATION) {
        result = validate_rotations(&channel->curve, fault, index);
    }
    return result;
}

/// Two Euler channels of one joint, which make one rotation.
static sqt_result validate_euler_pair(const sqt_channel *a, const sqt_channel *b, sqt_fault *fault, uint32_t index) {
    if (a->euler_order != b->euler_order) return sqt_fail(fault, SQT_ERROR_FLAG, "euler_order", index, 0);
    if (a->euler_base.x != b->euler_base.x) return sqt_fail(fault, SQT_ERROR_NUMBER, "euler_base", index, 0);
    if (a->euler_base.y != b->euler_base.y) return sqt_fail(fault, SQT_ERROR_NUMBER, "euler_base", index, 1);
    if (a->euler_base.z != b->euler_base.z) return sqt_fail(fault, SQT_ERROR_NUMBER, "euler_base", index, 2);
    return SQT_OK;
}

sqt_result sqt_channel_clip_validate(const sqt_channel_clip *clip, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (!clip) return sqt_fail(fault, SQT_ERROR_NULL, "clip", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (clip->flags & ~(uint32_t)SQT_CLIP_DIFFERENCE) return sqt_fail(fault, SQT_ERROR_FLAG, "flags", 0, 0);
    if (clip->channel_count > 0 && !clip->channels) return sqt_fail(fault, SQT_ERROR_NULL, "channels", 0, 0);
    sqt_result result = sqt_play_validate(skeleton, &clip->timeline, clip->authored_speed, clip->rig_hash, fault);
    if (result == SQT_OK) result = sqt_base_pose_validate(skeleton, &clip->base, fault);
    const sqt_channel *euler = NULL; // the latest, for the order and base of its joint
    for (uint32_t i = 0; result == SQT_OK && i < clip->channel_count; ++i) {
        const sqt_channel *const channel = clip->channels + i;
        if (i > 0 && channel->joint < channel[-1].joint) return sqt_fail(fault, SQT_ERROR_ORDER, "joint", i, 0);
        result = validate_channel(channel, sqt_rig_joint_count(skeleton), fault, i);
        if (result || !is_euler(channel->target)) continue;
        if (euler && euler->joint == channel->joint) result = validate_euler_pair(euler, channel, fault, i);
        euler = channel;
    }
    return result;
}

float sqt_channel_clip_duration(const sqt_channel_clip *clip) {
    float duration = 0.0f;
    if (!clip || !clip->channels) return duration;
    for (uint32_t i = 0; i < clip->channel_count; ++i) {
        const sqt_curve *const curve = &clip->channels[i].curve;
        if (!curve->times || curve->key_count == 0) continue;
        const float last = curve->times[curve->key_count - 1];
        if (last > duration) duration = last;
    }
    return duration;
}

/// Everything that sampling returns an error for, so that it fails before it has written anything.
static sqt_result check_clip(const sqt_skeleton *skeleton, const sqt_channel_clip *clip, double seconds,
                             sqt_fault *fault) {
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (!clip) return sqt_fail(fault, SQT_ERROR_NULL, "clip", 0, 0);
    if (clip->channel_count > 0 && !clip->channels) return sqt_fail(fault, SQT_ERROR_NULL, "channels", 0, 0);
    if (clip->flags & ~(uint32_t)SQT_CLIP_DIFFERENCE) return sqt_fail(fault, SQT_ERROR_FLAG, "clip", 0, 0);
    sqt_result result = sqt_play_check(skeleton, &clip->timeline, clip->rig_hash, seconds);
    if (result == SQT_OK) result = sqt_base_pose_check(skeleton, &clip->base, clip->flags);
    if (result) return sqt_fail(fault, result, "clip", 0, 0);
    for (uint32_t i = 0; result == SQT_OK && i < clip->channel_count; ++i) {
        result = check_channel(clip->channels + i, fault, i);
    }
    return result;
}

/// Samples a checked clip at a local time.
static void sample_local(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_channel_clip *clip,
                         uint32_t *cursors, double local_seconds) {
    sqt_base_pose_fill(pose, skeleton, &clip->base, clip->flags);
    uint32_t count = 0;
    for (uint32_t first = 0; first < clip->channel_count; first += count) {
        const sqt_channel *const channels = clip->channels + first;
        if (channels[0].joint >= skeleton->joint_count) return; // ascending: nor has it any of the rest
        const uint32_t left = clip->channel_count - first;
        for (count = 1; count < left && channels[count].joint == channels[0].joint;) ++count;
        drive_joint(pose, channels, count, cursors ? cursors + first : NULL, local_seconds);
    }
}

sqt_result sqt_channel_clip_sample(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_channel_clip *clip,
                                   uint32_t *cursors, double seconds) {
    if (!pose) return SQT_ERROR_NULL;
    const sqt_result result = check_clip(skeleton, clip, seconds, NULL);
    if (result) return result;
    sample_local(pose, skeleton, clip, cursors, sqt_timeline_wrap(&clip->timeline, seconds));
    return SQT_OK;
}

// Baking

/// The list of joints to keep ascends and lies within the skeleton; without a list it is all of them.
static sqt_result check_kept(const sqt_skeleton *skeleton, const uint16_t *joints, uint32_t joint_count,
                             sqt_fault *fault) {
    if (joints) return sqt_joint_list_validate(joints, joint_count, skeleton->joint_count, "joints", fault);
    return joint_count == skeleton->joint_count ? SQT_OK : sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
}

static void bake_row(sqt_pose_block *row, const sqt_skeleton *skeleton, const sqt_channel_clip *clip,
                     const uint16_t *joints, uint32_t joint_count, sqt_pose_block *scratch, double local_seconds) {
    if (joints) {
        sample_local(scratch, skeleton, clip, NULL, local_seconds);
        for (uint32_t k = 0; k < joint_count; ++k) sqt_pose_copy_joint(row, k, scratch, joints[k]);
        sqt_pose_pad(row, joint_count);
    } else {
        sample_local(row, skeleton, clip, NULL, local_seconds);
    }
    sqt_snap((float *)row, SQT_POSE_BLOCKS(joint_count) * (sizeof *row / sizeof(float)));
}

sqt_result sqt_channel_clip_bake(sqt_clip *baked, sqt_pose_block *samples, const sqt_skeleton *skeleton,
                                 const sqt_channel_clip *clip, const uint16_t *joints, uint32_t joint_count,
                                 uint32_t sample_count, uint32_t flags, sqt_pose_block *scratch, sqt_fault *fault) {
    if (!baked) return sqt_fail(fault, SQT_ERROR_NULL, "baked", 0, 0);
    if (!samples) return sqt_fail(fault, SQT_ERROR_NULL, "samples", 0, 0);
    if (joints && !scratch) return sqt_fail(fault, SQT_ERROR_NULL, "scratch", 0, 0);
    if (flags & ~(uint32_t)SQT_CLIP_CYCLIC) return sqt_fail(fault, SQT_ERROR_FLAG, "flags", 0, 0);
    if (sample_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "sample_count", 0, 0);
    sqt_result result = check_clip(skeleton, clip, 0.0, fault);
    if (result == SQT_OK) result = check_kept(skeleton, joints, joint_count, fault);
    if (result) return result;
    const sqt_clip view = {
        .timeline = clip->timeline,
        .authored_speed = clip->authored_speed,
        .flags = flags | clip->flags,
        .rig_hash = clip->rig_hash,
        .sample_count = sample_count,
        .joint_count = joint_count,
        .joints = joints,
        .samples = samples,
        .base = clip->base,
    };
    const size_t row_blocks = SQT_POSE_BLOCKS(joint_count);
    for (uint32_t i = 0; i < sample_count; ++i) {
        // Straight to the local time: a timeline that wraps would take the last instant of a closed clip to the first.
        bake_row(samples + row_blocks * i, skeleton, clip, joints, joint_count, scratch,
                 sqt_clip_sample_seconds(&view, i));
    }
    *baked = view;
    return SQT_OK;
}
