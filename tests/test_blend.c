// Blending of two poses: every promise of sqt/blend.h, with expected values by hand or in double precision.
#include <fenv.h>

#include "check_guard.h"
#include "check_pose.h"

enum { CAPACITY = CHECK_RIG_JOINTS, SEED = 0xB1E2D };

static const uint32_t all_flags[] = {SQT_NLERP, SQT_SLERP};

/// What a blend reads of a skeleton.
static sqt_skeleton rig_of(uint32_t joint_count) {
    const sqt_skeleton rig = {.joint_count = joint_count, .full_joint_count = joint_count, .rig_hash = CHECK_RIG_HASH};
    return rig;
}

static void fill_padding(sqt_pose_block *pose, uint32_t joint_count, sqt_transform transform) {
    for (uint32_t j = joint_count; j < SQT_POSE_BLOCKS(joint_count) * SQT_POSE_LANES; ++j) {
        sqt_pose_set(pose, j, transform);
    }
}

/// Numbers that only a copy keeps: negative zeros, denormals, rotations that are not unit.
static void odd_pose(sqt_pose_block *pose, uint32_t joint_count, check_random *random) {
    static const float odd[] = {-0.0f, 0.0f, 1e-40f, -1e-45f, 3.0f, -1e15f, 0.1f, 1e30f};
    float *const numbers = (float *)pose;
    for (uint32_t i = 0; i < SQT_POSE_BLOCKS(joint_count) * sizeof *pose / sizeof *numbers; ++i) {
        numbers[i] = odd[check_random_below(random, sizeof odd / sizeof *odd)];
    }
}

static const sqt_transform nan_transform = {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};

static sqt_quat mixed(sqt_quat a, sqt_quat b, float t, uint32_t flags) {
    return flags == SQT_SLERP ? sqt_quat_slerp(a, b, t) : sqt_quat_nlerp(a, b, t);
}

static bool same_rotation_bits(sqt_quat a, sqt_quat b) { return memcmp(&a, &b, sizeof a) == 0; }

static sqt_transform turned(sqt_quat rotation) {
    const sqt_transform t = {rotation, {0, 0, 0}, {1, 1, 1}};
    return t;
}

/// Blends two single joints.
static sqt_transform blend_one(sqt_transform a, sqt_transform b, float weight, uint32_t flags) {
    sqt_pose_block pose_a, pose_b, out;
    const sqt_skeleton rig = rig_of(1);
    assert_int_equal(sqt_pose_pack(&pose_a, &a, 1), SQT_OK);
    assert_int_equal(sqt_pose_pack(&pose_b, &b, 1), SQT_OK);
    memset(&out, 0xFF, sizeof out);
    assert_int_equal(sqt_blend_pair(&out, &rig, &pose_a, &pose_b, NULL, weight, flags), SQT_OK);
    return sqt_pose_get(&out, 0);
}

static double quat_length(sqt_quat q) {
    return sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
}

// ---- Weights 0 and 1 ----

static void blend_without_a_mask_copies_one_pose_bit_for_bit_at_weight_0_and_1(void **state) {
    (void)state;
    check_random random = {SEED};
    static const float weights[] = {0.0f, -0.0f, 1.0f};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        for (uint32_t i = 0; i < 6; ++i) {
            sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
            check_output out;
            odd_pose(a, n, &random);
            odd_pose(b, n, &random);
            check_output_reset(&out);
            const float weight = weights[i % 3];
            assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, NULL, weight, all_flags[i / 3]), SQT_OK);
            check_assert_pose_bits(out.pose, weight == 1.0f ? b : a, n);
            check_output_assert_only(&out, SQT_POSE_BLOCKS(n));
        }
    }
}

