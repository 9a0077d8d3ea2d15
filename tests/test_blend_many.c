// Blending of many poses in one pass: every promise of sqt_blend_many, with expected values by hand or in double
// precision.
#include "check_guard.h"
#include "check_pose.h"

enum { CAPACITY = CHECK_RIG_JOINTS, MOST_INPUTS = 12, SEED = 0x3A57 };

/// Poses to blend and the rig whose rest pose joins.
typedef struct scene {
    check_rig rig;
    sqt_pose_block poses[MOST_INPUTS][CHECK_POSE_CAPACITY];
    float masks[MOST_INPUTS][CAPACITY], translation_masks[MOST_INPUTS][CAPACITY];
    sqt_blend_input inputs[MOST_INPUTS];
} scene;

static scene stage; // large

/// Random poses without masks, weights 0.05..1.
static void scene_init(scene *s, uint32_t joint_count, check_random *random) {
    check_rig_init(&s->rig, joint_count, random);
    for (uint32_t k = 0; k < MOST_INPUTS; ++k) {
        check_random_pose(s->poses[k], joint_count, random);
        s->inputs[k] = (sqt_blend_input){s->poses[k], NULL, NULL, check_random_float(random, 0.05f, 1)};
        for (uint32_t j = 0; j < joint_count; ++j) {
            const uint32_t kind = check_random_below(random, 4);
            s->masks[k][j] = kind == 0 ? 0.0f : kind == 1 ? 1.0f : check_random_float(random, 0, 1);
            s->translation_masks[k][j] = check_random_float(random, -0.2f, 1);
        }
    }
}

static sqt_transform turned(sqt_quat rotation) {
    const sqt_transform t = {rotation, {0, 0, 0}, {1, 1, 1}};
    return t;
}

/// One joint: `count` transforms, their weights, and the rest pose.
static sqt_transform blend_one(const sqt_transform *transforms, const float *weights, uint32_t count,
                               sqt_transform rest, float rest_threshold) {
    sqt_pose_block poses[MOST_INPUTS], rest_pose, out;
    sqt_blend_input inputs[MOST_INPUTS];
    assert_int_equal(sqt_pose_pack(&rest_pose, &rest, 1), SQT_OK);
    for (uint32_t k = 0; k < count; ++k) {
        assert_int_equal(sqt_pose_pack(poses + k, transforms + k, 1), SQT_OK);
        inputs[k] = (sqt_blend_input){poses + k, NULL, NULL, weights[k]};
    }
    const sqt_skeleton rig = {.joint_count = 1, .full_joint_count = 1, .rest = &rest_pose};
    memset(&out, 0xFF, sizeof out);
    assert_int_equal(sqt_blend_many(&out, &rig, inputs, count, rest_threshold, SQT_NLERP), SQT_OK);
    return sqt_pose_get(&out, 0);
}

static double quat_length(sqt_quat q) {
    return sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
}

static float weight_at(float weight, const float *mask, uint32_t joint) {
    const float w = mask ? weight * mask[joint] : weight; // as float: which is the heaviest must not depend on rounding
    return w > 0 ? w : 0;
}

// ---- Double precision

/// What the header says, one joint at a time.
static void expected_joint(double out[10], const scene *s, uint32_t input_count, double rest_threshold,
                           uint32_t joint) {
    double sums[2] = {0, 0}, rests[2], totals[2]; // rotation and scale; translation
    float most = -1;
    sqt_quat lead = SQT_QUAT_IDENTITY;
    for (uint32_t k = 0; k < input_count; ++k) {
        const sqt_blend_input *const in = s->inputs + k;
        if (in->weight == 0) continue;
        const float w = weight_at(in->weight, in->mask, joint);
        if (w > most) most = w, lead = sqt_pose_get(in->pose, joint).rotation;
        sums[0] += (double)w;
        sums[1] += (double)weight_at(in->weight, in->translation_mask ? in->translation_mask : in->mask, joint);
    }
    const sqt_transform rest = sqt_pose_get(s->rig.rest, joint);
    for (uint32_t i = 0; i < 2; ++i) {
        rests[i] = fmax(0, rest_threshold - sums[i]);
        if (sums[i] + rests[i] < 1e-30) rests[i] = 1;
        totals[i] = sums[i] + rests[i];
    }
    if (rests[0] > (double)most) lead = rest.rotation;
    for (uint32_t i = 0; i < 10; ++i) out[i] = 0;
    for (uint32_t k = 0; k <= input_count; ++k) {
        const sqt_blend_input *const in = s->inputs + k;
        if (k < input_count && in->weight == 0) continue;
        const sqt_transform t = k < input_count ? sqt_pose_get(in->pose, joint) : rest;
        const float *const mask = in->translation_mask ? in->translation_mask : in->mask;
        const double w = (k < input_count ? (double)weight_at(in->weight, in->mask, joint) : rests[0]) / totals[0];
        const double v = (k < input_count ? (double)weight_at(in->weight, mask, joint) : rests[1]) / totals[1];
        const double dot = (double)lead.x * t.rotation.x + (double)lead.y * t.rotation.y +
                           (double)lead.z * t.rotation.z + (double)lead.w * t.rotation.w;
        const double r = dot < 0 ? -w : w;
        const float *const q = &t.rotation.x, *const p = &t.translation.x, *const f = &t.scale.x;
        for (uint32_t i = 0; i < 4; ++i) out[i] += r * (double)q[i];
        for (uint32_t i = 0; i < 3; ++i) out[4 + i] += v * (double)p[i], out[7 + i] += w * (double)f[i];
    }
    const double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (uint32_t i = 0; i < 4; ++i) out[i] /= length;
}

