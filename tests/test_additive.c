// Differences of poses, and adding them: every promise of sqt_blend_difference and sqt_blend_add, with expected values by
// hand or in double precision.
#include "check_guard.h"
#include "check_pose.h"

enum { CAPACITY = CHECK_RIG_JOINTS, SEED = 0xADD1 };

static const uint32_t all_flags[] = {SQT_NLERP, SQT_SLERP, SQT_NLERP | SQT_SCALE_DIFFERENCE,
                                     SQT_SLERP | SQT_SCALE_DIFFERENCE};

static sqt_skeleton rig_of(uint32_t joint_count) {
    const sqt_skeleton rig = {.joint_count = joint_count, .full_joint_count = joint_count, .rig_hash = CHECK_RIG_HASH};
    return rig;
}

static sqt_transform turned(sqt_quat rotation) {
    const sqt_transform t = {rotation, {0, 0, 0}, {1, 1, 1}};
    return t;
}

static sqt_transform scaled(float scale) {
    const sqt_transform t = {SQT_QUAT_IDENTITY, {0, 0, 0}, {scale, scale, scale}};
    return t;
}

static sqt_transform difference_one(sqt_transform pose, sqt_transform reference, uint32_t flags) {
    sqt_pose_block p, r, out;
    const sqt_skeleton rig = rig_of(1);
    assert_int_equal(sqt_pose_pack(&p, &pose, 1), SQT_OK);
    assert_int_equal(sqt_pose_pack(&r, &reference, 1), SQT_OK);
    memset(&out, 0xFF, sizeof out);
    assert_int_equal(sqt_blend_difference(&out, &rig, &p, &r, flags & SQT_SCALE_DIFFERENCE), SQT_OK);
    return sqt_pose_get(&out, 0);
}

static sqt_transform add_one(sqt_transform base, sqt_transform difference, float weight, uint32_t flags) {
    sqt_pose_block b, d, out;
    const sqt_skeleton rig = rig_of(1);
    assert_int_equal(sqt_pose_pack(&b, &base, 1), SQT_OK);
    assert_int_equal(sqt_pose_pack(&d, &difference, 1), SQT_OK);
    memset(&out, 0xFF, sizeof out);
    assert_int_equal(sqt_blend_add(&out, &rig, &b, &d, NULL, weight, flags), SQT_OK);
    return sqt_pose_get(&out, 0);
}

static double quat_length(sqt_quat q) {
    return sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
}

static check_dquat wide(sqt_quat q) { return check_dquat_of(&q.x); }

/// The joints are equal as numbers: zeros of either sign are.
static void assert_equal_joint(sqt_transform a, sqt_transform b) {
    const float x[10] = {a.rotation.x,    a.rotation.y,    a.rotation.z, a.rotation.w, a.translation.x,
                         a.translation.y, a.translation.z, a.scale.x,    a.scale.y,    a.scale.z};
    const float y[10] = {b.rotation.x,    b.rotation.y,    b.rotation.z, b.rotation.w, b.translation.x,
                         b.translation.y, b.translation.z, b.scale.x,    b.scale.y,    b.scale.z};
    assert_all_close(x, y, 10, 0);
}

/// Random joints of which no quaternion stands near half a turn, so that the shorter arc is no matter of rounding.
static void clear_pose(sqt_pose_block *pose, uint32_t joint_count, check_random *random) {
    check_random_pose(pose, joint_count, random);
    for (uint32_t j = 0; j < joint_count; ++j) {
        sqt_transform t = sqt_pose_get(pose, j);
        while (fabsf(t.rotation.w) < 0.02f) t.rotation = check_random_quat(random);
        sqt_pose_set(pose, j, t);
    }
}

// ---- Known faults of other runtimes

static void difference_added_to_its_reference_is_the_pose(void **state) {
    (void)state; // 40 degrees about Y, 100 degrees about (1, 1, 0)
    const double h = sqrt(0.5);
    const sqt_transform reference = turned(check_degrees(0, 1, 0, 40)), pose = turned(check_degrees(h, h, 0, 100));
    for (uint32_t f = 0; f < 4; ++f) {
        const sqt_transform difference = difference_one(pose, reference, all_flags[f]);
        check_assert_transform(add_one(reference, difference, 1, all_flags[f]), pose, 1e-6);
    }
}

