// Sampled clips: whole and listed joints, bases, cyclic and difference clips, every loop, levels of detail.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fuzz_input.h"

enum { MOST_SAMPLES = 5, TIMES = 5 };

static void any_numbers(fuzz_input *in, sqt_clip *clip, const sqt_skeleton *skeleton) {
    clip->timeline.duration_seconds = fuzz_float(in);
    if (fuzz_u8(in) < 200) clip->timeline.duration_seconds = fabsf(clip->timeline.duration_seconds);
    clip->timeline.loop = fuzz_below(in, 64) % 3;
    if (fuzz_rarely(in)) clip->timeline.loop = fuzz_u32(in);
    clip->authored_speed = fuzz_float(in);
    const uint32_t flags = fuzz_u8(in);
    clip->flags = flags < 240 ? flags & (SQT_CLIP_CYCLIC | SQT_CLIP_DIFFERENCE) : flags;
    clip->rig_hash = fuzz_u8(in) & 1u ? skeleton->rig_hash : 0;
    if (fuzz_rarely(in)) clip->rig_hash = fuzz_u32(in);
}

/// A clip over arrays of exactly the lengths that it states.
static sqt_clip any_clip(fuzz_input *in, const sqt_skeleton *skeleton) {
    sqt_clip clip = {0};
    any_numbers(in, &clip, skeleton);
    const uint32_t joint_count = skeleton->full_joint_count;
    clip.sample_count = fuzz_u8(in) % MOST_SAMPLES + 1;
    if (fuzz_rarely(in)) clip.sample_count = 0;
    const uint32_t listed = fuzz_u8(in);
    clip.joint_count = listed & 1u ? fuzz_below(in, joint_count + 1) : joint_count;
    if (fuzz_rarely(in)) clip.joint_count = fuzz_count(in, 60, 300);
    if (listed & 1u) clip.joints = fuzz_joint_list(in, clip.joint_count, joint_count);
    const size_t row_blocks = SQT_POSE_BLOCKS(clip.joint_count), blocks = row_blocks * clip.sample_count;
    sqt_pose_block *const samples = FUZZ_ARRAY(in, sqt_pose_block, blocks);
    const uint32_t kind = listed / 2 % FUZZ_KINDS;
    fuzz_seed(in);
    for (uint32_t i = 0; i < clip.sample_count; ++i) {
        fuzz_fill_pose(in, samples + row_blocks * i, clip.joint_count, kind);
    }
    fuzz_patch_floats(in, (float *)(void *)samples, blocks * (sizeof *samples / sizeof(float)));
    clip.samples = samples;
    clip.base = fuzz_base_pose(in, skeleton);
    if (!fuzz_rarely(in)) return clip;
    const uint32_t wrong = fuzz_u8(in);
    if (wrong & 1u) clip.samples = NULL;
    if (wrong & 2u) clip.base.pose = NULL;
    if (wrong & 4u) clip.joint_count = UINT32_MAX - fuzz_u8(in) % 32;
    return clip;
}

/// What an accepted list of joints is.
static void check_list(const uint16_t *joints, uint32_t count, uint32_t joint_count) {
    for (uint32_t k = 0; joints && k < count; ++k) {
        FUZZ_REQUIRE(joints[k] < joint_count && (k == 0 || joints[k] > joints[k - 1]));
    }
}

/// Nothing in the clip, its base and the rest pose is larger than what the results are promised for.
static bool is_bounded(const sqt_clip *clip, const sqt_skeleton *skeleton) {
    double largest = fuzz_pose_magnitude(skeleton->rest, skeleton->full_joint_count);
    for (uint32_t i = 0; i < clip->sample_count; ++i) {
        const sqt_pose_block *const row = clip->samples + (size_t)SQT_POSE_BLOCKS(clip->joint_count) * i;
        largest = fmax(largest, fuzz_pose_magnitude(row, clip->joint_count));
    }
    if (clip->base.pose) largest = fmax(largest, fuzz_pose_magnitude(clip->base.pose, clip->base.joint_count));
    return largest <= 1e15;
}

static void check_timeline(const sqt_timeline *timeline, double seconds) {
    const double local = sqt_timeline_wrap(timeline, seconds), duration = (double)timeline->duration_seconds;
    const float phase = sqt_timeline_phase(timeline, seconds);
    FUZZ_REQUIRE(local >= 0.0 && local <= duration);
    FUZZ_REQUIRE(phase >= 0.0f && phase <= 1.0f);
    if (timeline->loop == SQT_LOOP_WRAP && duration > 0.0) FUZZ_REQUIRE(local < duration && phase < 1.0f);
}

