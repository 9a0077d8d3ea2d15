// Clips in 16 bits: integers and sizes by hand, the float clip within the measured error, that error against double
// precision, the same bits on every instruction set, and what is refused.
#include "check_guard.h"
#include "check_matrix.h"
#include "check_pose.h"

#include "simd/kernels.h"
#include "uniform_row.h"

enum { SEED = 0x16B1, MAX_SAMPLES = 24, MEMORY = 1 << 20 };

static const double ONE = 32767;

/// A float clip with its memory, the rig that plays it, and the same in 16 bits.
typedef struct recording {
    sqt_clip clip;
    sqt_skeleton skeleton;
    sqt_uniform_clip uniform;
    uint16_t joints[CHECK_RIG_JOINTS], parents[CHECK_RIG_JOINTS];
    sqt_pose_block rest[CHECK_POSE_CAPACITY], samples[MAX_SAMPLES * CHECK_POSE_CAPACITY];
    _Alignas(64) unsigned char memory[MEMORY], scratch[65536];
} recording;

static recording tape; // large, so not on the stack

static sqt_pose_block *row(recording *r, uint32_t index) {
    return r->samples + index * SQT_POSE_BLOCKS(r->clip.joint_count);
}

/// Joints that rest, in a chain.
static void record_rest(recording *r, uint32_t joint_count, uint32_t rig_joint_count, uint32_t sample_count,
                        check_random *random) {
    memset(&r->clip, 0, sizeof r->clip);
    memset(&r->skeleton, 0, sizeof r->skeleton);
    check_random_pose(r->rest, rig_joint_count, random);
    for (uint32_t j = 0; j < rig_joint_count; ++j) {
        r->parents[j] = j == 0 ? SQT_NO_JOINT : (uint16_t)(j - 1);
        sqt_transform t = sqt_pose_get(r->rest, j);
        t.translation = check_random_vec3(random, -0.1f, 0.1f);
        t.scale = (sqt_vec3){1, 1, 1};
        sqt_pose_set(r->rest, j, t);
    }
    r->skeleton.joint_count = r->skeleton.full_joint_count = rig_joint_count;
    r->skeleton.rig_hash = CHECK_RIG_HASH;
    r->skeleton.parents = r->parents;
    r->skeleton.rest = r->rest;
    r->clip.timeline.duration_seconds = 2;
    r->clip.rig_hash = CHECK_RIG_HASH;
    r->clip.sample_count = sample_count;
    r->clip.joint_count = joint_count;
    r->clip.samples = r->samples;
    for (uint32_t i = 0; i < sample_count; ++i) {
        assert_int_equal(sqt_pose_identity(row(r, i), joint_count), SQT_OK);
        for (uint32_t j = 0; j < joint_count; ++j) sqt_pose_set(row(r, i), j, sqt_pose_get(r->rest, j));
    }
}

/// Gives a track of a joint random motion: turns of up to a radian about a random axis from the first rotation on,
/// signs at random.
static void move_track(recording *r, uint32_t joint, uint32_t kind, check_random *random) {
    const sqt_quat from = check_random_quat(random);
    for (uint32_t i = 0; i < r->clip.sample_count; ++i) {
        sqt_transform t = sqt_pose_get(row(r, i), joint);
        const sqt_quat turn =
            sqt_quat_from_axis_angle(check_random_vec3(random, 0.1f, 1), check_random_float(random, -0.5f, 0.5f));
        if (kind == SQT_TRACK_ROTATION) t.rotation = sqt_quat_multiply(from, turn);
        if (kind == SQT_TRACK_ROTATION && check_random_below(random, 2)) t.rotation = check_negated(t.rotation);
        if (kind == SQT_TRACK_TRANSLATION) t.translation = check_random_vec3(random, -0.2f, 0.3f);
        if (kind == SQT_TRACK_SCALE) t.scale = check_random_vec3(random, 0.8f, 1.1f);
        sqt_pose_set(row(r, i), joint, t);
    }
}

/// All rotations move, or one in eight, one translation in eight and one scale in twelve: whole blocks and lone tracks.
static void record_motion(recording *r, uint32_t joint_count, uint32_t rig_joint_count, uint32_t sample_count,
                          check_random *random) {
    record_rest(r, joint_count, rig_joint_count, sample_count, random);
    const uint32_t sparse = check_random_below(random, 2) ? 8 : 1;
    for (uint32_t j = 0; j < joint_count; ++j) {
        if (check_random_below(random, sparse) == 0) move_track(r, j, SQT_TRACK_ROTATION, random);
        if (check_random_below(random, 8) == 0) move_track(r, j, SQT_TRACK_TRANSLATION, random);
        if (check_random_below(random, 12) == 0) move_track(r, j, SQT_TRACK_SCALE, random);
    }
}

/// Every second joint of the rig, from the second on: 1, 3, 5, ...
static void list_odd_joints(recording *r) {
    for (uint32_t k = 0; k < r->clip.joint_count; ++k) r->joints[k] = (uint16_t)(2 * k + 1);
    r->clip.joints = r->joints;
}

static void build(recording *r) {
    const size_t bytes = sqt_uniform_clip_bytes(&r->clip, 0);
    assert_in_range(bytes, 1, MEMORY);
    sqt_fault fault = {"", 0, 0};
    const sqt_result built = sqt_uniform_clip_build(&r->uniform, &r->skeleton, &r->clip, 0, r->memory, bytes, &fault);
    if (built) fail_msg("%s: %s %u %u", sqt_result_string(built), fault.field, fault.index, fault.element);
    const sqt_result valid = sqt_uniform_clip_validate(&r->uniform, &r->skeleton, &fault);
    if (valid) fail_msg("%s: %s %u %u", sqt_result_string(valid), fault.field, fault.index, fault.element);
}

static sqt_clip_error measure(recording *r, float shell, uint32_t flags) {
    sqt_clip_error error;
    const size_t bytes = sqt_uniform_clip_error_bytes(&r->skeleton);
    assert_in_range(bytes, 1, sizeof r->scratch);
    assert_int_equal(
        sqt_uniform_clip_error(&error, &r->skeleton, &r->clip, &r->uniform, shell, flags, r->scratch, bytes), SQT_OK);
    return error;
}

static sqt_transform sample_joint(const recording *r, uint32_t joint, double seconds, uint32_t flags) {
    check_output output;
    check_output_reset(&output);
    assert_int_equal(sqt_uniform_clip_sample(output.pose, &r->skeleton, &r->uniform, seconds, flags), SQT_OK);
    check_output_assert_only(&output, SQT_POSE_BLOCKS(r->skeleton.joint_count));
    return sqt_pose_get(output.pose, joint);
}

static void set_translation_x(recording *r, uint32_t sample, uint32_t joint, float x) {
    row(r, sample)[joint / 16].tx[joint % 16] = x;
}

// Known integers