static void blend_without_a_mask_does_not_read_the_pose_that_has_no_weight(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    check_guard closed = check_guard_make(sizeof(sqt_pose_block) * CHECK_POSE_CAPACITY);
    for (uint32_t n = 1; n <= CAPACITY; n += 23) {
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block read[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        const sqt_pose_block *const unread = check_guard_take(&closed, SQT_POSE_BLOCKS(n) * sizeof *unread);
        check_guard_forbid(&closed, true);
        odd_pose(read, n, &random);
        for (uint32_t f = 0; f < 2; ++f) {
            memset(out, 0xFF, sizeof out);
            assert_int_equal(sqt_blend_pair(out, &rig, read, unread, NULL, 0.0f, all_flags[f]), SQT_OK);
            check_assert_pose_bits(out, read, n);
            memset(out, 0xFF, sizeof out);
            assert_int_equal(sqt_blend_pair(out, &rig, unread, read, NULL, 1.0f, all_flags[f]), SQT_OK);
            check_assert_pose_bits(out, read, n);
        }
        check_guard_forbid(&closed, false);
    }
    check_guard_free(&closed);
}

static void blend_next_to_weight_0_or_1_takes_part_of_both(void **state) {
    (void)state;
    const sqt_transform a = {check_degrees(1, 0, 0, 40), {1, 2, 3}, {1, 1, 1}};
    const sqt_transform b = {check_degrees(0, 1, 0, 90), {5, 6, 7}, {2, 2, 2}};
    for (uint32_t f = 0; f < 2; ++f) {
        const sqt_transform near_a = blend_one(a, b, 0.001f, all_flags[f]);
        const sqt_transform near_b = blend_one(a, b, 0.999f, all_flags[f]);
        assert_close(near_a.translation.x, 1.004, 1e-6);
        assert_close(near_b.translation.x, 4.996, 1e-6);
        assert_false(same_rotation_bits(near_a.rotation, a.rotation));
        assert_false(same_rotation_bits(near_b.rotation, b.rotation));
    }
}

// ---- Masks, and agreement with single rotations ----

/// Checks one joint of a blend with w: rotation by bits, the rest by the formula in double precision.
static void assert_joint(sqt_transform out, sqt_transform a, sqt_transform b, float w, uint32_t flags, bool selects) {
    const sqt_quat expected = selects && w == 0.0f   ? a.rotation
                              : selects && w == 1.0f ? b.rotation
                                                     : mixed(a.rotation, b.rotation, w, flags);
    if (!same_rotation_bits(out.rotation, expected)) {
        fail_msg("weight %.9g: rotation (%.9g, %.9g, %.9g, %.9g) is not the single joint's", (double)w,
                 (double)out.rotation.x, (double)out.rotation.y, (double)out.rotation.z, (double)out.rotation.w);
    }
    const float o[6] = {out.translation.x, out.translation.y, out.translation.z, out.scale.x, out.scale.y, out.scale.z};
    const float p[6] = {a.translation.x, a.translation.y, a.translation.z, a.scale.x, a.scale.y, a.scale.z};
    const float q[6] = {b.translation.x, b.translation.y, b.translation.z, b.scale.x, b.scale.y, b.scale.z};
    for (uint32_t i = 0; i < 6; ++i) {
        const double u = (double)w, expected_value = (1 - u) * (double)p[i] + u * (double)q[i];
        const double size = fabs(1 - u) * fabs((double)p[i]) + fabs(u) * fabs((double)q[i]);
        assert_close(o[i], expected_value, w == 0.0f || w == 1.0f ? 0.0 : size * 3e-7);
    }
}

static void blend_rotates_each_joint_as_the_single_functions_do_bit_for_bit(void **state) {
    (void)state;
    static const float weights[] = {-1.0f, -0.37f, 1e-7f, 0.2f,  0.5f, 0.73f, 0.9999999f, 1.0000001f, 1.6f,
                                    2.0f,  2.001f, 3.7f,  -1.5f, 25.f, -9e3f, 1e9f,       1e15f};
    check_random random = {SEED + 2};
    for (uint32_t n = 1; n <= CAPACITY; n += 3) {
        const sqt_skeleton rig = rig_of(n);
        for (uint32_t i = 0; i < sizeof weights / sizeof *weights; ++i) {
            for (uint32_t f = 0; f < 2; ++f) {
                sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
                check_random_pose(a, n, &random);
                check_random_pose(b, n, &random);
                assert_int_equal(sqt_blend_pair(out, &rig, a, b, NULL, weights[i], all_flags[f]), SQT_OK);
                for (uint32_t j = 0; j < n; ++j) {
                    assert_joint(sqt_pose_get(out, j), sqt_pose_get(a, j), sqt_pose_get(b, j), weights[i], all_flags[f],
                                 true);
                }
            }
        }
    }
}

static void blend_with_a_mask_weighs_each_joint_for_itself_and_is_exact_at_0_and_1(void **state) {
    (void)state;
    static const float masks[] = {0.0f, -0.0f, 1.0f, 0.5f, 0.25f, 2.0f, -0.5f, 0.999f, 1e-12f};
    static const float weights[] = {0.0f, 1.0f, 0.5f, 2.0f, 4.0f, -1.0f, 0.3f, 1e6f, -7.0f};
    check_random random = {SEED + 3};
    uint32_t exact[2] = {0, 0};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        for (uint32_t i = 0; i < 2 * sizeof weights / sizeof *weights; ++i) {
            const float weight = weights[i / 2];
            sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
            check_output out;
            float mask[CAPACITY];
            check_random_pose(a, n, &random);
            check_random_pose(b, n, &random);
            for (uint32_t j = 0; j < n; ++j) {
                mask[j] = masks[check_random_below(&random, sizeof masks / sizeof *masks)];
            }
            check_output_reset(&out);
            assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, mask, weight, all_flags[i % 2]), SQT_OK);
            for (uint32_t j = 0; j < n; ++j) {
                const float w = weight * mask[j];
                assert_joint(sqt_pose_get(out.pose, j), sqt_pose_get(a, j), sqt_pose_get(b, j), w, all_flags[i % 2],
                             true);
                exact[0] += w == 0.0f;
                exact[1] += w == 1.0f;
            }
            check_output_assert_only(&out, SQT_POSE_BLOCKS(n));
        }
    }
    assert_true(exact[0] > 1000 && exact[1] > 1000);
}

static void blend_with_a_mask_keeps_rotations_that_are_not_unit_at_0_and_1(void **state) {
    (void)state;
    const sqt_skeleton rig = rig_of(3);
    const sqt_transform a[3] = {turned((sqt_quat){0, 0, 3, 4}), turned((sqt_quat){0, 0, 3, 4}), SQT_TRANSFORM_IDENTITY};
    const sqt_transform b[3] = {turned((sqt_quat){0, -8, 0, 6}), turned((sqt_quat){0, -8, 0, 6}),
                                SQT_TRANSFORM_IDENTITY};
    static const float masks[2][3] = {{0.0f, 0.5f, 0.1f}, {0.0f, 0.5f, 9.0f}}; // the second leaves SLERP's -1..2
    for (uint32_t i = 0; i < 4; ++i) {
        sqt_pose_block pose_a, pose_b, out;
        assert_int_equal(sqt_pose_pack(&pose_a, a, 3), SQT_OK);
        assert_int_equal(sqt_pose_pack(&pose_b, b, 3), SQT_OK);
        assert_int_equal(sqt_blend_pair(&out, &rig, &pose_a, &pose_b, masks[i / 2], 2.0f, all_flags[i % 2]), SQT_OK);
        assert_true(same_rotation_bits(sqt_pose_get(&out, 0).rotation, a[0].rotation));
        assert_true(same_rotation_bits(sqt_pose_get(&out, 1).rotation, b[1].rotation)); // not -b, not normalised
    }
}

