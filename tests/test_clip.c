// Sampled clips: known numbers, a double-precision evaluator, seams, bases, levels of detail, and what is refused.
#include "check_pose.h"

#include <stdlib.h>

enum { MAX_SAMPLES = 24 };

/// A sampled clip with its memory: up to MAX_SAMPLES rows of up to CHECK_RIG_JOINTS joints.
typedef struct recording {
    sqt_clip clip;
    uint16_t joints[CHECK_RIG_JOINTS];
    sqt_pose_block samples[MAX_SAMPLES * CHECK_POSE_CAPACITY];
} recording;

static recording tape; // large, so not on the stack

static sqt_pose_block *row(recording *r, uint32_t index) {
    return r->samples + index * SQT_POSE_BLOCKS(r->clip.joint_count);
}

static void record_random(recording *r, uint32_t joint_count, uint32_t sample_count, float duration_seconds,
                          check_random *random) {
    memset(&r->clip, 0, sizeof r->clip);
    r->clip.timeline.duration_seconds = duration_seconds;
    r->clip.rig_hash = CHECK_RIG_HASH;
    r->clip.sample_count = sample_count;
    r->clip.joint_count = joint_count;
    r->clip.samples = r->samples;
    for (uint32_t i = 0; i < sample_count; ++i) check_random_pose(row(r, i), joint_count, random);
}

/// Every second joint of the rig, from the second on: 1, 3, 5, ...
static void list_odd_joints(recording *r) {
    for (uint32_t k = 0; k < r->clip.joint_count; ++k) r->joints[k] = (uint16_t)(2 * k + 1);
    r->clip.joints = r->joints;
}

/// A clip of one joint from rotations, in a rig of one joint.
static void record_two_rotations(recording *r, sqt_quat a, sqt_quat b) {
    check_random random = {1};
    record_random(r, 1, 2, 1, &random);
    sqt_transform transform = SQT_TRANSFORM_IDENTITY;
    transform.rotation = a;
    sqt_pose_set(row(r, 0), 0, transform);
    transform.rotation = b;
    sqt_pose_set(row(r, 1), 0, transform);
}

static void one_joint_rig(check_rig *rig) {
    check_random random = {2};
    check_rig_init(rig, 1, &random);
}

static sqt_transform sample_one(const check_rig *rig, const sqt_clip *clip, double seconds, uint32_t flags) {
    check_output output;
    check_output_reset(&output);
    assert_int_equal(sqt_clip_sample(output.pose, &rig->skeleton, clip, seconds, flags), SQT_OK);
    check_output_assert_only(&output, SQT_POSE_BLOCKS(rig->skeleton.joint_count));
    return sqt_pose_get(output.pose, 0);
}

// Known numbers

static void sign_flipped_samples_take_the_short_arc(void **state) {
    (void)state;
    check_rig rig;
    one_joint_rig(&rig);
    const sqt_quat half = {0.258819f, 0, 0, 0.9659258f}, slerp = {0.1736482f, 0, 0, 0.9848078f};
    const sqt_quat nlerp = {0.1729887f, 0, 0, 0.9849238f};
    for (int signs = 0; signs < 4; ++signs) {
        const sqt_quat a = check_degrees(1, 0, 0, 10), b = check_degrees(1, 0, 0, 50);
        record_two_rotations(&tape, signs & 1 ? check_negated(a) : a, signs & 2 ? check_negated(b) : b);
        assert_rotation_close(sample_one(&rig, &tape.clip, 0.5, SQT_SLERP).rotation, half, 1e-6);
        assert_rotation_close(sample_one(&rig, &tape.clip, 0.5, SQT_NLERP).rotation, half, 1e-6);
        assert_rotation_close(sample_one(&rig, &tape.clip, 0.25, SQT_SLERP).rotation, slerp, 1e-6);
        assert_rotation_close(sample_one(&rig, &tape.clip, 0.25, SQT_NLERP).rotation, nlerp, 1e-6);
        const sqt_vec3 up = {0, 1, 0}, turned = {0, 0.8660254f, 0.5f};
        const sqt_quat middle = sample_one(&rig, &tape.clip, 0.5, SQT_SLERP).rotation;
        assert_vec3_close(sqt_quat_rotate(middle, up), turned, 1e-6);
    }
}

static void interpolation_runs_from_the_earlier_to_the_later_sample(void **state) {
    (void)state;
    check_rig rig;
    one_joint_rig(&rig);
    record_two_rotations(&tape, check_degrees(0, 0, 1, 0), check_degrees(0, 0, 1, 80));
    const sqt_transform from = {check_degrees(0, 0, 1, 0), {0, 0, 0}, {1, 1, 1}};
    const sqt_transform to = {check_degrees(0, 0, 1, 80), {4, 4, 4}, {5, 5, 5}};
    sqt_pose_set(row(&tape, 0), 0, from);
    sqt_pose_set(row(&tape, 1), 0, to);
    const sqt_transform quarter = {check_degrees(0, 0, 1, 20), {1, 1, 1}, {2, 2, 2}};
    check_assert_transform(sample_one(&rig, &tape.clip, 0.25, SQT_SLERP), quarter, 1e-6);
}

static void a_clip_of_one_sample_is_that_sample_at_every_time(void **state) {
    (void)state;
    check_rig rig;
    one_joint_rig(&rig);
    check_random random = {3};
    const double times[] = {-1, 0, 0.5, 100};
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        for (uint32_t cyclic = 0; cyclic <= SQT_CLIP_CYCLIC; cyclic += SQT_CLIP_CYCLIC) {
            record_random(&tape, 1, 1, cyclic ? 2 : 0, &random);
            tape.samples[0].tx[0] = 7;
            tape.clip.timeline.loop = loop;
            tape.clip.flags = cyclic;
            for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
                const sqt_transform got = sample_one(&rig, &tape.clip, times[i], SQT_SLERP);
                // A cyclic clip of one sample leads from it to itself.
                if (cyclic) check_assert_transform(got, sqt_pose_get(tape.samples, 0), 2e-6);
                assert_close((double)got.translation.x, 7, 2e-6);
            }
        }
    }
}