static void difference_stands_on_the_right(void **state) {
    (void)state; // base 90Z, difference 90X: (.5, -.5, .5, .5) would be the left
    const sqt_quat right = {0.5f, 0.5f, 0.5f, 0.5f};
    const sqt_transform base = turned(check_degrees(0, 0, 1, 90)), difference = turned(check_degrees(1, 0, 0, 90));
    for (uint32_t f = 0; f < 4; ++f) {
        assert_rotation_close(add_one(base, difference, 1, all_flags[f]).rotation, right, 1e-6);
    }
    // In the joint's own axes: what a difference does to a base does not depend on how the base is turned in its parent.
    const sqt_transform parent = turned(check_degrees(0.6, 0, 0.8, 77));
    const sqt_transform outer = turned(sqt_quat_multiply(parent.rotation, base.rotation));
    assert_rotation_close(add_one(outer, difference, 0.4f, SQT_SLERP).rotation,
                          sqt_quat_multiply(parent.rotation, add_one(base, difference, 0.4f, SQT_SLERP).rotation),
                          1e-6);
}

static void difference_and_its_negative_add_the_same(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t round = 0; round < 400; ++round) {
        sqt_transform base = check_random_transform(&random), difference = check_random_transform(&random);
        while (fabsf(difference.rotation.w) < 0.02f) difference.rotation = check_random_quat(&random);
        sqt_transform minus = difference;
        minus.rotation = check_negated(minus.rotation);
        const float weight = round % 2 ? 0.5f : check_random_float(&random, -1, 2);
        const sqt_transform a = add_one(base, difference, weight, all_flags[round % 4]);
        assert_equal_joint(add_one(base, minus, weight, all_flags[round % 4]), a);
    }
}

static void scale_is_a_ratio(void **state) {
    (void)state; // reference 2, pose 3, base 4
    const sqt_transform difference = difference_one(scaled(3), scaled(2), 0);
    assert_close(difference.scale.x, 1.5, 0);
    static const float weights[] = {0, 0.5f, 1, 2, -1}, expected[] = {4, 5, 6, 8, 2};
    for (uint32_t i = 0; i < 5; ++i) {
        const sqt_vec3 s = {expected[i], expected[i], expected[i]};
        assert_vec3_close(add_one(scaled(4), difference, weights[i], SQT_NLERP).scale, s, 0);
        assert_vec3_close(add_one(scaled(4), difference, weights[i], SQT_SLERP).scale, s, 0);
        assert_vec3_close(add_one(scaled(4), scaled(1), weights[i], SQT_NLERP).scale, scaled(4).scale, 0);
    }
}

static void scale_is_a_difference_where_asked_for(void **state) {
    (void)state; // reference 2, pose 3, base 4
    const sqt_transform difference = difference_one(scaled(3), scaled(2), SQT_SCALE_DIFFERENCE);
    assert_close(difference.scale.x, 2, 0); // 1 + 3 - 2: the identity stays 1
    static const float weights[] = {0, 0.5f, 1, 2, -1}, expected[] = {4, 4.5f, 5, 6, 3};
    for (uint32_t i = 0; i < 5; ++i) {
        const sqt_vec3 s = {expected[i], expected[i], expected[i]};
        const uint32_t flags = all_flags[2 + i % 2];
        assert_vec3_close(add_one(scaled(4), difference, weights[i], flags).scale, s, 0);
        assert_vec3_close(add_one(scaled(4), scaled(1), weights[i], flags).scale, scaled(4).scale, 0);
    }
}

static void reference_without_scale_gives_the_ratio_1(void **state) {
    (void)state;
    const sqt_transform reference = {SQT_QUAT_IDENTITY, {0, 0, 0}, {0, -0.0f, 2}};
    const sqt_transform pose = {SQT_QUAT_IDENTITY, {0, 0, 0}, {5, 0, -1}};
    const sqt_vec3 ratio = {1, 1, -0.5f}, change = {6, 1, -2};
    assert_vec3_close(difference_one(pose, reference, 0).scale, ratio, 0);
    assert_vec3_close(difference_one(pose, reference, SQT_SCALE_DIFFERENCE).scale, change, 0);
}

// ---- Properties

