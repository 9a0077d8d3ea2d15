// Key-framed clips and curves: any targets, keys, cursors and times; baking.
#include <math.h>
#include <string.h>

#include "fuzz_input.h"

enum { MOST_CHANNELS = 6, TIMES = 5 };

static const uint8_t components[] = {4, 3, 3, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1};

/// Times that ascend, now and then not, or by nothing.
static float *any_times(fuzz_input *in, uint32_t count) {
    float *const times = FUZZ_ARRAY(in, float, count);
    float at = 0.0f;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t byte = fuzz_u8(in);
        if (byte < 200) {
            at += (float)(byte % 16) / 16.0f;
        } else {
            at = fuzz_float(in);
        }
        times[k] = at;
    }
    return times;
}

static float *any_values(fuzz_input *in, size_t count, bool rotations) {
    float *const values = FUZZ_ARRAY(in, float, count);
    const uint32_t kind = fuzz_u8(in);
    if (kind < 64) { // each from the input
        for (size_t i = 0; i < count; ++i) values[i] = fuzz_float(in);
    } else {
        fuzz_seed(in);
        for (size_t i = 0; i < count; ++i) values[i] = fuzz_random_float(in, kind % FUZZ_KINDS);
    }
    if (rotations && kind % 2) {
        for (size_t i = 0; i + 4 <= count; i += 4) {
            const sqt_quat q = {values[i], values[i + 1], values[i + 2], values[i + 3]};
            const sqt_quat unit = sqt_quat_normalize(q);
            memcpy(values + i, &unit, sizeof unit);
        }
    }
    fuzz_patch_floats(in, values, count);
    return values;
}

static sqt_curve any_curve(fuzz_input *in, uint16_t component_count) {
    sqt_curve curve = {.component_count = component_count};
    curve.key_count = fuzz_count(in, 5, 40);
    const uint32_t interpolation = fuzz_u8(in);
    curve.interpolation = (uint16_t)(interpolation < 248 ? interpolation % 3 : interpolation - 245);
    const size_t row = (size_t)component_count * (curve.interpolation == SQT_CUBIC ? 3u : 1u);
    curve.times = any_times(in, curve.key_count);
    curve.values = any_values(in, curve.key_count * row, component_count == 4);
    if (!fuzz_rarely(in)) return curve;
    const uint32_t wrong = fuzz_u8(in);
    if (wrong & 1u) curve.times = NULL;
    if (wrong & 2u) curve.values = NULL;
    if (wrong & 4u && curve.component_count > 0) --curve.component_count;
    if (wrong & 8u) curve.component_count = fuzz_u16(in) | 5u;
    return curve;
}

static sqt_channel *any_channels(fuzz_input *in, uint32_t count, uint32_t joint_count) {
    sqt_channel *const channels = FUZZ_ARRAY(in, sqt_channel, count);
    uint32_t joint = 0;
    sqt_vec3 euler_base = {fuzz_float(in), fuzz_float(in), fuzz_float(in)};
    uint32_t euler_order = fuzz_u8(in) % 6;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t byte = fuzz_u8(in), target = fuzz_u8(in);
        if (byte >= 128) {
            joint = byte < 250 ? joint + byte % 4 : fuzz_u16(in) % (joint_count + 1);
            euler_order = fuzz_u8(in) % 6;
        }
        channels[i].joint = (uint16_t)joint;
        channels[i].target = (uint8_t)(target < 250 ? target % sizeof components : target);
        channels[i].euler_order = (uint8_t)euler_order;
        channels[i].euler_base = euler_base;
        if (fuzz_rarely(in)) {
            channels[i].euler_order = fuzz_u8(in);
            channels[i].euler_base.y = fuzz_float(in);
        }
        channels[i].curve = any_curve(in, channels[i].target < sizeof components ? components[channels[i].target] : 2);
    }
    return channels;
}