static void blend_with_a_mask_of_ones_is_the_blend_without_a_mask(void **state) {
    (void)state;
    check_random random = {SEED + 4};
    float mask[CAPACITY];
    for (uint32_t j = 0; j < CAPACITY; ++j) mask[j] = 1.0f;
    for (uint32_t n = 1; n <= CAPACITY; n += 7) {
        const sqt_skeleton rig = rig_of(n);
        for (uint32_t i = 0; i < 16; ++i) {
            const float weight = check_random_float(&random, -2, 3);
            sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
            sqt_pose_block masked[CHECK_POSE_CAPACITY], plain[CHECK_POSE_CAPACITY];
            check_random_pose(a, n, &random);
            check_random_pose(b, n, &random);
            assert_int_equal(sqt_blend_pair(masked, &rig, a, b, mask, weight, all_flags[i % 2]), SQT_OK);
            assert_int_equal(sqt_blend_pair(plain, &rig, a, b, NULL, weight, all_flags[i % 2]), SQT_OK);
            check_assert_pose_bits(masked, plain, n);
        }
    }
}

// ---- Memory ----

/// Poses that were cleared before their joints were set have zeros behind the last; an engine may trap divisions by 0.
static void blend_divides_by_no_zero(void **state) {
    (void)state;
    static const sqt_transform cleared = {{0, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    check_random random = {SEED + 17};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
        check_random_pose(a, n, &random);
        check_random_pose(b, n, &random);
        fill_padding(a, n, cleared);
        fill_padding(b, n, cleared);
        float mask[CAPACITY];
        for (uint32_t j = 0; j < n; ++j) mask[j] = (float)(j % 3) / 2;
        for (uint32_t i = 0; i < 4; ++i) {
            check_output out;
            check_output_reset(&out);
            feclearexcept(FE_ALL_EXCEPT);
            assert_int_equal(
                sqt_blend_pair(out.pose, &rig, a, b, i < 2 ? mask : NULL, i < 2 ? 1.0f : 0.5f, all_flags[i % 2]),
                SQT_OK);
            assert_int_equal(fetestexcept(FE_DIVBYZERO | FE_INVALID), 0);
        }
    }
}

static void blend_touches_nothing_beyond_its_buffers(void **state) {
    (void)state;
    check_random random = {SEED + 5};
    check_guard guards[3], mask_guard = check_guard_make(CAPACITY * sizeof(float));
    for (uint32_t i = 0; i < 3; ++i) guards[i] = check_guard_make(sizeof(sqt_pose_block) * CHECK_POSE_CAPACITY);
    static const float weights[] = {0.0f, 1.0f, 0.4f, 50.0f};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
        for (uint32_t i = 0; i < 16; ++i) {
            sqt_pose_block *const out = check_guard_take(guards, bytes);
            sqt_pose_block *const a = check_guard_take(guards + 1, bytes);
            sqt_pose_block *const b = check_guard_take(guards + 2, bytes);
            float *const mask = check_guard_take(&mask_guard, n * sizeof *mask);
            check_random_pose(a, n, &random);
            check_random_pose(b, n, &random);
            for (uint32_t j = 0; j < n; ++j) mask[j] = check_random_float(&random, 0, 1);
            assert_int_equal(sqt_blend_pair(out, &rig, a, b, i / 8 ? mask : NULL, weights[i / 2 % 4], all_flags[i % 2]),
                             SQT_OK);
            for (uint32_t k = 0; k < 3; ++k) check_guard_assert_before(guards + k, bytes);
            check_guard_assert_before(&mask_guard, n * sizeof *mask);
        }
    }
    for (uint32_t i = 0; i < 3; ++i) check_guard_free(guards + i);
    check_guard_free(&mask_guard);
}

static void blend_leaves_its_inputs_as_they_are(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
    sqt_pose_block a_before[CHECK_POSE_CAPACITY], b_before[CHECK_POSE_CAPACITY];
    const sqt_skeleton rig = rig_of(21);
    check_random_pose(a, 21, &random);
    check_random_pose(b, 21, &random);
    fill_padding(a, 21, nan_transform);
    fill_padding(b, 21, nan_transform);
    memcpy(a_before, a, sizeof a);
    memcpy(b_before, b, sizeof b);
    for (uint32_t f = 0; f < 2; ++f) {
        for (float weight = -2.0f; weight <= 3.0f; weight += 0.5f) {
            assert_int_equal(sqt_blend_pair(out, &rig, a, b, NULL, weight, all_flags[f]), SQT_OK);
        }
    }
    assert_memory_equal(a, a_before, 2 * sizeof *a);
    assert_memory_equal(b, b_before, 2 * sizeof *b);
}

