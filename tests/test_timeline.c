// Time maps: hand-calculated numbers, fmod as the second opinion on wrapping, and the seams.
#include "check.h"

static sqt_timeline timeline_of(float duration_seconds, uint32_t loop) {
    const sqt_timeline timeline = {duration_seconds, loop};
    return timeline;
}

static double wrap(float duration_seconds, uint32_t loop, double seconds) {
    const sqt_timeline timeline = timeline_of(duration_seconds, loop);
    return sqt_timeline_wrap(&timeline, seconds);
}

static float phase(float duration_seconds, uint32_t loop, double seconds) {
    const sqt_timeline timeline = timeline_of(duration_seconds, loop);
    return sqt_timeline_phase(&timeline, seconds);
}

/// Equal in value and sign of zero.
static void assert_same_double(double a, double b) {
    if (memcmp(&a, &b, sizeof a) != 0) {
        print_error("%.17g is not %.17g\n", a, b);
        fail();
    }
}

static void clamp_holds_the_first_and_the_last_instant(void **state) {
    (void)state;
    assert_same_double(wrap(2.5f, SQT_LOOP_CLAMP, -1), 0);
    assert_same_double(wrap(2.5f, SQT_LOOP_CLAMP, -1e-30), 0);
    assert_same_double(wrap(2.5f, SQT_LOOP_CLAMP, 0), 0);
    assert_same_double(wrap(2.5f, SQT_LOOP_CLAMP, 1.25), 1.25);
    assert_same_double(wrap(2.5f, SQT_LOOP_CLAMP, 2.5), 2.5);
    assert_same_double(wrap(2.5f, SQT_LOOP_CLAMP, 2.5000001), 2.5);
    assert_same_double(wrap(2.5f, SQT_LOOP_CLAMP, 1e300), 2.5);
}

static void wrap_counts_backwards_for_negative_times(void **state) {
    (void)state;
    assert_same_double(wrap(1, SQT_LOOP_WRAP, -0.25), 0.75);
    assert_same_double(wrap(1, SQT_LOOP_WRAP, -1), 0);
    assert_same_double(wrap(1, SQT_LOOP_WRAP, -3.75), 0.25);
    assert_same_double(wrap(2.5f, SQT_LOOP_WRAP, -1), 1.5);
    assert_same_double(wrap(2.5f, SQT_LOOP_WRAP, -6), 1.5);
}

static void wrap_starts_again_at_the_duration(void **state) {
    (void)state;
    assert_same_double(wrap(1, SQT_LOOP_WRAP, 1), 0);
    assert_same_double(wrap(1, SQT_LOOP_WRAP, 3.75), 0.75);
    assert_same_double(wrap(2.5f, SQT_LOOP_WRAP, 2.5), 0);
    assert_same_double(wrap(2.5f, SQT_LOOP_WRAP, 7.5), 0);
    assert_same_double(wrap(2.5f, SQT_LOOP_WRAP, 8.25), 0.75);
}

static void large_negative_and_tiny_steps_keep_their_phase(void **state) {
    (void)state;
    assert_close(phase(1, SQT_LOOP_WRAP, 3.75), 0.75, 0);
    assert_close(phase(1, SQT_LOOP_WRAP, -3.75), 0.25, 0);
    const double tiny = wrap(1, SQT_LOOP_WRAP, (double)-1e-9f);
    assert_true(tiny >= 0 && tiny < 1);
    assert_close(tiny, 1 - 1e-9, 1e-15);
    assert_true(phase(1, SQT_LOOP_WRAP, (double)-1e-9f) < 1.0f); // fmodf + 1 gives exactly 1
    assert_true(phase(1, SQT_LOOP_WRAP, (double)-1e-9f) > 0.9999999f);
    const float durations[] = {1, 1.0000001f, 1.9999999f, 0.37f, 1e-45f, 3.4028235e38f};
    for (size_t i = 0; i < sizeof durations / sizeof *durations; ++i) { // before the seam, so on the clip's last side
        const double d = (double)durations[i];
        assert_same_double(wrap(durations[i], SQT_LOOP_WRAP, -5e-324), nextafter(d, 0));
        assert_same_double(wrap(durations[i], SQT_LOOP_WRAP, -d * 1e-17), nextafter(d, 0));
    }
}