/// The sum of rotations may nearly vanish, and rounding counts for more then.
static bool is_well_posed(const scene *s, uint32_t input_count, uint32_t joint) {
    double x = 0, y = 0, z = 0, w = 0, sum = 0;
    sqt_quat lead = SQT_QUAT_IDENTITY;
    float most = -1;
    for (uint32_t k = 0; k < input_count; ++k) {
        const float weight = weight_at(s->inputs[k].weight, s->inputs[k].mask, joint);
        if (weight > most) most = weight, lead = sqt_pose_get(s->inputs[k].pose, joint).rotation;
    }
    for (uint32_t k = 0; k < input_count; ++k) {
        const sqt_quat q = sqt_pose_get(s->inputs[k].pose, joint).rotation;
        const double dot = (double)lead.x * q.x + (double)lead.y * q.y + (double)lead.z * q.z + (double)lead.w * q.w;
        if (fabs(dot) < 1e-5) return false; // the sign is a matter of rounding
        const double u = (double)weight_at(s->inputs[k].weight, s->inputs[k].mask, joint) * (dot < 0 ? -1 : 1);
        x += u * q.x, y += u * q.y, z += u * q.z, w += u * q.w;
        sum += fabs(u);
    }
    return sqrt(x * x + y * y + z * z + w * w) > 0.3 * sum;
}

static void blend_of_many_agrees_with_double_precision(void **state) {
    (void)state;
    static const float thresholds[] = {0.0f, 0.1f, 1.0f, 3.0f};
    check_random random = {SEED};
    uint32_t compared = 0;
    for (uint32_t round = 0; round < 600; ++round) {
        const uint32_t n = 1 + check_random_below(&random, CAPACITY), count = check_random_below(&random, 10);
        scene_init(&stage, n, &random);
        const float threshold = thresholds[round % 4];
        for (uint32_t k = 0; k < count; ++k) {
            sqt_blend_input *const in = stage.inputs + k;
            if (round / 4 % 3 > 0 && check_random_below(&random, 2)) in->mask = stage.masks[k];
            if (round / 4 % 3 > 1 && check_random_below(&random, 2)) in->translation_mask = stage.translation_masks[k];
            if (check_random_below(&random, 6) == 0) in->weight = 0;
        }
        check_output out;
        check_output_reset(&out);
        assert_int_equal(sqt_blend_many(out.pose, &stage.rig.skeleton, stage.inputs, count, threshold, SQT_NLERP),
                         SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            double e[10];
            expected_joint(e, &stage, count, (double)threshold, j);
            const sqt_transform t = sqt_pose_get(out.pose, j);
            const float *const p = &t.translation.x, *const f = &t.scale.x;
            for (uint32_t i = 0; i < 3; ++i) {
                assert_close(p[i], e[4 + i], 2e-6);
                assert_close(f[i], e[7 + i], 2e-6);
            }
            assert_close(quat_length(t.rotation), 1, 2e-7);
            if (threshold == 0.0f && is_well_posed(&stage, count, j)) {
                const sqt_quat q = {(float)e[0], (float)e[1], (float)e[2], (float)e[3]};
                assert_rotation_close(t.rotation, q, 2e-6);
                ++compared;
            }
        }
        check_output_assert_only(&out, SQT_POSE_BLOCKS(n));
        const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
        for (uint32_t j = n; j < SQT_POSE_BLOCKS(n) * SQT_POSE_LANES; ++j) {
            const sqt_transform t = sqt_pose_get(out.pose, j);
            assert_memory_equal(&t, &identity, sizeof t);
        }
    }
    assert_true(compared > 2000);
}

// ---- The rest pose

static void rest_fills_up_to_the_threshold(void **state) {
    (void)state;
    sqt_transform rest = SQT_TRANSFORM_IDENTITY, pose = SQT_TRANSFORM_IDENTITY;
    rest.translation.x = 1;
    pose.translation.x = 4;
    static const float cases[][3] = {
        // weight, threshold, x
        {0.05f, 0.1f, 2.5f}, {0.025f, 0.1f, 1.75f}, {0.1f, 0.1f, 4},   {0.3f, 0.1f, 4},
        {0.3f, 0, 4},        {0.5f, 1, 2.5f},       {0.25f, 1, 1.75f}, {1, 1, 4},
        {3, 1, 4},           {2, 8, 1.75f},         {0, 0.1f, 1},      {0, 0, 1},
        {1e-31f, 0, 1},      {1e-20f, 0, 4},        {1e-20f, 1, 1},    {1e15f, 0.1f, 4},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_close(blend_one(&pose, cases[i], 1, rest, cases[i][1]).translation.x, cases[i][2], 1e-6);
    }
}