static void blend_in_place_gives_the_same_bits(void **state) {
    (void)state;
    static const float weights[] = {0.0f, 1.0f, 0.3f, -0.8f, 12.0f};
    check_random random = {SEED + 7};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        for (uint32_t i = 0; i < 20; ++i) {
            const float weight = weights[i / 4];
            const uint32_t flags = all_flags[i % 2];
            sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], apart[CHECK_POSE_CAPACITY];
            sqt_pose_block over_a[CHECK_POSE_CAPACITY], over_b[CHECK_POSE_CAPACITY];
            float mask[CAPACITY];
            check_random_pose(a, n, &random);
            check_random_pose(b, n, &random);
            fill_padding(a, n, nan_transform);
            fill_padding(b, n, nan_transform);
            for (uint32_t j = 0; j < n; ++j) mask[j] = check_random_float(&random, 0, 1);
            const float *const masked = i / 2 % 2 ? mask : NULL;
            memcpy(over_a, a, sizeof a);
            memcpy(over_b, b, sizeof b);
            assert_int_equal(sqt_blend_pair(apart, &rig, a, b, masked, weight, flags), SQT_OK);
            assert_int_equal(sqt_blend_pair(over_a, &rig, over_a, b, masked, weight, flags), SQT_OK);
            assert_int_equal(sqt_blend_pair(over_b, &rig, a, over_b, masked, weight, flags), SQT_OK);
            check_assert_pose_bits(over_a, apart, n);
            check_assert_pose_bits(over_b, apart, n);
            assert_int_equal(sqt_blend_pair(apart, &rig, a, a, masked, weight, flags), SQT_OK);
            assert_int_equal(sqt_blend_pair(a, &rig, a, a, masked, weight, flags), SQT_OK);
            check_assert_pose_bits(a, apart, n);
        }
    }
}

static void lanes_behind_the_last_joint_are_identity_whatever_the_inputs_hold(void **state) {
    (void)state;
    static const float weights[] = {0.0f, 1.0f, 0.5f, 100.0f};
    check_random random = {SEED + 8};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        for (uint32_t i = 0; i < 16; ++i) {
            sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
            check_output out;
            float mask[CAPACITY];
            check_random_pose(a, n, &random);
            check_random_pose(b, n, &random);
            fill_padding(a, n, nan_transform);
            fill_padding(b, n, nan_transform);
            for (uint32_t j = 0; j < n; ++j) mask[j] = 0.5f;
            check_output_reset(&out);
            assert_int_equal(
                sqt_blend_pair(out.pose, &rig, a, b, i / 8 ? mask : NULL, weights[i / 2 % 4], all_flags[i % 2]),
                SQT_OK);
            check_assert_pose_bits(out.pose, out.pose, n); // the lanes behind n are compared with identity
            check_output_assert_only(&out, SQT_POSE_BLOCKS(n));
        }
    }
}

// ---- Rotations ----

static void blend_of_opposite_quaternions_takes_the_short_arc(void **state) {
    (void)state; // keys 10X and -(50X): every combination of signs is the same blend
    const sqt_quat first = check_degrees(1, 0, 0, 10), second = check_degrees(1, 0, 0, 50);
    const sqt_quat half = {0.258819f, 0, 0, 0.9659258f};
    const sqt_quat quarter_slerp = {0.1736482f, 0, 0, 0.9848078f}, quarter_nlerp = {0.1729887f, 0, 0, 0.9849238f};
    for (uint32_t signs = 0; signs < 4; ++signs) {
        const sqt_transform a = turned(signs & 1 ? check_negated(first) : first);
        const sqt_transform b = turned(signs & 2 ? check_negated(second) : second);
        assert_rotation_close(blend_one(a, b, 0.5f, SQT_SLERP).rotation, half, 1e-6);
        assert_rotation_close(blend_one(a, b, 0.5f, SQT_NLERP).rotation, half, 1e-6);
        assert_rotation_close(blend_one(a, b, 0.25f, SQT_SLERP).rotation, quarter_slerp, 1e-6);
        assert_rotation_close(blend_one(a, b, 0.25f, SQT_NLERP).rotation, quarter_nlerp, 1e-6);
        const sqt_vec3 up = {0, 1, 0}, expected = {0, 0.8660254f, 0.5f};
        assert_vec3_close(sqt_quat_rotate(blend_one(a, b, 0.5f, SQT_SLERP).rotation, up), expected, 1e-6);
    }
}

static void blend_of_a_rotation_with_itself_or_its_negative_is_that_rotation(void **state) {
    (void)state;
    const sqt_quat q = {-0.9628540f, -0.1274090f, -0.2375748f, 0.0154063f}; // its dot with itself exceeds 1
    for (uint32_t f = 0; f < 2; ++f) {
        for (int i = -4; i <= 8; ++i) {
            const float t = (float)i * 0.25f;
            assert_rotation_close(blend_one(turned(q), turned(q), t, all_flags[f]).rotation, q, 1e-6);
            assert_rotation_close(blend_one(turned(q), turned(check_negated(q)), t, all_flags[f]).rotation, q, 1e-6);
            assert_close(quat_length(blend_one(turned(q), turned(q), t, all_flags[f]).rotation), 1,
                         t == 0 || t == 1 ? 1e-6 : 2e-7);
        }
        const sqt_quat far = blend_one(turned(q), turned(check_negated(q)), 1000.0f, SQT_SLERP).rotation;
        assert_rotation_close(far, q, 1e-6);
    }
}

static void a_quarter_of_the_way_to_120_degrees_tells_slerp_from_nlerp(void **state) {
    (void)state;
    const sqt_transform a = SQT_TRANSFORM_IDENTITY, b = turned(check_degrees(0, 0, 1, 120));
    const sqt_quat slerp = {0, 0, 0.258819f, 0.9659258f}, nlerp = {0, 0, 0.2401922f, 0.9707253f};
    assert_rotation_close(blend_one(a, b, 0.25f, SQT_SLERP).rotation, slerp, 1e-6);
    assert_rotation_close(blend_one(a, b, 0.25f, SQT_NLERP).rotation, nlerp, 1e-6);
}