static void two_clips_of_no_length_blend_to_finite_values(void **state) {
    (void)state;
    check_rig rig;
    one_joint_rig(&rig);
    check_random random = {4};
    sqt_pose_block poses[2];
    for (int i = 0; i < 2; ++i) {
        record_random(&tape, 1, 1, 0, &random);
        tape.samples[0].tx[0] = i ? 9.0f : 7.0f;
        tape.clip.timeline.loop = SQT_LOOP_WRAP;
        assert_int_equal(sqt_clip_sample(poses + i, &rig.skeleton, &tape.clip, 5, SQT_NLERP), SQT_OK);
    }
    assert_int_equal(sqt_blend_pair(poses, &rig.skeleton, poses, poses + 1, NULL, 0.5f, SQT_NLERP), SQT_OK);
    const sqt_transform mixed = sqt_pose_get(poses, 0);
    assert_close((double)mixed.translation.x, 8, 1e-6);
    const sqt_quat q = mixed.rotation;
    assert_close((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w, 1, 1e-6);
}

// Sample instants and seams

static void a_sample_instant_gives_the_sample_bit_for_bit(void **state) {
    (void)state;
    check_random random = {0x9A11};
    print_message("seed 0x9A11\n");
    check_rig rig;
    check_rig_init(&rig, 19, &random);
    const float durations[] = {1, 1.7083333f, 0.1f, 33.3f, 1e-3f, 1e6f};
    for (uint32_t count = 1; count <= MAX_SAMPLES; ++count) {
        for (size_t d = 0; d < sizeof durations / sizeof *durations; ++d) {
            for (uint32_t variant = 0; variant < 6; ++variant) {
                record_random(&tape, 19, count, durations[d], &random);
                tape.clip.flags = variant % 2 ? SQT_CLIP_CYCLIC : 0;
                tape.clip.timeline.loop = variant / 2;
                for (uint32_t k = 0; k < count; ++k) {
                    const double seconds = sqt_clip_sample_seconds(&tape.clip, k);
                    // The last instant of a closed clip that wraps is its first.
                    const bool seam = tape.clip.timeline.loop == SQT_LOOP_WRAP && variant % 2 == 0 && k + 1 == count;
                    check_output output;
                    check_output_reset(&output);
                    assert_int_equal(sqt_clip_sample(output.pose, &rig.skeleton, &tape.clip, seconds, k % 2), SQT_OK);
                    check_assert_pose_bits(output.pose, row(&tape, seam ? 0 : k), 19);
                    check_output_assert_only(&output, SQT_POSE_BLOCKS(19));
                }
            }
        }
    }
}

static void a_long_clip_gives_every_sample_bit_for_bit(void **state) {
    (void)state;
    // Only times and positions are at stake: one joint, whose translation counts the samples.
    enum { COUNT = 30000 };
    static sqt_pose_block samples[COUNT];
    check_rig rig;
    one_joint_rig(&rig);
    sqt_clip clip = {
        .timeline = {999.99f, SQT_LOOP_CLAMP}, .sample_count = COUNT, .joint_count = 1, .samples = samples};
    for (uint32_t k = 0; k < COUNT; ++k) {
        assert_int_equal(sqt_pose_identity(samples + k, 1), SQT_OK);
        samples[k].tx[0] = (float)k;
    }
    for (uint32_t cyclic = 0; cyclic <= SQT_CLIP_CYCLIC; cyclic += SQT_CLIP_CYCLIC) {
        clip.flags = cyclic;
        for (uint32_t k = 0; k < COUNT; ++k) {
            const double seconds = sqt_clip_sample_seconds(&clip, k);
            if (sample_one(&rig, &clip, seconds, SQT_NLERP).translation.x != (float)k) fail_msg("sample %u", k);
        }
    }
}

static void a_closed_clip_ends_on_its_last_sample(void **state) {
    (void)state;
    check_random random = {5};
    check_rig rig;
    one_joint_rig(&rig);
    record_random(&tape, 1, 3, 2, &random);
    for (uint32_t k = 0; k < 3; ++k) row(&tape, k)->tx[0] = (float)(10 * k);
    assert_close((double)sample_one(&rig, &tape.clip, 0.5, SQT_NLERP).translation.x, 5, 1e-6);
    assert_close((double)sample_one(&rig, &tape.clip, 1.5, SQT_NLERP).translation.x, 15, 1e-6);
    assert_close((double)sample_one(&rig, &tape.clip, 2, SQT_NLERP).translation.x, 20, 0);
    assert_close((double)sample_one(&rig, &tape.clip, 9, SQT_NLERP).translation.x, 20, 0);
    assert_close((double)sample_one(&rig, &tape.clip, -9, SQT_NLERP).translation.x, 0, 0);
}

static void an_open_clip_leads_back_to_its_first_sample(void **state) {
    (void)state;
    check_random random = {6};
    check_rig rig;
    one_joint_rig(&rig);
    record_random(&tape, 1, 4, 4, &random);
    tape.clip.flags = SQT_CLIP_CYCLIC;
    for (uint32_t k = 0; k < 4; ++k) row(&tape, k)->tx[0] = (float)(10 * k);
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        tape.clip.timeline.loop = loop;
        assert_close((double)sample_one(&rig, &tape.clip, 3, SQT_NLERP).translation.x, 30, 0);
        assert_close((double)sample_one(&rig, &tape.clip, 3.5, SQT_NLERP).translation.x, 15, 1e-6);
        assert_close((double)sample_one(&rig, &tape.clip, 4, SQT_NLERP).translation.x, 0, 0);
    }
    tape.clip.timeline.loop = SQT_LOOP_WRAP;
    assert_close((double)sample_one(&rig, &tape.clip, -0.5, SQT_NLERP).translation.x, 15, 1e-6);
    assert_close((double)sample_one(&rig, &tape.clip, 4001.25, SQT_NLERP).translation.x, 12.5, 1e-6);
    tape.clip.timeline.loop = SQT_LOOP_PING_PONG;
    assert_close((double)sample_one(&rig, &tape.clip, 4.5, SQT_NLERP).translation.x, 15, 1e-6);
    assert_close((double)sample_one(&rig, &tape.clip, 5, SQT_NLERP).translation.x, 30, 0);
}

static void ping_pong_plays_the_same_poses_back(void **state) {
    (void)state;
    check_random random = {7};
    check_rig rig;
    check_rig_init(&rig, 19, &random);
    record_random(&tape, 19, 9, 2, &random);
    tape.clip.timeline.loop = SQT_LOOP_PING_PONG;
    for (int i = 0; i <= 256; ++i) {
        sqt_pose_block there[2], back[2];
        assert_int_equal(sqt_clip_sample(there, &rig.skeleton, &tape.clip, i / 128.0, SQT_NLERP), SQT_OK);
        assert_int_equal(sqt_clip_sample(back, &rig.skeleton, &tape.clip, 4 - i / 128.0, SQT_NLERP), SQT_OK);
        assert_memory_equal(there, back, sizeof there);
        assert_int_equal(sqt_clip_sample(back, &rig.skeleton, &tape.clip, -i / 128.0, SQT_NLERP), SQT_OK);
        assert_memory_equal(there, back, sizeof there);
    }
}

static void the_seam_of_a_loop_is_as_smooth_as_its_middle(void **state) {
    (void)state;
    check_random random = {8};
    check_rig rig;
    one_joint_rig(&rig);
    for (uint32_t cyclic = 0; cyclic <= SQT_CLIP_CYCLIC; cyclic += SQT_CLIP_CYCLIC) {
        record_random(&tape, 1, 9, 1.7083333f, &random);
        tape.clip.flags = cyclic;
        tape.clip.timeline.loop = SQT_LOOP_WRAP;
        if (!cyclic) tape.samples[8] = tape.samples[0];
        for (int turn = -3; turn <= 3; ++turn) {
            const double seam = turn * (double)1.7083333f;
            const sqt_transform before = sample_one(&rig, &tape.clip, seam - 1e-9, SQT_NLERP);
            const sqt_transform behind = sample_one(&rig, &tape.clip, seam + 1e-9, SQT_NLERP);
            check_assert_transform(before, behind, 1e-6);
        }
    }
}

// Against double precision