static sqt_channel_clip any_clip(fuzz_input *in, const sqt_skeleton *skeleton) {
    sqt_channel_clip clip = {0};
    clip.channel_count = fuzz_u8(in) % (MOST_CHANNELS + 1);
    clip.channels = any_channels(in, clip.channel_count, skeleton->full_joint_count);
    const uint32_t byte = fuzz_u8(in);
    clip.timeline.duration_seconds = byte < 128 ? sqt_channel_clip_duration(&clip) : fuzz_float(in);
    clip.timeline.loop = byte % 3;
    clip.flags = byte & 64u ? SQT_CLIP_DIFFERENCE : 0;
    if (fuzz_rarely(in)) clip.flags = fuzz_u8(in);
    if (fuzz_rarely(in)) clip.timeline.loop = fuzz_u8(in);
    clip.authored_speed = fuzz_float(in);
    clip.rig_hash = fuzz_rarely(in) ? fuzz_u32(in) : byte & 32u ? skeleton->rig_hash : 0;
    clip.base = fuzz_base_pose(in, skeleton);
    if (fuzz_rarely(in) && fuzz_u8(in) & 1u) clip.channels = NULL;
    return clip;
}

static bool is_curve_bounded(const sqt_curve *curve) {
    const size_t row = (size_t)curve->component_count * (curve->interpolation == SQT_CUBIC ? 3u : 1u);
    return fuzz_magnitude(curve->times, curve->key_count) <= 1e15 &&
           fuzz_magnitude(curve->values, row * curve->key_count) <= 1e15;
}

static bool is_bounded(const sqt_channel_clip *clip, const sqt_skeleton *skeleton) {
    if (fuzz_pose_magnitude(skeleton->rest, skeleton->full_joint_count) > 1e15) return false;
    if (clip->base.pose && fuzz_pose_magnitude(clip->base.pose, clip->base.joint_count) > 1e15) return false;
    for (uint32_t i = 0; i < clip->channel_count; ++i) {
        if (!is_curve_bounded(&clip->channels[i].curve)) return false;
    }
    return true;
}

static void check_sample(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_skeleton *level,
                         const sqt_channel_clip *clip, uint32_t *cursors, double seconds, bool bounded) {
    const size_t blocks = SQT_POSE_BLOCKS(skeleton->joint_count);
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, blocks);
    sqt_pose_block *const again = FUZZ_ARRAY(in, sqt_pose_block, blocks);
    sqt_pose_block *const part = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(level->joint_count));
    FUZZ_REQUIRE(sqt_channel_clip_sample(pose, skeleton, clip, cursors, seconds) == SQT_OK);
    fuzz_check_pose(pose, skeleton->joint_count, 1.01e-3, bounded);
    FUZZ_REQUIRE(sqt_channel_clip_sample(again, skeleton, clip, NULL, seconds) == SQT_OK);
    FUZZ_REQUIRE(!bounded || memcmp(pose, again, blocks * sizeof *pose) == 0);
    FUZZ_REQUIRE(sqt_channel_clip_sample(part, level, clip, cursors, seconds) == SQT_OK);
    fuzz_check_pose(part, level->joint_count, 1.01e-3, bounded);
    for (uint32_t j = 0; bounded && j < level->joint_count; ++j) {
        const sqt_transform a = sqt_pose_get(pose, j), b = sqt_pose_get(part, j);
        FUZZ_REQUIRE(memcmp(&a, &b, sizeof a) == 0);
    }
}

static void check_bake(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_channel_clip *clip, bool bounded) {
    const uint32_t joint_count = skeleton->joint_count, sample_count = fuzz_u8(in) % 5;
    const bool listed = fuzz_u8(in) & 1u;
    const uint32_t kept = listed ? fuzz_below(in, joint_count + 1) : joint_count;
    const uint16_t *const joints = listed ? fuzz_joint_list(in, kept, joint_count) : NULL;
    const size_t blocks = (size_t)SQT_POSE_BLOCKS(kept) * sample_count;
    sqt_pose_block *const samples = FUZZ_ARRAY(in, sqt_pose_block, blocks);
    sqt_pose_block *const scratch = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(joint_count));
    const uint32_t flags = fuzz_u8(in) & 1u ? SQT_CLIP_CYCLIC : 0;
    sqt_clip baked;
    const sqt_result result = sqt_channel_clip_bake(&baked, samples, skeleton, clip, joints, kept, sample_count, flags,
                                                    listed ? scratch : NULL, NULL);
    if (result) {
        FUZZ_REQUIRE(sample_count == 0 || listed);
        return;
    }
    if (bounded) FUZZ_REQUIRE(sqt_clip_validate(&baked, skeleton, NULL) == SQT_OK);
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(joint_count));
    const double seconds = fuzz_seconds(in, clip->timeline.duration_seconds);
    FUZZ_REQUIRE(sqt_clip_sample(pose, skeleton, &baked, seconds, SQT_SLERP) == SQT_OK);
    if (bounded) fuzz_check_pose(pose, joint_count, 1.01e-3, true);
}