static void pose_comes_back_from_reference_and_difference(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t n = 1 + round % CAPACITY, flags = all_flags[round % 4];
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block pose[CHECK_POSE_CAPACITY], reference[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY];
        sqt_pose_block out[CHECK_POSE_CAPACITY];
        check_random_pose(pose, n, &random);
        check_random_pose(reference, n, &random);
        assert_int_equal(sqt_blend_difference(difference, &rig, pose, reference, flags & SQT_SCALE_DIFFERENCE), SQT_OK);
        assert_int_equal(sqt_blend_add(out, &rig, reference, difference, NULL, 1, flags), SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            check_assert_transform(sqt_pose_get(out, j), sqt_pose_get(pose, j), 1.5e-6);
            assert_close(quat_length(sqt_pose_get(difference, j).rotation), 1, 2e-7);
            assert_close(quat_length(sqt_pose_get(out, j).rotation), 1, 5e-7);
        }
    }
}

static void difference_is_the_one_of_the_formula(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block pose[CHECK_POSE_CAPACITY], reference[CHECK_POSE_CAPACITY];
        check_output out;
        check_random_pose(pose, n, &random);
        check_random_pose(reference, n, &random);
        check_output_reset(&out);
        assert_int_equal(sqt_blend_difference(out.pose, &rig, pose, reference, 0), SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            const sqt_transform p = sqt_pose_get(pose, j), r = sqt_pose_get(reference, j);
            const sqt_transform d = sqt_pose_get(out.pose, j);
            const check_dquat q = wide(r.rotation), back = {-q.x, -q.y, -q.z, q.w};
            assert_rotation_close(d.rotation, check_dquat_rounded(check_dquat_multiply(back, wide(p.rotation))), 4e-7);
            const float *const to = &p.translation.x, *const from = &r.translation.x, *const moved = &d.translation.x;
            const float *const large = &p.scale.x, *const small = &r.scale.x, *const ratio = &d.scale.x;
            for (uint32_t i = 0; i < 3; ++i) {
                assert_close(moved[i], (double)to[i] - (double)from[i], 4e-7);
                assert_close(ratio[i], (double)large[i] / (double)small[i], 3e-7);
            }
        }
        check_output_assert_only(&out, SQT_POSE_BLOCKS(n));
        const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
        for (uint32_t j = n; j < SQT_POSE_BLOCKS(n) * SQT_POSE_LANES; ++j) {
            const sqt_transform t = sqt_pose_get(out.pose, j);
            assert_memory_equal(&t, &identity, sizeof t);
        }
    }
}

static void difference_of_a_pose_and_itself_is_exactly_the_identity(void **state) {
    (void)state;
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    check_random random = {SEED + 3};
    for (uint32_t round = 0; round < 300; ++round) {
        sqt_pose_block pose[CHECK_POSE_CAPACITY], reference[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY];
        const sqt_skeleton rig = rig_of(CAPACITY);
        check_random_pose(pose, CAPACITY, &random);
        memcpy(reference, pose, sizeof pose);
        for (uint32_t j = 0; j < CAPACITY && round % 2; ++j) {
            sqt_transform t = sqt_pose_get(reference, j);
            t.rotation = check_negated(t.rotation);
            sqt_pose_set(reference, j, t);
        }
        const uint32_t flags = round / 2 % 2 ? SQT_SCALE_DIFFERENCE : 0;
        assert_int_equal(sqt_blend_difference(difference, &rig, pose, reference, flags), SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) assert_equal_joint(sqt_pose_get(difference, j), identity);
    }
}

/// base * power(difference, w) and the rest of the formula, in double precision.
static void assert_added(sqt_transform out, sqt_transform base, sqt_transform difference, float w, uint32_t flags) {
    const check_dquat identity = {0, 0, 0, 1}, d = wide(difference.rotation);
    const double t = (double)w;
    const check_dquat power = flags & SQT_SLERP ? check_dquat_slerp(identity, d, t) : check_dquat_nlerp(identity, d, t);
    const double size = fmax(1, fabs(t));
    assert_rotation_close(out.rotation, check_dquat_rounded(check_dquat_multiply(wide(base.rotation), power)),
                          (flags & SQT_SLERP ? 1.5e-6 : 6e-7) * size);
    const float *const o = &out.translation.x, *const b = &base.translation.x, *const e = &difference.translation.x;
    const float *const os = &out.scale.x, *const bs = &base.scale.x, *const es = &difference.scale.x;
    for (uint32_t i = 0; i < 3; ++i) {
        const double change = t * ((double)es[i] - 1);
        const double s = flags & SQT_SCALE_DIFFERENCE ? (double)bs[i] + change : (double)bs[i] * (1 + change);
        assert_close(o[i], (double)b[i] + t * (double)e[i], 1e-6 * size);
        assert_close(os[i], s, 1e-6 * size * size);
    }
}

