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
    assert_int_equal(sqt_mask_subtree(mask, &s, 3, 0), SQT_OK);
    assert_all_close(mask, arm, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 0, 0), SQT_OK);
    assert_all_close(mask, hips, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 7, -0.0f), SQT_OK);
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
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 0.25f), SQT_OK);
    assert_all_close(mask, gentle, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 0.625f), SQT_OK);
    assert_all_close(mask, steep, 8, 0);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 3e38f), SQT_OK);
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
        assert_int_equal(sqt_mask_subtree(mask, &s, top, falloff), SQT_OK);
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
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, 1.0f / 65536), SQT_OK);
    assert_close(mask[0], 0, 0);
    for (uint32_t i = 1; i < n; ++i) assert_close(mask[i], 1 - (i - 1) / 65536.0, 6e-8);
    free(memory);
    free(mask);
    free(joints);
}

static void errors_write_nothing(void **state) {
    (void)state;
    sqt_skeleton s;
    void *const memory = build(&s, body, 8);
    float mask[8];
    for (uint32_t i = 0; i < 8; ++i) mask[i] = 77;
    assert_int_equal(sqt_mask_subtree(NULL, &s, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_subtree(mask, NULL, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_mask_subtree(mask, &s, 8, 0), SQT_ERROR_COUNT);
    assert_int_equal(sqt_mask_subtree(mask, &s, SQT_NO_JOINT, 0), SQT_ERROR_COUNT);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, -0.1f), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, NAN), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_mask_subtree(mask, &s, 1, INFINITY), SQT_ERROR_NUMBER);
    s.joint_count = 3;
    assert_int_equal(sqt_mask_subtree(mask, &s, 3, 0), SQT_ERROR_COUNT);
    for (uint32_t i = 0; i < 8; ++i) assert_close(mask[i], 77, 0);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