static void rest_turns_as_any_other_pose(void **state) {
    (void)state; // 0 and 60 degrees, half and half
    const sqt_transform rest = turned(check_degrees(0, 0, 1, 60)), pose = turned(check_degrees(0, 0, 1, 0));
    const float half = 0.5f;
    assert_rotation_close(blend_one(&pose, &half, 1, rest, 1).rotation, check_degrees(0, 0, 1, 30), 1e-6);
    const sqt_transform other = turned(check_negated(rest.rotation));
    assert_rotation_close(blend_one(&pose, &half, 1, other, 1).rotation, check_degrees(0, 0, 1, 30), 1e-6);
}

static void joints_that_nothing_drives_are_at_rest(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    scene_init(&stage, 40, &random);
    memset(stage.masks, 0, sizeof stage.masks);
    for (uint32_t k = 0; k < 3; ++k) stage.inputs[k].mask = stage.masks[k];
    stage.masks[1][17] = 1;
    for (uint32_t i = 0; i < 3; ++i) {
        sqt_pose_block out[CHECK_POSE_CAPACITY];
        const float threshold = (float)i * 0.3f;
        assert_int_equal(sqt_blend_many(out, &stage.rig.skeleton, stage.inputs, 3, threshold, SQT_NLERP), SQT_OK);
        for (uint32_t j = 0; j < 40; ++j) {
            if (j == 17) continue;
            check_assert_transform(sqt_pose_get(out, j), sqt_pose_get(stage.rig.rest, j), 2e-7);
        }
    }
}

static void blend_of_nothing_is_the_rest_pose_bit_for_bit(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        scene_init(&stage, n, &random);
        for (uint32_t k = 0; k < 3; ++k) stage.inputs[k].weight = k == 1 ? -0.0f : 0.0f;
        for (uint32_t i = 0; i < 4; ++i) {
            check_output out;
            check_output_reset(&out);
            const uint32_t count = i % 2 ? 3 : 0;
            assert_int_equal(sqt_blend_many(out.pose, &stage.rig.skeleton, count ? stage.inputs : NULL, count,
                                            i / 2 ? 0.1f : 0.0f, SQT_NLERP),
                             SQT_OK);
            check_assert_pose_bits(out.pose, stage.rig.rest, n);
            check_output_assert_only(&out, SQT_POSE_BLOCKS(n));
        }
    }
}

// ---- One pose, two poses, masks of ones

static void one_pose_is_copied_bit_for_bit_whatever_it_weighs(void **state) {
    (void)state;
    static const float weights[] = {1, 0.3f, 7, 1e-20f, 1e15f};
    check_random random = {SEED + 3};
    for (uint32_t n = 1; n <= CAPACITY; n += 3) {
        scene_init(&stage, n, &random);
        sqt_pose_set(stage.poses[2], n - 1, turned((sqt_quat){-0.0f, 0, 3, -4})); // only a copy keeps this
        for (uint32_t i = 0; i < 5; ++i) {
            for (uint32_t k = 0; k < 5; ++k) stage.inputs[k].weight = k == 2 ? weights[i] : 0.0f;
            sqt_pose_block out[CHECK_POSE_CAPACITY];
            memset(out, 0xFF, sizeof out);
            assert_int_equal(sqt_blend_many(out, &stage.rig.skeleton, stage.inputs, 5, 0, SQT_NLERP), SQT_OK);
            check_assert_pose_bits(out, stage.poses[2], n);
        }
    }
}

