#include "check.h"

enum { SEED = 20250312 };

static const double pi = 3.14159265358979323846;

static void assert_weights(const float *weights, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(weights[i] >= 0 && !signbit(weights[i]));
        sum += (double)weights[i];
    }
    assert_close(sum, 1, 1e-6);
}

// ---- Angles ----

static void an_angle_is_the_shorter_turn(void **state) {
    (void)state;
    static const double from[] = {0, 0, 170, -170, 350, 10, 90, -720, 45},
                        to[] = {30, -30, -170, 170, 10, 350, 90, 1, 45 + 3600};
    static const double expected[] = {30, -30, 20, -20, 20, -20, 0, 1, 0};
    for (uint32_t i = 0; i < 9; ++i) {
        const float turn = sqt_locomotion_angle((float)(from[i] * pi / 180), (float)(to[i] * pi / 180));
        assert_close(turn, expected[i] * pi / 180, 1e-5);
    }
    assert_close(fabsf(sqt_locomotion_angle(0, 3.14159274f)), pi, 2e-7);
    assert_close(sqt_locomotion_angle(0.25f, 0.5f), 0.25, 0);
    assert_close(sqt_locomotion_angle(NAN, 1), 0, 0);
    assert_close(sqt_locomotion_angle(1, INFINITY), 0, 0);
    assert_close(sqt_locomotion_angle(-INFINITY, INFINITY), 0, 0);
}

static void whole_turns_do_not_matter(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t i = 0; i < 20000; ++i) {
        const float size = powf(10, check_random_float(&random, -3, 8));
        const float from = check_random_float(&random, -size, size) / 2,
                    to = check_random_float(&random, -size, size) / 2;
        const float turn = sqt_locomotion_angle(from, to);
        assert_true(fabsf(turn) <= 3.14159274f);
        const double difference = (double)to - (double)from;
        assert_close(sin((double)turn), sin(difference), 1e-6);
        assert_close(cos((double)turn), cos(difference), 1e-6);
    }
    static const float huge[] = {1e9f, 1e15f, 1e30f, 3.4e38f};
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(fabsf(sqt_locomotion_angle(-huge[i], huge[i])) <= 3.14159274f);
        assert_true(fabsf(sqt_locomotion_angle(huge[i], 1)) <= 3.14159274f);
    }
}

// ---- Pivotal ----

static void pivotal_blends_by_speed_and_turns_in_place(void **state) {
    (void)state;
    static const float speeds[3] = {0, 1.5f, 4.5f}; // idle, walk, run
    static const float in[8][2] = {{0, 0}, {0, 1}, {0, -0.5f}, {0, 9}, {0.75f, 1}, {1.5f, 2}, {3, -2}, {-1, -7}};
    // idle, walk, run, left, right; the full turn is 2.
    static const float expected[8][5] = {
        {1, 0, 0, 0, 0}, {0.5f, 0, 0, 0.5f, 0}, {0.75f, 0, 0, 0, 0.25f}, {0, 0, 0, 1, 0}, {0.25f, 0.5f, 0, 0.25f, 0},
        {0, 1, 0, 0, 0}, {0, 0.5f, 0.5f, 0, 0}, {0, 0, 0, 0, 1}};
    for (uint32_t i = 0; i < 8; ++i) {
        float weights[6] = {7, 7, 7, 7, 7, 77};
        assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 3, in[i][0], in[i][1], 2), SQT_OK);
        assert_all_close(weights, expected[i], 5, 0);
        assert_close(weights[5], 77, 0);
    }
    float alone[3];
    assert_int_equal(sqt_locomotion_pivotal(alone, speeds, 1, 9, 0.5f, 2), SQT_OK);
    assert_all_close(alone, ((const float[]){0.75f, 0.25f, 0}), 3, 0);
}

