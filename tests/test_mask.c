#include <stdlib.h>

#include "check.h"

enum { SEED = 20240817, N = 300 };

static const sqt_joint body[] = {{"hips", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY},
                                 {"spine", 0, SQT_TRANSFORM_IDENTITY},
                                 {"leg", 0, SQT_TRANSFORM_IDENTITY},
                                 {"arm", 1, SQT_TRANSFORM_IDENTITY},
                                 {"foot", 2, SQT_TRANSFORM_IDENTITY},
                                 {"hand", 3, SQT_TRANSFORM_IDENTITY},
                                 {"finger", 5, SQT_TRANSFORM_IDENTITY},
                                 {"prop", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY}};

static void *build(sqt_skeleton *skeleton, const sqt_joint *joints, uint32_t joint_count) {
    const size_t bytes = sqt_skeleton_bytes(joints, joint_count);
    void *const memory = malloc(bytes);
    assert_non_null(memory);
    assert_int_equal(sqt_skeleton_build(skeleton, joints, joint_count, memory, bytes, NULL), SQT_OK);
    return memory;
}

static void a_subtree_without_falloff_is_ones_and_the_rest_zeros(void **state) {
    (void)state;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    float mask[8];
    static const float arm[] = {0, 0, 0, 1, 0, 1, 1, 0}, hips[] = {1, 1, 1, 1, 1, 1, 1, 0};
    static const float prop[] = {0, 0, 0, 0, 0, 0, 0, 1};
    assert_int_equal(sqt_mask_subtree(mask, &s, 3, 0, NULL), SQT_OK);
    assert_all_close(mask, arm, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 0, 0, NULL), SQT_OK);
    assert_all_close(mask, hips, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 7, -0.0f, NULL), SQT_OK);
    assert_all_close(mask, prop, 8, 0);
    free(memory);
}

static void falloff_is_taken_off_a_level_and_stops_at_zero(void **state) {
    (void)state;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    float mask[8];
    // Levels below the spine: spine 0, arm 1, hand 2, finger 3.
    static const float gentle[] = {0, 1, 0, 0.75f, 0, 0.5f, 0.25f, 0}, steep[] = {0, 1, 0, 0.375f, 0, 0, 0, 0};
    static const float sudden[] = {0, 1, 0, 0, 0, 0, 0, 0};
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 0.25f, NULL), SQT_OK);
    assert_all_close(mask, gentle, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 0.625f, NULL), SQT_OK);
    assert_all_close(mask, steep, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 3e38f, NULL), SQT_OK);
    assert_all_close(mask, sudden, 8, 0);
    for (uint32_t i = 0; i < 8; ++i) assert_false(signbit(mask[i]));
    free(memory);
}

static void random_trees_follow_the_formula(void **state) {
    (void)state;
    check_random random = {SEED};
    static sqt_joint joints[N];
    static float mask[N + 1];
    for (uint32_t round = 0; round < 100; ++round) {
        const uint32_t n = 1 + check_random_below(&random, N), reach = 1 + check_random_below(&random, n);
        for (uint32_t i = 0; i < n; ++i) {
            joints[i] = body[0];
            if (i > 0 && check_random_below(&random, 9) > 0) {
                joints[i].parent = i - 1 - check_random_below(&random, i < reach ? i : reach);
            }
        }
        sqt_skeleton s;
        void *const memory = build(&s, joints, n);
        s.joint_count = 1 + check_random_below(&random, n); // a level of detail writes its own joints only
        const uint32_t top = check_random_below(&random, s.joint_count);
        const float falloff = check_random_below(&random, 3) ? check_random_float(&random, 0, 0.2f) : 0;
        for (uint32_t i = 0; i <= N; ++i) mask[i] = 77;
        assert_int_equal(sqt_mask_subtree(mask, &s, top, falloff, NULL), SQT_OK);
        for (uint32_t i = 0; i < s.joint_count; ++i) {
            uint32_t level = 0, up = i;
            for (; up != top && up != SQT_NO_JOINT; up = joints[up].parent) ++level;
            const double expected = up == top ? fmax(0, 1 - (double)falloff * level) : 0;
            assert_close(mask[i], expected, 6e-8);
        }
        for (uint32_t i = s.joint_count; i <= N; ++i) assert_close(mask[i], 77, 0);
        free(memory);
    }
}