static void two_poses_give_the_numbers_of_the_pair_but_for_the_sign(void **state) {
    (void)state;
    check_random random = {SEED + 4};
    uint32_t turned_over = 0;
    for (uint32_t round = 0; round < 400; ++round) {
        const uint32_t n = 1 + round % CAPACITY;
        scene_init(&stage, n, &random);
        const float w = round % 5 == 0 ? 0.5f : check_random_float(&random, 0.001f, 0.999f);
        const float threshold = check_random_float(&random, 0, 1);
        sqt_pose_block many[CHECK_POSE_CAPACITY], pair[CHECK_POSE_CAPACITY];
        stage.inputs[0].weight = 1.0f - w;
        stage.inputs[1].weight = w;
        assert_int_equal(sqt_blend_many(many, &stage.rig.skeleton, stage.inputs, 2, threshold, SQT_NLERP), SQT_OK);
        assert_int_equal(sqt_blend_pair(pair, &stage.rig.skeleton, stage.poses[0], stage.poses[1], NULL, w, SQT_NLERP),
                         SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            const sqt_transform a = sqt_pose_get(many, j);
            sqt_transform b = sqt_pose_get(pair, j);
            if (memcmp(&a.rotation, &b.rotation, sizeof a.rotation) != 0) {
                assert_true(w > 1.0f - w);
                b.rotation = check_negated(b.rotation);
                ++turned_over;
            }
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    assert_true(turned_over > 100);
}

static void masks_of_ones_change_nothing(void **state) {
    (void)state;
    check_random random = {SEED + 5};
    float ones[CAPACITY];
    for (uint32_t j = 0; j < CAPACITY; ++j) ones[j] = 1;
    for (uint32_t round = 0; round < 300; ++round) {
        const uint32_t n = 1 + round % CAPACITY, count = 2 + check_random_below(&random, MOST_INPUTS - 1);
        scene_init(&stage, n, &random);
        const float threshold = round % 2 ? 0.0f : check_random_float(&random, 0, 8);
        sqt_pose_block plain[CHECK_POSE_CAPACITY], masked[CHECK_POSE_CAPACITY];
        assert_int_equal(sqt_blend_many(plain, &stage.rig.skeleton, stage.inputs, count, threshold, SQT_NLERP), SQT_OK);
        for (uint32_t k = 0; k < count; ++k) {
            if (round % 3 < 2) stage.inputs[k].mask = ones;
            if (round % 3 > 0) stage.inputs[k].translation_mask = ones;
        }
        assert_int_equal(sqt_blend_many(masked, &stage.rig.skeleton, stage.inputs, count, threshold, SQT_NLERP),
                         SQT_OK);
        check_assert_pose_bits(masked, plain, n);
    }
}

// ---- Signs and order

/// A pose whose joints turn up to `radians` away from another's, some of them as -q.
static void near_pose(sqt_pose_block *pose, const sqt_pose_block *middle, uint32_t joint_count, float radians,
                      check_random *random) {
    check_random_pose(pose, joint_count, random);
    for (uint32_t j = 0; j < joint_count; ++j) {
        sqt_transform t = sqt_pose_get(pose, j);
        const sqt_quat turn =
            sqt_quat_from_axis_angle(check_random_vec3(random, -1, 1), check_random_float(random, -radians, radians));
        t.rotation = sqt_quat_multiply(turn, sqt_pose_get(middle, j).rotation);
        if (check_random_below(random, 2)) t.rotation = check_negated(t.rotation);
        sqt_pose_set(pose, j, t);
    }
}

static void order_changes_the_result_only_by_rounding(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t n = 1 + check_random_below(&random, CAPACITY), count = 2 + round % (MOST_INPUTS - 1);
        scene_init(&stage, n, &random);
        for (uint32_t k = 1; k < MOST_INPUTS; ++k) near_pose(stage.poses[k], stage.poses[0], n, 1.4f, &random);
        if (round / 2 % 2) {
            for (uint32_t k = 0; k < count; ++k) stage.inputs[k].mask = stage.masks[k];
        }
        const float threshold = round % 2 ? 0.0f : 0.1f;
        if (threshold > 0) near_pose(stage.rig.rest, stage.poses[0], n, 1.4f, &random);
        sqt_pose_block first[CHECK_POSE_CAPACITY], other[CHECK_POSE_CAPACITY];
        assert_int_equal(sqt_blend_many(first, &stage.rig.skeleton, stage.inputs, count, threshold, SQT_NLERP), SQT_OK);
        for (uint32_t k = count - 1; k > 0; --k) {
            const uint32_t i = check_random_below(&random, k + 1);
            const sqt_blend_input swapped = stage.inputs[k];
            stage.inputs[k] = stage.inputs[i];
            stage.inputs[i] = swapped;
        }
        assert_int_equal(sqt_blend_many(other, &stage.rig.skeleton, stage.inputs, count, threshold, SQT_NLERP), SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            check_assert_transform(sqt_pose_get(other, j), sqt_pose_get(first, j), 1e-6);
        }
    }
}

static void signs_follow_the_heaviest_pose(void **state) {
    (void)state;
    // About one axis at 0, 100 and 200 degrees: half of these, 0, 50, 100, are the angles between the quaternions. Seen
    // from 0 the last is nearer as 200 - 360; seen from 100 it is 200.
    const sqt_transform rest = SQT_TRANSFORM_IDENTITY;
    const sqt_transform t[3] = {turned(check_degrees(0, 0, 1, 0)), turned(check_degrees(0, 0, 1, 100)),
                                turned(check_degrees(0, 0, 1, 200))};
    static const float weights[][3] = {
        {0.4f, 0.3f, 0.3f}, {0.3f, 0.4f, 0.3f}, {0.3f, 0.3f, 0.4f}, {0.4f, 0.4f, 0.2f}, {0.2f, 0.4f, 0.4f}};
    static const double last[] = {-160, 200, 200, -160, 200}, first[] = {0, 0, 360, 0, 0};
    for (uint32_t i = 0; i < 5; ++i) {
        const double angles[3] = {first[i], 100, last[i]}, pi = 3.14159265358979323846;
        double z = 0, w = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            z += (double)weights[i][k] * sin(angles[k] * pi / 360);
            w += (double)weights[i][k] * cos(angles[k] * pi / 360);
        }
        const sqt_quat expected = {0, 0, (float)(z / sqrt(z * z + w * w)), (float)(w / sqrt(z * z + w * w))};
        for (uint32_t signs = 0; signs < 8; ++signs) {
            sqt_transform s[3];
            for (uint32_t k = 0; k < 3; ++k) {
                s[k] = t[k];
                if (signs >> k & 1) s[k].rotation = check_negated(s[k].rotation);
            }
            assert_rotation_close(blend_one(s, weights[i], 3, rest, 0).rotation, expected, 1e-6);
        }
    }
}