static void blends_of_a_million_close_pairs_are_finite_and_unit(void **state) {
    (void)state; // 1e-7 to 1e-3 radians apart, either sign
    check_random random = {SEED + 9};
    const sqt_skeleton rig = rig_of(CAPACITY);
    for (uint32_t round = 0; round * CAPACITY < 1000000; ++round) {
        sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        check_random_pose(a, CAPACITY, &random);
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_transform t = sqt_pose_get(a, j);
            const double angle = 1e-7 * exp((double)check_random_float(&random, 0, 1) * log(1e4)) / 2;
            const sqt_vec3 axis = check_random_vec3(&random, -1, 1);
            const check_dquat turn = check_dquat_unit((check_dquat){axis.x * angle, axis.y * angle, axis.z * angle, 1});
            const sqt_quat q = check_dquat_rounded(check_dquat_multiply(turn, check_dquat_of(&t.rotation.x)));
            sqt_pose_set(b, j, turned(check_random_u32(&random) & 1 ? q : check_negated(q)));
        }
        const float weight = check_random_float(&random, 0, 1);
        assert_int_equal(sqt_blend_pair(out, &rig, a, b, NULL, weight, all_flags[round % 2]), SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_quat q = sqt_pose_get(out, j).rotation;
            assert_close(quat_length(q), 1, 1e-5);
            assert_rotation_close(q, sqt_pose_get(a, j).rotation, 1e-3);
        }
    }
}

static void blend_across_half_a_turn_follows_one_of_the_two_arcs(void **state) {
    (void)state;
    check_random random = {SEED + 10};
    for (uint32_t i = 0; i < 4000; ++i) {
        const sqt_quat a = check_random_quat(&random);
        const sqt_vec3 v = check_random_vec3(&random, -1, 1);
        const double length = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
        if (length < 0.1) continue;
        const check_dquat turn = {v.x / length, v.y / length, v.z / length, 0};
        const sqt_quat b = check_dquat_rounded(check_dquat_multiply(turn, check_dquat_of(&a.x)));
        const float weight = check_random_float(&random, 0, 1);
        const sqt_quat slerp = blend_one(turned(a), turned(b), weight, SQT_SLERP).rotation;
        const sqt_quat nlerp = blend_one(turned(a), turned(b), weight, SQT_NLERP).rotation;
        assert_close(quat_length(slerp), 1, 2e-7);
        assert_close(quat_length(nlerp), 1, 2e-7);
        const double along_a = (double)slerp.x * a.x + (double)slerp.y * a.y + (double)slerp.z * a.z +
                               (double)slerp.w * a.w; // a and b are at right angles as 4-vectors
        const double along_b =
            (double)slerp.x * b.x + (double)slerp.y * b.y + (double)slerp.z * b.z + (double)slerp.w * b.w;
        const double quarter = 3.14159265358979323846 / 2;
        assert_close(along_a, cos((double)weight * quarter), 5e-7);
        assert_close(fabs(along_b), sin((double)weight * quarter), 5e-7);
    }
    const sqt_quat x = {1, 0, 0, 0};
    const sqt_quat middle = blend_one(turned((sqt_quat)SQT_QUAT_IDENTITY), turned(x), 0.5f, SQT_NLERP).rotation;
    assert_close(fabs((double)middle.x), sqrt(0.5), 1e-7);
    assert_close(middle.w, sqrt(0.5), 1e-7);
}

/// The largest difference of a component, for the sign that is closer; 0 where the shorter arc is a matter of rounding.
static double rotation_error(sqt_quat actual, sqt_quat a, sqt_quat b, double weight, uint32_t flags) {
    const check_dquat p = check_dquat_of(&a.x), q = check_dquat_of(&b.x);
    if (fabs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w) < 1e-6) return 0;
    const check_dquat e = flags == SQT_SLERP ? check_dquat_slerp(p, q, weight) : check_dquat_nlerp(p, q, weight);
    const double sign = e.x * actual.x + e.y * actual.y + e.z * actual.z + e.w * actual.w < 0 ? -1 : 1;
    return fmax(fmax(fabs(sign * actual.x - e.x), fabs(sign * actual.y - e.y)),
                fmax(fabs(sign * actual.z - e.z), fabs(sign * actual.w - e.w)));
}

static void blend_agrees_with_double_precision(void **state) {
    (void)state;
    check_random random = {SEED + 11};
    const sqt_skeleton rig = rig_of(CAPACITY);
    double worst[2][2] = {{0}}; // [flags][extrapolated]
    for (uint32_t round = 0; round < 4000; ++round) {
        const uint32_t flags = all_flags[round % 2], extrapolated = round / 2 % 2;
        const float weight = extrapolated ? check_random_float(&random, -1, 2) : check_random_float(&random, 0, 1);
        sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        check_random_pose(a, CAPACITY, &random);
        check_random_pose(b, CAPACITY, &random);
        assert_int_equal(sqt_blend_pair(out, &rig, a, b, NULL, weight, flags), SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_quat q = sqt_pose_get(out, j).rotation;
            const double error =
                rotation_error(q, sqt_pose_get(a, j).rotation, sqt_pose_get(b, j).rotation, (double)weight, flags);
            worst[flags][extrapolated] = fmax(worst[flags][extrapolated], error);
            assert_close(quat_length(q), 1, 2e-7);
            assert_close(error, 0, extrapolated ? 1e-6 : 3e-7);
        }
    }
    print_message("worst errors: nlerp %.2g, %.2g beyond 0..1; slerp %.2g, %.2g beyond\n", worst[SQT_NLERP][0],
                  worst[SQT_NLERP][1], worst[SQT_SLERP][0], worst[SQT_SLERP][1]);
}