static void translations_become_the_nearest_of_65535_steps(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 1, 1, 4, &random);
    const float x[4] = {-1, 3, 1, 2};
    for (uint32_t i = 0; i < 4; ++i) set_translation_x(&tape, i, 0, x[i]);
    build(&tape);
    const sqt_uniform_clip *const u = &tape.uniform;
    assert_int_equal(u->block_kinds[0], SQT_TRACK_TRANSLATION);
    assert_int_equal(u->row_length, 48);
    assert_int_equal(u->samples[0], -32767); // -1 .. 3: offset 1, 32767 steps up to 2 from it
    assert_int_equal(u->samples[48], 32767);
    assert_int_equal(u->samples[96], 0);
    assert_int_equal(u->samples[144], 16384); // 16383.5
    // Four samples in 2 seconds. A quarter of the first interval: w = 8192, v = -32767 (24575 - 8192).
    const double quarter = 1 - 2.0 * (24575 - 8192) / ONE;
    assert_close((double)sample_joint(&tape, 0, 2.0 / 12, SQT_NLERP).translation.x, quarter, 1e-7);
    assert_close((double)sample_joint(&tape, 0, 2.0 / 12, SQT_SLERP).translation.x, quarter, 1e-7);
    assert_close((double)sample_joint(&tape, 0, 2, SQT_NLERP).translation.x, 1 + 2 * 16384 / ONE, 1e-7);
    // The middle of the last interval, the later half of 0 .. 16384: w = round(16383.5).
    assert_close((double)sample_joint(&tape, 0, 5.0 / 3, 0).translation.x, 1 + 2 * 16384.0 * 16384 / ONE / ONE, 1e-7);
}

static void rotations_share_one_step_among_their_components(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 1, 1, 2, &random);
    row(&tape, 0)->rx[0] = row(&tape, 0)->ry[0] = row(&tape, 0)->rz[0] = 0, row(&tape, 0)->rw[0] = 1;
    const double h = sqrt(0.5);
    row(&tape, 1)->rx[0] = row(&tape, 1)->ry[0] = 0, row(&tape, 1)->rz[0] = row(&tape, 1)->rw[0] = (float)h;
    build(&tape);
    const sqt_uniform_clip *const u = &tape.uniform;
    assert_int_equal(u->block_kinds[0], SQT_TRACK_ROTATION);
    assert_int_equal(u->row_length, 64);
    // z spans 0 .. h, the widest; w spans h .. 1 about its own middle in the same steps.
    const double step = h / 2 / ONE, w = floor((1 - h) / 2 / step + 0.5);
    const double expected[2][4] = {{0, 0, -ONE, w}, {0, 0, ONE, -w}};
    for (int i = 0; i < 2; ++i) {
        for (int c = 0; c < 4; ++c) assert_int_equal(u->samples[64 * i + 16 * c], (int)expected[i][c]);
    }
    const sqt_quat nlerp = check_degrees(0, 0, 1, 2 * atan2(0.25 * h, 0.75 + 0.25 * h) * 180 / 3.14159265358979323846);
    assert_rotation_close(sample_joint(&tape, 0, 0.5, SQT_NLERP).rotation, nlerp, 2e-5);
    assert_rotation_close(sample_joint(&tape, 0, 0.5, SQT_SLERP).rotation, check_degrees(0, 0, 1, 22.5), 2e-5);
    assert_rotation_close(sample_joint(&tape, 0, 1.5, SQT_SLERP).rotation, check_degrees(0, 0, 1, 67.5), 2e-5);
}

static void lanes_lie_in_the_order_0_8_4_12_by_fours(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 16, 16, 2, &random);
    for (uint32_t j = 0; j < 16; ++j) {
        set_translation_x(&tape, 0, j, -1);
        set_translation_x(&tape, 1, j, 1);
    }
    row(&tape, 1)->tx[5] = -1, row(&tape, 0)->tx[5] = 1; // downwards
    build(&tape);
    for (uint32_t place = 0; place < 16; ++place) {
        assert_int_equal(tape.uniform.samples[place], place == 9 ? 32767 : -32767);
    }
    for (uint32_t j = 0; j < 16; ++j) {
        assert_close((double)sample_joint(&tape, j, 0, 0).translation.x, j == 5 ? 1 : -1, 1e-6);
    }
}

static void only_what_moves_is_stored(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 24, 24, 6, &random);
    build(&tape);
    assert_int_equal(tape.uniform.row_length, 0);
    assert_int_equal(tape.uniform.lone_track_count, 0);
    check_output output;
    check_output_reset(&output);
    assert_int_equal(sqt_uniform_clip_sample(output.pose, &tape.skeleton, &tape.uniform, 0.77, 0), SQT_OK);
    check_assert_pose_bits(output.pose, tape.rest, 24); // the very numbers

    for (uint32_t j = 0; j < 4; ++j) move_track(&tape, j, SQT_TRACK_ROTATION, &random); // a quarter of the first block
    for (uint32_t j = 16; j < 18; ++j)
        move_track(&tape, j, SQT_TRACK_SCALE, &random); // a quarter of the second's eight
    move_track(&tape, 3, SQT_TRACK_TRANSLATION, &random);
    move_track(&tape, 19, SQT_TRACK_ROTATION, &random);
    build(&tape);
    assert_int_equal(tape.uniform.block_kinds[0], SQT_TRACK_ROTATION);
    assert_int_equal(tape.uniform.block_kinds[1], SQT_TRACK_SCALE);
    assert_int_equal(tape.uniform.lone_track_count, 2);
    assert_int_equal(tape.uniform.lone_tracks[0].lane, 3);
    assert_int_equal(tape.uniform.lone_tracks[0].kind, SQT_TRACK_TRANSLATION);
    assert_int_equal(tape.uniform.lone_tracks[1].lane, 19);
    assert_int_equal(tape.uniform.lone_tracks[1].kind, SQT_TRACK_ROTATION);
    assert_int_equal(tape.uniform.row_length, 128); // 64 + 48 + 3 + 4, in sixteens
    assert_int_equal(tape.uniform.block_value_count, 16 * (5 + 3 + 3 + 4 + 3 + 6));
    const size_t bytes = 4 * 16 * 24 + 2 * 128 * 6 + 2 * 36 + 2 + 63;
    assert_int_equal(sqt_uniform_clip_bytes(&tape.clip, 0), bytes);
    assert_int_equal(sizeof(sqt_lone_track), 36);
}

static void two_joints_of_nine_are_few(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 9, 9, 3, &random);
    move_track(&tape, 2, SQT_TRACK_ROTATION, &random);
    move_track(&tape, 8, SQT_TRACK_ROTATION, &random);
    build(&tape);
    assert_int_equal(tape.uniform.lone_track_count, 2);
    assert_int_equal(tape.uniform.row_length, 8); // nothing to align
    move_track(&tape, 5, SQT_TRACK_ROTATION, &random);
    build(&tape);
    assert_int_equal(tape.uniform.lone_track_count, 0);
}

static void little_motion_is_kept_but_no_tiny_step(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 1, 1, 3, &random);
    for (uint32_t i = 0; i < 3; ++i) {
        const sqt_transform t = {{4e-7f * (float)i, 0, 0, 1}, {1e-22f * (float)i, 0, 0}, {1 + 4e-7f * (float)i, 1, 1}};
        sqt_pose_set(row(&tape, i), 0, t);
    }
    build(&tape);
    assert_int_equal(tape.uniform.block_kinds[0], 7);
    const float *const values = tape.uniform.block_values;
    for (uint32_t i = 0; i < tape.uniform.block_value_count; ++i)
        assert_false(values[i] != 0 && fabsf(values[i]) < 1e-30f);
    assert_close((double)sample_joint(&tape, 0, 2, 0).rotation.x, 8e-7, 1e-10);
}