static sqt_quat exact_rotation(sqt_quat a, sqt_quat b, double u, uint32_t flags) {
    const float from[4] = {a.x, a.y, a.z, a.w}, to[4] = {b.x, b.y, b.z, b.w};
    const check_dquat p = check_dquat_of(from), q = check_dquat_of(to);
    return check_dquat_rounded(flags == SQT_SLERP ? check_dquat_slerp(p, q, u) : check_dquat_nlerp(p, q, u));
}

static sqt_vec3 exact_mix(sqt_vec3 a, sqt_vec3 b, double u) {
    const sqt_vec3 mix = {(float)((1 - u) * a.x + u * b.x), (float)((1 - u) * a.y + u * b.y),
                          (float)((1 - u) * a.z + u * b.z)};
    return mix;
}

static void samples_agree_with_double_precision(void **state) {
    (void)state;
    check_random random = {0xC11B};
    print_message("seed 0xC11B\n");
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    for (int round = 0; round < 300; ++round) {
        const uint32_t count = 2 + check_random_below(&random, MAX_SAMPLES - 2);
        const float duration = check_random_float(&random, 0.1f, 20);
        record_random(&tape, 37, count, duration, &random);
        tape.clip.flags = check_random_below(&random, 2) ? SQT_CLIP_CYCLIC : 0;
        const uint32_t flags = check_random_below(&random, 2) ? SQT_SLERP : SQT_NLERP;
        const uint32_t intervals = tape.clip.flags ? count : count - 1;
        const double seconds = (double)duration * (check_random_u32(&random) / 4294967296.0);
        const double position = seconds * intervals / (double)duration, u = position - floor(position);
        const uint32_t index = (uint32_t)position, next = (index + 1) % count;
        sqt_pose_block pose[SQT_POSE_BLOCKS(37)];
        assert_int_equal(sqt_clip_sample(pose, &rig.skeleton, &tape.clip, seconds, flags), SQT_OK);
        for (uint32_t j = 0; j < 37; ++j) {
            const sqt_transform a = sqt_pose_get(row(&tape, index), j), b = sqt_pose_get(row(&tape, next), j);
            const sqt_transform expected = {exact_rotation(a.rotation, b.rotation, u, flags),
                                            exact_mix(a.translation, b.translation, u), exact_mix(a.scale, b.scale, u)};
            check_assert_transform(sqt_pose_get(pose, j), expected, 2e-6);
        }
    }
}

static void a_time_near_a_sample_is_not_taken_for_it(void **state) {
    (void)state;
    check_rig rig;
    one_joint_rig(&rig);
    check_random random = {23};
    record_random(&tape, 1, 5, 4, &random);
    for (uint32_t k = 0; k < 5; ++k) row(&tape, k)->tx[0] = 1e9f * (float)(k % 2);
    for (double away = 1e-12; away < 0.1; away *= 10) {
        const double behind = (double)sample_one(&rig, &tape.clip, 2 + away, SQT_NLERP).translation.x;
        assert_close(behind, 1e9 * ((2 + away) - 2), 1e9 * away * 2e-7);
    }
}

// Coverage: lists, bases, levels of detail

static void joints_that_are_not_listed_keep_the_rest_pose(void **state) {
    (void)state;
    check_random random = {9};
    check_rig rig;
    for (uint32_t joint_count = 4; joint_count <= CHECK_RIG_JOINTS; joint_count += 11) {
        check_rig_init(&rig, joint_count, &random);
        record_random(&tape, joint_count / 2, 3, 1, &random);
        list_odd_joints(&tape);
        check_output output;
        check_output_reset(&output);
        assert_int_equal(sqt_clip_sample(output.pose, &rig.skeleton, &tape.clip, 0.5, SQT_NLERP), SQT_OK);
        sqt_pose_block expected[CHECK_POSE_CAPACITY];
        memcpy(expected, rig.rest, sizeof expected);
        for (uint32_t k = 0; k < joint_count / 2; ++k) {
            sqt_pose_set(expected, 2 * k + 1, sqt_pose_get(row(&tape, 1), k));
        }
        check_assert_pose_bits(output.pose, expected, joint_count);
        check_output_assert_only(&output, SQT_POSE_BLOCKS(joint_count));
    }
}

static void a_listed_clip_mixes_as_the_whole_one_does(void **state) {
    (void)state;
    check_random random = {10};
    check_rig rig;
    check_rig_init(&rig, CHECK_RIG_JOINTS, &random);
    static recording whole;
    record_random(&whole, CHECK_RIG_JOINTS, 5, 1, &random);
    record_random(&tape, CHECK_RIG_JOINTS / 2, 5, 1, &random);
    list_odd_joints(&tape);
    for (uint32_t i = 0; i < 5; ++i) {
        for (uint32_t j = 0; j < CHECK_RIG_JOINTS; ++j) {
            if (j % 2) {
                sqt_pose_set(row(&tape, i), j / 2, sqt_pose_get(row(&whole, i), j));
            } else {
                sqt_pose_set(row(&whole, i), j, sqt_pose_get(rig.rest, j));
            }
        }
    }
    for (uint32_t i = 0; i < 200; ++i) {
        const double seconds = (double)check_random_float(&random, 0, 1);
        check_output a, b;
        check_output_reset(&a);
        check_output_reset(&b);
        assert_int_equal(sqt_clip_sample(a.pose, &rig.skeleton, &whole.clip, seconds, i % 2), SQT_OK);
        assert_int_equal(sqt_clip_sample(b.pose, &rig.skeleton, &tape.clip, seconds, i % 2), SQT_OK);
        for (uint32_t j = 1; j < CHECK_RIG_JOINTS; j += 2) {
            const sqt_transform p = sqt_pose_get(a.pose, j), q = sqt_pose_get(b.pose, j);
            assert_memory_equal(&p, &q, sizeof p);
        }
        for (uint32_t j = 0; j < CHECK_RIG_JOINTS; j += 2) {
            const sqt_transform rest = sqt_pose_get(rig.rest, j), kept = sqt_pose_get(b.pose, j);
            assert_memory_equal(&kept, &rest, sizeof rest);
        }
    }
}

/// What a listed clip of the odd joints at its first sample should give over a base.
static void expect_over(sqt_pose_block *expected, recording *r) {
    for (uint32_t k = 0; k < r->clip.joint_count; ++k)
        sqt_pose_set(expected, r->joints[k], sqt_pose_get(r->samples, k));
}

static void joints_that_are_not_listed_come_from_the_base(void **state) {
    (void)state;
    check_random random = {11};
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    sqt_pose_block base[SQT_POSE_BLOCKS(50)], expected[CHECK_POSE_CAPACITY];
    check_random_pose(base, 50, &random);
    const uint16_t base_joints[] = {0, 3, 4, 20, 36};
    for (int listed = 0; listed < 2; ++listed) {
        for (int difference = 0; difference < 2; ++difference) {
            record_random(&tape, 18, 3, 1, &random);
            list_odd_joints(&tape);
            tape.clip.flags = difference ? SQT_CLIP_DIFFERENCE : 0;
            tape.clip.base.pose = base;
            tape.clip.base.joints = listed ? base_joints : NULL;
            tape.clip.base.joint_count = listed ? 5 : 50;
            if (!listed) {
                memcpy(expected, base, sizeof base);
            } else if (difference) {
                assert_int_equal(sqt_pose_identity(expected, 37), SQT_OK);
            } else {
                memcpy(expected, rig.rest, sizeof expected);
            }
            for (uint32_t k = 0; listed && k < 5; ++k) sqt_pose_set(expected, base_joints[k], sqt_pose_get(base, k));
            expect_over(expected, &tape);
            check_output output;
            check_output_reset(&output);
            assert_int_equal(sqt_clip_sample(output.pose, &rig.skeleton, &tape.clip, 0, SQT_NLERP), SQT_OK);
            check_assert_pose_bits(output.pose, expected, 37);
            check_output_assert_only(&output, SQT_POSE_BLOCKS(37));
            assert_int_equal(sqt_clip_validate(&tape.clip, &rig.skeleton, NULL), SQT_OK);
        }
    }
}