static void add_agrees_with_double_precision(void **state) {
    (void)state;
    static const float weights[] = {1, 0.5f, 0.1f, 0.999f, -1, 2, 1.5f, -0.3f, 1e-6f};
    check_random random = {SEED + 4};
    for (uint32_t round = 0; round < 600; ++round) {
        const uint32_t n = 1 + check_random_below(&random, CAPACITY), flags = all_flags[round % 4];
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block base[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY];
        float mask[CAPACITY];
        check_output out;
        check_random_pose(base, n, &random);
        clear_pose(difference, n, &random);
        for (uint32_t j = 0; j < n; ++j) mask[j] = j % 5 == 0 ? 0.0f : check_random_float(&random, 0, 1);
        const float weight = round / 4 % 10 == 9 ? check_random_float(&random, -1, 2) : weights[round / 4 % 10];
        const float *const masked = round / 40 % 2 ? mask : NULL;
        check_output_reset(&out);
        assert_int_equal(sqt_blend_add(out.pose, &rig, base, difference, masked, weight, flags), SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            assert_added(sqt_pose_get(out.pose, j), sqt_pose_get(base, j), sqt_pose_get(difference, j),
                         masked ? weight * mask[j] : weight, flags);
        }
        check_output_assert_only(&out, SQT_POSE_BLOCKS(n));
    }
}

static void nlerp_and_slerp_differ_between_the_ends(void **state) {
    (void)state; // identity to 120Z at a quarter
    const sqt_transform base = SQT_TRANSFORM_IDENTITY, difference = turned(check_degrees(0, 0, 1, 120));
    const sqt_quat slerp = {0, 0, 0.258819f, 0.9659258f}, nlerp = {0, 0, 0.2401922f, 0.9707253f};
    assert_rotation_close(add_one(base, difference, 0.25f, SQT_SLERP).rotation, slerp, 1e-6);
    assert_rotation_close(add_one(base, difference, 0.25f, SQT_NLERP).rotation, nlerp, 1e-6);
}