static void of_equally_heavy_poses_the_first_leads_and_rest_comes_last(void **state) {
    (void)state; // the sign of the result tells which led: three rotations of which the outer two are 200 degrees apart
    const sqt_transform a = turned(check_degrees(0, 0, 1, 0)), b = turned(check_degrees(0, 0, 1, 120));
    const sqt_transform c = turned(check_degrees(0, 0, 1, 200));
    static const float equal[] = {0.5f, 0.5f, 0.5f};
    const sqt_transform abc[3] = {a, b, c}, cba[3] = {c, b, a};
    assert_true(blend_one(abc, equal, 3, a, 0).rotation.w > 0);
    assert_true(blend_one(cba, equal, 3, a, 0).rotation.z > 0);
    // a alone, rest (as -a) as heavy as a: a leads, and the result stands with a.
    const sqt_transform minus = turned(check_negated(a.rotation));
    assert_true(blend_one(&a, equal, 1, minus, 1).rotation.w > 0.99f);
    const float lighter = 0.25f;
    assert_true(blend_one(&a, &lighter, 1, minus, 1).rotation.w < -0.99f);
}

static void a_pose_and_its_negative_are_one(void **state) {
    (void)state;
    check_random random = {SEED + 7};
    for (uint32_t round = 0; round < 500; ++round) {
        const sqt_transform t = turned(check_random_quat(&random)), minus = turned(check_negated(t.rotation));
        sqt_transform all[MOST_INPUTS];
        float weights[MOST_INPUTS];
        for (uint32_t k = 0; k < MOST_INPUTS; ++k) {
            all[k] = check_random_below(&random, 2) ? t : minus;
            weights[k] = check_random_float(&random, 0.1f, 1);
        }
        assert_rotation_close(blend_one(all, weights, 1 + round % MOST_INPUTS, minus, 2).rotation, t.rotation, 3e-7);
    }
}

// ---- Masks

static void translation_masks_weigh_translations_alone(void **state) {
    (void)state;
    sqt_pose_block rest, poses[2], out;
    sqt_transform t[2] = {turned(check_degrees(1, 0, 0, 0)), turned(check_degrees(1, 0, 0, 80))};
    t[0].translation.x = 2;
    t[1].translation.x = 10, t[1].scale.y = 3;
    assert_int_equal(sqt_pose_identity(&rest, 1), SQT_OK);
    for (uint32_t k = 0; k < 2; ++k) assert_int_equal(sqt_pose_pack(poses + k, t + k, 1), SQT_OK);
    const sqt_skeleton rig = {.joint_count = 1, .full_joint_count = 1, .rest = &rest};
    const float one = 1, half = 0.5f, quarter = 0.25f, none = 0;
    const sqt_blend_input inputs[2] = {{poses, &half, &quarter, 1}, {poses + 1, &half, &one, 1}};
    assert_int_equal(sqt_blend_many(&out, &rig, inputs, 2, 0, SQT_NLERP), SQT_OK);
    assert_rotation_close(sqt_pose_get(&out, 0).rotation, check_degrees(1, 0, 0, 40), 1e-6);
    assert_close(out.sy[0], 2, 1e-6);
    assert_close(out.tx[0], (2 * 0.25 + 10) / 1.25, 1e-5);
    // No translation of either: rest, at (0, 0, 0), while the rotation is driven.
    const sqt_blend_input still[2] = {{poses, &half, &none, 1}, {poses + 1, NULL, &none, 0.5f}};
    assert_int_equal(sqt_blend_many(&out, &rig, still, 2, 0, SQT_NLERP), SQT_OK);
    assert_rotation_close(sqt_pose_get(&out, 0).rotation, check_degrees(1, 0, 0, 40), 1e-6);
    assert_close(out.tx[0], 0, 0);
    // A translation mask alone: rotations have all of their weight.
    const sqt_blend_input alone[2] = {{poses, NULL, &none, 0.5f}, {poses + 1, NULL, NULL, 0.5f}};
    assert_int_equal(sqt_blend_many(&out, &rig, alone, 2, 0, SQT_NLERP), SQT_OK);
    assert_rotation_close(sqt_pose_get(&out, 0).rotation, check_degrees(1, 0, 0, 40), 1e-6);
    assert_close(out.tx[0], 10, 1e-5);
}

