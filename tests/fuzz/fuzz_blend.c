// Blends of any poses: many, masked, additive in both spaces, layers, inertial; clips in 16 bits, also spoilt ones; blend
// spaces over any points.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fuzz_input.h"

enum { MOST_INPUTS = 9, POSES = 3, SAMPLES = 4, MOST_POINTS = 12 };

typedef struct stage {
    sqt_skeleton skeleton;
    size_t blocks;
    sqt_pose_block *poses[POSES], *out, *again, *difference;
    float *mask;
    sqt_quat *turns;
    bool small; ///< all numbers are: every result is finite
} stage;

static sqt_pose_block *any_pose(fuzz_input *in, const stage *s, uint32_t kind) {
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, s->blocks);
    fuzz_fill_pose(in, pose, s->skeleton.joint_count, kind);
    return pose;
}

static bool make_stage(fuzz_input *in, stage *s) {
    if (!fuzz_skeleton(in, &s->skeleton)) return false;
    const uint32_t joint_count = s->skeleton.joint_count, kind = fuzz_u8(in) % FUZZ_KINDS;
    s->blocks = SQT_POSE_BLOCKS(joint_count);
    for (uint32_t i = 0; i < POSES; ++i) s->poses[i] = any_pose(in, s, kind);
    s->out = FUZZ_ARRAY(in, sqt_pose_block, s->blocks);
    s->again = FUZZ_ARRAY(in, sqt_pose_block, s->blocks);
    s->difference = FUZZ_ARRAY(in, sqt_pose_block, s->blocks);
    s->turns = FUZZ_ARRAY(in, sqt_quat, 3 * (size_t)joint_count);
    s->mask = FUZZ_ARRAY(in, float, joint_count);
    for (uint32_t j = 0; j < joint_count; ++j) s->mask[j] = fuzz_random_float(in, FUZZ_FLAT) * (float)(j % 3) * 0.5f;
    s->small = kind == FUZZ_SMALL && fuzz_pose_magnitude(s->skeleton.rest, joint_count) <= 1e3;
    return true;
}

/// The result of a call that every set of instructions has to repeat: it is in `out`, and comes once more in `again`.
static void check_result(const stage *s) {
    fuzz_check_pose(s->out, s->skeleton.joint_count, 1.01e-3, s->small);
    if (s->small) FUZZ_REQUIRE(memcmp(s->out, s->again, s->blocks * sizeof *s->out) == 0);
}

static void play_many(fuzz_input *in, const stage *s) {
    sqt_blend_input inputs[MOST_INPUTS];
    const uint32_t input_count = fuzz_u8(in) % (MOST_INPUTS + 1);
    bool valid = true;
    for (uint32_t k = 0; k < input_count; ++k) {
        const uint32_t form = fuzz_u8(in);
        const float weight = fuzz_rarely(in) ? fuzz_float(in) : (float)(form % 5) * 0.25f;
        const sqt_blend_input input = {s->poses[k % POSES], form & 16u ? s->mask : NULL, form & 32u ? s->mask : NULL,
                                       weight};
        inputs[k] = input;
        valid = valid && weight >= 0.0f && weight <= FUZZ_LARGEST;
    }
    const float threshold = fuzz_rarely(in) ? fuzz_float(in) : (float)(fuzz_u8(in) % 3) * 0.5f;
    valid = valid && threshold >= 0.0f && threshold <= FUZZ_LARGEST;
    fuzz_set_isa(SQT_ISA_BEST);
    const sqt_result result = sqt_blend_many(s->out, &s->skeleton, inputs, input_count, threshold, SQT_NLERP);
    FUZZ_REQUIRE(result == (valid ? SQT_OK : SQT_ERROR_NUMBER));
    if (!valid) return;
    fuzz_cap_isa(in);
    FUZZ_REQUIRE(sqt_blend_many(s->again, &s->skeleton, inputs, input_count, threshold, SQT_NLERP) == SQT_OK);
    check_result(s);
}

