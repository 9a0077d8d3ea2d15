// Ease curves, against values by hand, de Casteljau's construction in long double, and cglm.
#include "check.h"

#include <cglm/cglm.h>

enum { SEED = 0xEA5E };

static const sqt_ease linear = {SQT_EASE_LINEAR, {0, 0, 0, 0}}, cubic = {SQT_EASE_CUBIC, {0, 0, 0, 0}};

static sqt_ease bezier(float x1, float y1, float x2, float y2) {
    const sqt_ease ease = {SQT_EASE_BEZIER, {x1, y1, x2, y2}};
    return ease;
}

static sqt_ease hermite(float start_slope, float end_slope) {
    const sqt_ease ease = {SQT_EASE_HERMITE, {start_slope, end_slope, 0, 0}};
    return ease;
}

static void every_curve_goes_from_0_to_1_and_stays_there(void **state) {
    (void)state;
    const sqt_ease curves[] = {linear,        cubic,         bezier(0.25f, 0.1f, 0.25f, 1), bezier(1, -3, 0, 4),
                               hermite(0, 0), hermite(9, -9)};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; ++i) {
        assert_true(sqt_ease_validate(curves + i, NULL) == SQT_OK);
        assert_true(sqt_ease_value(curves[i], 0) == 0 && sqt_ease_value(curves[i], 1) == 1);
        assert_true(sqt_ease_value(curves[i], -0.5) == 0 && sqt_ease_value(curves[i], 1.5) == 1);
        assert_true(sqt_ease_value(curves[i], -INFINITY) == 0 && sqt_ease_value(curves[i], INFINITY) == 1);
        assert_true(sqt_ease_value(curves[i], (double)NAN) == 0);
        // The ends are reached, not jumped to.
        assert_close(sqt_ease_value(curves[i], 1e-12), 0, 1e-7);
        assert_close(sqt_ease_value(curves[i], 1 - 1e-12), 1, 1e-7);
    }
}

static void linear_is_the_phase_itself(void **state) {
    (void)state;
    for (int i = 0; i <= 1000; ++i) assert_true(sqt_ease_value(linear, i / 1000.0) == i / 1000.0);
}

static void cubic_rises_slowly_at_both_ends(void **state) {
    (void)state;
    assert_close(sqt_ease_value(cubic, 0.25), 0.0625, 1e-15);
    assert_close(sqt_ease_value(cubic, 0.5), 0.5, 1e-15);
    assert_close(sqt_ease_value(cubic, 0.75), 0.9375, 1e-15);
    for (int i = 0; i <= 1000; ++i) {
        const double p = i / 1000.0;
        assert_close(sqt_ease_value(cubic, p), 1 - sqt_ease_value(cubic, 1 - p), 1e-15);
        assert_close(sqt_ease_value(cubic, p), glm_ease_cubic_inout((float)p), 4e-7);
    }
}

static void hermite_has_the_slopes_that_it_was_given(void **state) {
    (void)state;
    assert_close(sqt_ease_value(hermite(0, 0), 0.25), 0.15625, 1e-15); // 3 / 16 - 2 / 64
    assert_close(sqt_ease_value(hermite(2, 0), 0.5), 0.75, 1e-15);
    assert_close(sqt_ease_value(hermite(0, 2), 0.5), 0.25, 1e-15);
    check_random random = {SEED};
    for (int i = 0; i < 1000; ++i) {
        const float a = check_random_float(&random, -4, 4), b = check_random_float(&random, -4, 4);
        const sqt_ease ease = hermite(a, b);
        const float p = check_random_float(&random, 0, 1);
        assert_close(sqt_ease_value(ease, 1e-7) / 1e-7, a, 4e-6);
        assert_close((1 - sqt_ease_value(ease, 1 - 1e-7)) / 1e-7, b, 4e-6);
        assert_close(sqt_ease_value(hermite(1, 1), (double)p), (double)p, 1e-15);
        assert_close(sqt_ease_value(ease, (double)p), glm_hermite(p, 0, a, b, 1), 4e-6);
    }
}