static void masks_below_zero_count_as_zero(void **state) {
    (void)state;
    check_random random = {SEED + 8};
    scene_init(&stage, 35, &random);
    sqt_pose_block with[CHECK_POSE_CAPACITY], without[CHECK_POSE_CAPACITY];
    for (uint32_t k = 0; k < 3; ++k) stage.inputs[k].mask = stage.masks[k];
    for (uint32_t j = 0; j < 35; ++j) stage.masks[1][j] = j % 3 == 0 ? NAN : -(float)j;
    assert_int_equal(sqt_blend_many(with, &stage.rig.skeleton, stage.inputs, 3, 0.5f, SQT_NLERP), SQT_OK);
    memset(stage.masks[1], 0, sizeof stage.masks[1]);
    assert_int_equal(sqt_blend_many(without, &stage.rig.skeleton, stage.inputs, 3, 0.5f, SQT_NLERP), SQT_OK);
    check_assert_pose_bits(with, without, 35);
}

static void only_the_ratio_of_weights_counts_without_a_threshold(void **state) {
    (void)state;
    static const float factors[] = {1e-3f, 1e6f, 1e-25f, 1e14f};
    check_random random = {SEED + 9};
    for (uint32_t round = 0; round < 80; ++round) {
        scene_init(&stage, 20, &random);
        for (uint32_t k = 1; k < 4; ++k) near_pose(stage.poses[k], stage.poses[0], 20, 1.4f, &random);
        for (uint32_t k = 0; k < 4 && round % 2; ++k) stage.inputs[k].mask = stage.masks[k];
        for (uint32_t j = 0; j < 20; ++j) stage.masks[0][j] = 1;
        sqt_pose_block one[CHECK_POSE_CAPACITY], scaled[CHECK_POSE_CAPACITY];
        assert_int_equal(sqt_blend_many(one, &stage.rig.skeleton, stage.inputs, 4, 0, SQT_NLERP), SQT_OK);
        for (uint32_t k = 0; k < 4; ++k) stage.inputs[k].weight *= factors[round / 2 % 4];
        assert_int_equal(sqt_blend_many(scaled, &stage.rig.skeleton, stage.inputs, 4, 0, SQT_NLERP), SQT_OK);
        for (uint32_t j = 0; j < 20; ++j) check_assert_transform(sqt_pose_get(scaled, j), sqt_pose_get(one, j), 2e-6);
    }
}

// ---- Memory

static void poses_without_weight_are_not_read(void **state) {
    (void)state;
    check_random random = {SEED + 10};
    check_guard closed = check_guard_make(sizeof(sqt_pose_block) * CHECK_POSE_CAPACITY);
    for (uint32_t count = 1; count <= MOST_INPUTS; ++count) {
        for (uint32_t masked = 0; masked < 2; ++masked) {
            scene_init(&stage, 37, &random);
            sqt_pose_block out[CHECK_POSE_CAPACITY], alone[CHECK_POSE_CAPACITY];
            const sqt_pose_block *const unread = check_guard_take(&closed, SQT_POSE_BLOCKS(37) * sizeof *unread);
            sqt_blend_input read[MOST_INPUTS];
            uint32_t read_count = 0;
            for (uint32_t k = 0; k < count; ++k) {
                if (masked) stage.inputs[k].mask = stage.masks[k];
                if (k % 3 == 1) {
                    stage.inputs[k].pose = k % 2 ? unread : NULL;
                    stage.inputs[k].weight = 0;
                } else {
                    read[read_count++] = stage.inputs[k];
                }
            }
            check_guard_forbid(&closed, true);
            assert_int_equal(sqt_blend_many(out, &stage.rig.skeleton, stage.inputs, count, 0.1f, SQT_NLERP), SQT_OK);
            assert_int_equal(sqt_blend_many(alone, &stage.rig.skeleton, read, read_count, 0.1f, SQT_NLERP), SQT_OK);
            check_guard_forbid(&closed, false);
            check_assert_pose_bits(out, alone, 37);
        }
    }
    check_guard_free(&closed);
}

static void blend_of_many_in_place_gives_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED + 11};
    for (uint32_t round = 0; round < 400; ++round) {
        const uint32_t n = 1 + round % CAPACITY, count = 1 + round % MOST_INPUTS;
        const uint32_t place = check_random_below(&random, count);
        scene_init(&stage, n, &random);
        for (uint32_t k = 0; k < count; ++k) {
            if (round / 2 % 2) stage.inputs[k].mask = stage.masks[k];
            if (round / 4 % 2) stage.inputs[k].translation_mask = stage.translation_masks[k];
        }
        sqt_pose_block apart[CHECK_POSE_CAPACITY];
        const float threshold = round % 2 ? 0.4f : 0.0f;
        assert_int_equal(sqt_blend_many(apart, &stage.rig.skeleton, stage.inputs, count, threshold, SQT_NLERP), SQT_OK);
        assert_int_equal(
            sqt_blend_many(stage.poses[place], &stage.rig.skeleton, stage.inputs, count, threshold, SQT_NLERP), SQT_OK);
        check_assert_pose_bits(stage.poses[place], apart, n);
    }
}