static void play_additive(fuzz_input *in, const stage *s) {
    const uint32_t form = fuzz_u8(in), scale = form & 1u ? SQT_SCALE_DIFFERENCE : 0, how = form & 2u ? SQT_SLERP : 0;
    const float *const mask = form & 4u ? s->mask : NULL;
    const float weight = fuzz_rarely(in) ? 3.5f : (float)(form % 7) * 0.25f;
    const sqt_pose_block *const a = s->poses[0], *const b = s->poses[1];
    fuzz_set_isa(SQT_ISA_BEST);
    FUZZ_REQUIRE(sqt_blend_difference(s->out, &s->skeleton, a, b, scale) == SQT_OK);
    fuzz_cap_isa(in);
    FUZZ_REQUIRE(sqt_blend_difference(s->again, &s->skeleton, a, b, scale) == SQT_OK);
    check_result(s);
    memcpy(s->difference, s->out, s->blocks * sizeof *s->out);
    FUZZ_REQUIRE(sqt_blend_add(s->out, &s->skeleton, b, s->difference, mask, weight, how | scale) == SQT_OK);
    fuzz_set_isa(SQT_ISA_BEST);
    memcpy(s->again, s->difference, s->blocks * sizeof *s->again); // in place
    FUZZ_REQUIRE(sqt_blend_add(s->again, &s->skeleton, b, s->again, mask, weight, how | scale) == SQT_OK);
    check_result(s);
    FUZZ_REQUIRE(sqt_blend_difference_mesh(s->difference, &s->skeleton, a, b, s->turns, scale) == SQT_OK);
    fuzz_check_pose(s->difference, s->skeleton.joint_count, 1.01e-3, s->small);
    const sqt_layer layers[] = {
        {.pose = b, .weight = 1, .mask = mask},
        {.pose = a, .weight = weight, .mask = s->mask, .kind = SQT_LAYER_OVERRIDE, .flags = how},
        {.pose = s->difference, .weight = weight, .kind = SQT_LAYER_ADDITIVE, .flags = how | scale | SQT_MESH_SPACE}};
    FUZZ_REQUIRE(sqt_layers_blend(s->out, &s->skeleton, layers, 3, s->turns, SQT_REST_THRESHOLD) == SQT_OK);
    fuzz_check_pose(s->out, s->skeleton.joint_count, 1.01e-3, s->small);
}

static void play_inertial(fuzz_input *in, const stage *s) {
    sqt_inertial inertial;
    sqt_inertial_block *const offsets = FUZZ_ARRAY(in, sqt_inertial_block, s->blocks);
    const sqt_inertial_switch change = {.pose = s->poses[0],
                                        .pose_before = fuzz_u8(in) & 1u ? s->poses[1] : NULL,
                                        .target = s->poses[2],
                                        .seconds = fuzz_seconds(in, 1),
                                        .frame_seconds = 1.0 / 60,
                                        .duration_seconds = fuzz_rarely(in) ? fuzz_float(in) : 0.3f};
    if (sqt_inertial_begin(&inertial, offsets, &s->skeleton, &change)) {
        FUZZ_REQUIRE(!(change.duration_seconds >= 0.0f) || change.duration_seconds > FLT_MAX);
        return;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        const double now = change.seconds + fuzz_seconds(in, change.duration_seconds);
        if (!isfinite(now)) return;
        fuzz_set_isa(SQT_ISA_BEST);
        FUZZ_REQUIRE(sqt_inertial_apply(s->out, &s->skeleton, s->poses[2], &inertial, offsets, now) == SQT_OK);
        fuzz_cap_isa(in);
        FUZZ_REQUIRE(sqt_inertial_apply(s->again, &s->skeleton, s->poses[2], &inertial, offsets, now) == SQT_OK);
        check_result(s);
    }
}

static void sample_uniform(fuzz_input *in, const stage *s, const sqt_uniform_clip *small) {
    for (uint32_t flags = SQT_NLERP; flags <= SQT_SLERP; ++flags) {
        const double seconds = fuzz_seconds(in, small->timeline.duration_seconds);
        fuzz_set_isa(SQT_ISA_BEST);
        FUZZ_REQUIRE(sqt_uniform_clip_sample(s->out, &s->skeleton, small, seconds, flags) == SQT_OK);
        fuzz_cap_isa(in);
        FUZZ_REQUIRE(sqt_uniform_clip_sample(s->again, &s->skeleton, small, seconds, flags) == SQT_OK);
        check_result(s);
    }
}