static void pivotal_is_lipschitz(void **state) {
    (void)state;
    check_random random = {SEED};
    static const float speeds[4] = {0, 1.5f, 2, 6};
    for (uint32_t i = 0; i < 20000; ++i) {
        const float step = powf(10, check_random_float(&random, -7, 0)),
                    full_turn = check_random_float(&random, 0.1f, 3);
        const float speed = check_random_float(&random, -1, 7), turn = check_random_float(&random, -4, 4);
        const float next_speed = speed + check_random_float(&random, -step, step);
        const float next_turn = turn + check_random_float(&random, -step, step);
        float a[6], b[6], mirrored[6];
        assert_int_equal(sqt_locomotion_pivotal(a, speeds, 4, speed, turn, full_turn), SQT_OK);
        assert_int_equal(sqt_locomotion_pivotal(b, speeds, 4, next_speed, next_turn, full_turn), SQT_OK);
        assert_int_equal(sqt_locomotion_pivotal(mirrored, speeds, 4, speed, -turn, full_turn), SQT_OK);
        assert_weights(a, 6);
        const double bound = fabs((double)next_speed - (double)speed) / 0.5 +
                             fabs((double)next_turn - (double)turn) / (double)full_turn + 2e-7;
        for (uint32_t k = 0; k < 6; ++k) assert_close(a[k], b[k], bound);
        assert_all_close(mirrored, a, 4, 0);
        assert_close(mirrored[4], a[5], 0);
        assert_close(mirrored[5], a[4], 0);
    }
}

static void pivotal_refuses_bad_arguments(void **state) {
    (void)state;
    static const float speeds[2] = {0, 1}, equal[2] = {1, 1}, bad[2] = {0, INFINITY};
    float weights[4] = {7, 7, 7, 7};
    assert_int_equal(sqt_locomotion_pivotal(NULL, speeds, 2, 0, 0, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_locomotion_pivotal(weights, NULL, 2, 0, 0, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 0, 0, 0, 1), SQT_ERROR_COUNT);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, NAN, 0, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, 0, NAN, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, 0, -INFINITY, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, 0, 0, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, 0, 0, -1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, 0, 0, INFINITY), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, 0, 0, NAN), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, bad, 2, 0, 0, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_pivotal(weights, equal, 2, 0, 0, 1), SQT_ERROR_ORDER);
    for (uint32_t i = 0; i < 4; ++i) assert_close(weights[i], 7, 0);
    assert_int_equal(sqt_locomotion_pivotal(weights, speeds, 2, 0, 1e-45f, 1e-45f), SQT_OK);
    assert_weights(weights, 4);
}

// ---- Targeted ----

static sqt_locomotion at(float *weights, uint32_t backward, double degrees, double hysteresis_degrees,
                         bool expect_switch) {
    sqt_locomotion state = {backward};
    bool switched = !expect_switch;
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, &state, (float)(degrees * pi / 180),
                                             (float)(hysteresis_degrees * pi / 180)),
                     SQT_OK);
    assert_weights(weights, SQT_TARGETED_CLIP_COUNT);
    assert_int_equal(switched, expect_switch);
    assert_int_equal(state.backward, expect_switch ? !backward : backward);
    return state;
}

static void assert_two(const float *weights, uint32_t a, double weight_a, uint32_t b) {
    for (uint32_t i = 0; i < SQT_TARGETED_CLIP_COUNT; ++i)
        assert_close(weights[i], i == a ? weight_a : i == b ? 1 - weight_a : 0, 3e-7);
}

static void each_hemisphere_has_strafes_of_its_own(void **state) {
    (void)state;
    float weights[SQT_TARGETED_CLIP_COUNT];
    at(weights, 0, 0, 10, false);
    assert_two(weights, SQT_TARGETED_FORWARD, 1, SQT_TARGETED_FORWARD);
    at(weights, 0, 45, 10, false);
    assert_two(weights, SQT_TARGETED_FORWARD, 0.5, SQT_TARGETED_FORWARD_LEFT);
    at(weights, 0, -30, 10, false);
    assert_two(weights, SQT_TARGETED_FORWARD, 2.0 / 3, SQT_TARGETED_FORWARD_RIGHT);
    at(weights, 0, 90, 10, false);
    assert_two(weights, SQT_TARGETED_FORWARD_LEFT, 1, SQT_TARGETED_FORWARD);
    at(weights, 0, -97, 10, false); // beyond the side, within the hysteresis
    assert_two(weights, SQT_TARGETED_FORWARD_RIGHT, 1, SQT_TARGETED_FORWARD);
    at(weights, 1, 180, 10, false);
    assert_two(weights, SQT_TARGETED_BACKWARD, 1, SQT_TARGETED_BACKWARD);
    at(weights, 1, 135, 10, false);
    assert_two(weights, SQT_TARGETED_BACKWARD, 0.5, SQT_TARGETED_BACKWARD_LEFT);
    at(weights, 1, -150, 10, false);
    assert_two(weights, SQT_TARGETED_BACKWARD, 2.0 / 3, SQT_TARGETED_BACKWARD_RIGHT);
    at(weights, 1, 83, 10, false);
    assert_two(weights, SQT_TARGETED_BACKWARD_LEFT, 1, SQT_TARGETED_BACKWARD);
    at(weights, 1, -83, 10, false);
    assert_two(weights, SQT_TARGETED_BACKWARD_RIGHT, 1, SQT_TARGETED_BACKWARD);
}