static void rounding_is_no_motion_and_denormals_are_zero(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 2, 2, 3, &random);
    for (uint32_t i = 0; i < 3; ++i) {
        row(&tape, i)->tx[0] = 100 + 5e-6f * (float)i; // 7.6e-6 is an ulp
        row(&tape, i)->ty[0] = 1e-40f, row(&tape, i)->tz[0] = -0.0f;
        row(&tape, i)->rx[0] = row(&tape, i)->ry[0] = 0, row(&tape, i)->rw[0] = 1;
        row(&tape, i)->rz[0] = 0.9e-7f * (float)i;
        row(&tape, i)->tx[1] = 1e-35f * (float)i;
    }
    build(&tape);
    assert_int_equal(tape.uniform.row_length, 0);
    const sqt_transform got = sample_joint(&tape, 0, 1.5, SQT_NLERP);
    const float zero = 0;
    assert_memory_equal(&got.translation.y, &zero, sizeof zero);
    assert_memory_equal(&got.translation.z, &zero, sizeof zero);
    assert_close((double)got.translation.x, 100, 1e-5);
    const float none = sample_joint(&tape, 1, 1.5, SQT_NLERP).translation.x;
    assert_memory_equal(&none, &zero, sizeof zero);
}

static void a_track_that_stays_near_its_middle_is_still(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t wide = 0; wide < 2; ++wide) { // within 1e-3, and a little more
        const float by = wide ? 1.1e-3f : 0.9e-3f;
        record_rest(&tape, 3, 3, 3, &random);
        for (uint32_t i = 0; i < 3; ++i) {
            const sqt_transform middle = {{0, 0, 0.6f, 0.8f}, {0.25f, 1, 1}, {2, 2, 2}},
                                long_limb = {{0, 0, 0, 1}, {0, -4, 0}, {1, 1, 1}};
            for (uint32_t j = 0; j < 2; ++j) sqt_pose_set(row(&tape, i), j, middle);
            sqt_pose_set(row(&tape, i), 2, long_limb); // the ratio of translations is to its 4
            row(&tape, i)->tx[0] += 4 * by * ((float)i - 1);
            row(&tape, i)->sy[1] += by * ((float)i - 1);
            row(&tape, i)->rx[2] = by * ((float)i - 1);
        }
        const size_t bytes = sqt_uniform_clip_bytes(&tape.clip, 1e-3f);
        assert_int_equal(
            sqt_uniform_clip_build(&tape.uniform, &tape.skeleton, &tape.clip, 1e-3f, tape.memory, bytes, NULL), SQT_OK);
        assert_int_equal(tape.uniform.block_kinds[0], wide ? 7 : 0);
        if (wide) continue;
        const sqt_transform got[3] = {sample_joint(&tape, 0, 0.3, 0), sample_joint(&tape, 1, 0.3, 0),
                                      sample_joint(&tape, 2, 0.3, 0)};
        assert_close((double)got[0].translation.x, 0.25, 1e-7);
        assert_close((double)got[1].scale.y, 2, 2e-7);
        assert_rotation_close(got[2].rotation, check_degrees(1, 0, 0, 0), 1e-7);
        const sqt_clip_error error = measure(&tape, 0, 0);
        assert_close((double)error.translation, 3.6e-3, 1e-6);
        assert_close((double)error.scale, 0.9e-3, 1e-6);
        assert_close((double)error.rotation_radians, 1.8e-3, 1e-6);
    }
}

// Signs

static void samples_follow_each_other_in_one_hemisphere(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 1, 1, 8, &random);
    for (uint32_t i = 0; i < 8; ++i) {
        const sqt_quat q = check_degrees(0, 0.6, 0.8, 10.0 * i);
        const sqt_transform t = {i % 3 == 1 ? check_negated(q) : q, {0, 0, 0}, {1, 1, 1}};
        sqt_pose_set(row(&tape, i), 0, t);
    }
    build(&tape);
    for (uint32_t i = 0; i < 70; ++i) {
        const sqt_quat got = sample_joint(&tape, 0, 2.0 * i / 70, SQT_SLERP).rotation;
        assert_rotation_close(got, check_degrees(0, 0.6, 0.8, (double)i), 2e-5);
        assert_true(got.w > 0);
    }
}

static void the_seam_of_a_loop_takes_the_short_arc(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 1, 1, 4, &random);
    tape.clip.flags = SQT_CLIP_CYCLIC;
    tape.clip.timeline.loop = SQT_LOOP_WRAP;
    for (uint32_t i = 0; i < 4; ++i) { // a whole turn: followed through, the last quarter ends on -1 times the first
        const sqt_transform t = {check_degrees(0, 0, 1, 90.0 * i), {0, 0, 0}, {1, 1, 1}};
        sqt_pose_set(row(&tape, i), 0, t);
    }
    build(&tape);
    for (uint32_t i = 0; i < 80; ++i) {
        const double seconds = 2.0 * i / 80 - 2.0 * (i % 2);
        const sqt_quat got = sample_joint(&tape, 0, seconds, SQT_SLERP).rotation;
        assert_rotation_close(got, check_degrees(0, 0, 1, 4.5 * i), 6e-5);
    }
}

// Against the float clip

/// Fails unless the two clips differ by no more than `error` at a time, quantity by quantity.
static void assert_within(const recording *r, const sqt_clip_error *error, double seconds, uint32_t flags) {
    sqt_pose_block exact[CHECK_POSE_CAPACITY];
    check_output output;
    check_output_reset(&output);
    assert_int_equal(sqt_clip_sample(exact, &r->skeleton, &r->clip, seconds, flags), SQT_OK);
    assert_int_equal(sqt_uniform_clip_sample(output.pose, &r->skeleton, &r->uniform, seconds, flags), SQT_OK);
    check_output_assert_only(&output, SQT_POSE_BLOCKS(r->skeleton.joint_count));
    for (uint32_t j = 0; j < r->skeleton.joint_count; ++j) {
        const sqt_transform a = sqt_pose_get(exact, j), b = sqt_pose_get(output.pose, j);
        const sqt_quat qa = a.rotation, qb = b.rotation;
        const double dx = (double)a.translation.x - (double)b.translation.x;
        const double dy = (double)a.translation.y - (double)b.translation.y;
        const double dz = (double)a.translation.z - (double)b.translation.z;
        const double sign = qa.x * qb.x + qa.y * qb.y + qa.z * qb.z + qa.w * qb.w < 0 ? -1 : 1;
        const double x = (double)qa.x - sign * (double)qb.x, y = (double)qa.y - sign * (double)qb.y;
        const double z = (double)qa.z - sign * (double)qb.z, w = (double)qa.w - sign * (double)qb.w;
        const double angle = 4 * asin(sqrt(x * x + y * y + z * z + w * w) / 2); // the chord of half of it
        // What was measured is the worst but for roundings of floats.
        if (!(angle <= 1.02 * (double)error->rotation_radians + 1e-6)) fail_msg("joint %u turned by %g", j, angle);
        assert_true(sqrt(dx * dx + dy * dy + dz * dz) <= 1.02 * (double)error->translation + 1e-6);
        assert_close((double)a.scale.x, (double)b.scale.x, 1.02 * (double)error->scale + 1e-6);
        assert_close((double)a.scale.y, (double)b.scale.y, 1.02 * (double)error->scale + 1e-6);
        assert_close((double)a.scale.z, (double)b.scale.z, 1.02 * (double)error->scale + 1e-6);
    }
}