static void uncovered_joints_of_a_difference_are_identity(void **state) {
    (void)state;
    check_random random = {12};
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    record_random(&tape, 18, 3, 1, &random);
    list_odd_joints(&tape);
    tape.clip.flags = SQT_CLIP_DIFFERENCE;
    sqt_pose_block expected[CHECK_POSE_CAPACITY];
    assert_int_equal(sqt_pose_identity(expected, 37), SQT_OK);
    expect_over(expected, &tape);
    check_output output;
    check_output_reset(&output);
    rig.skeleton.rest = NULL; // it is not needed
    assert_int_equal(sqt_clip_sample(output.pose, &rig.skeleton, &tape.clip, 0, SQT_NLERP), SQT_OK);
    check_assert_pose_bits(output.pose, expected, 37);
}

static void a_base_that_is_the_pose_itself_stays_in_place(void **state) {
    (void)state;
    check_random random = {13};
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    record_random(&tape, 18, 3, 1, &random);
    list_odd_joints(&tape);
    check_output output;
    check_output_reset(&output); // so that the lanes behind the last joint must be set as well
    sqt_pose_block expected[CHECK_POSE_CAPACITY];
    check_random_pose(expected, 37, &random);
    for (uint32_t j = 0; j < 37; ++j) sqt_pose_set(output.pose, j, sqt_pose_get(expected, j));
    tape.clip.base.pose = output.pose;
    tape.clip.base.joint_count = 37;
    assert_int_equal(sqt_clip_sample(output.pose, &rig.skeleton, &tape.clip, 0, SQT_NLERP), SQT_OK);
    expect_over(expected, &tape);
    check_assert_pose_bits(output.pose, expected, 37);
    check_output_assert_only(&output, SQT_POSE_BLOCKS(37));
}

static void a_level_of_detail_is_a_prefix_of_the_whole(void **state) {
    (void)state;
    check_random random = {14};
    check_rig rig;
    check_rig_init(&rig, CHECK_RIG_JOINTS, &random);
    for (int listed = 0; listed < 2; ++listed) {
        record_random(&tape, listed ? CHECK_RIG_JOINTS / 2 : CHECK_RIG_JOINTS, 3, 1, &random);
        if (listed) list_odd_joints(&tape);
        sqt_pose_block whole[CHECK_POSE_CAPACITY];
        assert_int_equal(sqt_clip_sample(whole, &rig.skeleton, &tape.clip, 0.3, SQT_NLERP), SQT_OK);
        for (uint32_t joint_count = 1; joint_count < CHECK_RIG_JOINTS; ++joint_count) {
            sqt_skeleton level = rig.skeleton;
            level.joint_count = joint_count;
            for (int i = 0; i < 2; ++i) { // between samples, and on one
                const double seconds = i ? 0.5 : 0.3;
                check_output output;
                check_output_reset(&output);
                assert_int_equal(sqt_clip_sample(whole, &rig.skeleton, &tape.clip, seconds, SQT_NLERP), SQT_OK);
                assert_int_equal(sqt_clip_sample(output.pose, &level, &tape.clip, seconds, SQT_NLERP), SQT_OK);
                check_assert_pose_bits(output.pose, whole, joint_count);
                check_output_assert_only(&output, SQT_POSE_BLOCKS(joint_count));
            }
            assert_int_equal(sqt_clip_validate(&tape.clip, &level, NULL), SQT_OK);
        }
    }
}

static void a_scale_only_clip_keeps_the_rest_of_its_joint(void **state) {
    (void)state;
    check_rig rig;
    one_joint_rig(&rig);
    const sqt_transform rest = {check_degrees(0, 0, 1, 90), {0, 1, 0}, {2, 2, 2}};
    sqt_pose_set(rig.rest, 0, rest);
    record_two_rotations(&tape, rest.rotation, rest.rotation);
    for (uint32_t k = 0; k < 2; ++k) {
        sqt_transform key = rest;
        key.scale.x = key.scale.y = key.scale.z = k ? 4.0f : 2.0f;
        sqt_pose_set(row(&tape, k), 0, key);
    }
    const sqt_transform expected = {rest.rotation, {0, 1, 0}, {3, 3, 3}};
    check_assert_transform(sample_one(&rig, &tape.clip, 0.5, SQT_NLERP), expected, 1e-6);
}

static void a_joint_without_a_channel_blends_from_its_rest(void **state) {
    (void)state;
    check_random random = {15};
    check_rig rig;
    check_rig_init(&rig, 2, &random);
    rig.rest[0].tx[1] = 1;
    sqt_pose_block a[1], b[1];
    memset(a, 0xFF, sizeof a);
    memset(b, 0xFF, sizeof b);
    record_random(&tape, 2, 1, 0, &random);
    tape.samples[0].tx[1] = 4;
    assert_int_equal(sqt_clip_sample(a, &rig.skeleton, &tape.clip, 0, SQT_NLERP), SQT_OK);
    record_random(&tape, 1, 1, 0, &random);
    tape.joints[0] = 0;
    tape.clip.joints = tape.joints;
    assert_int_equal(sqt_clip_sample(b, &rig.skeleton, &tape.clip, 0, SQT_NLERP), SQT_OK);
    assert_int_equal(sqt_blend_pair(a, &rig.skeleton, a, b, NULL, 0.5f, SQT_NLERP), SQT_OK);
    assert_close((double)sqt_pose_get(a, 1).translation.x, 2.5, 1e-6);
}

static void every_instruction_set_samples_the_same_bits(void **state) {
    (void)state;
    check_random random = {16};
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    record_random(&tape, 18, 3, 1, &random);
    list_odd_joints(&tape);
    sqt_pose_block best[3], scalar[3];
    for (uint32_t flags = SQT_NLERP; flags <= SQT_SLERP; ++flags) {
        sqt_isa_cap(SQT_ISA_BEST);
        assert_int_equal(sqt_clip_sample(best, &rig.skeleton, &tape.clip, 0.3, flags), SQT_OK);
        sqt_isa_cap(SQT_ISA_SCALAR);
        assert_int_equal(sqt_clip_sample(scalar, &rig.skeleton, &tape.clip, 0.3, flags), SQT_OK);
        sqt_isa_cap(SQT_ISA_BEST);
        assert_memory_equal(best, scalar, sizeof best);
    }
}

// Two clips at once

static recording second_tape;

