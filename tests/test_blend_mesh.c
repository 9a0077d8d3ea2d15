// Differences in mesh space, and adding them, against rotations multiplied out in double precision.
#include "check_matrix.h"
#include "check_pose.h"

enum { SEED = 0x3E54, MOST = 70, BLOCKS = SQT_POSE_BLOCKS(MOST) };

typedef struct poses {
    sqt_pose_block base[BLOCKS], pose[BLOCKS], reference[BLOCKS], difference[BLOCKS], out[BLOCKS];
    sqt_quat scratch[3 * MOST];
} poses;

static poses *poses_make(uint32_t joint_count, check_random *random) {
    poses *const p = malloc(sizeof *p);
    assert_non_null(p);
    memset(p, 0xFF, sizeof *p);
    check_random_pose(p->base, joint_count, random);
    check_random_pose(p->pose, joint_count, random);
    check_random_pose(p->reference, joint_count, random);
    return p;
}

static check_dquat local(const sqt_pose_block *pose, uint32_t joint) {
    const sqt_quat q = sqt_pose_get(pose, joint).rotation;
    return check_dquat_of(&q.x);
}

static check_dquat conjugate(check_dquat q) {
    const check_dquat r = {-q.x, -q.y, -q.z, q.w};
    return r;
}

/// From the joint up to its root.
static check_dquat in_mesh(const sqt_skeleton *s, const sqt_pose_block *pose, uint32_t joint) {
    check_dquat q = local(pose, joint);
    while ((joint = s->parents[joint]) != SQT_NO_JOINT) q = check_dquat_multiply(local(pose, joint), q);
    return q;
}

static void a_mesh_space_difference_is_the_one_of_the_formula(void **state) {
    (void)state;
    check_random random = {SEED};
    for (int round = 0; round < 50; ++round) {
        const uint32_t n = 1 + check_random_below(&random, MOST);
        check_tree tree = check_tree_random(n, &random);
        poses *const p = poses_make(n, &random);
        assert_int_equal(sqt_blend_difference_mesh(p->difference, &tree.skeleton, p->pose, p->reference, p->scratch, 0),
                         SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            const sqt_transform d = sqt_pose_get(p->difference, j);
            const check_dquat expected = check_dquat_multiply(in_mesh(&tree.skeleton, p->pose, j),
                                                              conjugate(in_mesh(&tree.skeleton, p->reference, j)));
            assert_rotation_close(d.rotation, check_dquat_rounded(expected), 1e-5);
            const sqt_transform a = sqt_pose_get(p->pose, j), b = sqt_pose_get(p->reference, j);
            assert_close(d.translation.x, a.translation.x - b.translation.x, 1e-6);
            assert_close(d.scale.y, a.scale.y / b.scale.y, 1e-6);
        }
        free(p);
        check_tree_free(&tree);
    }
}

static void a_mesh_space_difference_added_to_its_reference_is_the_pose(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    for (int round = 0; round < 50; ++round) {
        const uint32_t n = 1 + check_random_below(&random, MOST), scale = round % 2 ? SQT_SCALE_DIFFERENCE : 0;
        check_tree tree = check_tree_random(n, &random);
        poses *const p = poses_make(n, &random);
        assert_int_equal(
            sqt_blend_difference_mesh(p->difference, &tree.skeleton, p->pose, p->reference, p->scratch, scale), SQT_OK);
        assert_int_equal(sqt_blend_add_mesh(p->out, &tree.skeleton, p->reference, p->difference, NULL, p->scratch, 1,
                                            SQT_SLERP | scale),
                         SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            check_assert_transform(sqt_pose_get(p->out, j), sqt_pose_get(p->pose, j), 1e-5);
        }
        free(p);
        check_tree_free(&tree);
    }
}