static void clips_of_every_kind_stay_within_the_reported_error(void **state) {
    (void)state;
    check_random random = {SEED};
    print_message("seed %#x\n", SEED);
    for (uint32_t round = 0; round < 48; ++round) {
        const uint32_t joint_count = 1 + check_random_below(&random, 35), listed = round % 2;
        const uint32_t sample_count = 1 + check_random_below(&random, 12);
        record_motion(&tape, joint_count, listed ? 70 : joint_count, sample_count, &random);
        tape.clip.timeline.loop = round % 3;
        tape.clip.flags = (round / 3 % 2 ? SQT_CLIP_CYCLIC : 0) | (round / 6 % 2 ? SQT_CLIP_DIFFERENCE : 0);
        if (listed) list_odd_joints(&tape);
        build(&tape);
        for (uint32_t flags = SQT_NLERP; flags <= SQT_SLERP; ++flags) {
            const sqt_clip_error error = measure(&tape, 0.03f, flags);
            // Half a step of the widest range, half a metre; and 1/65534 of an interval that spans it: three axes.
            assert_true((double)error.translation <= 0.5 / 65534 * (0.5 + 1) * sqrt(3) + 1e-7);
            assert_true((double)error.scale <= 0.3 / 65534 * (0.5 + 1) + 2e-7);
            // A component is off by half of 1/65534 of 2 at most, the angle is twice what four of them come to.
            assert_true((double)error.rotation_radians <= 2.0 / 65534 * 2 * (0.5 + 1) * 2);
            for (uint32_t i = 0; i < 40; ++i) {
                assert_within(&tape, &error, (double)check_random_float(&random, -4, 4), flags);
            }
        }
    }
}

static void a_sample_instant_gives_the_sample_itself(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 37, 37, 23, &random);
    for (uint32_t j = 0; j < 37; ++j) move_track(&tape, j, SQT_TRACK_ROTATION, &random);
    for (uint32_t j = 0; j < 8; ++j) move_track(&tape, j, SQT_TRACK_SCALE, &random);
    tape.clip.timeline.duration_seconds = 1.7f;
    build(&tape);
    const sqt_uniform_clip *const u = &tape.uniform;
    for (uint32_t i = 0; i < 23; ++i) {
        check_output output;
        check_output_reset(&output);
        const double seconds = sqt_clip_sample_seconds(&tape.clip, i);
        assert_int_equal(sqt_uniform_clip_sample(output.pose, &tape.skeleton, u, seconds, SQT_NLERP), SQT_OK);
        uint32_t value_at = 0, at = i * u->row_length;
        for (uint32_t j = 0; j < 37; ++j) {
            const uint32_t lane = j % 16, kinds = u->block_kinds[j / 16];
            const float *const values = u->block_values + value_at + lane;
            const int16_t *const s = u->samples + at + sqt_uniform_place(lane);
            assert_true(kinds & SQT_TRACK_ROTATION);
            double q[4], square = 0;
            for (uint32_t c = 0; c < 4; ++c) {
                q[c] = ONE * s[16 * c] + (double)values[16 * c];
                square += q[c] * q[c];
            }
            const double k = 1 / sqrt(square);
            const sqt_quat expected = {(float)(q[0] * k), (float)(q[1] * k), (float)(q[2] * k), (float)(q[3] * k)};
            assert_rotation_close(sqt_pose_get(output.pose, j).rotation, expected, 2.5e-7);
            if (lane == 15) {
                value_at += 16 * sqt_uniform_block_value_rows(kinds);
                at += 16 * sqt_uniform_block_rows(kinds);
            }
        }
    }
}

static void a_level_of_detail_is_a_prefix_of_the_whole(void **state) {
    (void)state;
    check_random random = {SEED};
    record_motion(&tape, 61, 61, 5, &random);
    build(&tape);
    check_output whole, prefix;
    check_output_reset(&whole);
    assert_int_equal(sqt_uniform_clip_sample(whole.pose, &tape.skeleton, &tape.uniform, 0.7, SQT_NLERP), SQT_OK);
    for (uint32_t joint_count = 1; joint_count <= 61; ++joint_count) {
        sqt_skeleton level = tape.skeleton;
        level.joint_count = joint_count;
        check_output_reset(&prefix);
        assert_int_equal(sqt_uniform_clip_sample(prefix.pose, &level, &tape.uniform, 0.7, SQT_NLERP), SQT_OK);
        check_output_assert_only(&prefix, SQT_POSE_BLOCKS(joint_count));
        check_assert_pose_bits(prefix.pose, whole.pose, joint_count);
    }
}

static void listed_joints_lie_over_their_base(void **state) {
    (void)state;
    check_random random = {SEED};
    record_motion(&tape, 20, 45, 4, &random);
    list_odd_joints(&tape);
    build(&tape);
    memset(tape.joints, 0xFF, sizeof tape.joints); // the list was copied
    sqt_pose_block base[3], expected[3];
    check_random_pose(base, 45, &random);
    check_output output;
    check_output_reset(&output);
    assert_int_equal(sqt_uniform_clip_sample(output.pose, &tape.skeleton, &tape.uniform, 0.3, 0), SQT_OK);
    memcpy(expected, tape.rest, sizeof expected);
    for (uint32_t k = 0; k < 20; ++k) {
        const sqt_transform t = sqt_pose_get(output.pose, 2 * k + 1);
        sqt_pose_set(expected, 2 * k + 1, t);
        const sqt_transform stored = sqt_pose_get(row(&tape, 0), k); // 0.3 of 2 seconds is in the first interval
        assert_close((double)t.translation.x, (double)stored.translation.x, 0.5);
    }
    check_assert_pose_bits(output.pose, expected, 45);

    // Over what is in the pose already; identity below a difference.
    tape.uniform.base.pose = output.pose;
    tape.uniform.base.joint_count = 45;
    memcpy(output.pose, base, sizeof base);
    assert_int_equal(sqt_uniform_clip_sample(output.pose, &tape.skeleton, &tape.uniform, 0.3, 0), SQT_OK);
    for (uint32_t j = 0; j < 45; ++j) {
        if (j % 2 == 0 || j > 39) sqt_pose_set(expected, j, sqt_pose_get(base, j));
    }
    check_assert_pose_bits(output.pose, expected, 45);
    tape.uniform.base.pose = NULL;
    tape.uniform.base.joint_count = 0;
    tape.uniform.flags = SQT_CLIP_DIFFERENCE;
    assert_int_equal(sqt_uniform_clip_sample(output.pose, &tape.skeleton, &tape.uniform, 0.3, 0), SQT_OK);
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY, got = sqt_pose_get(output.pose, 44);
    assert_memory_equal(&got, &identity, sizeof got);
}

// The measured error

/// The largest distance of origins and points on axes, by products of double-precision matrices.
static double distance_between(const sqt_pose_block *a, const sqt_pose_block *b, const uint16_t *parents,
                               uint32_t joint_count, double shell) {
    check_dmat globals[2][CHECK_RIG_JOINTS];
    const sqt_pose_block *const poses[2] = {a, b};
    double largest = 0;
    for (uint32_t j = 0; j < joint_count; ++j) {
        for (int k = 0; k < 2; ++k) {
            const check_dmat local = check_dmat_from_transform(sqt_pose_get(poses[k], j));
            globals[k][j] = parents[j] == SQT_NO_JOINT ? local : check_dmat_multiply(globals[k][parents[j]], local);
        }
        for (int axis = 0; axis < 4; ++axis) { // the fourth is the origin
            double square = 0;
            for (int i = 0; i < 3; ++i) {
                const double *const ma = globals[0][j].m, *const mb = globals[1][j].m;
                const double along = axis == 3 ? 0 : shell * (ma[4 * axis + i] - mb[4 * axis + i]);
                square += (ma[12 + i] - mb[12 + i] + along) * (ma[12 + i] - mb[12 + i] + along);
            }
            largest = fmax(largest, sqrt(square));
        }
    }
    return largest;
}