/// Samples that follow each other within `degrees`, the second clip's a quarter turn or less from the first's.
static void record_pair(uint32_t joint_count, double degrees, check_random *random) {
    record_random(&tape, joint_count, 4, 1.5f, random);
    record_random(&second_tape, joint_count, 3, 0.8f, random);
    for (uint32_t j = 0; j < joint_count; ++j) {
        const sqt_quat start = check_random_quat(random);
        const sqt_quat away = check_degrees(0.6, 0, 0.8, (double)check_random_float(random, -90, 90));
        for (uint32_t i = 0; i < 4; ++i) {
            const sqt_quat turn = check_degrees(0, 0.8, 0.6, degrees * i);
            sqt_transform t = sqt_pose_get(row(&tape, i), j);
            t.rotation = sqt_quat_multiply(start, turn);
            if (check_random_below(random, 2)) t.rotation = check_negated(t.rotation);
            sqt_pose_set(row(&tape, i), j, t);
            if (i == 3) break;
            t = sqt_pose_get(row(&second_tape, i), j);
            t.rotation = sqt_quat_multiply(sqt_quat_multiply(start, away), turn);
            if (check_random_below(random, 2)) t.rotation = check_negated(t.rotation);
            sqt_pose_set(row(&second_tape, i), j, t);
        }
    }
}

static void add_rotation_to(check_dquat *sum, sqt_quat lead, sqt_quat q, double weight) {
    const double dot = (double)lead.x * (double)q.x + (double)lead.y * (double)q.y + (double)lead.z * (double)q.z +
                       (double)lead.w * (double)q.w;
    const double w = dot < 0 ? -weight : weight;
    sum->x += w * (double)q.x, sum->y += w * (double)q.y, sum->z += w * (double)q.z, sum->w += w * (double)q.w;
}

static void a_pair_is_the_weighted_sum_of_four_samples(void **state) {
    (void)state;
    check_random random = {29};
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    record_pair(37, 150, &random); // so far apart that the choice of the hemisphere shows
    for (uint32_t round = 0; round < 200; ++round) {
        // 0.5 s between samples of the first, 0.4 s between those of the second.
        const uint32_t i = check_random_below(&random, 3), k = check_random_below(&random, 2);
        const double u = (double)check_random_float(&random, 0, 0.999f);
        const double v = (double)check_random_float(&random, 0, 0.999f);
        const float weight = check_random_float(&random, 0, 1);
        const double w = (double)weight, shares[4] = {(1 - w) * (1 - u), (1 - w) * u, w * (1 - v), w * v};
        uint32_t heaviest = 0;
        for (uint32_t p = 1; p < 4; ++p) heaviest = shares[p] > shares[heaviest] ? p : heaviest;
        if (fabs(shares[heaviest] - shares[(heaviest + 1) % 4]) < 1e-4) continue; // which is heavier, floats decide
        check_output output;
        check_output_reset(&output);
        const double first = 0.5 * (i + u), second = (double)0.8f * (k + v) / 2;
        assert_int_equal(sqt_clip_sample_pair(output.pose, &rig.skeleton, &tape.clip, &second_tape.clip, first, second,
                                              weight, SQT_NLERP),
                         SQT_OK);
        check_output_assert_only(&output, 3);
        for (uint32_t j = 0; j < 37; ++j) {
            const sqt_transform in[4] = {sqt_pose_get(row(&tape, i), j), sqt_pose_get(row(&tape, i + 1), j),
                                         sqt_pose_get(row(&second_tape, k), j),
                                         sqt_pose_get(row(&second_tape, k + 1), j)};
            check_dquat sum = {0, 0, 0, 0};
            double x = 0, z = 0;
            for (uint32_t p = 0; p < 4; ++p) {
                add_rotation_to(&sum, in[heaviest].rotation, in[p].rotation, shares[p]);
                x += shares[p] * (double)in[p].translation.x;
                z += shares[p] * (double)in[p].scale.z;
            }
            const sqt_transform got = sqt_pose_get(output.pose, j);
            assert_rotation_close(got.rotation, check_dquat_rounded(check_dquat_unit(sum)), 5e-6);
            assert_close((double)got.translation.x, x, 3e-6);
            assert_close((double)got.scale.z, z, 3e-6);
        }
    }
}

static void a_pair_is_near_to_three_calls(void **state) {
    (void)state;
    check_random random = {30};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_pair(20, 12, &random);
    const double radians = 3.14159265358979323846 / 180, apart = 12 * radians;
    for (uint32_t round = 0; round < 200; ++round) {
        const float weight = check_random_float(&random, 0, 1);
        const double seconds = (double)check_random_float(&random, 0, 0.8f);
        sqt_pose_block a[2], b[2], pair[2];
        assert_int_equal(sqt_clip_sample(a, &rig.skeleton, &tape.clip, seconds, 0), SQT_OK);
        assert_int_equal(sqt_clip_sample(b, &rig.skeleton, &second_tape.clip, seconds, 0), SQT_OK);
        assert_int_equal(sqt_blend_pair(a, &rig.skeleton, a, b, NULL, weight, 0), SQT_OK);
        assert_int_equal(sqt_clip_sample_pair(pair, &rig.skeleton, &tape.clip, &second_tape.clip, seconds, seconds,
                                              weight, SQT_NLERP),
                         SQT_OK);
        // The documented bound, with up to 114 degrees between the poses; quaternions differ by half the angle.
        const double w = (double)weight, bound = 114 * radians * w * (1 - w) * apart * apart / 32 / 2 + 1e-6;
        for (uint32_t j = 0; j < 20; ++j) {
            assert_rotation_close(sqt_pose_get(pair, j).rotation, sqt_pose_get(a, j).rotation, bound);
            assert_vec3_close(sqt_pose_get(pair, j).translation, sqt_pose_get(a, j).translation, 3e-6);
            assert_vec3_close(sqt_pose_get(pair, j).scale, sqt_pose_get(a, j).scale, 3e-6);
        }
    }
}

static void a_pair_at_its_ends_is_one_clip(void **state) {
    (void)state;
    check_random random = {31};
    check_rig rig;
    check_rig_init(&rig, 37, &random);
    record_pair(37, 40, &random);
    static sqt_pose_block wrong[3 * CHECK_POSE_CAPACITY];
    memset(wrong, 0xFF, sizeof wrong); // NaN
    sqt_clip unread = second_tape.clip;
    unread.samples = wrong;
    for (uint32_t end = 0; end < 2; ++end) {
        const sqt_clip *const a = end ? &unread : &tape.clip, *const b = end ? &tape.clip : &unread;
        sqt_pose_block pair[3], alone[3];
        for (uint32_t i = 0; i < 4; ++i) {
            assert_int_equal(sqt_clip_sample_pair(pair, &rig.skeleton, a, b, 0.5 * i, 0.5 * i, (float)end, 0), SQT_OK);
            check_assert_pose_bits(pair, row(&tape, i), 37);
        }
        assert_int_equal(sqt_clip_sample_pair(pair, &rig.skeleton, a, b, 0.7, 0.7, (float)end, 0), SQT_OK);
        assert_int_equal(sqt_clip_sample(alone, &rig.skeleton, &tape.clip, 0.7, 0), SQT_OK);
        for (uint32_t j = 0; j < 37; ++j) check_assert_transform(sqt_pose_get(pair, j), sqt_pose_get(alone, j), 1e-6);
    }
}