// ---- Bezier

typedef struct point {
    long double x, y;
} point;

/// De Casteljau: by halving between points.
static point construct(sqt_ease ease, long double s) {
    point p[4] = {{0, 0}, {ease.curve[0], ease.curve[1]}, {ease.curve[2], ease.curve[3]}, {1, 1}};
    for (int level = 3; level > 0; --level) {
        for (int i = 0; i < level; ++i) {
            p[i].x += (p[i + 1].x - p[i].x) * s;
            p[i].y += (p[i + 1].y - p[i].y) * s;
        }
    }
    return p[0];
}

/// y where x is reached, by bisection alone.
static long double reference(sqt_ease ease, long double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    long double low = 0, high = 1;
    for (int i = 0; i < 70; ++i) {
        const long double middle = (low + high) / 2;
        if (construct(ease, middle).x < x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return construct(ease, (low + high) / 2).y;
}

static void bezier_has_the_values_of_css(void **state) {
    (void)state;
    // By bisection in exact arithmetic of the curves that CSS names; the floats of the struct move them by 1e-8.
    assert_close(sqt_ease_value(bezier(0.25f, 0.1f, 0.25f, 1), 0.5), 0.80240338774, 3e-8); // ease
    assert_close(sqt_ease_value(bezier(0.42f, 0, 1, 1), 0.5), 0.31535681257, 3e-8);        // ease-in
    assert_close(sqt_ease_value(bezier(0, 0, 0.58f, 1), 0.5), 1 - 0.31535681257, 3e-8);    // ease-out
    assert_close(sqt_ease_value(bezier(0.42f, 0, 0.58f, 1), 0.5), 0.5, 3e-8);              // ease-in-out
    // x1 = 0, x2 = 0: x = s^3; at 1/8 s is 1/2, and y = 3/8 (y1 + y2) + 1/8.
    assert_close(sqt_ease_value(bezier(0, 0.5f, 0, 0.25f), 0.125), 0.375 * 0.75 + 0.125, 1e-15);
    for (int i = 0; i <= 1000; ++i) assert_close(sqt_ease_value(bezier(0, 0, 1, 1), i / 1000.0), i / 1000.0, 1e-14);
}

static void bezier_is_solved_to_the_last_digits(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
        float c[4];
        for (int k = 0; k < 4; ++k) { // ends among them: x1 = 1 and x2 = 0 stand still in the middle
            const uint32_t kind = check_random_below(&random, 4);
            c[k] = kind == 0 ? 0.0f : kind == 1 ? 1.0f : check_random_float(&random, 0, 1);
        }
        const sqt_ease ease = bezier(c[0], c[1], c[2], c[3]);
        for (int k = 0; k < 8; ++k) {
            const double p = k == 0   ? 0.5
                             : k == 1 ? 1e-9
                             : k == 2 ? 1 - 1e-9
                                      : (double)check_random_float(&random, 0, 1);
            const double value = sqt_ease_value(ease, p);
            const long double low = reference(ease, (long double)p - 2e-15L),
                              high = reference(ease, (long double)p + 2e-15L);
            if (!((long double)value >= low - 1e-15L && (long double)value <= high + 1e-15L)) {
                fail_msg("(%g, %g, %g, %g) at %.17g: %.17g is not in %.17Lg..%.17Lg", c[0], c[1], c[2], c[3], p, value,
                         low, high);
            }
            if (fabs(value - (double)reference(ease, p)) > worst) worst = fabs(value - (double)reference(ease, p));
        }
    }
    print_message("largest error of a Bezier curve, slopes without bound among them: %.2g\n", worst);
}

static void bezier_within_the_square_rises_and_stays_within(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    for (int i = 0; i < 200; ++i) {
        const float x1 = check_random_float(&random, 0, 1), y1 = check_random_float(&random, 0, 1);
        const sqt_ease ease = bezier(x1, y1, check_random_float(&random, 0, 1), check_random_float(&random, 0, 1));
        double before = 0;
        for (int k = 1; k <= 500; ++k) {
            const double value = sqt_ease_value(ease, k / 500.0);
            assert_true(value >= before - 1e-15 && value <= 1);
            before = value;
        }
    }
}

static void bezier_with_even_x_is_a_hermite_curve(void **state) {
    (void)state; // x1 = 1/3, x2 = 2/3 make x(s) = s, and the slopes at the ends 3 y1 and 3 (1 - y2)
    for (int i = 0; i <= 100; ++i) {
        const double a = sqt_ease_value(bezier(1.0f / 3, 0.5f, 2.0f / 3, 0.75f), i / 100.0);
        assert_close(a, sqt_ease_value(hermite(1.5f, 0.75f), i / 100.0), 1e-7);
        assert_close(a, glm_bezier((float)i / 100.0f, 0, 0.5f, 0.75f, 1), 1e-6);
    }
}

static void a_curve_that_is_none_is_named_and_counts_as_linear(void **state) {
    (void)state;
    sqt_fault fault;
    assert_int_equal(sqt_ease_validate(NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "ease", 0, 0);
    const sqt_ease unknown = {4, {0, 0, 0, 0}};
    assert_int_equal(sqt_ease_validate(&unknown, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "kind", 0, 0);
    assert_true(sqt_ease_value(unknown, 0.3) == 0.3);
    static const float wrong_x[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY},
                       wrong[] = {NAN, INFINITY, -INFINITY, 2e15f};
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t count = k % 2 ? 4 : 5;
        for (uint32_t i = 0; i < count; ++i) {
            sqt_ease ease = bezier(0.3f, -7, 0.6f, 9);
            assert_int_equal(sqt_ease_validate(&ease, &fault), SQT_OK);
            ease.curve[k] = k % 2 ? wrong[i] : wrong_x[i];
            assert_int_equal(sqt_ease_validate(&ease, &fault), SQT_ERROR_NUMBER);
            assert_fault(fault, "curve", 0, k);
            assert_true(sqt_ease_value(ease, 0.3) == 0.3);
        }
    }
    for (uint32_t i = 0; i < 4; ++i) {
        sqt_ease ease = hermite(wrong[i], 0);
        assert_int_equal(sqt_ease_validate(&ease, NULL), SQT_ERROR_NUMBER);
        ease = hermite(0, wrong[i]);
        assert_int_equal(sqt_ease_validate(&ease, &fault), SQT_ERROR_NUMBER);
        assert_fault(fault, "curve", 0, 1);
    }
    const sqt_ease unread[] = {{SQT_EASE_LINEAR, {NAN, NAN, NAN, NAN}},
                               {SQT_EASE_CUBIC, {NAN, 0, 0, NAN}},
                               {SQT_EASE_HERMITE, {0, 0, NAN, NAN}}};
    for (uint32_t i = 0; i < 3; ++i) assert_int_equal(sqt_ease_validate(unread + i, NULL), SQT_OK);
}

int main(void) {
    print_message("seed 0x%X\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_curve_goes_from_0_to_1_and_stays_there),
        cmocka_unit_test(linear_is_the_phase_itself),
        cmocka_unit_test(cubic_rises_slowly_at_both_ends),
        cmocka_unit_test(hermite_has_the_slopes_that_it_was_given),
        cmocka_unit_test(bezier_has_the_values_of_css),
        cmocka_unit_test(bezier_is_solved_to_the_last_digits),
        cmocka_unit_test(bezier_within_the_square_rises_and_stays_within),
        cmocka_unit_test(bezier_with_even_x_is_a_hermite_curve),
        cmocka_unit_test(a_curve_that_is_none_is_named_and_counts_as_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