static void slerp_adds_any_number_of_times_the_turn(void **state) {
    (void)state;
    static const float weights[] = {-1, 2, 2.001f, -1.001f, 3, 12, -7.5f, 100};
    for (uint32_t i = 0; i < 24; ++i) { // about each axis alone
        const double x = i % 3 == 0, y = i % 3 == 1, z = i % 3 == 2, weight = (double)weights[i / 3];
        const sqt_transform base = turned(check_degrees(x, y, z, 10)), difference = turned(check_degrees(x, y, z, 30));
        assert_rotation_close(add_one(base, difference, weights[i / 3], SQT_SLERP).rotation,
                              check_degrees(x, y, z, 10 + 30 * weight), 1e-6 * fmax(1, fabs(weight)));
    }
    // One joint far outside does not change what the formula says of the others.
    sqt_pose_block b[CHECK_POSE_CAPACITY], d[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
    check_random random = {SEED + 5};
    const sqt_skeleton rig = rig_of(20);
    float mask[20];
    for (uint32_t round = 0; round < 40; ++round) {
        check_random_pose(b, 20, &random);
        clear_pose(d, 20, &random);
        for (uint32_t j = 0; j < 20; ++j) mask[j] = j == 7 ? 10.0f : check_random_float(&random, 0, 1);
        const uint32_t flags = all_flags[1 + round % 2 * 2];
        assert_int_equal(sqt_blend_add(out, &rig, b, d, mask, 1, flags), SQT_OK);
        for (uint32_t j = 0; j < 20; ++j) {
            assert_added(sqt_pose_get(out, j), sqt_pose_get(b, j), sqt_pose_get(d, j), mask[j], flags);
        }
    }
}

static void what_slerp_adds_it_takes_back(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    const sqt_skeleton rig = rig_of(CAPACITY);
    for (uint32_t round = 0; round < 100; ++round) {
        sqt_pose_block base[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        check_random_pose(base, CAPACITY, &random);
        clear_pose(difference, CAPACITY, &random);
        const uint32_t flags = SQT_SLERP | SQT_SCALE_DIFFERENCE;
        const float weight = check_random_float(&random, -1, 1);
        assert_int_equal(sqt_blend_add(out, &rig, base, difference, NULL, weight, flags), SQT_OK);
        assert_int_equal(sqt_blend_add(out, &rig, out, difference, NULL, -weight, flags), SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            check_assert_transform(sqt_pose_get(out, j), sqt_pose_get(base, j), 2e-6);
        }
    }
}

// ---- What must not change

static void weight_0_gives_the_base_bit_for_bit_and_does_not_read_the_difference(void **state) {
    (void)state;
    check_random random = {SEED + 7};
    check_guard closed = check_guard_make(sizeof(sqt_pose_block) * CHECK_POSE_CAPACITY);
    for (uint32_t n = 1; n <= CAPACITY; n += 3) {
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block base[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        float mask[CAPACITY];
        const sqt_pose_block *const unread = check_guard_take(&closed, SQT_POSE_BLOCKS(n) * sizeof *unread);
        check_guard_forbid(&closed, true);
        check_random_pose(base, n, &random);
        sqt_pose_set(base, 0, turned((sqt_quat){-0.0f, 0, 3, -4}));
        for (uint32_t j = 0; j < n; ++j) mask[j] = 1;
        for (uint32_t i = 0; i < 16; ++i) {
            memset(out, 0xFF, sizeof out);
            assert_int_equal(
                sqt_blend_add(out, &rig, base, unread, i / 8 ? mask : NULL, i / 4 % 2 ? 0.0f : -0.0f, all_flags[i % 4]),
                SQT_OK);
            check_assert_pose_bits(out, base, n);
        }
        check_guard_forbid(&closed, false);
    }
    check_guard_free(&closed);
}

static void identity_adds_nothing_at_all(void **state) {
    (void)state;
    check_random random = {SEED + 8};
    const sqt_skeleton rig = rig_of(CAPACITY);
    sqt_pose_block nothing[CHECK_POSE_CAPACITY];
    assert_int_equal(sqt_pose_identity(nothing, CAPACITY), SQT_OK);
    for (uint32_t j = 0; j < CAPACITY; j += 2) { sqt_pose_set(nothing, j, turned((sqt_quat){0, 0, 0, -1})); }
    for (uint32_t round = 0; round < 400; ++round) {
        sqt_pose_block base[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        float mask[CAPACITY];
        check_random_pose(base, CAPACITY, &random);
        for (uint32_t j = 0; j < CAPACITY; ++j) mask[j] = check_random_float(&random, 0, 1);
        const float weight = round % 3 ? check_random_float(&random, 0, 1) : 1.0f;
        assert_int_equal(
            sqt_blend_add(out, &rig, base, nothing, round / 4 % 2 ? mask : NULL, weight, all_flags[round % 4]), SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) assert_equal_joint(sqt_pose_get(out, j), sqt_pose_get(base, j));
    }
}

static void joints_whose_mask_is_zero_are_exactly_those_of_the_base(void **state) {
    (void)state;
    check_random random = {SEED + 9};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        for (uint32_t f = 0; f < 8; ++f) {
            sqt_pose_block base[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
            float mask[CAPACITY];
            check_random_pose(base, n, &random);
            check_random_pose(difference, n, &random);
            for (uint32_t j = 0; j < n; ++j) {
                const uint32_t kind = check_random_below(&random, 3);
                mask[j] = kind == 0 ? 0.7f : kind == 1 ? 0.0f : -0.0f;
            }
            assert_int_equal(sqt_blend_add(out, &rig, base, difference, mask, f / 4 ? 0.9f : 9.0f, all_flags[f % 4]),
                             SQT_OK);
            for (uint32_t j = 0; j < n; ++j) {
                if (mask[j] == 0) assert_equal_joint(sqt_pose_get(out, j), sqt_pose_get(base, j));
            }
        }
    }
}

static void mask_of_ones_is_no_mask(void **state) {
    (void)state;
    check_random random = {SEED + 10};
    float ones[CAPACITY];
    for (uint32_t j = 0; j < CAPACITY; ++j) ones[j] = 1;
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t n = 1 + round % CAPACITY, flags = all_flags[round % 4];
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block base[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY];
        sqt_pose_block plain[CHECK_POSE_CAPACITY], masked[CHECK_POSE_CAPACITY];
        check_random_pose(base, n, &random);
        check_random_pose(difference, n, &random);
        const float weight = check_random_float(&random, -2, 3);
        assert_int_equal(sqt_blend_add(plain, &rig, base, difference, NULL, weight, flags), SQT_OK);
        assert_int_equal(sqt_blend_add(masked, &rig, base, difference, ones, weight, flags), SQT_OK);
        check_assert_pose_bits(masked, plain, n);
    }
}

// ---- Memory

static void additive_in_place_gives_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED + 11};
    static const float weights[] = {0.6f, 1, 5, 0};
    for (uint32_t round = 0; round < 300; ++round) {
        const uint32_t n = 1 + round % CAPACITY, flags = all_flags[round % 4];
        const sqt_skeleton rig = rig_of(n);
        sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY], apart[CHECK_POSE_CAPACITY];
        sqt_pose_block over[CHECK_POSE_CAPACITY];
        check_random_pose(a, n, &random);
        check_random_pose(b, n, &random);
        const float weight = weights[round / 4 % 4];
        assert_int_equal(sqt_blend_add(apart, &rig, a, b, NULL, weight, flags), SQT_OK);
        memcpy(over, a, sizeof over);
        assert_int_equal(sqt_blend_add(over, &rig, over, b, NULL, weight, flags), SQT_OK);
        check_assert_pose_bits(over, apart, n);
        memcpy(over, b, sizeof over);
        assert_int_equal(sqt_blend_add(over, &rig, a, over, NULL, weight, flags), SQT_OK);
        check_assert_pose_bits(over, apart, n);
        const uint32_t scale_flag = flags & SQT_SCALE_DIFFERENCE;
        assert_int_equal(sqt_blend_difference(apart, &rig, a, b, scale_flag), SQT_OK);
        memcpy(over, a, sizeof over);
        assert_int_equal(sqt_blend_difference(over, &rig, over, b, scale_flag), SQT_OK);
        check_assert_pose_bits(over, apart, n);
        memcpy(over, b, sizeof over);
        assert_int_equal(sqt_blend_difference(over, &rig, a, over, scale_flag), SQT_OK);
        check_assert_pose_bits(over, apart, n);
    }
}