static void play_clip(fuzz_input *in) {
    sqt_skeleton skeleton;
    if (!fuzz_skeleton(in, &skeleton)) return;
    const sqt_channel_clip clip = any_clip(in, &skeleton);
    sqt_fault fault = {0};
    if (sqt_channel_clip_validate(&clip, &skeleton, &fault)) {
        FUZZ_REQUIRE(fault.field != NULL);
        return;
    }
    for (uint32_t i = 0; i < clip.channel_count; ++i) {
        FUZZ_REQUIRE(clip.channels[i].target < sizeof components && clip.channels[i].curve.interpolation <= SQT_CUBIC);
        FUZZ_REQUIRE(clip.channels[i].joint < skeleton.full_joint_count);
    }
    fuzz_cap_isa(in);
    const sqt_skeleton level = fuzz_level_of_detail(in, &skeleton);
    FUZZ_REQUIRE(sqt_channel_clip_validate(&clip, &level, NULL) == SQT_OK);
    const bool bounded = is_bounded(&clip, &skeleton);
    uint32_t *const cursors = FUZZ_ARRAY(in, uint32_t, clip.channel_count);
    for (uint32_t i = 0; i < clip.channel_count; ++i) cursors[i] = fuzz_u8(in) & 1u ? fuzz_u32(in) : fuzz_u8(in) % 8;
    for (uint32_t i = 0; i < TIMES; ++i) {
        const double seconds = fuzz_seconds(in, clip.timeline.duration_seconds);
        check_sample(in, &skeleton, &level, &clip, cursors, seconds, bounded);
        if (clip.channel_count > 0) cursors[fuzz_below(in, clip.channel_count)] = UINT32_MAX - fuzz_u8(in) % 3;
    }
    check_bake(in, &skeleton, &clip, bounded);
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(skeleton.joint_count));
    FUZZ_REQUIRE(sqt_channel_clip_sample(pose, &skeleton, &clip, NULL, 0.3) == SQT_OK);
    if (fuzz_pose_magnitude(pose, skeleton.joint_count) < HUGE_VAL) fuzz_play_pose(in, &skeleton, pose, 1.01e-3);
}

static void play_curve(fuzz_input *in) {
    const uint16_t component_count = fuzz_u8(in) % 6;
    const sqt_curve curve = any_curve(in, component_count);
    sqt_fault fault = {0};
    if (sqt_curve_validate(&curve, &fault)) {
        FUZZ_REQUIRE(fault.field != NULL);
        return;
    }
    FUZZ_REQUIRE(curve.interpolation <= SQT_CUBIC);
    const bool bounded = is_curve_bounded(&curve);
    float *const value = FUZZ_ARRAY(in, float, curve.component_count);
    float *const again = FUZZ_ARRAY(in, float, curve.component_count);
    for (uint32_t i = 0; i < TIMES; ++i) {
        uint32_t cursor = fuzz_u32(in);
        const double seconds = fuzz_u8(in) & 1u ? fuzz_seconds(in, curve.times[curve.key_count - 1])
                                                : (double)curve.times[fuzz_below(in, curve.key_count)];
        FUZZ_REQUIRE(sqt_curve_sample(value, &curve, &cursor, seconds) == SQT_OK);
        FUZZ_REQUIRE(cursor < curve.key_count);
        FUZZ_REQUIRE(sqt_curve_sample(again, &curve, NULL, seconds) == SQT_OK);
        if (!bounded) continue;
        FUZZ_REQUIRE(fuzz_is_finite(value, curve.component_count));
        FUZZ_REQUIRE(memcmp(value, again, curve.component_count * sizeof *value) == 0);
    }
    FUZZ_REQUIRE(sqt_curve_sample(value, &curve, NULL, (double)NAN) == SQT_ERROR_NUMBER);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    fuzz_input in = fuzz_begin(data, bytes);
    if (fuzz_u8(&in) % 4 == 1) {
        play_curve(&in);
    } else {
        play_clip(&in);
    }
    fuzz_end(&in);
    return 0;
}