static void slerp_far_outside_0_to_1_keeps_turning(void **state) {
    (void)state;
    const sqt_transform a = turned(check_degrees(0, 0, 1, 20)), b = turned(check_degrees(0, 0, 1, 50));
    static const float weights[] = {-1.0f, 2.0f, -1.0001f, 2.0001f, 3.0f, -5.0f, 10.0f, 24.0f, -100.0f};
    for (uint32_t i = 0; i < sizeof weights / sizeof *weights; ++i) {
        const double degrees = 20 + 30 * (double)weights[i];
        assert_rotation_close(blend_one(a, b, weights[i], SQT_SLERP).rotation, check_degrees(0, 0, 1, degrees),
                              1e-6 * fmax(1, fabs((double)weights[i])));
        assert_rotation_close(blend_one(a, turned(check_negated(b.rotation)), weights[i], SQT_SLERP).rotation,
                              check_degrees(0, 0, 1, degrees), 1e-6 * fmax(1, fabs((double)weights[i])));
    }
}

// ---- Translations and scales ----

static void blend_runs_from_a_to_b(void **state) {
    (void)state; // T 0 -> 4, R 0 -> 80Z, S 1 -> 5 at a quarter
    const sqt_transform a = SQT_TRANSFORM_IDENTITY;
    const sqt_transform b = {check_degrees(0, 0, 1, 80), {4, 8, -4}, {5, 1, 3}};
    const sqt_vec3 translation = {1, 2, -1}, scale = {2, 1, 1.5f};
    for (uint32_t f = 0; f < 2; ++f) {
        const sqt_transform quarter = blend_one(a, b, 0.25f, all_flags[f]);
        assert_vec3_close(quarter.translation, translation, 1e-6);
        assert_vec3_close(quarter.scale, scale, 1e-6);
        if (all_flags[f] == SQT_SLERP) assert_rotation_close(quarter.rotation, check_degrees(0, 0, 1, 20), 1e-6);
    }
}

static void blend_half_and_half_with_a_rest_pose_is_the_mean(void **state) {
    (void)state; // x = 4 with a joint that a clip does not drive, whose rest is x = 1
    sqt_joint joint = {"hand", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY};
    joint.rest.translation.x = 1;
    unsigned char memory[1024];
    sqt_skeleton skeleton;
    assert_true(sqt_skeleton_bytes(&joint, 1) <= sizeof memory);
    assert_int_equal(sqt_skeleton_build(&skeleton, &joint, 1, memory, sizeof memory, NULL), SQT_OK);
    sqt_pose_block driven, rest, out;
    assert_int_equal(sqt_skeleton_rest(&rest, &skeleton), SQT_OK);
    assert_int_equal(sqt_skeleton_rest(&driven, &skeleton), SQT_OK);
    driven.tx[0] = 4;
    for (uint32_t f = 0; f < 2; ++f) {
        memset(&out, 0xFF, sizeof out);
        assert_int_equal(sqt_blend_pair(&out, &skeleton, &driven, &rest, NULL, 0.5f, all_flags[f]), SQT_OK);
        assert_close(sqt_pose_get(&out, 0).translation.x, 2.5, 0);
        assert_close(sqt_pose_get(&out, 0).scale.x, 1, 0);
    }
}

static void weights_outside_0_to_1_extrapolate(void **state) {
    (void)state;
    const sqt_transform a = {SQT_QUAT_IDENTITY, {1, -2, 3}, {1, 2, 1}};
    const sqt_transform b = {SQT_QUAT_IDENTITY, {2, 2, 3}, {2, 2, 0.5f}};
    const sqt_vec3 back = {0, -6, 3}, on = {3, 6, 3}, far = {11, 38, 3};
    const sqt_vec3 back_scale = {0, 2, 1.5f}, on_scale = {3, 2, 0}, far_scale = {11, 2, -4};
    for (uint32_t f = 0; f < 2; ++f) {
        assert_vec3_close(blend_one(a, b, -1.0f, all_flags[f]).translation, back, 0);
        assert_vec3_close(blend_one(a, b, -1.0f, all_flags[f]).scale, back_scale, 0);
        assert_vec3_close(blend_one(a, b, 2.0f, all_flags[f]).translation, on, 0);
        assert_vec3_close(blend_one(a, b, 2.0f, all_flags[f]).scale, on_scale, 0);
        assert_vec3_close(blend_one(a, b, 10.0f, all_flags[f]).translation, far, 0);
        assert_vec3_close(blend_one(a, b, 10.0f, all_flags[f]).scale, far_scale, 0);
    }
    // NLERP at 2 is normalise(2 b - a): 0 and 60 degrees as 4-vectors 0 and 30 degrees apart.
    const sqt_quat q = blend_one(a, turned(check_degrees(0, 0, 1, 60)), 2.0f, SQT_NLERP).rotation;
    const double z = 2 * 0.5, w = 2 * sqrt(0.75) - 1, length = sqrt(z * z + w * w);
    assert_close(q.z, z / length, 1e-6);
    assert_close(q.w, w / length, 1e-6);
}