static void additive_touches_nothing_beyond_its_buffers(void **state) {
    (void)state;
    check_random random = {SEED + 12};
    check_guard guards[3], mask_guard = check_guard_make(CAPACITY * sizeof(float));
    for (uint32_t i = 0; i < 3; ++i) guards[i] = check_guard_make(sizeof(sqt_pose_block) * CHECK_POSE_CAPACITY);
    static const float weights[] = {0.0f, 0.4f, 50.0f};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const sqt_skeleton rig = rig_of(n);
        const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
        for (uint32_t i = 0; i < 24; ++i) {
            sqt_pose_block *const out = check_guard_take(guards, bytes);
            sqt_pose_block *const a = check_guard_take(guards + 1, bytes);
            sqt_pose_block *const b = check_guard_take(guards + 2, bytes);
            float *const mask = check_guard_take(&mask_guard, n * sizeof *mask);
            check_random_pose(a, n, &random);
            check_random_pose(b, n, &random);
            for (uint32_t j = 0; j < n; ++j) mask[j] = check_random_float(&random, 0, 1);
            assert_int_equal(sqt_blend_add(out, &rig, a, b, i / 12 ? mask : NULL, weights[i / 4 % 3], all_flags[i % 4]),
                             SQT_OK);
            for (uint32_t k = 0; k < 3; ++k) check_guard_assert_before(guards + k, bytes);
            check_guard_assert_before(&mask_guard, n * sizeof *mask);
            if (i >= 2) continue;
            assert_int_equal(sqt_blend_difference(out, &rig, a, b, i ? SQT_SCALE_DIFFERENCE : 0), SQT_OK);
            for (uint32_t k = 0; k < 3; ++k) check_guard_assert_before(guards + k, bytes);
        }
    }
    for (uint32_t i = 0; i < 3; ++i) check_guard_free(guards + i);
    check_guard_free(&mask_guard);
}