static void the_error_is_that_of_an_independent_evaluation(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t round = 0; round < 6; ++round) {
        record_motion(&tape, 40, 40, 7, &random);
        tape.clip.flags = round % 2 ? SQT_CLIP_CYCLIC : 0;
        for (uint32_t j = 0; j < 40; ++j)
            tape.parents[j] = j == 0 ? SQT_NO_JOINT : (uint16_t)check_random_below(&random, j);
        build(&tape);
        const uint32_t flags = round / 2 % 2, intervals = round % 2 ? 7 : 6;
        const double between[] = {0, 0.49 / ONE, 0.51 / ONE, 0.5, 1 - 0.51 / ONE, 1 - 0.49 / ONE};
        double largest = 0;
        for (uint32_t i = 0; i <= 6 * intervals; ++i) {
            sqt_pose_block exact[3], lossy[3];
            const double seconds = 2.0 * (i / 6 + between[i % 6]) / intervals;
            assert_int_equal(sqt_clip_sample(exact, &tape.skeleton, &tape.clip, seconds, flags), SQT_OK);
            assert_int_equal(sqt_uniform_clip_sample(lossy, &tape.skeleton, &tape.uniform, seconds, flags), SQT_OK);
            largest = fmax(largest, distance_between(exact, lossy, tape.parents, 40, 0.25));
        }
        const sqt_clip_error error = measure(&tape, 0.25f, flags);
        assert_true(largest > 0);
        assert_close((double)error.distance, largest, 0.01 * largest + 1e-12);
    }
}

static void the_error_names_joint_and_time_and_adds_up_along_the_chain(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 3, 3, 5, &random);
    for (uint32_t i = 0; i < 5; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            sqt_transform t = SQT_TRANSFORM_IDENTITY;
            t.translation.y = 1;
            sqt_pose_set(row(&tape, i), j, t);
        }
    }
    build(&tape);
    sqt_clip_error error = measure(&tape, 0.5f, 0);
    assert_close((double)error.distance, 0, 0);
    // The float clip moves on: a quarter turn of the root at the third sample, a scale of 2 of the last joint's x.
    sqt_transform turned = SQT_TRANSFORM_IDENTITY;
    turned.rotation = check_degrees(0, 0, 1, 90);
    turned.translation.y = 1.5f;
    sqt_pose_set(row(&tape, 2), 0, turned);
    row(&tape, 2)->sx[2] = 2;
    error = measure(&tape, 0.5f, 0);
    assert_close((double)error.rotation_radians, 3.14159265358979323846 / 2, 1e-6);
    assert_close((double)error.translation, 0.5, 1e-7);
    assert_close((double)error.scale, 1, 0);
    // The tip's y point: (0, 3.5) becomes (-2.5, 1.5). Its x point: (0.5, 3) becomes (-2, 2.5).
    assert_close((double)error.distance, sqrt(2.5 * 2.5 + 2 * 2), 1e-6);
    assert_int_equal(error.joint, 2);
    assert_close(error.seconds, 1, 1e-12);
    error = measure(&tape, 0, 0); // origins alone: (0, 3) becomes (-2, 1.5)
    assert_close((double)error.distance, 2.5, 1e-6);
    tape.clip.timeline.loop = SQT_LOOP_WRAP; // at whose end the first sample would play
    row(&tape, 4)->ty[1] = 100;
    error = measure(&tape, 0, 0);
    assert_close((double)error.distance, 99, 1e-5);
    assert_close(error.seconds, 2, 1e-12);
    row(&tape, 4)->ty[1] = 1;
    // On the rest pose: twice the difference, so another distance.
    tape.clip.flags = tape.uniform.flags = SQT_CLIP_DIFFERENCE;
    for (uint32_t j = 0; j < 3; ++j) sqt_pose_set(tape.rest, j, sqt_pose_get(row(&tape, 0), j));
    error = measure(&tape, 0, 0); // (0, 6) becomes (-4, 2.5)
    assert_close((double)error.distance, sqrt(4 * 4 + 3.5 * 3.5), 2e-6);
}

// The same bits

/// Arrays that end at guard pages.
typedef struct guarded {
    check_guard kinds, values, a, b, out[2];
} guarded;

static void kernels_have_the_bits_of_scalar(void **state) {
    (void)state;
    check_random random = {SEED};
    guarded g = {check_guard_make(64),
                 check_guard_make(65536),
                 check_guard_make(65536),
                 check_guard_make(65536),
                 {check_guard_make(16384), check_guard_make(16384)}};
    uint32_t compared = 0;
    for (uint32_t count = 1; count <= 129; ++count) {
        if (count > 33 && count != 63 && count != 64 && count != 65 && count < 127) continue;
        for (uint32_t round = 0; round < 24; ++round) {
            const uint32_t blocks = SQT_POSE_BLOCKS(count), shares[] = {0, 1, 16384, 32766, 32767};
            uint8_t kinds[9];
            uint32_t value_count = 0, integer_count = 0;
            for (uint32_t i = 0; i < blocks; ++i) {
                kinds[i] = (uint8_t)check_random_below(&random, 8);
                value_count += 16 * sqt_uniform_block_value_rows(kinds[i]);
                integer_count += 16 * sqt_uniform_block_rows(kinds[i]);
            }
            uint8_t *const k = check_guard_take(&g.kinds, blocks);
            memcpy(k, kinds, blocks);
            float *const values = check_guard_take(&g.values, value_count * sizeof *values);
            for (uint32_t i = 0; i < value_count; ++i) {
                const float odd[] = {0, -0.0f, 1e17f, -1e9f, 1};
                values[i] = check_random_below(&random, 4) ? check_random_float(&random, -2e9f, 2e9f) : odd[i % 5];
            }
            int16_t *const rows[2] = {check_guard_take(&g.a, integer_count * 2),
                                      check_guard_take(&g.b, integer_count * 2)};
            for (uint32_t i = 0; i < 2 * integer_count; ++i) {
                const int16_t odd[] = {0, -32768, 32767, -1};
                rows[i % 2][i / 2] =
                    check_random_below(&random, 4) ? (int16_t)check_random_u32(&random) : odd[i / 2 % 4];
            }
            const uint32_t share =
                round % 2 ? shares[check_random_below(&random, 5)] : check_random_below(&random, 32768);
            const sqt_uniform_job job = {k, values, rows[0], rows[1], share, (float)share / 32767};
            const size_t bytes = blocks * sizeof(sqt_pose_block);
            sqt_pose_block *const expected = check_guard_take(&g.out[0], bytes);
            sqt_kernels_scalar()->uniform(expected, &job, count, round / 2 % 2);
            for (uint32_t isa = SQT_ISA_SSE; isa < SQT_ISA_COUNT; ++isa) {
                const sqt_kernels *const set = sqt_kernels_of(isa);
                if (!set) continue;
                sqt_pose_block *const got = check_guard_take(&g.out[1], bytes);
                set->uniform(got, &job, count, round / 2 % 2);
                check_guard_assert_before(&g.out[1], bytes);
                if (memcmp(expected, got, bytes) != 0) fail_msg("%s differs at %u joints", sqt_isa_name(isa), count);
                ++compared;
            }
        }
    }
    print_message("%u poses compared\n", compared);
    check_guard *const all[] = {&g.kinds, &g.values, &g.a, &g.b, &g.out[0], &g.out[1]};
    for (uint32_t i = 0; i < 6; ++i) check_guard_free(all[i]);
}