static void straight_back_is_no_seam(void **state) {
    (void)state;
    float weights[SQT_TARGETED_CLIP_COUNT];
    for (double off = 1; off > 1e-4; off /= 2) {
        at(weights, 1, 180 - off, 10, false);
        assert_two(weights, SQT_TARGETED_BACKWARD, 1 - off / 90, SQT_TARGETED_BACKWARD_LEFT);
        at(weights, 1, -180 + off, 10, false);
        assert_two(weights, SQT_TARGETED_BACKWARD, 1 - off / 90, SQT_TARGETED_BACKWARD_RIGHT);
        at(weights, 1, 180 + off, 10, false); // the same without wrapping
        assert_two(weights, SQT_TARGETED_BACKWARD, 1 - off / 90, SQT_TARGETED_BACKWARD_RIGHT);
        at(weights, 1, -180 - off, 10, false);
        assert_two(weights, SQT_TARGETED_BACKWARD, 1 - off / 90, SQT_TARGETED_BACKWARD_LEFT);
    }
}

static void the_hemisphere_changes_beyond_the_hysteresis(void **state) {
    (void)state;
    float weights[SQT_TARGETED_CLIP_COUNT];
    at(weights, 0, 99.9, 10, false);
    at(weights, 0, 100.1, 10, true);
    assert_close(weights[SQT_TARGETED_BACKWARD_LEFT], (180 - 100.1) / 90, 3e-7);
    at(weights, 0, -99.9, 10, false);
    at(weights, 0, -100.1, 10, true);
    at(weights, 1, 80.1, 10, false);
    at(weights, 1, 79.9, 10, true);
    assert_close(weights[SQT_TARGETED_FORWARD_LEFT], 79.9 / 90, 3e-7);
    at(weights, 1, -80.1, 10, false);
    at(weights, 1, -79.9, 10, true);
    at(weights, 0, 180, 10, true);
    at(weights, 1, 0, 10, true);
    at(weights, 0, 134.9, 45, false);
    at(weights, 1, 45.1, 45, false);
    at(weights, 0, 89.9, 0, false);
    at(weights, 0, 90.1, 0, true);
    at(weights, 1, 90.1, 0, false);
    at(weights, 1, 89.9, 0, true);
}

static void a_direction_that_wavers_about_the_side_does_not_switch(void **state) {
    (void)state;
    check_random random = {SEED};
    sqt_locomotion s = {0};
    float weights[SQT_TARGETED_CLIP_COUNT];
    uint32_t switches = 0;
    bool switched;
    for (uint32_t i = 0; i < 1000; ++i) {
        const float wavering = 1.5707964f + check_random_float(&random, -0.19f, 0.19f);
        assert_int_equal(sqt_locomotion_targeted(weights, &switched, &s, wavering, 0.2f), SQT_OK);
        switches += switched;
    }
    assert_int_equal(switches, 0);
    // Once around and back, many times: two switches a round, at the same places either way by symmetry.
    for (uint32_t i = 0; i < 10 * 720; ++i) {
        const float direction = (float)((double)i * pi / 360 * (i < 3600 ? 1 : -1));
        assert_int_equal(sqt_locomotion_targeted(weights, &switched, &s, direction, 0.2f), SQT_OK);
        switches += switched;
    }
    assert_int_equal(switches, 20);
}

static void the_switch_may_be_ignored(void **state) {
    (void)state;
    sqt_locomotion s = {0};
    float weights[SQT_TARGETED_CLIP_COUNT];
    assert_int_equal(sqt_locomotion_targeted(weights, NULL, &s, 3, 0), SQT_OK);
    assert_int_equal(s.backward, 1);
}