static void every_instruction_set_samples_a_pair_with_the_same_bits(void **state) {
    (void)state;
    check_random random = {32};
    for (uint32_t joint_count = 1; joint_count <= 70; ++joint_count) {
        check_rig rig;
        check_rig_init(&rig, joint_count, &random);
        record_pair(joint_count, 60, &random);
        check_output scalar, other;
        check_output_reset(&scalar);
        for (uint32_t isa = SQT_ISA_SCALAR; isa < SQT_ISA_COUNT; ++isa) {
            sqt_isa_cap(isa);
            check_output_reset(&other);
            assert_int_equal(
                sqt_clip_sample_pair(other.pose, &rig.skeleton, &tape.clip, &second_tape.clip, 0.3, 0.7, 0.4f, 0),
                SQT_OK);
            if (isa == SQT_ISA_SCALAR) scalar = other;
            assert_memory_equal(&scalar, &other, sizeof scalar);
        }
        sqt_isa_cap(SQT_ISA_BEST);
        check_output_assert_only(&scalar, SQT_POSE_BLOCKS(joint_count));
    }
}

// What is refused

static void a_pair_refuses_what_it_cannot_play(void **state) {
    (void)state;
    check_random random = {33};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_pair(20, 10, &random);
    const sqt_clip good = tape.clip;
    const sqt_skeleton *const s = &rig.skeleton;
    check_output output;
    check_output_reset(&output);
    sqt_pose_block *const pose = output.pose;
    assert_int_equal(sqt_clip_sample_pair(NULL, s, &good, &good, 0, 0, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clip_sample_pair(pose, NULL, &good, &good, 0, 0, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clip_sample_pair(pose, s, NULL, &good, 0, 0, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clip_sample_pair(pose, s, &good, NULL, 0, 0, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clip_sample_pair(pose, s, &good, &good, (double)NAN, 0, 0, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clip_sample_pair(pose, s, &good, &good, 0, (double)INFINITY, 0, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clip_sample_pair(pose, s, &good, &good, 0, 0, -0.01f, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clip_sample_pair(pose, s, &good, &good, 0, 0, 1.01f, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clip_sample_pair(pose, s, &good, &good, 0, 0, NAN, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clip_sample_pair(pose, s, &good, &good, 0, 0, 0, SQT_SLERP), SQT_ERROR_FLAG);
    for (uint32_t which = 0; which < 2; ++which) {
        sqt_clip clips[2] = {good, good}, *const bad = clips + which;
        bad->samples = NULL;
        assert_int_equal(sqt_clip_sample_pair(pose, s, clips, clips + 1, 0, 0, 0.5f, 0), SQT_ERROR_NULL);
        *bad = good, bad->flags = 1;
        assert_int_equal(sqt_clip_sample_pair(pose, s, clips, clips + 1, 0, 0, 0.5f, 0), SQT_ERROR_FLAG);
        *bad = good, bad->rig_hash = 1;
        assert_int_equal(sqt_clip_sample_pair(pose, s, clips, clips + 1, 0, 0, 0.5f, 0), SQT_ERROR_RIG);
        *bad = good, bad->sample_count = 0;
        assert_int_equal(sqt_clip_sample_pair(pose, s, clips, clips + 1, 0, 0, 0.5f, 0), SQT_ERROR_COUNT);
        *bad = good, bad->joint_count = 19;
        assert_int_equal(sqt_clip_sample_pair(pose, s, clips, clips + 1, 0, 0, 0.5f, 0), SQT_ERROR_COUNT);
        *bad = good, bad->joint_count = 65536;
        assert_int_equal(sqt_clip_sample_pair(pose, s, clips, clips + 1, 0, 0, 0.5f, 0), SQT_ERROR_COUNT);
        *bad = good, bad->joints = tape.joints;
        assert_int_equal(sqt_clip_sample_pair(pose, s, clips, clips + 1, 0, 0, 0.5f, 0), SQT_ERROR_COUNT);
    }
    check_output_assert_only(&output, 0);
}

static void sampling_refuses_what_it_cannot_play(void **state) {
    (void)state;
    check_random random = {17};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_random(&tape, 20, 3, 1, &random);
    const sqt_clip good = tape.clip;
    sqt_clip bad;
    check_output output;
    check_output_reset(&output);
    sqt_pose_block *const pose = output.pose;
    sqt_skeleton skeleton = rig.skeleton;

    assert_int_equal(sqt_clip_sample(NULL, &skeleton, &good, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clip_sample(pose, NULL, &good, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clip_sample(pose, &skeleton, NULL, 0, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &good, (double)NAN, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &good, (double)INFINITY, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &good, 0, 2), SQT_ERROR_FLAG);
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &good, 0, SQT_PLAIN_NORMALS), SQT_ERROR_FLAG);
    bad = good, bad.samples = NULL;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NULL);
    bad = good, bad.rig_hash = CHECK_RIG_HASH + 1;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_RIG);
    bad = good, bad.sample_count = 0;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    bad.flags = SQT_CLIP_CYCLIC;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    bad = good, bad.joint_count = 19;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    bad = good, bad.joint_count = 0xFFFFFFFFu;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    bad = good, bad.flags = 4;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_FLAG);
    bad = good, bad.timeline.loop = 3;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_FLAG);
    const float durations[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof durations / sizeof *durations; ++i) {
        bad = good, bad.timeline.duration_seconds = durations[i];
        assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NUMBER);
    }
    bad = good, bad.joints = tape.joints, bad.base.pose = tape.samples, bad.base.joint_count = 19;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_COUNT);
    bad = good, bad.joints = tape.joints, skeleton.rest = NULL;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &bad, 0, 0), SQT_ERROR_NULL);
    skeleton.joint_count = 0;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &good, 0, 0), SQT_ERROR_COUNT);
    skeleton.joint_count = SQT_MAX_JOINTS + 1;
    assert_int_equal(sqt_clip_sample(pose, &skeleton, &good, 0, 0), SQT_ERROR_COUNT);
    check_output_assert_only(&output, 0); // nothing was written by any of them
    bad = good, bad.rig_hash = 0;
    assert_int_equal(sqt_clip_sample(pose, &rig.skeleton, &bad, 0, 0), SQT_OK);
}

static void hostile_lists_stay_within_the_pose(void **state) {
    (void)state;
    check_random random = {18};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_random(&tape, 20, 3, 1, &random);
    tape.clip.joints = tape.joints;
    for (int round = 0; round < 1000; ++round) {
        for (uint32_t k = 0; k < 20; ++k) tape.joints[k] = (uint16_t)check_random_u32(&random);
        tape.joints[0] = (uint16_t)check_random_below(&random, 20);
        uint16_t base_joints[5];
        for (uint32_t k = 0; k < 5; ++k) base_joints[k] = (uint16_t)check_random_u32(&random);
        tape.clip.base.pose = rig.rest;
        tape.clip.base.joints = base_joints;
        tape.clip.base.joint_count = 5;
        check_output output;
        check_output_reset(&output);
        assert_int_equal(sqt_clip_sample(output.pose, &rig.skeleton, &tape.clip, 0.3, 0), SQT_OK);
        check_output_assert_only(&output, 2);
    }
}

static void assert_refused(const sqt_clip *clip, const sqt_skeleton *skeleton, sqt_result result, const char *field,
                           uint32_t index, uint32_t element) {
    sqt_fault fault = {NULL, 99, 99};
    assert_int_equal(sqt_clip_validate(clip, skeleton, &fault), result);
    assert_fault(fault, field, index, element);
    assert_int_equal(sqt_clip_validate(clip, skeleton, NULL), result);
}