static void blend_of_many_touches_nothing_beyond_its_buffers(void **state) {
    (void)state;
    check_random random = {SEED + 12};
    enum { INPUTS = 3, GUARDS = 2 + 3 * INPUTS };
    check_guard guards[GUARDS];
    const size_t pose_bytes = sizeof(sqt_pose_block) * CHECK_POSE_CAPACITY;
    for (uint32_t i = 0; i < GUARDS; ++i) guards[i] = check_guard_make(pose_bytes);
    for (uint32_t n = 1; n <= CAPACITY; ++n) {
        const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
        for (uint32_t masked = 0; masked < 2; ++masked) {
            scene_init(&stage, n, &random);
            size_t taken[GUARDS];
            sqt_pose_block *const out = check_guard_take(guards, taken[0] = bytes);
            sqt_pose_block *const rest = check_guard_take(guards + 1, taken[1] = bytes);
            memcpy(rest, stage.rig.rest, bytes);
            stage.rig.skeleton.rest = rest;
            for (uint32_t k = 0; k < INPUTS; ++k) {
                const uint32_t at = 2 + 3 * k;
                sqt_pose_block *const pose = check_guard_take(guards + at, taken[at] = bytes);
                float *const mask = check_guard_take(guards + at + 1, taken[at + 1] = n * sizeof *mask);
                float *const moved = check_guard_take(guards + at + 2, taken[at + 2] = n * sizeof *moved);
                memcpy(pose, stage.poses[k], bytes);
                memcpy(mask, stage.masks[k], n * sizeof *mask);
                memcpy(moved, stage.translation_masks[k], n * sizeof *moved);
                stage.inputs[k].pose = pose;
                if (masked) stage.inputs[k].mask = mask, stage.inputs[k].translation_mask = moved;
            }
            assert_int_equal(sqt_blend_many(out, &stage.rig.skeleton, stage.inputs, INPUTS, 0.5f, SQT_NLERP), SQT_OK);
            for (uint32_t i = 0; i < GUARDS; ++i) check_guard_assert_before(guards + i, taken[i]);
        }
    }
    for (uint32_t i = 0; i < GUARDS; ++i) check_guard_free(guards + i);
}

static void a_level_of_detail_blends_many_to_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED + 13};
    for (uint32_t masked = 0; masked < 2; ++masked) {
        scene_init(&stage, CAPACITY, &random);
        for (uint32_t k = 0; k < 5 && masked; ++k) stage.inputs[k].mask = stage.masks[k];
        sqt_pose_block whole[CHECK_POSE_CAPACITY];
        assert_int_equal(sqt_blend_many(whole, &stage.rig.skeleton, stage.inputs, 5, 0.1f, SQT_NLERP), SQT_OK);
        for (stage.rig.skeleton.joint_count = 1; stage.rig.skeleton.joint_count < CAPACITY;
             ++stage.rig.skeleton.joint_count) {
            check_output out;
            check_output_reset(&out);
            assert_int_equal(sqt_blend_many(out.pose, &stage.rig.skeleton, stage.inputs, 5, 0.1f, SQT_NLERP), SQT_OK);
            check_assert_pose_bits(out.pose, whole, stage.rig.skeleton.joint_count);
            check_output_assert_only(&out, SQT_POSE_BLOCKS(stage.rig.skeleton.joint_count));
        }
    }
}

// ---- Numbers and errors

static void blend_of_many_large_numbers_is_finite_and_unit(void **state) {
    (void)state;
    static const float weights[] = {1e15f, 1e-15f, 1, 1e14f, 3e-29f, 0};
    check_random random = {SEED + 14};
    for (uint32_t round = 0; round < 300; ++round) {
        scene_init(&stage, 20, &random);
        const uint32_t count = 1 + check_random_below(&random, MOST_INPUTS);
        for (uint32_t k = 0; k < count; ++k) {
            for (uint32_t j = 0; j < 20; ++j) {
                const float length = round % 2 ? 1.0f : check_random_float(&random, 0.1f, 1e3f);
                sqt_quat q = check_random_quat(&random);
                q.x *= length, q.y *= length, q.z *= length, q.w *= length;
                const sqt_transform t = {q, check_random_vec3(&random, -1e15f, 1e15f),
                                         check_random_vec3(&random, -1e15f, 1e15f)};
                sqt_pose_set(stage.poses[k], j, t);
                stage.masks[k][j] = weights[check_random_below(&random, 6)];
            }
            stage.inputs[k].weight = weights[check_random_below(&random, 6)];
            if (round / 2 % 2) stage.inputs[k].mask = stage.masks[k];
        }
        sqt_pose_block out[CHECK_POSE_CAPACITY];
        assert_int_equal(
            sqt_blend_many(out, &stage.rig.skeleton, stage.inputs, count, weights[round / 4 % 6], SQT_NLERP), SQT_OK);
        for (uint32_t j = 0; j < 20; ++j) {
            const sqt_transform t = sqt_pose_get(out, j);
            if (round % 2) assert_close(quat_length(t.rotation), 1, 2e-7);
            assert_close(t.rotation.x * 0, 0, 0);
            assert_close(t.translation.x * 0, 0, 0);
            assert_close(t.scale.z * 0, 0, 0);
        }
    }
}