static void targeted_weights_are_lipschitz_within_a_hemisphere(void **state) {
    (void)state;
    check_random random = {SEED};
    uint32_t compared = 0;
    for (uint32_t i = 0; i < 40000; ++i) {
        const float hysteresis = check_random_float(&random, 0, 0.785398185f),
                    step = powf(10, check_random_float(&random, -7, 0.7f));
        const float turns = (float)(2 * pi * (check_random_below(&random, 9) - 4.0));
        const float a = check_random_float(&random, -3.2f, 3.2f), b = a + check_random_float(&random, -step, step);
        sqt_locomotion s = {check_random_below(&random, 2)};
        float from[SQT_TARGETED_CLIP_COUNT], to[SQT_TARGETED_CLIP_COUNT], wrapped[SQT_TARGETED_CLIP_COUNT];
        bool switched;
        assert_int_equal(sqt_locomotion_targeted(from, NULL, &s, a, hysteresis), SQT_OK);
        const sqt_locomotion before = s;
        assert_int_equal(sqt_locomotion_targeted(to, &switched, &s, b, hysteresis), SQT_OK);
        assert_weights(to, SQT_TARGETED_CLIP_COUNT);
        assert_int_equal(switched, s.backward != before.backward);
        if (switched) continue;
        ++compared;
        const double apart = fabs((double)sqt_locomotion_angle(a, b)); // also around the back
        for (uint32_t k = 0; k < SQT_TARGETED_CLIP_COUNT; ++k) assert_close(from[k], to[k], 2 / pi * apart + 4e-7);
        s = before;
        assert_int_equal(sqt_locomotion_targeted(wrapped, &switched, &s, b + turns, hysteresis), SQT_OK);
        if (!switched) assert_all_close(wrapped, to, SQT_TARGETED_CLIP_COUNT, 3e-6); // b + turns is rounded
        s = before;
        assert_int_equal(sqt_locomotion_targeted(wrapped, &switched, &s, -b, hysteresis), SQT_OK);
        assert_false(switched);
        for (uint32_t k = 0; k < SQT_TARGETED_CLIP_COUNT; k += 3) { // mirrored: left and right swap
            assert_close(wrapped[k], to[k], 3e-7);
            assert_close(wrapped[k + 1], to[k + 2], 3e-7);
            assert_close(wrapped[k + 2], to[k + 1], 3e-7);
        }
    }
    assert_true(compared > 20000);
}

static void every_finite_direction_is_defined(void **state) {
    (void)state;
    static const float directions[] = {1e-45f,  -1e-45f,  1e5f,  -1e9f,       1e20f,
                                       3.4e38f, -3.4e38f, -0.0f, 3.14159274f, -3.14159274f};
    for (uint32_t i = 0; i < 10; ++i) {
        for (uint32_t backward = 0; backward < 2; ++backward) {
            sqt_locomotion s = {backward};
            float weights[SQT_TARGETED_CLIP_COUNT];
            assert_int_equal(sqt_locomotion_targeted(weights, NULL, &s, directions[i], 0.1f), SQT_OK);
            assert_weights(weights, SQT_TARGETED_CLIP_COUNT);
        }
    }
}

static void targeted_refuses_bad_arguments_and_writes_nothing(void **state) {
    (void)state;
    float weights[SQT_TARGETED_CLIP_COUNT] = {7, 7, 7, 7, 7, 7};
    bool switched = true;
    sqt_locomotion s = {0}, bad = {2};
    assert_int_equal(sqt_locomotion_targeted(NULL, &switched, &s, 3, 0.1f), SQT_ERROR_NULL);
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, NULL, 3, 0.1f), SQT_ERROR_NULL);
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, &bad, 3, 0.1f), SQT_ERROR_COUNT);
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, &s, NAN, 0.1f), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, &s, INFINITY, 0.1f), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, &s, 3, -0.1f), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, &s, 3, 0.79f), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_locomotion_targeted(weights, &switched, &s, 3, NAN), SQT_ERROR_NUMBER);
    for (uint32_t i = 0; i < SQT_TARGETED_CLIP_COUNT; ++i) assert_close(weights[i], 7, 0);
    assert_true(switched);
    assert_int_equal(s.backward, 0);
    assert_int_equal(bad.backward, 2);
}

int main(void) {
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_angle_is_the_shorter_turn),
        cmocka_unit_test(whole_turns_do_not_matter),
        cmocka_unit_test(pivotal_blends_by_speed_and_turns_in_place),
        cmocka_unit_test(pivotal_is_lipschitz),
        cmocka_unit_test(pivotal_refuses_bad_arguments),
        cmocka_unit_test(each_hemisphere_has_strafes_of_its_own),
        cmocka_unit_test(straight_back_is_no_seam),
        cmocka_unit_test(the_hemisphere_changes_beyond_the_hysteresis),
        cmocka_unit_test(a_direction_that_wavers_about_the_side_does_not_switch),
        cmocka_unit_test(the_switch_may_be_ignored),
        cmocka_unit_test(targeted_weights_are_lipschitz_within_a_hemisphere),
        cmocka_unit_test(every_finite_direction_is_defined),
        cmocka_unit_test(targeted_refuses_bad_arguments_and_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