static void validation_names_each_wrong_field(void **state) {
    (void)state;
    check_random random = {19};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_random(&tape, 20, 3, 1, &random);
    const sqt_clip good = tape.clip;
    const sqt_skeleton *const skeleton = &rig.skeleton;
    sqt_fault fault = {NULL, 99, 99};
    assert_int_equal(sqt_clip_validate(&good, skeleton, &fault), SQT_OK);
    assert_null(fault.field); // written only on failure

    assert_refused(NULL, skeleton, SQT_ERROR_NULL, "clip", 0, 0);
    assert_refused(&good, NULL, SQT_ERROR_NULL, "skeleton", 0, 0);
    sqt_skeleton empty = *skeleton;
    empty.joint_count = 0;
    assert_refused(&good, &empty, SQT_ERROR_COUNT, "skeleton", 0, 0);
    empty.joint_count = SQT_MAX_JOINTS + 1;
    assert_refused(&good, &empty, SQT_ERROR_COUNT, "skeleton", 0, 0);
    sqt_clip bad = good;
    bad.samples = NULL;
    assert_refused(&bad, skeleton, SQT_ERROR_NULL, "samples", 0, 0);
    bad = good, bad.rig_hash = 77;
    assert_refused(&bad, skeleton, SQT_ERROR_RIG, "rig_hash", 0, 0);
    bad = good, bad.flags = 8;
    assert_refused(&bad, skeleton, SQT_ERROR_FLAG, "flags", 0, 0);
    bad = good, bad.timeline.loop = 3;
    assert_refused(&bad, skeleton, SQT_ERROR_FLAG, "loop", 0, 0);
    bad = good, bad.sample_count = 0;
    assert_refused(&bad, skeleton, SQT_ERROR_COUNT, "sample_count", 0, 0);
    bad = good, bad.joint_count = 19;
    assert_refused(&bad, skeleton, SQT_ERROR_COUNT, "joint_count", 0, 0);
    bad = good, bad.joint_count = SQT_MAX_JOINTS + 1;
    assert_refused(&bad, skeleton, SQT_ERROR_COUNT, "joint_count", 0, 0);
    const float numbers[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        bad = good, bad.timeline.duration_seconds = numbers[i];
        assert_refused(&bad, skeleton, SQT_ERROR_NUMBER, "duration_seconds", 0, 0);
        bad = good, bad.authored_speed = numbers[i];
        assert_refused(&bad, skeleton, SQT_ERROR_NUMBER, "authored_speed", 0, 0);
    }
    bad = good, bad.timeline.duration_seconds = -1;
    assert_refused(&bad, skeleton, SQT_ERROR_NUMBER, "duration_seconds", 0, 0);
}

static void validation_names_a_wrong_list(void **state) {
    (void)state;
    check_random random = {20};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_random(&tape, 10, 3, 1, &random);
    list_odd_joints(&tape);
    assert_int_equal(sqt_clip_validate(&tape.clip, &rig.skeleton, NULL), SQT_OK);
    tape.joints[9] = 20;
    assert_refused(&tape.clip, &rig.skeleton, SQT_ERROR_COUNT, "joints", 9, 0);
    tape.joints[9] = SQT_NO_JOINT;
    assert_refused(&tape.clip, &rig.skeleton, SQT_ERROR_COUNT, "joints", 9, 0);
    tape.joints[9] = 17; // repeats joint 8's
    assert_refused(&tape.clip, &rig.skeleton, SQT_ERROR_ORDER, "joints", 9, 0);
    tape.joints[4] = 0;
    assert_refused(&tape.clip, &rig.skeleton, SQT_ERROR_ORDER, "joints", 4, 0);
}

static void validation_names_a_wrong_base(void **state) {
    (void)state;
    check_random random = {21};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_random(&tape, 20, 1, 0, &random);
    sqt_pose_block base[2];
    check_random_pose(base, 20, &random);
    uint16_t joints[] = {2, 5, 6};
    sqt_clip clip = tape.clip;
    clip.base.joint_count = 20;
    assert_refused(&clip, &rig.skeleton, SQT_ERROR_NULL, "base", 0, 0);
    clip.base.pose = base;
    assert_int_equal(sqt_clip_validate(&clip, &rig.skeleton, NULL), SQT_OK);
    clip.base.joint_count = 19;
    assert_refused(&clip, &rig.skeleton, SQT_ERROR_COUNT, "base", 0, 0);
    sqt_pose_block *const longest = calloc(SQT_POSE_BLOCKS(SQT_MAX_JOINTS + 1), sizeof *longest);
    assert_non_null(longest);
    assert_int_equal(sqt_pose_identity(longest, SQT_MAX_JOINTS), SQT_OK);
    sqt_pose_set(longest, SQT_MAX_JOINTS, sqt_pose_get(longest, 0));
    clip.base.pose = longest;
    clip.base.joint_count = SQT_MAX_JOINTS;
    assert_int_equal(sqt_clip_validate(&clip, &rig.skeleton, NULL), SQT_OK);
    clip.base.joint_count = SQT_MAX_JOINTS + 1;
    assert_refused(&clip, &rig.skeleton, SQT_ERROR_COUNT, "base", 0, 0);
    free(longest);
    clip.base.pose = base;
    clip.base.joint_count = 20;
    base[1].sy[3] = INFINITY;
    assert_refused(&clip, &rig.skeleton, SQT_ERROR_NUMBER, "base", 0, 19);
    clip.base.joints = joints;
    clip.base.joint_count = 3;
    assert_int_equal(sqt_clip_validate(&clip, &rig.skeleton, NULL), SQT_OK);
    base[0].rw[2] *= 2;
    base[0].rz[2] += 1;
    assert_refused(&clip, &rig.skeleton, SQT_ERROR_NUMBER, "base", 0, 2);
    joints[1] = 2;
    assert_refused(&clip, &rig.skeleton, SQT_ERROR_ORDER, "base.joints", 1, 0);
    joints[1] = 20;
    assert_refused(&clip, &rig.skeleton, SQT_ERROR_COUNT, "base.joints", 1, 0);
}

static void validation_names_the_sample_and_lane_of_a_wrong_number(void **state) {
    (void)state;
    check_random random = {22};
    check_rig rig;
    check_rig_init(&rig, 20, &random);
    record_random(&tape, 20, 3, 1, &random);
    for (uint32_t sample = 0; sample < 3; ++sample) {
        for (uint32_t joint = 0; joint < 20; joint += 19) {
            for (uint32_t component = 0; component < 10; ++component) {
                sqt_pose_block *const block = row(&tape, sample) + joint / 16;
                float *const number = (float *)block + component * 16 + joint % 16;
                const float kept = *number;
                *number = component % 2 ? NAN : INFINITY;
                assert_refused(&tape.clip, &rig.skeleton, SQT_ERROR_NUMBER, "samples", sample, joint);
                *number = kept;
            }
        }
    }
    const sqt_quat rotations[] = {{0, 0, 0, 0}, {0, 0, 0, 1.0011f}, {0, 0, 0, 0.9989f}, {1, 1, 0, 0}};
    for (size_t i = 0; i < sizeof rotations / sizeof *rotations; ++i) {
        sqt_transform transform = SQT_TRANSFORM_IDENTITY;
        transform.rotation = rotations[i];
        sqt_pose_set(row(&tape, 2), 7, transform);
        assert_refused(&tape.clip, &rig.skeleton, SQT_ERROR_NUMBER, "samples", 2, 7);
    }
    const sqt_transform nearly = {{0, 0, 0, 1.0009f}, {0, 0, 0}, {0, 0, 0}};
    sqt_pose_set(row(&tape, 2), 7, nearly);
    row(&tape, 0)[1].tx[5] = NAN; // behind the last joint: never read
    assert_int_equal(sqt_clip_validate(&tape.clip, &rig.skeleton, NULL), SQT_OK);
}