static void a_level_of_detail_adds_to_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED + 13};
    sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
    sqt_pose_block whole[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY];
    check_random_pose(a, CAPACITY, &random);
    check_random_pose(b, CAPACITY, &random);
    sqt_skeleton rig = rig_of(CAPACITY);
    assert_int_equal(sqt_blend_add(whole, &rig, a, b, NULL, 0.6f, SQT_NLERP), SQT_OK);
    assert_int_equal(sqt_blend_difference(difference, &rig, a, b, 0), SQT_OK);
    for (rig.joint_count = 1; rig.joint_count < CAPACITY; ++rig.joint_count) {
        check_output out;
        check_output_reset(&out);
        assert_int_equal(sqt_blend_add(out.pose, &rig, a, b, NULL, 0.6f, SQT_NLERP), SQT_OK);
        check_assert_pose_bits(out.pose, whole, rig.joint_count);
        assert_int_equal(sqt_blend_difference(out.pose, &rig, a, b, 0), SQT_OK);
        check_assert_pose_bits(out.pose, difference, rig.joint_count);
        check_output_assert_only(&out, SQT_POSE_BLOCKS(rig.joint_count));
    }
}

// ---- Numbers and errors

static void large_numbers_add_to_finite_ones(void **state) {
    (void)state;
    static const float weights[] = {1, 0.5f, 1e15f, -1e15f, 1e8f};
    check_random random = {SEED + 14};
    const sqt_skeleton rig = rig_of(CAPACITY);
    for (uint32_t round = 0; round < 200; ++round) {
        sqt_pose_block base[CHECK_POSE_CAPACITY], difference[CHECK_POSE_CAPACITY], out[CHECK_POSE_CAPACITY];
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_transform b = {check_random_quat(&random), check_random_vec3(&random, -1e15f, 1e15f),
                                     check_random_vec3(&random, -1e15f, 1e15f)};
            const sqt_transform d = {j % 3 ? check_random_quat(&random) : (sqt_quat)SQT_QUAT_IDENTITY,
                                     check_random_vec3(&random, -1e15f, 1e15f), check_random_vec3(&random, -50, 50)};
            sqt_pose_set(base, j, b);
            sqt_pose_set(difference, j, d);
        }
        assert_int_equal(sqt_blend_add(out, &rig, base, difference, NULL, weights[round / 4 % 5], all_flags[round % 4]),
                         SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_transform t = sqt_pose_get(out, j);
            assert_close(quat_length(t.rotation), 1, 5e-7);
            assert_close(t.translation.x * 0, 0, 0);
            assert_close(t.scale.y * 0, 0, 0);
        }
        assert_int_equal(sqt_blend_difference(out, &rig, base, difference, 0), SQT_OK);
        for (uint32_t j = 0; j < CAPACITY; ++j) {
            const sqt_transform t = sqt_pose_get(out, j);
            assert_close(quat_length(t.rotation), 1, 2e-7);
            assert_close(t.translation.z * 0, 0, 0);
            assert_close(t.scale.x * 0, 0, 0);
        }
    }
}

static void rotations_of_no_length_add_nothing(void **state) {
    (void)state;
    const sqt_transform base = turned(check_degrees(0.6, 0.8, 0, 70)), none = turned((sqt_quat){0, 0, 0, 0});
    const sqt_quat identity = SQT_QUAT_IDENTITY;
    for (uint32_t f = 0; f < 4; ++f) {
        assert_rotation_close(add_one(base, none, 1, all_flags[f]).rotation, base.rotation, 2e-7);
        assert_rotation_close(difference_one(none, base, all_flags[f]).rotation, identity, 0);
    }
}