static void wrong_arguments_of_many_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    check_random random = {SEED + 15};
    scene_init(&stage, 20, &random);
    check_output out;
    check_output_reset(&out);
    const sqt_skeleton *const rig = &stage.rig.skeleton;
    sqt_skeleton other = *rig;
    sqt_blend_input *const inputs = stage.inputs;
    assert_int_equal(sqt_blend_many(NULL, rig, inputs, 3, 0.1f, SQT_NLERP), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_many(out.pose, NULL, inputs, 3, 0.1f, SQT_NLERP), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_many(out.pose, rig, NULL, 3, 0.1f, SQT_NLERP), SQT_ERROR_NULL);
    other.rest = NULL;
    assert_int_equal(sqt_blend_many(out.pose, &other, inputs, 3, 0.1f, SQT_NLERP), SQT_ERROR_NULL);
    other.rest = rig->rest;
    static const uint32_t counts[] = {0, SQT_MAX_JOINTS + 1, ~0u};
    for (uint32_t i = 0; i < 3; ++i) {
        other.joint_count = counts[i];
        assert_int_equal(sqt_blend_many(out.pose, &other, inputs, 3, 0.1f, SQT_NLERP), SQT_ERROR_COUNT);
    }
    static const float wrong[] = {-1.0f, -1e-40f, NAN, INFINITY, -INFINITY, 1.01e15f};
    for (uint32_t i = 0; i < 6; ++i) {
        assert_int_equal(sqt_blend_many(out.pose, rig, inputs, 3, wrong[i], SQT_NLERP), SQT_ERROR_NUMBER);
        for (uint32_t k = 0; k < 3; ++k) {
            const float weight = inputs[k].weight;
            inputs[k].weight = wrong[i];
            assert_int_equal(sqt_blend_many(out.pose, rig, inputs, 3, 0.1f, SQT_NLERP), SQT_ERROR_NUMBER);
            inputs[k].weight = weight;
        }
    }
    inputs[2].pose = NULL;
    assert_int_equal(sqt_blend_many(out.pose, rig, inputs, 3, 0.1f, SQT_NLERP), SQT_ERROR_NULL);
    for (uint32_t bit = 0; bit < 32; ++bit) {
        assert_int_equal(sqt_blend_many(out.pose, rig, inputs, 2, 0.1f, 1u << bit), SQT_ERROR_FLAG);
    }
    check_output_assert_only(&out, 0);
    assert_int_equal(sqt_blend_many(out.pose, rig, inputs, 2, 0.1f, SQT_NLERP), SQT_OK);
}

int main(void) {
    print_message("seed 0x%X, kernels %s\n", SEED, sqt_isa_name(sqt_isa_current()));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blend_of_many_agrees_with_double_precision),
        cmocka_unit_test(rest_fills_up_to_the_threshold),
        cmocka_unit_test(rest_turns_as_any_other_pose),
        cmocka_unit_test(joints_that_nothing_drives_are_at_rest),
        cmocka_unit_test(blend_of_nothing_is_the_rest_pose_bit_for_bit),
        cmocka_unit_test(one_pose_is_copied_bit_for_bit_whatever_it_weighs),
        cmocka_unit_test(two_poses_give_the_numbers_of_the_pair_but_for_the_sign),
        cmocka_unit_test(masks_of_ones_change_nothing),
        cmocka_unit_test(order_changes_the_result_only_by_rounding),
        cmocka_unit_test(signs_follow_the_heaviest_pose),
        cmocka_unit_test(of_equally_heavy_poses_the_first_leads_and_rest_comes_last),
        cmocka_unit_test(a_pose_and_its_negative_are_one),
        cmocka_unit_test(translation_masks_weigh_translations_alone),
        cmocka_unit_test(masks_below_zero_count_as_zero),
        cmocka_unit_test(only_the_ratio_of_weights_counts_without_a_threshold),
        cmocka_unit_test(poses_without_weight_are_not_read),
        cmocka_unit_test(blend_of_many_in_place_gives_the_same_bits),
        cmocka_unit_test(blend_of_many_touches_nothing_beyond_its_buffers),
        cmocka_unit_test(a_level_of_detail_blends_many_to_the_same_bits),
        cmocka_unit_test(blend_of_many_large_numbers_is_finite_and_unit),
        cmocka_unit_test(wrong_arguments_of_many_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