// Rates and counts

static void rate_is_intervals_over_duration(void **state) {
    (void)state;
    sqt_clip clip = {.timeline = {2, SQT_LOOP_CLAMP}, .sample_count = 61};
    assert_close((double)sqt_clip_rate_hz(&clip), 30, 0);
    clip.flags = SQT_CLIP_CYCLIC;
    assert_close((double)sqt_clip_rate_hz(&clip), 30.5, 0);
    clip.timeline.duration_seconds = 0;
    assert_close((double)sqt_clip_rate_hz(&clip), 0, 0);
    assert_close((double)sqt_clip_rate_hz(NULL), 0, 0);
}

static void sample_count_keeps_the_last_key(void **state) {
    (void)state;
    assert_int_equal(sqt_clip_sample_count(1.7083f, 30, 0), 53);               // 51.249 -> 52 intervals
    assert_int_equal(sqt_clip_sample_count(1.7083f, 30, SQT_CLIP_CYCLIC), 52); // the first one again is not stored
    assert_int_equal(sqt_clip_sample_count(2, 30, 0), 61);
    assert_int_equal(sqt_clip_sample_count(2, 30, SQT_CLIP_CYCLIC), 60);
    assert_int_equal(sqt_clip_sample_count(1.1f, 30, 0), 34);       // 33.0000007 is a whole number
    assert_int_equal(sqt_clip_sample_count(1.100003f, 30, 0), 34);  // 33.00009
    assert_int_equal(sqt_clip_sample_count(1.10001f, 30, 0), 35);   // 33.0003
    assert_int_equal(sqt_clip_sample_count(1.0999968f, 30, 0), 34); // 32.9999
    assert_int_equal(sqt_clip_sample_count(0, 30, 0), 1);
    assert_int_equal(sqt_clip_sample_count(0, 30, SQT_CLIP_CYCLIC), 1);
    assert_int_equal(sqt_clip_sample_count(5, 0, 0), 1);
    assert_int_equal(sqt_clip_sample_count(2147483648.0f, 1, SQT_CLIP_CYCLIC), 2147483648u);
    assert_int_equal(sqt_clip_sample_count(2147483648.0f, 1, 0), 0);
    assert_int_equal(sqt_clip_sample_count(3e38f, 3e38f, 0), 0);
    assert_int_equal(sqt_clip_sample_count(-1, 30, 0), 0);
    assert_int_equal(sqt_clip_sample_count(1, -30, 0), 0);
    assert_int_equal(sqt_clip_sample_count(NAN, 30, 0), 0);
    assert_int_equal(sqt_clip_sample_count(1, INFINITY, 0), 0);
    assert_int_equal(sqt_clip_sample_count(1, 30, 4), 0);
}

static void sample_seconds_divide_the_duration(void **state) {
    (void)state;
    sqt_clip clip = {.timeline = {3, SQT_LOOP_CLAMP}, .sample_count = 4};
    for (uint32_t k = 0; k < 4; ++k) assert_close(sqt_clip_sample_seconds(&clip, k), k, 0);
    assert_close(sqt_clip_sample_seconds(&clip, 4), 3, 0);
    assert_close(sqt_clip_sample_seconds(&clip, 0xFFFFFFFFu), 3, 0);
    clip.flags = SQT_CLIP_CYCLIC;
    for (uint32_t k = 0; k <= 4; ++k) assert_close(sqt_clip_sample_seconds(&clip, k), k * 0.75, 0);
    clip.flags = 0;
    clip.sample_count = 1;
    assert_close(sqt_clip_sample_seconds(&clip, 0), 0, 0);
    assert_close(sqt_clip_sample_seconds(&clip, 1), 3, 0);
    assert_close(sqt_clip_sample_seconds(NULL, 1), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_flipped_samples_take_the_short_arc),
        cmocka_unit_test(interpolation_runs_from_the_earlier_to_the_later_sample),
        cmocka_unit_test(a_clip_of_one_sample_is_that_sample_at_every_time),
        cmocka_unit_test(two_clips_of_no_length_blend_to_finite_values),
        cmocka_unit_test(a_sample_instant_gives_the_sample_bit_for_bit),
        cmocka_unit_test(a_long_clip_gives_every_sample_bit_for_bit),
        cmocka_unit_test(a_closed_clip_ends_on_its_last_sample),
        cmocka_unit_test(an_open_clip_leads_back_to_its_first_sample),
        cmocka_unit_test(ping_pong_plays_the_same_poses_back),
        cmocka_unit_test(the_seam_of_a_loop_is_as_smooth_as_its_middle),
        cmocka_unit_test(samples_agree_with_double_precision),
        cmocka_unit_test(a_time_near_a_sample_is_not_taken_for_it),
        cmocka_unit_test(joints_that_are_not_listed_keep_the_rest_pose),
        cmocka_unit_test(a_listed_clip_mixes_as_the_whole_one_does),
        cmocka_unit_test(joints_that_are_not_listed_come_from_the_base),
        cmocka_unit_test(uncovered_joints_of_a_difference_are_identity),
        cmocka_unit_test(a_base_that_is_the_pose_itself_stays_in_place),
        cmocka_unit_test(a_level_of_detail_is_a_prefix_of_the_whole),
        cmocka_unit_test(a_scale_only_clip_keeps_the_rest_of_its_joint),
        cmocka_unit_test(a_joint_without_a_channel_blends_from_its_rest),
        cmocka_unit_test(every_instruction_set_samples_the_same_bits),
        cmocka_unit_test(a_pair_is_the_weighted_sum_of_four_samples),
        cmocka_unit_test(a_pair_is_near_to_three_calls),
        cmocka_unit_test(a_pair_at_its_ends_is_one_clip),
        cmocka_unit_test(every_instruction_set_samples_a_pair_with_the_same_bits),
        cmocka_unit_test(a_pair_refuses_what_it_cannot_play),
        cmocka_unit_test(sampling_refuses_what_it_cannot_play),
        cmocka_unit_test(hostile_lists_stay_within_the_pose),
        cmocka_unit_test(validation_names_each_wrong_field),
        cmocka_unit_test(validation_names_a_wrong_list),
        cmocka_unit_test(validation_names_a_wrong_base),
        cmocka_unit_test(validation_names_the_sample_and_lane_of_a_wrong_number),
        cmocka_unit_test(rate_is_intervals_over_duration),
        cmocka_unit_test(sample_count_keeps_the_last_key),
        cmocka_unit_test(sample_seconds_divide_the_duration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