static void ping_pong_turns_at_both_ends(void **state) {
    (void)state;
    const double expected[][2] = {{0, 0},          {0.5, 0.5}, {2.5, 2.5},    {3, 2},      {5, 0},     {5.5, 0.5},
                                  {7.5, 2.5},      {10, 0},    {-0.5, 0.5},   {-2.5, 2.5}, {-3, 2},    {-5, 0},
                                  {-1e-30, 1e-30}, {2500, 0},  {2502.5, 2.5}, {-2501, 1},  {-2504, 1}, {2.25, 2.25}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        assert_same_double(wrap(2.5f, SQT_LOOP_PING_PONG, expected[i][0]), expected[i][1]);
    }
    // Exact at every turning point of a duration that is no round number.
    const float duration = 1.7083333f;
    for (uint32_t k = 1; k < 100000; ++k) {
        const double turn = k * (double)duration;
        assert_same_double(wrap(duration, SQT_LOOP_PING_PONG, turn), k % 2 ? (double)duration : 0);
        assert_same_double(wrap(duration, SQT_LOOP_PING_PONG, -turn), k % 2 ? (double)duration : 0);
    }
}

static void times_within_the_clip_come_back_unchanged(void **state) {
    (void)state;
    check_random random = {0x7132};
    print_message("seed 0x7132\n");
    for (int i = 0; i < 100000; ++i) {
        const float duration = check_random_float(&random, 0, 1) * (i % 3 ? 10.0f : 1e-38f);
        const double inside = (double)duration * (check_random_u32(&random) / 4294967296.0);
        for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
            assert_same_double(wrap(duration, loop, inside), inside);
        }
        assert_same_double(wrap(duration, SQT_LOOP_PING_PONG, (double)duration), (double)duration);
        assert_same_double(wrap(duration, SQT_LOOP_CLAMP, (double)duration), (double)duration);
    }
}

/// The exact remainder in [0, period): fmod has no error.
static double exact_remainder(double seconds, double period) {
    const double rest = fmod(seconds, period);
    return rest < 0 ? rest + period : rest;
}

/// Distance on the circle, so that a time just before the seam is near one just behind it.
static double circular(double a, double b, double period) {
    const double distance = fabs(a - b);
    return distance < period - distance ? distance : period - distance;
}

static void wrap_is_as_exact_as_the_time_itself(void **state) {
    (void)state;
    check_random random = {0x7133};
    print_message("seed 0x7133\n");
    for (int i = 0; i < 400000; ++i) {
        const float duration = check_random_float(&random, 0.001f, 30);
        const double d = (double)duration;
        const double size = ldexp(1, (int)check_random_below(&random, 70));
        const double turns = floor(size * (check_random_u32(&random) / 4294967296.0));
        // Half of the times lie within a few ulps of a seam.
        double seconds = turns * d;
        if (i % 2) {
            seconds += d * (check_random_u32(&random) / 4294967296.0);
        } else {
            for (uint32_t step = check_random_below(&random, 4); step > 0; --step) {
                seconds = nextafter(seconds, i % 4 ? 1e300 : -1e300);
            }
        }
        if (i % 3 == 0) seconds = -seconds;
        const double ulp = nextafter(fabs(seconds), 1e300) - fabs(seconds);
        const double local = wrap(duration, SQT_LOOP_WRAP, seconds);
        assert_true(local >= 0 && local < d);
        assert_true(phase(duration, SQT_LOOP_WRAP, seconds) < 1.0f);
        if (ulp < d / 4) assert_close(circular(local, exact_remainder(seconds, d), d), 0, ulp + d * 0x1p-52);
        const double turned = wrap(duration, SQT_LOOP_PING_PONG, seconds);
        assert_true(turned >= 0 && turned <= d);
        const double there = exact_remainder(fabs(seconds), 2 * d);
        if (ulp < d / 4) assert_close(turned, there > d ? 2 * d - there : there, ulp + d * 0x1p-52);
    }
}