/// The joints of a level of detail are those of the whole skeleton, bit for bit; every set of instructions agrees.
static void check_sample(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_skeleton *level, const sqt_clip *clip,
                         double seconds, bool bounded) {
    const size_t blocks = SQT_POSE_BLOCKS(skeleton->joint_count), few = SQT_POSE_BLOCKS(level->joint_count);
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, blocks);
    sqt_pose_block *const again = FUZZ_ARRAY(in, sqt_pose_block, blocks);
    sqt_pose_block *const part = FUZZ_ARRAY(in, sqt_pose_block, few);
    const uint32_t flags = fuzz_u8(in) & 1u ? SQT_SLERP : SQT_NLERP;
    FUZZ_REQUIRE(sqt_clip_sample(pose, skeleton, clip, seconds, flags) == SQT_OK);
    fuzz_check_pose(pose, skeleton->joint_count, 1.01e-3, bounded);
    FUZZ_REQUIRE(sqt_clip_sample(part, level, clip, seconds, flags) == SQT_OK);
    fuzz_check_pose(part, level->joint_count, 1.01e-3, bounded);
    if (!bounded) return;
    fuzz_cap_isa(in);
    FUZZ_REQUIRE(sqt_clip_sample(again, skeleton, clip, seconds, flags) == SQT_OK);
    FUZZ_REQUIRE(memcmp(again, pose, blocks * sizeof *pose) == 0);
    for (uint32_t j = 0; j < level->joint_count; ++j) {
        const sqt_transform a = sqt_pose_get(pose, j), b = sqt_pose_get(part, j);
        FUZZ_REQUIRE(memcmp(&a, &b, sizeof a) == 0);
    }
}

static void check_counts(fuzz_input *in, const sqt_clip *clip) {
    const float rate = fuzz_float(in);
    const uint32_t flags = clip->flags & SQT_CLIP_CYCLIC;
    FUZZ_REQUIRE(sqt_clip_sample_count(clip->timeline.duration_seconds, rate, flags) <= 0x80000000u);
    const double seconds = sqt_clip_sample_seconds(clip, fuzz_u8(in) & 1u ? fuzz_u32(in) : fuzz_u8(in) % 8);
    FUZZ_REQUIRE(seconds >= 0.0 && seconds <= (double)clip->timeline.duration_seconds);
    FUZZ_REQUIRE(sqt_clip_rate_hz(clip) >= 0.0f);
}

/// Samples what a validator refused because of its numbers: nothing may be promised but memory.
static void play_spoilt(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_clip *clip) {
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(skeleton->joint_count));
    const size_t floats =
        (size_t)SQT_POSE_BLOCKS(clip->joint_count) * clip->sample_count * (sizeof(sqt_pose_block) / sizeof(float));
    float *const samples = (float *)(uintptr_t)clip->samples;
    for (size_t i = 0; i < floats; i += 7) samples[i] = i % 2 ? NAN : INFINITY;
    for (uint32_t flags = SQT_NLERP; flags <= SQT_SLERP; ++flags) {
        const double seconds = fuzz_seconds(in, clip->timeline.duration_seconds);
        FUZZ_REQUIRE(sqt_clip_sample(pose, skeleton, clip, seconds, flags) == SQT_OK);
    }
    const size_t bytes = SQT_POSE_BLOCKS(skeleton->joint_count) * sizeof *pose;
    const void *const before = memcpy(fuzz_block(in, bytes), pose, bytes);
    const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < 3; ++i) {
        FUZZ_REQUIRE(sqt_clip_sample(pose, skeleton, clip, wrong[i], SQT_NLERP) == SQT_ERROR_NUMBER);
    }
    FUZZ_REQUIRE(memcmp(before, pose, bytes) == 0); // on error nothing is written
}

static void play(fuzz_input *in) {
    sqt_skeleton skeleton;
    if (!fuzz_skeleton(in, &skeleton)) return;
    sqt_clip clip = any_clip(in, &skeleton);
    sqt_fault fault = {0};
    if (sqt_clip_validate(&clip, &skeleton, &fault)) {
        FUZZ_REQUIRE(fault.field != NULL);
        return;
    }
    check_list(clip.joints, clip.joint_count, skeleton.full_joint_count);
    check_list(clip.base.joints, clip.base.joint_count, skeleton.full_joint_count);
    const sqt_skeleton level = fuzz_level_of_detail(in, &skeleton);
    FUZZ_REQUIRE(sqt_clip_validate(&clip, &level, NULL) == SQT_OK);
    const bool bounded = is_bounded(&clip, &skeleton);
    for (uint32_t i = 0; i < TIMES; ++i) {
        const double seconds =
            fuzz_u8(in) & 1u ? sqt_clip_sample_seconds(&clip, i) : fuzz_seconds(in, clip.timeline.duration_seconds);
        check_timeline(&clip.timeline, seconds);
        check_sample(in, &skeleton, &level, &clip, seconds, bounded);
    }
    check_counts(in, &clip);
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(skeleton.joint_count));
    FUZZ_REQUIRE(sqt_clip_sample(pose, &skeleton, &clip, 0.1, SQT_NLERP) == SQT_OK);
    fuzz_play_pose(in, &skeleton, pose, 1.01e-3);
    const sqt_base_pose over = {pose, NULL, skeleton.joint_count};
    clip.base = over; // over what is there
    FUZZ_REQUIRE(sqt_clip_sample(pose, &skeleton, &clip, 0.2, SQT_SLERP) == SQT_OK);
    fuzz_check_pose(pose, skeleton.joint_count, 1.01e-3, bounded);
    play_spoilt(in, &skeleton, &clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    fuzz_input in = fuzz_begin(data, bytes);
    play(&in);
    fuzz_end(&in);
    return 0;
}