static void every_instruction_set_samples_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t round = 0; round < 8; ++round) {
        record_motion(&tape, 30, 70, 3, &random);
        if (round % 2) list_odd_joints(&tape);
        if (!(round % 2)) tape.skeleton.joint_count = tape.skeleton.full_joint_count = 30;
        build(&tape);
        for (uint32_t flags = SQT_NLERP; flags <= SQT_SLERP; ++flags) {
            check_output scalar, other;
            check_output_reset(&scalar);
            sqt_isa_cap(SQT_ISA_SCALAR);
            assert_int_equal(sqt_uniform_clip_sample(scalar.pose, &tape.skeleton, &tape.uniform, 0.3, flags), SQT_OK);
            for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
                sqt_isa_cap(isa);
                check_output_reset(&other);
                assert_int_equal(sqt_uniform_clip_sample(other.pose, &tape.skeleton, &tape.uniform, 0.3, flags),
                                 SQT_OK);
                assert_memory_equal(&scalar, &other, sizeof scalar);
            }
            sqt_isa_cap(SQT_ISA_BEST);
        }
    }
}

static void samples_of_any_content_stay_within_the_buffers(void **state) {
    (void)state;
    check_random random = {SEED};
    check_guard guard = check_guard_make(MEMORY);
    for (uint32_t round = 0; round < 40; ++round) {
        const uint32_t joint_count = 1 + check_random_below(&random, 35),
                       sample_count = 1 + check_random_below(&random, 4);
        record_motion(&tape, joint_count, joint_count, sample_count, &random);
        tape.clip.flags = round % 2 ? SQT_CLIP_CYCLIC : 0;
        build(&tape);
        const size_t count = (size_t)tape.uniform.row_length * (sample_count + round % 2);
        int16_t *const samples = check_guard_take(&guard, count * sizeof *samples);
        for (size_t i = 0; i < count; ++i) samples[i] = (int16_t)check_random_u32(&random);
        tape.uniform.samples = samples;
        if (round % 8 == 0) { // the last row alone
            tape.uniform.samples = samples + count - tape.uniform.row_length;
            tape.uniform.sample_count = 1;
        }
        sqt_fault fault;
        assert_int_equal(sqt_uniform_clip_validate(&tape.uniform, &tape.skeleton, &fault), SQT_OK);
        for (uint32_t i = 0; i <= 8; ++i) {
            for (uint32_t j = 0; j < joint_count; ++j) {
                const sqt_transform t = sample_joint(&tape, j, 0.25 * i, i % 2);
                const sqt_quat q = t.rotation;
                assert_close((double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w), 1, 2e-3);
                assert_true(fabsf(t.translation.x) < 10 && fabsf(t.scale.z) < 10);
            }
        }
    }
    check_guard_free(&guard);
}

/// Numbers that a file may hold where a small one belongs.
static float number_of(check_random *random) {
    static const float odd[] = {0, -0.0f, 1e-40f, 1e17f, -1e18f, 2e18f, 3e38f, -3e38f, 1e29f, 1, NAN, INFINITY};
    return odd[check_random_below(random, sizeof odd / sizeof *odd)];
}

/// Fails unless every number of a pose is finite.
static void assert_finite(const sqt_pose_block *pose, uint32_t joint_count) {
    const float *const numbers = (const float *)pose;
    for (size_t i = 0; i < SQT_POSE_BLOCKS(joint_count) * sizeof *pose / sizeof(float); ++i) {
        assert_true(isfinite(numbers[i]));
    }
}

/// A copy that ends at a guard page.
static void *guarded_copy(check_guard *guard, const void *from, size_t bytes) {
    void *const to = check_guard_take(guard, bytes);
    if (bytes) memcpy(to, from, bytes);
    return to;
}

static void whatever_validation_accepts_plays_within_the_buffers(void **state) {
    (void)state;
    check_random random = {SEED};
    check_guard guards[4] = {check_guard_make(64), check_guard_make(65536), check_guard_make(65536),
                             check_guard_make(65536)};
    uint32_t accepted = 0, refused = 0;
    for (uint32_t round = 0; round < 3000; ++round) {
        if (round % 50 == 0) {
            record_motion(&tape, 1 + check_random_below(&random, 35), 70, 2, &random);
            tape.skeleton.joint_count = tape.skeleton.full_joint_count = tape.clip.joint_count;
            tape.clip.flags = round % 100 ? SQT_CLIP_CYCLIC : 0;
            build(&tape);
        }
        sqt_uniform_clip u = tape.uniform;
        const uint32_t blocks = SQT_POSE_BLOCKS(u.joint_count), rows = u.flags & SQT_CLIP_CYCLIC ? 3 : 2;
        uint8_t *const kinds = guarded_copy(guards, u.block_kinds, blocks);
        float *const values = guarded_copy(guards + 1, u.block_values, u.block_value_count * sizeof *values);
        sqt_lone_track *const lone = guarded_copy(guards + 2, u.lone_tracks, u.lone_track_count * sizeof *lone);
        u.samples = guarded_copy(guards + 3, u.samples, (size_t)u.row_length * rows * sizeof *u.samples);
        u.block_kinds = kinds, u.block_values = values, u.lone_tracks = lone;
        for (uint32_t changes = check_random_below(&random, 3); changes-- > 0;) {
            const uint32_t bits = check_random_u32(&random), what = check_random_below(&random, 8);
            if (what == 0) kinds[bits % blocks] ^= (uint8_t)(1u << bits / 64 % 4);
            if (what == 1 || what == 2) values[bits % u.block_value_count] = number_of(&random);
            if (what == 3 && u.lone_track_count) lone[bits % u.lone_track_count].kind = (uint16_t)(bits / 64 % 8);
            if (what == 4 && u.lone_track_count)
                lone[bits % u.lone_track_count].lane ^= (uint16_t)(1u << bits / 64 % 16);
            if (what == 5 && u.lone_track_count)
                lone[bits % u.lone_track_count].offset[bits / 64 % 4] = number_of(&random);
            if (what == 6 && u.lone_track_count)
                lone[bits % u.lone_track_count].step[bits / 64 % 4] = number_of(&random);
            if (what == 7 && u.sample_count > 1) --u.sample_count; // fewer than there are is allowed
        }
        if (sqt_uniform_clip_validate(&u, &tape.skeleton, NULL)) {
            ++refused;
            continue;
        }
        ++accepted;
        for (uint32_t i = 0; i < 4; ++i) {
            check_output output;
            check_output_reset(&output);
            const double seconds = (double)check_random_float(&random, -1, 3);
            assert_int_equal(sqt_uniform_clip_sample(output.pose, &tape.skeleton, &u, seconds, i % 2), SQT_OK);
            check_output_assert_only(&output, blocks);
            assert_finite(output.pose, tape.skeleton.joint_count);
        }
    }
    print_message("%u accepted, %u refused\n", accepted, refused);
    assert_true(accepted > 500 && refused > 500);
    for (uint32_t i = 0; i < 4; ++i) check_guard_free(guards + i);
}

// What is refused