static void blend_of_numbers_up_to_1e15_is_finite_and_unit(void **state) {
    (void)state;
    static const float weights[] = {0.5f, -1e15f, 1e15f, 1e8f, 3.0f};
    check_random random = {SEED + 12};
    const sqt_skeleton rig = rig_of(CAPACITY);
    float mask[CAPACITY];
    for (uint32_t j = 0; j < CAPACITY; ++j) mask[j] = j % 2 ? 1.0f : 0.25f;
    for (uint32_t round = 0; round < 200; ++round) {
        sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_transform p = {check_random_quat(&random), check_random_vec3(&random, -1e15f, 1e15f),
                                     check_random_vec3(&random, -1e15f, 1e15f)};
            const sqt_transform q = {
                j % 3 ? check_random_quat(&random) : p.rotation, check_random_vec3(&random, -1e15f, 1e15f), {0, 0, 0}};
            sqt_pose_set(a, j, p);
            sqt_pose_set(b, j, q);
        }
        const float weight = weights[round / 4 % 5];
        const float *const masked = round / 2 % 2 ? mask : NULL;
        assert_int_equal(sqt_blend_pair(out, &rig, a, b, masked, weight, all_flags[round % 2]), SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_transform t = sqt_pose_get(out, j);
            assert_close(quat_length(t.rotation), 1, 2e-7);
            assert_close(t.translation.x * 0, 0, 0);
            assert_close(t.translation.y * 0, 0, 0);
            assert_close(t.translation.z * 0, 0, 0);
            assert_close(t.scale.x * 0, 0, 0);
        }
    }
}

static void rotations_of_any_length_come_out_unit(void **state) {
    (void)state;
    check_random random = {SEED + 16};
    for (uint32_t round = 0; round < 2000; ++round) {
        sqt_quat q[2];
        for (uint32_t i = 0; i < 2; ++i) {
            const float length = (float)exp((double)check_random_float(&random, 0, 1) * log(1e22)) * 1e-8f;
            q[i] = check_random_quat(&random);
            q[i].x *= length, q[i].y *= length, q[i].z *= length, q[i].w *= length;
        }
        if (round % 3 == 0) q[1] = q[0]; // the dot product is the square of the length
        const float weight = check_random_float(&random, -1, 2);
        const uint32_t flags = all_flags[round % 2];
        assert_close(quat_length(blend_one(turned(q[0]), turned(q[1]), weight, flags).rotation), 1, 1e-6);
    }
    // Where nothing is left of both, the identity.
    const sqt_quat none = {0, 0, 0, 0}, identity = SQT_QUAT_IDENTITY;
    for (uint32_t f = 0; f < 2; ++f) {
        assert_rotation_close(blend_one(turned(none), turned(none), 0.3f, all_flags[f]).rotation, identity, 1e-7);
    }
}

// ---- Sizes and errors ----

static void a_level_of_detail_blends_the_first_joints_to_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED + 13};
    sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], whole[CHECK_POSE_CAPACITY];
    check_random_pose(a, CAPACITY, &random);
    check_random_pose(b, CAPACITY, &random);
    sqt_skeleton rig = rig_of(CAPACITY);
    assert_int_equal(sqt_blend_pair(whole, &rig, a, b, NULL, 0.6f, SQT_SLERP), SQT_OK);
    for (rig.joint_count = 1; rig.joint_count < CAPACITY; ++rig.joint_count) {
        check_output out;
        check_output_reset(&out);
        assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, NULL, 0.6f, SQT_SLERP), SQT_OK);
        check_assert_pose_bits(out.pose, whole, rig.joint_count);
        check_output_assert_only(&out, SQT_POSE_BLOCKS(rig.joint_count));
    }
}

static void blend_of_the_largest_skeleton_reaches_the_last_joint(void **state) {
    (void)state;
    const uint32_t n = SQT_MAX_JOINTS;
    const sqt_skeleton rig = rig_of(n);
    const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
    check_guard guards[2] = {check_guard_make(bytes), check_guard_make(bytes)};
    sqt_pose_block *const a = check_guard_take(guards, bytes), *const b = check_guard_take(guards + 1, bytes);
    assert_int_equal(sqt_pose_identity(a, n), SQT_OK);
    assert_int_equal(sqt_pose_identity(b, n), SQT_OK);
    for (uint32_t j = 0; j < n; ++j) b[j / 16].tx[j % 16] = (float)(2 * j);
    assert_int_equal(sqt_blend_pair(a, &rig, a, b, NULL, 0.5f, SQT_NLERP), SQT_OK);
    for (uint32_t j = 0; j < n; ++j) assert_close(sqt_pose_get(a, j).translation.x, j, 0);
    for (uint32_t i = 0; i < 2; ++i) check_guard_free(guards + i);
}