static void play_uniform(fuzz_input *in, const stage *s) {
    sqt_pose_block *const samples = FUZZ_ARRAY(in, sqt_pose_block, SAMPLES * s->blocks);
    const uint32_t form = fuzz_u8(in);
    for (uint32_t i = 0; i < SAMPLES; ++i) { // few, many or all joints move
        memcpy(samples + i * s->blocks, s->poses[form & 1u ? i % POSES : 0], s->blocks * sizeof *samples);
        if (form & 2u) samples[i * s->blocks].tx[form % 16] = (float)i;
    }
    const sqt_clip clip = {.timeline = {1.5f, form % 3},
                           .flags = form & 4u ? SQT_CLIP_CYCLIC : 0,
                           .sample_count = SAMPLES,
                           .joint_count = s->skeleton.joint_count,
                           .samples = samples};
    if (sqt_clip_validate(&clip, &s->skeleton, NULL)) return;
    const size_t bytes = sqt_uniform_clip_bytes(&clip, 1e-6f);
    void *const memory = fuzz_shifted_block(in, bytes, form % 4);
    sqt_uniform_clip small;
    const sqt_result built = sqt_uniform_clip_build(&small, &s->skeleton, &clip, 1e-6f, memory, bytes, NULL);
    if (built) return; // numbers too far apart for floats
    FUZZ_REQUIRE(sqt_uniform_clip_validate(&small, &s->skeleton, NULL) == SQT_OK);
    sample_uniform(in, s, &small);
    // Spoilt: whatever the validator lets through plays.
    if (small.lone_track_count > 0) { fuzz_patch_u16(in, (uint16_t *)(uintptr_t)&small.lone_tracks[0].lane, 2); }
    fuzz_patch_floats(in, (float *)(uintptr_t)small.block_values, small.block_value_count);
    uint8_t *const kinds = (uint8_t *)(uintptr_t)small.block_kinds;
    if (fuzz_rarely(in)) kinds[fuzz_below(in, (uint32_t)s->blocks)] = fuzz_u8(in);
    if (fuzz_rarely(in)) small.row_length = fuzz_u32(in);
    if (fuzz_rarely(in)) small.lone_first = fuzz_u32(in);
    if (fuzz_rarely(in)) small.lone_track_count = fuzz_below(in, small.lone_track_count + 1);
    if (fuzz_rarely(in)) small.block_value_count = fuzz_below(in, small.block_value_count + 1);
    if (sqt_uniform_clip_validate(&small, &s->skeleton, NULL)) return;
    for (uint32_t flags = SQT_NLERP; flags <= SQT_SLERP; ++flags) {
        const double seconds = fuzz_seconds(in, 1.5f);
        FUZZ_REQUIRE(sqt_uniform_clip_sample(s->out, &s->skeleton, &small, seconds, flags) == SQT_OK);
    }
}

static void check_weights(const float *weights, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        FUZZ_REQUIRE(weights[i] >= 0.0f);
        sum += (double)weights[i];
    }
    FUZZ_REQUIRE(fabs(sum - 1) <= 1e-6);
}

static void play_space(fuzz_input *in) {
    const uint32_t count = 1 + fuzz_u8(in) % MOST_POINTS;
    sqt_vec2 *const points = FUZZ_ARRAY(in, sqt_vec2, count);
    const uint32_t kind = fuzz_u8(in) % FUZZ_KINDS;
    for (uint32_t i = 0; i < count; ++i) {
        points[i].x = fuzz_random_float(in, kind);
        points[i].y = fuzz_random_float(in, kind);
    }
    fuzz_patch_floats(in, &points[0].x, 2 * count);
    sqt_blend_space space;
    const size_t bytes = sqt_blend_space_bytes(count);
    void *const memory = fuzz_shifted_block(in, bytes, fuzz_u8(in) % 4);
    sqt_fault fault = {0};
    const sqt_result built = sqt_blend_space_build(&space, points, count, memory, bytes, &fault);
    FUZZ_REQUIRE((built == SQT_OK) == fuzz_is_finite(&points[0].x, 2 * count));
    if (built) return;
    FUZZ_REQUIRE(sqt_blend_space_validate(&space, NULL) == SQT_OK);
    float *const weights = FUZZ_ARRAY(in, float, count), *const again = FUZZ_ARRAY(in, float, count);
    uint32_t cursor = fuzz_u32(in);
    for (uint32_t i = 0; i < 4; ++i) {
        const sqt_vec2 p = {fuzz_float(in), fuzz_float(in)};
        const bool finite = fuzz_is_finite(&p.x, 2);
        const sqt_result result = sqt_blend_space_delaunay(weights, &space, &cursor, p);
        FUZZ_REQUIRE((result == SQT_OK) == finite);
        if (!finite) continue;
        check_weights(weights, count);
        FUZZ_REQUIRE(sqt_blend_space_delaunay(again, &space, NULL, p) == SQT_OK);
        FUZZ_REQUIRE(memcmp(weights, again, count * sizeof *weights) == 0);
        FUZZ_REQUIRE(sqt_blend_space_gradient_band(weights, points, count, p) == SQT_OK);
        check_weights(weights, count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    fuzz_input in = fuzz_begin(data, bytes);
    stage s = {0};
    fuzz_seed(&in);
    const uint32_t choice = fuzz_u8(&in) % 5;
    if (choice == 4) {
        play_space(&in);
    } else if (make_stage(&in, &s)) {
        if (choice == 0) play_many(&in, &s);
        if (choice == 1) play_additive(&in, &s);
        if (choice == 2) play_inertial(&in, &s);
        if (choice == 3) play_uniform(&in, &s);
    }
    fuzz_end(&in);
    return 0;
}