static void the_deepest_chain_is_one_pass(void **state) {
    (void)state;
    const uint32_t n = 65535;
    sqt_joint *const joints = calloc(n, sizeof *joints);
    float *const mask = calloc(n, sizeof *mask);
    assert_true(joints && mask);
    for (uint32_t i = 0; i < n; ++i) {
        joints[i] = body[0];
        joints[i].parent = i == 0 ? SQT_NO_JOINT : i - 1;
    }
    sqt_skeleton s;
    void *const memory = build(&s, joints, n);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 1.0f / 65536, NULL), SQT_OK);
    assert_close(mask[0], 0, 0);
    for (uint32_t i = 1; i < n; ++i) assert_close(mask[i], 1 - (i - 1) / 65536.0, 6e-8);
    free(memory);
    free(mask);
    free(joints);
}

static void errors_write_nothing(void **state) {
    (void)state;
    sqt_fault fault;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    float mask[8];
    for (uint32_t i = 0; i < 8; ++i) mask[i] = 77;
    assert_int_equal(sqt_mask_subtree(NULL, &s, 1, 0, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "mask", 0, 0);
    assert_int_equal(sqt_mask_subtree(mask, NULL, 1, 0, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 8, 0, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint", 0, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, SQT_NO_JOINT, 0, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint", 0, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, -0.1f, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "falloff_per_level", 0, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, NAN, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "falloff_per_level", 0, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, INFINITY, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "falloff_per_level", 0, 0);
    s.joint_count = 3;
    assert_int_equal(sqt_mask_subtree(mask, &s, 3, 0, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint", 0, 0);
    for (uint32_t i = 0; i < 8; ++i) assert_close(mask[i], 77, 0);
    free(memory);
}

static void listed_joints_have_their_weights_and_the_rest_none(void **state) {
    (void)state;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    static const uint16_t joints[] = {7, 3, 0, 3};
    static const float weights[] = {0.25f, 0.5f, -2, 0.75f};
    static const float expected[] = {-2, 0, 0, 0.75f, 0, 0, 0, 0.25f}, ones[] = {1, 0, 0, 1, 0, 0, 0, 1};
    float mask[9] = {77, 77, 77, 77, 77, 77, 77, 77, 77};
    assert_int_equal(sqt_mask_joints(mask, &s, joints, weights, 4, NULL), SQT_OK);
    assert_all_close(mask, expected, 8, 0);
    assert_int_equal(sqt_mask_joints(mask, &s, joints, NULL, 4, NULL), SQT_OK);
    assert_all_close(mask, ones, 8, 0);
    assert_close(mask[8], 77, 0);
    assert_int_equal(sqt_mask_joints(mask, &s, NULL, NULL, 0, NULL), SQT_OK);
    for (uint32_t i = 0; i < 8; ++i) assert_close(mask[i], 0, 0);
    free(memory);
}

static void a_list_with_an_error_writes_nothing(void **state) {
    (void)state;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    static const uint16_t joints[] = {1, 7, 2}, beyond[] = {1, 8}, missing[] = {SQT_NO_JOINT};
    static const float weights[] = {1, 1, NAN}, infinite[] = {-INFINITY, 1, 1};
    float mask[8];
    for (uint32_t i = 0; i < 8; ++i) mask[i] = 77;
    sqt_fault fault;
    assert_int_equal(sqt_mask_joints(NULL, &s, joints, NULL, 3, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "mask", 0, 0);
    assert_int_equal(sqt_mask_joints(mask, NULL, joints, NULL, 3, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    assert_int_equal(sqt_mask_joints(mask, &s, NULL, NULL, 3, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "joints", 0, 0);
    assert_int_equal(sqt_mask_joints(mask, &s, beyond, NULL, 2, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 1, 0);
    assert_int_equal(sqt_mask_joints(mask, &s, missing, NULL, 1, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 0, 0);
    assert_int_equal(sqt_mask_joints(mask, &s, joints, weights, 3, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 2, 0);
    assert_int_equal(sqt_mask_joints(mask, &s, joints, infinite, 3, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 0, 0);
    s.joint_count = 7; // a level of detail has fewer joints
    assert_int_equal(sqt_mask_joints(mask, &s, joints, NULL, 3, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 1, 0);
    for (uint32_t i = 0; i < 8; ++i) assert_close(mask[i], 77, 0);
    free(memory);
}

static void masks_combine_joint_by_joint(void **state) {
    (void)state;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    static const float a[] = {0, 1, 0.5f, 0.25f, 0, 1, 0.75f, 1}, b[] = {0, 0, 0.25f, 0.5f, 1, 1, 0.5f, 0.125f};
    static const float product[] = {0, 0, 0.125f, 0.125f, 0, 1, 0.375f, 0.125f};
    static const float larger[] = {0, 1, 0.5f, 0.5f, 1, 1, 0.75f, 1}, sum[] = {0, 1, 0.75f, 0.75f, 1, 1, 1, 1};
    static const float rest[] = {1, 0, 0.5f, 0.75f, 1, 0, 0.25f, 0};
    static const float ones[] = {1, 1, 1, 1, 1, 1, 1, 1}, zeros[8] = {0};
    float mask[9] = {77, 77, 77, 77, 77, 77, 77, 77, 77};
    assert_int_equal(sqt_mask_multiply(mask, &s, a, b), SQT_OK);
    assert_all_close(mask, product, 8, 0);
    assert_int_equal(sqt_mask_max(mask, &s, a, b), SQT_OK);
    assert_all_close(mask, larger, 8, 0);
    assert_int_equal(sqt_mask_add(mask, &s, a, b), SQT_OK);
    assert_all_close(mask, sum, 8, 0);
    assert_int_equal(sqt_mask_invert(mask, &s, a), SQT_OK);
    assert_all_close(mask, rest, 8, 0);
    assert_close(mask[8], 77, 0);

    // NULL is all ones, on either side.
    assert_int_equal(sqt_mask_multiply(mask, &s, NULL, b), SQT_OK);
    assert_all_close(mask, b, 8, 0);
    assert_int_equal(sqt_mask_multiply(mask, &s, a, NULL), SQT_OK);
    assert_all_close(mask, a, 8, 0);
    assert_int_equal(sqt_mask_max(mask, &s, NULL, b), SQT_OK);
    assert_all_close(mask, ones, 8, 0);
    assert_int_equal(sqt_mask_max(mask, &s, a, NULL), SQT_OK);
    assert_all_close(mask, ones, 8, 0);
    assert_int_equal(sqt_mask_add(mask, &s, NULL, b), SQT_OK);
    assert_all_close(mask, ones, 8, 0);
    assert_int_equal(sqt_mask_add(mask, &s, a, NULL), SQT_OK);
    assert_all_close(mask, ones, 8, 0);
    assert_int_equal(sqt_mask_invert(mask, &s, NULL), SQT_OK);
    assert_all_close(mask, zeros, 8, 0);

    // In place, on both sides; for a level of detail its own joints only.
    memcpy(mask, a, sizeof a);
    assert_int_equal(sqt_mask_multiply(mask, &s, mask, b), SQT_OK);
    assert_all_close(mask, product, 8, 0);
    memcpy(mask, b, sizeof b);
    assert_int_equal(sqt_mask_max(mask, &s, a, mask), SQT_OK);
    assert_all_close(mask, larger, 8, 0);
    memcpy(mask, a, sizeof a);
    assert_int_equal(sqt_mask_invert(mask, &s, mask), SQT_OK);
    assert_all_close(mask, rest, 8, 0);
    s.joint_count = 5;
    mask[5] = 77;
    assert_int_equal(sqt_mask_add(mask, &s, mask, a), SQT_OK); // a mask and what it leaves
    assert_all_close(mask, ones, 5, 0);
    assert_close(mask[5], 77, 0);
    free(memory);
}

static void combining_without_a_mask_or_skeleton_is_an_error(void **state) {
    (void)state;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    float mask[8];
    assert_int_equal(sqt_mask_multiply(NULL, &s, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_multiply(mask, NULL, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_max(NULL, &s, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_max(mask, NULL, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_add(NULL, &s, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_add(mask, NULL, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_invert(NULL, &s, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_invert(mask, NULL, NULL), SQT_ERROR_NULL);
    free(memory);
}

int main(void) {
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_subtree_without_falloff_is_ones_and_the_rest_zeros),
        cmocka_unit_test(falloff_is_taken_off_a_level_and_stops_at_zero),
        cmocka_unit_test(random_trees_follow_the_formula),
        cmocka_unit_test(the_deepest_chain_is_one_pass),
        cmocka_unit_test(errors_write_nothing),
        cmocka_unit_test(listed_joints_have_their_weights_and_the_rest_none),
        cmocka_unit_test(a_list_with_an_error_writes_nothing),
        cmocka_unit_test(masks_combine_joint_by_joint),
        cmocka_unit_test(combining_without_a_mask_or_skeleton_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
