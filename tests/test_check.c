// The comparisons that all other tests rest on. The linker gives cmocka's _fail to this file (--wrap), so that a
// comparison that must fail can be seen to do so.
#include "check.h"

static jmp_buf failed;
static int failures;

// The linker defines the name, and the header declares the real one.
_Noreturn void __wrap__fail(const char *file, int line);

_Noreturn void __wrap__fail(const char *file, int line) {
    (void)file;
    (void)line;
    ++failures;
    longjmp(failed, 1);
}

// assert_* of cmocka do not come here: they call _fail or _assert_* inside the library.
// Loops around these count in volatile variables, whose values survive the jump.
#define assert_fails(statement)                 \
    do {                                        \
        const int before = failures;            \
        if (setjmp(failed) == 0) { statement; } \
        assert_int_equal(failures, before + 1); \
    } while (0)

#define assert_passes(statement)                \
    do {                                        \
        const int before = failures;            \
        if (setjmp(failed) == 0) { statement; } \
        assert_int_equal(failures, before);     \
    } while (0)

static void nan_is_close_to_nothing(void **state) {
    (void)state;
    assert_false(check_close(NAN, 1, 1e30));
    assert_false(check_close(1, NAN, 1e30));
    assert_false(check_close(NAN, NAN, 1e30));
    assert_false(check_close(1, 1, NAN));
    assert_false(check_close(NAN, NAN, INFINITY));
}

static void infinity_is_close_to_nothing_finite(void **state) {
    (void)state;
    assert_false(check_close(INFINITY, 1, 1e300));
    assert_false(check_close(-INFINITY, 1, 1e300));
    assert_false(check_close(INFINITY, INFINITY, 1e300));
    assert_false(check_close(INFINITY, -INFINITY, 1e300));
}

static void the_tolerance_is_an_inclusive_bound_on_both_sides(void **state) {
    (void)state;
    assert_true(check_close(1.5, 1, 0.5));
    assert_true(check_close(0.5, 1, 0.5));
    assert_false(check_close(1.5000001, 1, 0.5));
    assert_false(check_close(0.4999999, 1, 0.5));
    assert_true(check_close(0.0, -0.0, 0));
    assert_true(check_close(3, 3, 0));
    assert_false(check_close(3, 3.0000000000000004, 0));
    assert_false(check_close(3, 3, -1));
}

static void numbers_that_differ_fail_the_test(void **state) {
    (void)state;
    assert_passes(assert_close(1, 1.25, 0.25));
    assert_fails(assert_close(1, 1.25, 0.24));
    assert_fails(assert_close(NAN, 1, 1e30));
    assert_fails(assert_close(1, NAN, 1e30));
    assert_fails(assert_close(INFINITY, 1, 1e30));
}

static void every_number_of_an_array_counts(void **state) {
    (void)state;
    const float a[5] = {1, 2, 3, 4, 5};
    float b[5] = {1, 2, 3, 4, 5};
    assert_passes(assert_all_close(a, b, 5, 0));
    for (volatile size_t i = 0; i < 5; ++i) {
        b[i] = NAN;
        assert_fails(assert_all_close(a, b, 5, 1e30));
        assert_fails(assert_all_close(b, a, 5, 1e30));
        b[i] = a[i] + 0.5f;
        assert_fails(assert_all_close(a, b, 5, 0.25));
        assert_passes(assert_all_close(a, b, 5, 0.5));
        assert_passes(assert_all_close(a, b, i, 0));
        b[i] = a[i];
    }
}

static float *component(sqt_quat *q, size_t i) {
    float *const components[4] = {&q->x, &q->y, &q->z, &q->w};
    return components[i];
}

static void rotations_are_compared_up_to_sign_and_in_every_component(void **state) {
    (void)state;
    const sqt_quat q = {0.5f, -0.5f, 0.5f, 0.5f}, opposite = {-0.5f, 0.5f, -0.5f, -0.5f};
    assert_passes(assert_rotation_close(q, q, 0));
    assert_passes(assert_rotation_close(q, opposite, 0));
    for (volatile size_t i = 0; i < 4; ++i) {
        sqt_quat other = q;
        *component(&other, i) += 0.25f;
        assert_fails(assert_rotation_close(q, other, 0.125));
        assert_fails(assert_rotation_close(other, opposite, 0.125));
        *component(&other, i) = -*component(&other, i);
        assert_fails(assert_rotation_close(q, other, 0.125)); // one component's sign alone is another rotation
        *component(&other, i) = NAN;
        assert_fails(assert_rotation_close(q, other, 1e30));
        assert_fails(assert_rotation_close(other, q, 1e30));
    }
}

static void vectors_are_compared_in_every_component(void **state) {
    (void)state;
    const sqt_vec3 v = {1, 2, 3};
    const sqt_vec3 others[] = {{1.5f, 2, 3}, {1, 2.5f, 3}, {1, 2, 3.5f}, {NAN, 2, 3}, {1, NAN, 3}, {1, 2, NAN}};
    assert_passes(assert_vec3_close(v, v, 0));
    for (volatile size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        assert_fails(assert_vec3_close(v, others[i], 0.25));
        assert_fails(assert_vec3_close(others[i], v, 0.25));
    }
    for (volatile size_t i = 0; i < 3; ++i) assert_passes(assert_vec3_close(v, others[i], 0.5));
}

static void random_numbers_stay_in_range_and_repeat(void **state) {
    (void)state;
    check_random random = {42}, again = {42};
    double sum = 0;
    uint32_t seen = 0;
    for (int i = 0; i < 10000; ++i) {
        const float value = check_random_float(&random, -2, 3);
        assert_true(value >= -2 && value <= 3);
        assert_close(check_random_float(&again, -2, 3), value, 0);
        sum += value;
        const uint32_t below = check_random_below(&random, 7);
        assert_true(below < 7);
        seen |= 1u << below;
        check_random_below(&again, 7);
        const sqt_quat q = check_random_quat(&random);
        assert_close(sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w), 1, 1e-6);
        check_random_quat(&again);
    }
    assert_close(sum / 10000, 0.5, 0.06); // four deviations of the mean of 10,000
    assert_int_equal(seen, 0x7F);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nan_is_close_to_nothing),
        cmocka_unit_test(infinity_is_close_to_nothing_finite),
        cmocka_unit_test(the_tolerance_is_an_inclusive_bound_on_both_sides),
        cmocka_unit_test(numbers_that_differ_fail_the_test),
        cmocka_unit_test(every_number_of_an_array_counts),
        cmocka_unit_test(rotations_are_compared_up_to_sign_and_in_every_component),
        cmocka_unit_test(vectors_are_compared_in_every_component),
        cmocka_unit_test(random_numbers_stay_in_range_and_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