static void wrap_keeps_a_time_just_before_the_seam_before_it(void **state) {
    (void)state;
    for (uint32_t k = 1; k < 20000; ++k) {
        const float duration = 0.37f;
        const double seam = k * (double)duration;
        assert_same_double(wrap(duration, SQT_LOOP_WRAP, seam), 0);
        assert_true(wrap(duration, SQT_LOOP_WRAP, nextafter(seam, 0)) > 0.36);
        assert_true(wrap(duration, SQT_LOOP_WRAP, nextafter(seam, 1e9)) < 0.01);
    }
}

static void huge_times_stay_within_the_clip(void **state) {
    (void)state;
    const double huge[] = {1e15, 1e17, 1e100, 1.7976931348623157e308};
    const float durations[] = {1, 1.7083333f, 1e-45f, 1e-38f, 3.4028235e38f};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; ++i) {
        for (size_t j = 0; j < sizeof durations / sizeof *durations; ++j) {
            for (int sign = -1; sign <= 1; sign += 2) {
                const double d = (double)durations[j];
                const double wrapped = wrap(durations[j], SQT_LOOP_WRAP, sign * huge[i]);
                const double turned = wrap(durations[j], SQT_LOOP_PING_PONG, sign * huge[i]);
                const double held = wrap(durations[j], SQT_LOOP_CLAMP, sign * huge[i]);
                assert_true(wrapped >= 0 && wrapped < d);
                assert_true(turned >= 0 && turned <= d);
                assert_true(held >= 0 && held <= d);
            }
        }
    }
}

static void a_clip_of_no_length_is_always_at_zero(void **state) {
    (void)state;
    const double times[] = {-1, 0, 0.5, 5, 100, 1e300};
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
        for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
            assert_same_double(wrap(0, loop, times[i]), 0);
            assert_close((double)phase(0, loop, times[i]), 0, 0);
        }
    }
}

static void what_is_no_number_gives_zero(void **state) {
    (void)state;
    assert_same_double(sqt_timeline_wrap(NULL, 3), 0);
    assert_close((double)sqt_timeline_phase(NULL, 3), 0, 0);
    const float durations[] = {NAN, INFINITY, -1};
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        assert_same_double(wrap(2, loop, (double)NAN), 0);
        assert_same_double(wrap(2, loop, (double)INFINITY), 0);
        assert_same_double(wrap(2, loop, -(double)INFINITY), 0);
        for (size_t i = 0; i < sizeof durations / sizeof *durations; ++i) {
            assert_same_double(wrap(durations[i], loop, 0.5), 0);
            assert_close((double)phase(durations[i], loop, 0.5), 0, 0);
        }
    }
}

static void phase_is_the_local_time_over_the_duration(void **state) {
    (void)state;
    assert_close((double)phase(2.5f, SQT_LOOP_CLAMP, 1.25), 0.5, 0);
    assert_close((double)phase(2.5f, SQT_LOOP_CLAMP, 9), 1, 0);
    assert_close((double)phase(2.5f, SQT_LOOP_CLAMP, -9), 0, 0);
    assert_close((double)phase(2.5f, SQT_LOOP_WRAP, 3.125), 0.25, 0);
    assert_close((double)phase(2.5f, SQT_LOOP_PING_PONG, 2.5), 1, 0);
    assert_close((double)phase(2.5f, SQT_LOOP_PING_PONG, 3.125), 0.75, 0);
    assert_close((double)phase(4, SQT_LOOP_WRAP, 1e9 + 3), 0.75, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clamp_holds_the_first_and_the_last_instant),
        cmocka_unit_test(wrap_counts_backwards_for_negative_times),
        cmocka_unit_test(wrap_starts_again_at_the_duration),
        cmocka_unit_test(large_negative_and_tiny_steps_keep_their_phase),
        cmocka_unit_test(ping_pong_turns_at_both_ends),
        cmocka_unit_test(times_within_the_clip_come_back_unchanged),
        cmocka_unit_test(wrap_is_as_exact_as_the_time_itself),
        cmocka_unit_test(wrap_keeps_a_time_just_before_the_seam_before_it),
        cmocka_unit_test(huge_times_stay_within_the_clip),
        cmocka_unit_test(a_clip_of_no_length_is_always_at_zero),
        cmocka_unit_test(what_is_no_number_gives_zero),
        cmocka_unit_test(phase_is_the_local_time_over_the_duration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