static void building_refuses_what_it_cannot_use(void **state) {
    (void)state;
    check_random random = {SEED};
    record_motion(&tape, 20, 20, 3, &random);
    const size_t bytes = sqt_uniform_clip_bytes(&tape.clip, 0);
    sqt_uniform_clip made;
    sqt_fault fault;
    memset(&made, 0x5A, sizeof made);
    memset(tape.memory, 0x5A, sizeof tape.memory);
    assert_int_equal(sqt_uniform_clip_build(NULL, &tape.skeleton, &tape.clip, 0, tape.memory, bytes, &fault),
                     SQT_ERROR_NULL);
    assert_fault(fault, "uniform", 0, 0);
    assert_int_equal(sqt_uniform_clip_build(&made, &tape.skeleton, &tape.clip, 0, NULL, bytes, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "memory", 0, 0);
    assert_int_equal(sqt_uniform_clip_build(&made, &tape.skeleton, NULL, 0, tape.memory, bytes, &fault),
                     SQT_ERROR_NULL);
    assert_fault(fault, "clip", 0, 0);
    assert_int_equal(sqt_uniform_clip_build(&made, &tape.skeleton, &tape.clip, 0, tape.memory, bytes - 1, &fault),
                     SQT_ERROR_SPACE);
    assert_fault(fault, "memory_bytes", 0, 0);
    for (int i = 0; i < 3; ++i) {
        const float ratios[] = {-1e-9f, 1.1f, NAN};
        assert_int_equal(sqt_uniform_clip_bytes(&tape.clip, ratios[i]), 0);
        assert_int_equal(
            sqt_uniform_clip_build(&made, &tape.skeleton, &tape.clip, ratios[i], tape.memory, bytes, &fault),
            SQT_ERROR_NUMBER);
        assert_fault(fault, "still_ratio", 0, 0);
    }
    row(&tape, 1)->ty[4] = NAN;
    assert_int_equal(sqt_uniform_clip_build(&made, &tape.skeleton, &tape.clip, 0, tape.memory, bytes, &fault),
                     SQT_ERROR_NUMBER);
    assert_fault(fault, "samples", 1, 4);
    const unsigned char *const written = (const unsigned char *)&made;
    for (size_t i = 0; i < sizeof made; ++i) assert_int_equal(written[i], 0x5A);
    for (size_t i = 0; i < sizeof tape.memory; ++i) assert_int_equal(tape.memory[i], 0x5A);
    assert_int_equal(sqt_uniform_clip_bytes(NULL, 0), 0);
    sqt_clip bad = tape.clip;
    bad.samples = NULL;
    assert_int_equal(sqt_uniform_clip_bytes(&bad, 0), 0);
    bad = tape.clip, bad.sample_count = 0;
    assert_int_equal(sqt_uniform_clip_bytes(&bad, 0), 0);
    bad = tape.clip, bad.joint_count = 65536;
    assert_int_equal(sqt_uniform_clip_bytes(&bad, 0), 0);
}

static void memory_of_any_alignment_holds_the_same_clip(void **state) {
    (void)state;
    check_random random = {SEED};
    record_motion(&tape, 37, 37, 5, &random);
    build(&tape);
    const sqt_transform expected = sample_joint(&tape, 36, 0.9, 0);
    const size_t bytes = sqt_uniform_clip_bytes(&tape.clip, 0);
    check_guard guard = check_guard_make(bytes + 64);
    for (uint32_t offset = 0; offset < 66; offset += 13) {
        unsigned char *const memory = (unsigned char *)check_guard_take(&guard, bytes + offset);
        assert_int_equal(sqt_uniform_clip_build(&tape.uniform, &tape.skeleton, &tape.clip, 0, memory, bytes, NULL),
                         SQT_OK);
        for (uint32_t i = 0; i < offset; ++i) assert_int_equal(memory[bytes + i], CHECK_CANARY);
        check_guard_assert_before(&guard, bytes + offset);
        const sqt_transform got = sample_joint(&tape, 36, 0.9, 0);
        assert_memory_equal(&got, &expected, sizeof got);
    }
    check_guard_free(&guard);
}

static void sampling_refuses_what_it_cannot_play(void **state) {
    (void)state;
    check_random random = {SEED};
    record_motion(&tape, 20, 20, 3, &random);
    build(&tape);
    const sqt_uniform_clip good = tape.uniform;
    sqt_uniform_clip bad;
    check_output output;
    check_output_reset(&output);
    sqt_pose_block *const pose = output.pose;
    sqt_skeleton skeleton = tape.skeleton;
    assert_int_equal(sqt_uniform_clip_sample(NULL, &skeleton, &good, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_sample(pose, NULL, &good, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, NULL, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &good, (double)NAN, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &good, 0, 2), SQT_ERROR_FLAG);
    bad = good, bad.samples = NULL;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NULL);
    bad = good, bad.block_kinds = NULL;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NULL);
    bad = good, bad.block_values = NULL;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NULL);
    bad = good, bad.lone_tracks = NULL, bad.lone_track_count = 1;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NULL);
    bad = good, bad.flags = 128;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_FLAG);
    bad = good, bad.timeline.loop = 3;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_FLAG);
    bad = good, bad.timeline.duration_seconds = -1;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NUMBER);
    bad = good, bad.rig_hash = 1;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_RIG);
    bad = good, bad.sample_count = 0;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    bad = good, bad.joint_count = 19;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    bad = good, bad.joint_count = 65536;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    uint16_t joints[20];
    for (uint32_t k = 0; k < 20; ++k) joints[k] = (uint16_t)k;
    bad = good, bad.joints = joints;
    skeleton.rest = NULL;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NULL);
    bad.base.pose = tape.rest, bad.base.joint_count = 19;
    assert_int_equal(sqt_uniform_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    check_output_assert_only(&output, 0);
}

static void assert_refused(const sqt_uniform_clip *uniform, sqt_result result, const char *field, uint32_t index,
                           uint32_t element) {
    sqt_fault fault = {NULL, 99, 99};
    assert_int_equal(sqt_uniform_clip_validate(uniform, &tape.skeleton, &fault), result);
    assert_fault(fault, field, index, element);
    assert_int_equal(sqt_uniform_clip_validate(uniform, &tape.skeleton, NULL), result);
}