static void wrong_arguments_of_additive_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    check_random random = {SEED + 15};
    sqt_pose_block a[CHECK_POSE_CAPACITY], b[CHECK_POSE_CAPACITY];
    check_random_pose(a, CAPACITY, &random);
    check_random_pose(b, CAPACITY, &random);
    const sqt_skeleton rig = rig_of(20), wrong[3] = {rig_of(0), rig_of(SQT_MAX_JOINTS + 1), rig_of(~0u)};
    check_output out;
    check_output_reset(&out);
    static const float weights[] = {0.0f, 0.5f, 1.0f}, bad[] = {NAN, INFINITY, -INFINITY};
    assert_int_equal(sqt_blend_difference(NULL, &rig, a, b, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference(out.pose, NULL, a, b, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference(out.pose, &rig, NULL, b, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference(out.pose, &rig, a, NULL, 0), SQT_ERROR_NULL);
    for (uint32_t i = 0; i < 3; ++i) {
        const float w = weights[i];
        assert_int_equal(sqt_blend_add(NULL, &rig, a, b, NULL, w, 0), SQT_ERROR_NULL);
        assert_int_equal(sqt_blend_add(out.pose, NULL, a, b, NULL, w, 0), SQT_ERROR_NULL);
        assert_int_equal(sqt_blend_add(out.pose, &rig, NULL, b, NULL, w, 0), SQT_ERROR_NULL);
        assert_int_equal(sqt_blend_add(out.pose, &rig, a, NULL, NULL, w, 0), SQT_ERROR_NULL);
        assert_int_equal(sqt_blend_add(out.pose, wrong + i, a, b, NULL, w, 0), SQT_ERROR_COUNT);
        assert_int_equal(sqt_blend_difference(out.pose, wrong + i, a, b, 0), SQT_ERROR_COUNT);
        assert_int_equal(sqt_blend_add(out.pose, &rig, a, b, NULL, bad[i], 0), SQT_ERROR_NUMBER);
        for (uint32_t bit = 0; bit < 32; ++bit) {
            const uint32_t flag = 1u << bit;
            if (flag != SQT_SCALE_DIFFERENCE) {
                assert_int_equal(sqt_blend_difference(out.pose, &rig, a, b, flag), SQT_ERROR_FLAG);
                if (flag != SQT_SLERP) {
                    assert_int_equal(sqt_blend_add(out.pose, &rig, a, b, NULL, w, flag), SQT_ERROR_FLAG);
                }
            }
        }
    }
    check_output_assert_only(&out, 0);
    assert_int_equal(sqt_blend_add(out.pose, &rig, a, b, NULL, 0.5f, SQT_SLERP | SQT_SCALE_DIFFERENCE), SQT_OK);
}

int main(void) {
    print_message("seed 0x%X, kernels %s\n", SEED, sqt_isa_name(sqt_isa_current()));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(difference_added_to_its_reference_is_the_pose),
        cmocka_unit_test(difference_stands_on_the_right),
        cmocka_unit_test(difference_and_its_negative_add_the_same),
        cmocka_unit_test(scale_is_a_ratio),
        cmocka_unit_test(scale_is_a_difference_where_asked_for),
        cmocka_unit_test(reference_without_scale_gives_the_ratio_1),
        cmocka_unit_test(pose_comes_back_from_reference_and_difference),
        cmocka_unit_test(difference_is_the_one_of_the_formula),
        cmocka_unit_test(difference_of_a_pose_and_itself_is_exactly_the_identity),
        cmocka_unit_test(add_agrees_with_double_precision),
        cmocka_unit_test(nlerp_and_slerp_differ_between_the_ends),
        cmocka_unit_test(slerp_adds_any_number_of_times_the_turn),
        cmocka_unit_test(what_slerp_adds_it_takes_back),
        cmocka_unit_test(weight_0_gives_the_base_bit_for_bit_and_does_not_read_the_difference),
        cmocka_unit_test(identity_adds_nothing_at_all),
        cmocka_unit_test(joints_whose_mask_is_zero_are_exactly_those_of_the_base),
        cmocka_unit_test(mask_of_ones_is_no_mask),
        cmocka_unit_test(additive_in_place_gives_the_same_bits),
        cmocka_unit_test(additive_touches_nothing_beyond_its_buffers),
        cmocka_unit_test(a_level_of_detail_adds_to_the_same_bits),
        cmocka_unit_test(large_numbers_add_to_finite_ones),
        cmocka_unit_test(rotations_of_no_length_add_nothing),
        cmocka_unit_test(wrong_arguments_of_additive_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