/// What is added in part keeps the direction in mesh space: conj(Q above) * (power * Q).
static void mesh_space_turns_agree_with_double_precision_at_any_weight_and_mask(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    for (int round = 0; round < 60; ++round) {
        const uint32_t n = 1 + check_random_below(&random, MOST);
        check_tree tree = check_tree_random(n, &random);
        poses *const p = poses_make(n, &random);
        float mask[MOST];
        for (uint32_t j = 0; j < n; ++j) mask[j] = j % 3 == 0 ? 0 : check_random_float(&random, 0, 1);
        for (uint32_t j = 0; j < n; ++j) { // no half turns, where the shorter arc would be a matter of rounding
            sqt_transform t = sqt_pose_get(p->pose, j);
            while (fabsf(t.rotation.w) < 0.1f) t.rotation = check_random_quat(&random);
            sqt_pose_set(p->pose, j, t);
        }
        const bool slerp = round % 2, masked = round % 3;
        const float weight = check_random_float(&random, 0, 1);
        assert_int_equal(sqt_blend_add_mesh(p->out, &tree.skeleton, p->base, p->pose, masked ? mask : NULL, p->scratch,
                                            weight, slerp ? SQT_SLERP : SQT_NLERP),
                         SQT_OK);
        const check_dquat none = {0, 0, 0, 1};
        for (uint32_t j = 0; j < n; ++j) {
            const double w = (double)(masked ? weight * mask[j] : weight);
            const check_dquat d = local(p->pose, j);
            const check_dquat turn = slerp ? check_dquat_slerp(none, d, w) : check_dquat_nlerp(none, d, w);
            const check_dquat expected = check_dquat_multiply(turn, in_mesh(&tree.skeleton, p->base, j));
            assert_rotation_close(check_dquat_rounded(in_mesh(&tree.skeleton, p->out, j)),
                                  check_dquat_rounded(expected), 2e-5);
            const sqt_quat q = sqt_pose_get(p->out, j).rotation;
            assert_close(sqrt((double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w)), 1, 1e-6);
        }
        // Translation and scale are those of the other addition, bit for bit.
        sqt_pose_block plain[BLOCKS];
        assert_int_equal(sqt_blend_add(plain, &tree.skeleton, p->base, p->pose, masked ? mask : NULL, weight,
                                       slerp ? SQT_SLERP : SQT_NLERP),
                         SQT_OK);
        for (uint32_t b = 0; b < SQT_POSE_BLOCKS(n); ++b) {
            const size_t at = offsetof(sqt_pose_block, tx);
            assert_memory_equal((char *)(plain + b) + at, (char *)(p->out + b) + at, sizeof *plain - at);
        }
        free(p);
        check_tree_free(&tree);
    }
}

static void an_aim_stands_in_mesh_space_however_the_parent_turns(void **state) {
    (void)state; // the body leans 90 degrees about Z; the arm aims 90 degrees about the mesh's Y
    sqt_transform still = SQT_TRANSFORM_IDENTITY;
    check_tree tree = check_tree_chain(2, still);
    sqt_transform base[2] = {still, still}, aim[2] = {still, still};
    base[0].rotation = check_degrees(0, 0, 1, 90);
    aim[1].rotation = check_degrees(0, 1, 0, 90);
    sqt_pose_block b, d;
    sqt_quat scratch[6];
    assert_int_equal(sqt_pose_pack(&b, base, 2), SQT_OK);
    assert_int_equal(sqt_pose_pack(&d, aim, 2), SQT_OK);
    assert_int_equal(sqt_blend_add_mesh(&b, &tree.skeleton, &b, &d, NULL, scratch, 1, SQT_NLERP), SQT_OK);
    assert_rotation_close(sqt_pose_get(&b, 0).rotation, base[0].rotation, 0);
    // A turn about z alone, and one about x alone, are turns as well.
    aim[1].rotation = check_degrees(0, 0, 1, 20);
    sqt_pose_block about_z, still_body;
    sqt_pose_identity(&still_body, 2);
    assert_int_equal(sqt_pose_pack(&d, aim, 2), SQT_OK);
    assert_int_equal(sqt_blend_add_mesh(&about_z, &tree.skeleton, &still_body, &d, NULL, scratch, 1, 0), SQT_OK);
    assert_rotation_close(sqt_pose_get(&about_z, 1).rotation, aim[1].rotation, 1e-6);
    // conj(90Z) * 90Y * 90Z, worked out by hand: 90 degrees about conj(90Z) applied to Y, which is X.
    assert_rotation_close(sqt_pose_get(&b, 1).rotation, check_degrees(1, 0, 0, 90), 1e-6);
    check_tree_free(&tree);
}

static void joints_with_nothing_added_above_are_exactly_those_of_the_base(void **state) {
    (void)state;
    check_random random = {SEED + 3};
    check_tree tree = check_tree_random(MOST, &random);
    poses *const p = poses_make(MOST, &random);
    float mask[MOST] = {0};
    assert_int_equal(sqt_mask_subtree(mask, &tree.skeleton, MOST / 2, 0, NULL), SQT_OK);
    assert_int_equal(sqt_blend_add_mesh(p->out, &tree.skeleton, p->base, p->pose, mask, p->scratch, 0.5f, SQT_NLERP),
                     SQT_OK);
    uint32_t kept = 0;
    for (uint32_t j = 0; j < MOST; ++j) {
        if (mask[j] != 0) continue;
        ++kept;
        check_assert_transform(sqt_pose_get(p->out, j), sqt_pose_get(p->base, j), 0);
    }
    assert_in_range(kept, 1, MOST - 1);
    // At weight 0 the difference is not read at all.
    memset(p->difference, 0xFF, sizeof p->difference);
    assert_int_equal(sqt_blend_add_mesh(p->out, &tree.skeleton, p->base, p->difference, NULL, p->scratch, 0, SQT_NLERP),
                     SQT_OK);
    check_assert_pose_bits(p->out, p->base, MOST);
    // A pose against itself differs by nothing, exactly.
    assert_int_equal(sqt_blend_difference_mesh(p->out, &tree.skeleton, p->pose, p->pose, p->scratch, 0), SQT_OK);
    sqt_pose_block none[BLOCKS];
    assert_int_equal(sqt_pose_identity(none, MOST), SQT_OK);
    for (uint32_t j = 0; j < MOST; ++j) check_assert_transform(sqt_pose_get(p->out, j), sqt_pose_get(none, j), 0);
    free(p);
    check_tree_free(&tree);
}