static void validation_names_each_wrong_field(void **state) {
    (void)state;
    check_random random = {SEED};
    record_rest(&tape, 24, 24, 3, &random);
    for (uint32_t j = 0; j < 16; ++j) move_track(&tape, j, SQT_TRACK_ROTATION, &random);
    move_track(&tape, 5, SQT_TRACK_TRANSLATION, &random);
    move_track(&tape, 17, SQT_TRACK_ROTATION, &random);
    move_track(&tape, 17, SQT_TRACK_SCALE, &random);
    build(&tape);
    const sqt_uniform_clip good = tape.uniform;
    sqt_uniform_clip bad;
    sqt_fault fault;
    assert_int_equal(sqt_uniform_clip_validate(NULL, &tape.skeleton, &fault), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_validate(&good, NULL, &fault), SQT_ERROR_NULL);
    bad = good, bad.block_kinds = NULL;
    assert_refused(&bad, SQT_ERROR_NULL, "block_kinds", 0, 0);
    bad = good, bad.block_values = NULL;
    assert_refused(&bad, SQT_ERROR_NULL, "block_values", 0, 0);
    bad = good, bad.lone_tracks = NULL;
    assert_refused(&bad, SQT_ERROR_NULL, "lone_tracks", 0, 0);
    bad = good, bad.samples = NULL;
    assert_refused(&bad, SQT_ERROR_NULL, "samples", 0, 0);
    bad = good, bad.flags = 1;
    assert_refused(&bad, SQT_ERROR_FLAG, "flags", 0, 0);
    bad = good, bad.timeline.loop = 3;
    assert_refused(&bad, SQT_ERROR_FLAG, "loop", 0, 0);
    bad = good, bad.rig_hash = 1;
    assert_refused(&bad, SQT_ERROR_RIG, "rig_hash", 0, 0);
    bad = good, bad.sample_count = 0;
    assert_refused(&bad, SQT_ERROR_COUNT, "sample_count", 0, 0);
    bad = good, bad.joint_count = 23;
    assert_refused(&bad, SQT_ERROR_COUNT, "joint_count", 0, 0);
    bad = good, bad.joint_count = 65536;
    assert_refused(&bad, SQT_ERROR_COUNT, "joint_count", 0, 0);
    bad = good, bad.base.joint_count = 1;
    assert_refused(&bad, SQT_ERROR_NULL, "base", 0, 0);
    bad = good, ++bad.block_value_count;
    assert_refused(&bad, SQT_ERROR_COUNT, "block_value_count", 0, 0);
    bad = good, bad.row_length += 16;
    assert_refused(&bad, SQT_ERROR_COUNT, "row_length", 0, 0);
    bad = good, ++bad.lone_first;
    assert_refused(&bad, SQT_ERROR_COUNT, "lone_first", 0, 0);
    bad = good, bad.lone_track_count = 73;
    assert_refused(&bad, SQT_ERROR_COUNT, "lone_track_count", 0, 0);
    uint16_t joints[24];
    for (uint32_t k = 0; k < 24; ++k) joints[k] = (uint16_t)(k == 7 ? 6 : k);
    bad = good, bad.joints = joints;
    assert_refused(&bad, SQT_ERROR_ORDER, "joints", 7, 0);
    joints[7] = 24;
    assert_refused(&bad, SQT_ERROR_COUNT, "joints", 7, 0);
    uint8_t kinds[2] = {SQT_TRACK_ROTATION, 8};
    bad = good, bad.block_kinds = kinds;
    assert_refused(&bad, SQT_ERROR_FLAG, "block_kinds", 1, 0);

    float values[16 * 24];
    bad = good, bad.block_values = values;
    const struct {
        uint32_t place;
        float value;
        uint32_t named;
    } numbers[] = {{3, NAN, 3},           {17, 2e18f, 17},     {64 + 2, -1, 2},
                   {64 + 2, INFINITY, 2}, {80 + 20, NAN, 100}, {11 * 16 + 5, 3, 11 * 16 + 5}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        memcpy(values, good.block_values, good.block_value_count * sizeof *values);
        values[numbers[i].place] = numbers[i].value;
        assert_refused(&bad, SQT_ERROR_NUMBER, "block_values", numbers[i].named, 0);
    }

    assert_int_equal(good.lone_track_count, 3);
    sqt_lone_track tracks[3];
    bad = good, bad.lone_tracks = tracks;
    memcpy(tracks, good.lone_tracks, sizeof tracks);
    tracks[1].kind = 3;
    assert_refused(&bad, SQT_ERROR_FLAG, "lone_tracks.kind", 1, 0);
    memcpy(tracks, good.lone_tracks, sizeof tracks);
    tracks[2].lane = 24;
    assert_refused(&bad, SQT_ERROR_COUNT, "lone_tracks.lane", 2, 0);
    tracks[2] = tracks[1];
    assert_refused(&bad, SQT_ERROR_ORDER, "lone_tracks.lane", 2, 0);
    tracks[2].lane = 16;
    assert_refused(&bad, SQT_ERROR_ORDER, "lone_tracks.lane", 2, 0);
    memcpy(tracks, good.lone_tracks, sizeof tracks);
    tracks[0].kind = SQT_TRACK_ROTATION; // its block has that
    assert_refused(&bad, SQT_ERROR_ORDER, "lone_tracks.lane", 0, 0);
    memcpy(tracks, good.lone_tracks, sizeof tracks);
    tracks[1].offset[3] = INFINITY;
    assert_refused(&bad, SQT_ERROR_NUMBER, "lone_tracks", 1, 3);
    memcpy(tracks, good.lone_tracks, sizeof tracks);
    tracks[2].step[1] = 1e30f;
    assert_refused(&bad, SQT_ERROR_NUMBER, "lone_tracks", 2, 1);
}

static void measuring_refuses_what_does_not_go_together(void **state) {
    (void)state;
    check_random random = {SEED};
    record_motion(&tape, 5, 5, 3, &random);
    build(&tape);
    sqt_clip_error error;
    memset(&error, 0x5A, sizeof error);
    const size_t bytes = sqt_uniform_clip_error_bytes(&tape.skeleton);
    sqt_skeleton *const s = &tape.skeleton;
    sqt_clip clip = tape.clip;
    unsigned char *const m = tape.scratch;
    assert_int_equal(sqt_uniform_clip_error_bytes(NULL), 0);
    assert_int_equal(sqt_uniform_clip_error(NULL, s, &clip, &tape.uniform, 0, 0, m, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_error(&error, NULL, &clip, &tape.uniform, 0, 0, m, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_error(&error, s, NULL, &tape.uniform, 0, 0, m, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, NULL, 0, 0, m, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, &tape.uniform, 0, 0, NULL, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, &tape.uniform, 0, 0, m, bytes - 1), SQT_ERROR_SPACE);
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, &tape.uniform, -1, 0, m, bytes), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, &tape.uniform, NAN, 0, m, bytes), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, &tape.uniform, 0, 2, m, bytes), SQT_ERROR_FLAG);
    clip.sample_count = 2;
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, &tape.uniform, 0, 0, m, bytes), SQT_ERROR_COUNT);
    clip = tape.clip, clip.flags = SQT_CLIP_CYCLIC;
    assert_int_equal(sqt_uniform_clip_error(&error, s, &clip, &tape.uniform, 0, 0, m, bytes), SQT_ERROR_COUNT);
    s->parents = NULL;
    assert_int_equal(sqt_uniform_clip_error(&error, s, &tape.clip, &tape.uniform, 0, 0, m, bytes), SQT_ERROR_NULL);
    const unsigned char *const written = (const unsigned char *)&error;
    for (size_t i = 0; i < sizeof error; ++i) assert_int_equal(written[i], 0x5A);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translations_become_the_nearest_of_65535_steps),
        cmocka_unit_test(rotations_share_one_step_among_their_components),
        cmocka_unit_test(lanes_lie_in_the_order_0_8_4_12_by_fours),
        cmocka_unit_test(only_what_moves_is_stored),
        cmocka_unit_test(two_joints_of_nine_are_few),
        cmocka_unit_test(little_motion_is_kept_but_no_tiny_step),
        cmocka_unit_test(rounding_is_no_motion_and_denormals_are_zero),
        cmocka_unit_test(a_track_that_stays_near_its_middle_is_still),
        cmocka_unit_test(samples_follow_each_other_in_one_hemisphere),
        cmocka_unit_test(the_seam_of_a_loop_takes_the_short_arc),
        cmocka_unit_test(clips_of_every_kind_stay_within_the_reported_error),
        cmocka_unit_test(a_sample_instant_gives_the_sample_itself),
        cmocka_unit_test(a_level_of_detail_is_a_prefix_of_the_whole),
        cmocka_unit_test(listed_joints_lie_over_their_base),
        cmocka_unit_test(the_error_is_that_of_an_independent_evaluation),
        cmocka_unit_test(the_error_names_joint_and_time_and_adds_up_along_the_chain),
        cmocka_unit_test(kernels_have_the_bits_of_scalar),
        cmocka_unit_test(every_instruction_set_samples_the_same_bits),
        cmocka_unit_test(samples_of_any_content_stay_within_the_buffers),
        cmocka_unit_test(whatever_validation_accepts_plays_within_the_buffers),
        cmocka_unit_test(building_refuses_what_it_cannot_use),
        cmocka_unit_test(memory_of_any_alignment_holds_the_same_clip),
        cmocka_unit_test(sampling_refuses_what_it_cannot_play),
        cmocka_unit_test(validation_names_each_wrong_field),
        cmocka_unit_test(measuring_refuses_what_does_not_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