static void wrong_arguments_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    check_random random = {SEED + 14};
    sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
    check_random_pose(a, CAPACITY, &random);
    check_random_pose(b, CAPACITY, &random);
    float mask[CAPACITY] = {0};
    const sqt_skeleton rig = rig_of(20), empty = rig_of(0), large = rig_of(SQT_MAX_JOINTS + 1), huge = rig_of(~0u);
    check_output out;
    check_output_reset(&out);
    assert_int_equal(sqt_blend_pair(NULL, &rig, a, b, NULL, 0.5f, SQT_NLERP), SQT_ERROR_NULL);
    static const float weights[] = {0.0f, 0.5f, 1.0f};
    for (uint32_t i = 0; i < 12; ++i) {
        const float w = weights[i % 3];
        const uint32_t flags = all_flags[i / 3 % 2];
        const float *const m = i / 6 ? mask : NULL;
        assert_int_equal(sqt_blend_pair(out.pose, NULL, a, b, m, w, flags), SQT_ERROR_NULL);
        assert_int_equal(sqt_blend_pair(out.pose, &rig, NULL, b, m, w, flags), SQT_ERROR_NULL);
        assert_int_equal(sqt_blend_pair(out.pose, &rig, a, NULL, m, w, flags), SQT_ERROR_NULL);
        assert_int_equal(sqt_blend_pair(out.pose, &empty, a, b, m, w, flags), SQT_ERROR_COUNT);
        assert_int_equal(sqt_blend_pair(out.pose, &large, a, b, m, w, flags), SQT_ERROR_COUNT);
        assert_int_equal(sqt_blend_pair(out.pose, &huge, a, b, m, w, flags), SQT_ERROR_COUNT);
        assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, m, NAN, flags), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, m, INFINITY, flags), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, m, -INFINITY, flags), SQT_ERROR_NUMBER);
        for (uint32_t bit = 1; bit < 32; ++bit) {
            assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, m, w, flags | 1u << bit), SQT_ERROR_FLAG);
        }
    }
    check_output_assert_only(&out, 0);
    assert_int_equal(sqt_blend_pair(out.pose, &rig, a, b, NULL, 0.5f, SQT_NLERP), SQT_OK);
}

static void numbers_that_are_not_finite_stay_in_their_joint(void **state) {
    (void)state;
    check_random random = {SEED + 15};
    const sqt_skeleton rig = rig_of(40);
    for (uint32_t i = 0; i < 8; ++i) {
        sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
        sqt_pose_block clean[CHECK_POSE_CAPACITY], spoilt[CHECK_POSE_CAPACITY];
        float mask[CAPACITY];
        check_random_pose(a, 40, &random);
        check_random_pose(b, 40, &random);
        for (uint32_t j = 0; j < 40; ++j) mask[j] = check_random_float(&random, 0, 1);
        const float weight = i / 2 % 2 ? 0.5f : 5.0f;
        assert_int_equal(sqt_blend_pair(clean, &rig, a, b, mask, weight, all_flags[i % 2]), SQT_OK);
        sqt_pose_set(i / 4 ? a : b, 19, nan_transform);
        mask[33] = i / 4 ? NAN : INFINITY;
        assert_int_equal(sqt_blend_pair(spoilt, &rig, a, b, mask, weight, all_flags[i % 2]), SQT_OK);
        for (uint32_t j = 0; j < 40; ++j) {
            const sqt_transform p = sqt_pose_get(clean, j), q = sqt_pose_get(spoilt, j);
            if (j != 19 && j != 33) assert_memory_equal(&p, &q, sizeof p);
        }
    }
}

int main(void) {
    print_message("seed 0x%X, kernels %s\n", SEED, sqt_isa_name(sqt_isa_current()));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blend_without_a_mask_copies_one_pose_bit_for_bit_at_weight_0_and_1),
        cmocka_unit_test(blend_without_a_mask_does_not_read_the_pose_that_has_no_weight),
        cmocka_unit_test(blend_next_to_weight_0_or_1_takes_part_of_both),
        cmocka_unit_test(blend_rotates_each_joint_as_the_single_functions_do_bit_for_bit),
        cmocka_unit_test(blend_with_a_mask_weighs_each_joint_for_itself_and_is_exact_at_0_and_1),
        cmocka_unit_test(blend_with_a_mask_keeps_rotations_that_are_not_unit_at_0_and_1),
        cmocka_unit_test(blend_with_a_mask_of_ones_is_the_blend_without_a_mask),
        cmocka_unit_test(blend_divides_by_no_zero),
        cmocka_unit_test(blend_touches_nothing_beyond_its_buffers),
        cmocka_unit_test(blend_leaves_its_inputs_as_they_are),
        cmocka_unit_test(blend_in_place_gives_the_same_bits),
        cmocka_unit_test(lanes_behind_the_last_joint_are_identity_whatever_the_inputs_hold),
        cmocka_unit_test(blend_of_opposite_quaternions_takes_the_short_arc),
        cmocka_unit_test(blend_of_a_rotation_with_itself_or_its_negative_is_that_rotation),
        cmocka_unit_test(a_quarter_of_the_way_to_120_degrees_tells_slerp_from_nlerp),
        cmocka_unit_test(blends_of_a_million_close_pairs_are_finite_and_unit),
        cmocka_unit_test(blend_across_half_a_turn_follows_one_of_the_two_arcs),
        cmocka_unit_test(blend_agrees_with_double_precision),
        cmocka_unit_test(slerp_far_outside_0_to_1_keeps_turning),
        cmocka_unit_test(blend_runs_from_a_to_b),
        cmocka_unit_test(blend_half_and_half_with_a_rest_pose_is_the_mean),
        cmocka_unit_test(weights_outside_0_to_1_extrapolate),
        cmocka_unit_test(blend_of_numbers_up_to_1e15_is_finite_and_unit),
        cmocka_unit_test(rotations_of_any_length_come_out_unit),
        cmocka_unit_test(a_level_of_detail_blends_the_first_joints_to_the_same_bits),
        cmocka_unit_test(blend_of_the_largest_skeleton_reaches_the_last_joint),
        cmocka_unit_test(wrong_arguments_are_refused_and_nothing_is_written),
        cmocka_unit_test(numbers_that_are_not_finite_stay_in_their_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