static void mesh_space_in_place_gives_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED + 4};
    check_tree tree = check_tree_random(33, &random);
    poses *const p = poses_make(33, &random);
    const sqt_skeleton *const s = &tree.skeleton;
    sqt_pose_block in_place[BLOCKS];
    assert_int_equal(sqt_blend_add_mesh(p->out, s, p->base, p->pose, NULL, p->scratch, 0.3f, SQT_SLERP), SQT_OK);
    memcpy(in_place, p->base, sizeof in_place);
    assert_int_equal(sqt_blend_add_mesh(in_place, s, in_place, p->pose, NULL, p->scratch, 0.3f, SQT_SLERP), SQT_OK);
    check_assert_pose_bits(in_place, p->out, 33);
    memcpy(in_place, p->pose, sizeof in_place);
    assert_int_equal(sqt_blend_add_mesh(in_place, s, p->base, in_place, NULL, p->scratch, 0.3f, SQT_SLERP), SQT_OK);
    check_assert_pose_bits(in_place, p->out, 33);
    assert_int_equal(sqt_blend_difference_mesh(p->out, s, p->pose, p->reference, p->scratch, 0), SQT_OK);
    memcpy(in_place, p->pose, sizeof in_place);
    assert_int_equal(sqt_blend_difference_mesh(in_place, s, in_place, p->reference, p->scratch, 0), SQT_OK);
    check_assert_pose_bits(in_place, p->out, 33);
    memcpy(in_place, p->reference, sizeof in_place);
    assert_int_equal(sqt_blend_difference_mesh(in_place, s, p->pose, in_place, p->scratch, 0), SQT_OK);
    check_assert_pose_bits(in_place, p->out, 33);
    free(p);
    check_tree_free(&tree);
}

static void wrong_arguments_of_mesh_space_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    check_random random = {SEED + 5};
    check_tree tree = check_tree_random(3, &random);
    poses *const p = poses_make(3, &random);
    const sqt_skeleton *const s = &tree.skeleton;
    sqt_skeleton empty = *s;
    empty.joint_count = 0;
    sqt_pose_block *const b = p->base, *const d = p->pose, *const o = p->out;
    sqt_quat *const q = p->scratch;
    assert_int_equal(sqt_blend_add_mesh(NULL, s, b, d, NULL, q, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_add_mesh(o, NULL, b, d, NULL, q, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_add_mesh(o, s, NULL, d, NULL, q, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_add_mesh(o, s, b, NULL, NULL, q, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_add_mesh(o, s, b, d, NULL, NULL, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_add_mesh(o, &empty, b, d, NULL, q, 1, 0), SQT_ERROR_COUNT);
    assert_int_equal(sqt_blend_add_mesh(o, s, b, d, NULL, q, NAN, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_blend_add_mesh(o, s, b, d, NULL, q, 1, SQT_MESH_SPACE), SQT_ERROR_FLAG);
    assert_int_equal(sqt_blend_difference_mesh(NULL, s, b, d, q, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference_mesh(o, NULL, b, d, q, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference_mesh(o, s, NULL, d, q, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference_mesh(o, s, b, NULL, q, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference_mesh(o, s, b, d, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_blend_difference_mesh(o, &empty, b, d, q, 0), SQT_ERROR_COUNT);
    assert_int_equal(sqt_blend_difference_mesh(o, s, b, d, q, SQT_SLERP), SQT_ERROR_FLAG);
    for (size_t i = 0; i < sizeof p->out; ++i) assert_int_equal(((unsigned char *)o)[i], 0xFF);
    free(p);
    check_tree_free(&tree);
}

int main(void) {
    print_message("seed %#x\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_space_difference_is_the_one_of_the_formula),
        cmocka_unit_test(a_mesh_space_difference_added_to_its_reference_is_the_pose),
        cmocka_unit_test(mesh_space_turns_agree_with_double_precision_at_any_weight_and_mask),
        cmocka_unit_test(an_aim_stands_in_mesh_space_however_the_parent_turns),
        cmocka_unit_test(joints_with_nothing_added_above_are_exactly_those_of_the_base),
        cmocka_unit_test(mesh_space_in_place_gives_the_same_bits),
        cmocka_unit_test(wrong_arguments_of_mesh_space_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
