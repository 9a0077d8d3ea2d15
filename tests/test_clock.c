// Clocks: hand-calculated numbers, the closed formula after months of random steps, and characters in step.
#include "check.h"

static const sqt_timeline clamped = {2.5f, SQT_LOOP_CLAMP}, wrapped = {2.5f, SQT_LOOP_WRAP};
static const sqt_timeline ping_pong = {2.5f, SQT_LOOP_PING_PONG}, second = {1, SQT_LOOP_WRAP};

static sqt_clock started(const sqt_timeline *timeline, double now, double rate, uint32_t loop_count) {
    sqt_clock clock;
    assert_int_equal(sqt_clock_start(&clock, timeline, now, rate, loop_count), SQT_OK);
    return clock;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void assert_same_clock(const sqt_clock *a, const sqt_clock *b) { // not their padding
    assert_true(same_bits(a->start_seconds, b->start_seconds) && same_bits(a->local_seconds, b->local_seconds));
    assert_true(same_bits(a->rate, b->rate) && a->loop_count == b->loop_count);
}

static void a_zero_clock_rests_at_the_first_instant(void **state) {
    (void)state;
    const sqt_clock clock = {0};
    assert_close(sqt_clock_local(&clock, &wrapped, 1e9), 0, 0);
    assert_false(sqt_clock_done(&clock, &wrapped, 1e9));
}

static void local_time_is_the_time_since_the_start_times_the_rate(void **state) {
    (void)state;
    const sqt_clock clock = started(&wrapped, 100, 0.5, 0);
    assert_close(sqt_clock_local(&clock, &wrapped, 100), 0, 0);
    assert_close(sqt_clock_local(&clock, &wrapped, 103), 1.5, 0);
    assert_close(sqt_clock_local(&clock, &wrapped, 200), 50, 0); // never wraps
    assert_close(sqt_clock_local(&clock, &wrapped, 98), -1, 0);  // runs up to its start
    assert_false(sqt_clock_done(&clock, &wrapped, 1e12));
    const sqt_clock back = started(&wrapped, 100, -2, 0);
    assert_close(sqt_clock_local(&back, &wrapped, 103), -6, 0);
    assert_close(sqt_timeline_wrap(&wrapped, sqt_clock_local(&back, &wrapped, 103)), 1.5, 0);
    assert_false(sqt_clock_done(&back, &wrapped, 1e12));
}

static void a_one_shot_holds_its_last_pose(void **state) {
    (void)state;
    const sqt_clock clock = started(&clamped, 10, 1, 1);
    assert_close(sqt_clock_local(&clock, &clamped, 9), 0, 0);
    assert_close(sqt_clock_local(&clock, &clamped, 12), 2, 0);
    assert_false(sqt_clock_done(&clock, &clamped, 12.4999));
    assert_true(sqt_clock_done(&clock, &clamped, 12.5));
    assert_close(sqt_clock_local(&clock, &clamped, 12.5), 2.5, 0);
    assert_close(sqt_clock_local(&clock, &clamped, 1e9), 2.5, 0);
    const sqt_clock thrice = started(&clamped, 10, 1, 3); // a clamped clip has one loop
    assert_close(sqt_clock_local(&thrice, &clamped, 1e9), 2.5, 0);
}

static void loops_are_counted_and_the_last_is_held_before_the_seam(void **state) {
    (void)state;
    const sqt_clock clock = started(&wrapped, 0, 1, 3);
    assert_close(sqt_clock_local(&clock, &wrapped, 7), 7, 0);
    assert_false(sqt_clock_done(&clock, &wrapped, 7.499));
    assert_true(sqt_clock_done(&clock, &wrapped, 7.5));
    const double held = sqt_clock_local(&clock, &wrapped, 100);
    assert_close(held, 7.5, 1e-14);
    assert_close(sqt_timeline_wrap(&wrapped, held), 2.5, 1e-14); // the last pose, not the first
    assert_int_equal(sqt_timeline_loop(&wrapped, held), 2);
    const sqt_clock turning = started(&ping_pong, 0, 1, 2); // there and back, twice
    assert_close(sqt_clock_local(&turning, &ping_pong, 9.75), 9.75, 0);
    assert_false(sqt_clock_done(&turning, &ping_pong, 9.99));
    assert_true(sqt_clock_done(&turning, &ping_pong, 10));
    assert_close(sqt_clock_local(&turning, &ping_pong, 50), 10, 0);
}

static void the_hold_is_before_the_seam_for_any_number_of_loops(void **state) {
    (void)state;
    check_random random = {0xC10C};
    print_message("seed 0xC10C\n");
    for (int i = 0; i < 200000; ++i) {
        const sqt_timeline timeline = {check_random_float(&random, 0.01f, 30), SQT_LOOP_WRAP};
        const uint32_t loops = 1 + check_random_below(&random, 1u << check_random_below(&random, 32));
        const double d = (double)timeline.duration_seconds, end = loops * d;
        const sqt_clock clock = started(&timeline, 0, 1, loops);
        const double held = sqt_clock_local(&clock, &timeline, 2 * end + 1);
        assert_true(held < (double)loops * d && held >= end * (1 - 1e-15));
        assert_close(sqt_timeline_wrap(&timeline, held), d, end * 1e-15);
        assert_int_equal(sqt_timeline_loop(&timeline, held), loops - 1);
    }
}

static void a_negative_rate_starts_at_the_last_instant(void **state) {
    (void)state;
    const sqt_clock once = started(&clamped, 4, -1, 1);
    assert_close(sqt_clock_local(&once, &clamped, 4), 2.5, 0);
    assert_close(sqt_clock_local(&once, &clamped, 5), 1.5, 0);
    assert_false(sqt_clock_done(&once, &clamped, 6.4));
    assert_true(sqt_clock_done(&once, &clamped, 6.5));
    assert_close(sqt_clock_local(&once, &clamped, 60), 0, 0);
    const sqt_clock thrice = started(&wrapped, 4, -1, 3);
    assert_close(sqt_clock_local(&thrice, &wrapped, 4), 7.5, 1e-14);
    assert_true(sqt_clock_local(&thrice, &wrapped, 4) < 7.5);
    assert_close(sqt_clock_local(&thrice, &wrapped, 4 + 7), 0.5, 1e-14);
    assert_close(sqt_clock_local(&thrice, &wrapped, 4 + 8), 0, 0);
    assert_true(sqt_clock_done(&thrice, &wrapped, 4 + 8));
    const sqt_clock forever = started(&clamped, 4, -1, 0);
    assert_close(sqt_clock_local(&forever, &clamped, 4), 2.5, 0);
    assert_false(sqt_clock_done(&forever, &clamped, 100));
}

static void rate_zero_pauses(void **state) {
    (void)state;
    sqt_clock clock = started(&clamped, 0, 1, 1);
    assert_int_equal(sqt_clock_set_rate(&clock, &clamped, 1, 0), SQT_OK);
    assert_close(sqt_clock_local(&clock, &clamped, 1e6), 1, 0);
    assert_false(sqt_clock_done(&clock, &clamped, 1e6));
    sqt_clock ended = started(&clamped, 0, 1, 1);
    assert_int_equal(sqt_clock_set_rate(&ended, &clamped, 5, 0), SQT_OK);
    assert_false(sqt_clock_done(&ended, &clamped, 6)); // paused: it runs towards no end
    assert_int_equal(sqt_clock_set_rate(&clock, &clamped, 1e6, 1), SQT_OK);
    assert_close(sqt_clock_local(&clock, &clamped, 1e6 + 1), 2, 0);
}

static void a_change_of_rate_does_not_jump(void **state) {
    (void)state;
    sqt_clock clock = started(&wrapped, 3, 1, 0);
    const double before = sqt_clock_local(&clock, &wrapped, 7);
    assert_int_equal(sqt_clock_set_rate(&clock, &wrapped, 7, -3), SQT_OK);
    assert_true(same_bits(sqt_clock_local(&clock, &wrapped, 7), before));
    assert_close(sqt_clock_local(&clock, &wrapped, 8), before - 3, 0);
    // Held at the end, it turns back from the end at once, not after the time that it was held.
    sqt_clock once = started(&clamped, 0, 1, 1);
    assert_int_equal(sqt_clock_set_rate(&once, &clamped, 100, -1), SQT_OK);
    assert_close(sqt_clock_local(&once, &clamped, 101), 1.5, 0);
    const sqt_clock same = once;
    assert_int_equal(sqt_clock_set_rate(&once, &clamped, 100.7, -1), SQT_OK);
    assert_same_clock(&once, &same);
}

static void a_seek_moves_the_local_time_and_keeps_the_rate(void **state) {
    (void)state;
    sqt_clock clock = started(&wrapped, 0, 2, 4);
    assert_int_equal(sqt_clock_seek(&clock, &wrapped, 50, 1.25), SQT_OK);
    assert_close(sqt_clock_local(&clock, &wrapped, 50), 1.25, 0);
    assert_close(sqt_clock_local(&clock, &wrapped, 51), 3.25, 0);
    assert_int_equal(sqt_clock_seek(&clock, &wrapped, 50, -7), SQT_OK); // held, not a wait of 3.5 s
    assert_close(sqt_clock_local(&clock, &wrapped, 51), 2, 0);
    assert_int_equal(sqt_clock_seek(&clock, &wrapped, 50, 1000), SQT_OK);
    assert_true(sqt_clock_done(&clock, &wrapped, 50));
    assert_close(sqt_clock_local(&clock, &wrapped, 50), 10, 1e-14);
}

static void months_of_random_steps_leave_the_closed_formula(void **state) {
    (void)state;
    check_random random = {0xC10D};
    print_message("seed 0xC10D\n");
    const double start = 12345.678, rate = 1.1;
    const sqt_clock clock = started(&wrapped, start, rate, 0);
    double now = start, stepped = 0;
    while (now < 1e7) {
        const double dt = (double)check_random_float(&random, 0, 20);
        now += dt;
        stepped += dt * rate;
        const long double exact = ((long double)now - (long double)start) * (long double)rate;
        assert_close((double)((long double)sqt_clock_local(&clock, &wrapped, now) - exact), 0, 4e-9); // 2 ulps of 1e7
    }
    assert_true(now - start > 9.9e6 && fabs(stepped - sqt_clock_local(&clock, &wrapped, now)) < 1); // the same way
}

static void thousands_of_changes_of_rate_stay_within_their_roundings(void **state) {
    (void)state;
    check_random random = {0xC10E};
    print_message("seed 0xC10E\n");
    sqt_clock clock = started(&wrapped, 5, 1, 0);
    long double exact = 0;
    double now = 5, rate = 1;
    for (int i = 0; i < 10000; ++i) {
        const double next = now + (double)check_random_float(&random, 0, 1500);
        exact += ((long double)next - (long double)now) * (long double)rate;
        now = next;
        rate = (double)check_random_float(&random, -1, 2);
        const double before = sqt_clock_local(&clock, &wrapped, now);
        assert_int_equal(sqt_clock_set_rate(&clock, &wrapped, now, rate), SQT_OK);
        assert_true(same_bits(sqt_clock_local(&clock, &wrapped, now), before));
    }
    assert_true(now > 7e6);
    assert_close((double)((long double)sqt_clock_local(&clock, &wrapped, now) - exact), 0,
                 1e-5); // 10,000 halves of 1e-9
}

/// A character whose time is a sum of dt, as in engines without global time.
typedef struct stepper {
    double seconds;
    bool plays;
} stepper;

static void punch_and_victim_are_in_step_in_either_order_of_update(void **state) {
    (void)state;
    const sqt_timeline punch = {1.3f, SQT_LOOP_CLAMP};
    const double dt = 1.0 / 60;
    for (int victim_first = 0; victim_first < 2; ++victim_first) {
        sqt_clock puncher = {0}, victim = {0};
        stepper step_puncher = {0, false}, step_victim = {0, false};
        for (int frame = 0; frame < 200; ++frame) {
            const double now = 1e6 + frame * dt;
            for (int turn = 0; turn < 2; ++turn) {
                if (turn == victim_first) { // the puncher's update; in frame 10 it starts both clips
                    if (frame == 10) {
                        puncher = started(&punch, now, 0.9, 1);
                        victim = started(&punch, now, 0.9, 1);
                        step_puncher.plays = step_victim.plays = true;
                    } else if (step_puncher.plays) {
                        step_puncher.seconds += dt;
                    }
                } else if (step_victim.plays) {
                    step_victim.seconds += dt;
                }
            }
            const float a = sqt_timeline_phase(&punch, sqt_clock_local(&puncher, &punch, now));
            const float b = sqt_timeline_phase(&punch, sqt_clock_local(&victim, &punch, now));
            assert_memory_equal(&a, &b, sizeof a);
            if (frame > 10) { // the lag of local clocks, in one order of the two
                const double lag = step_victim.seconds - step_puncher.seconds;
                assert_close(lag, victim_first ? 0 : dt, 1e-12);
            }
        }
        assert_close((double)sqt_timeline_phase(&punch, sqt_clock_local(&puncher, &punch, 1e6 + 1)),
                     (1 - 10 * dt) * 0.9 / 1.3, 1e-6);
    }
}

static void speed_over_authored_speed_is_the_rate(void **state) {
    (void)state;
    assert_close(sqt_clock_rate(1.5f, 3), 2, 0);
    assert_close(sqt_clock_rate(1.5f, -0.75f), -0.5, 0);
    assert_close(sqt_clock_rate(1.5f, 0), 0, 0);
    assert_close(sqt_clock_rate(0, 3), 1, 0);
    assert_close(sqt_clock_rate(NAN, 3), 1, 0);
    assert_close(sqt_clock_rate(1, INFINITY), 1, 0);
}

static void steps_large_negative_and_tiny(void **state) {
    (void)state;
    double seconds = 0;
    int64_t loops = 99;
    assert_int_equal(sqt_clock_step(&seconds, &loops, &second, 3.75), SQT_OK);
    assert_close(seconds, 0.75, 0);
    assert_int_equal(loops, 3);
    seconds = 0;
    assert_int_equal(sqt_clock_step(&seconds, &loops, &second, -3.75), SQT_OK);
    assert_close(seconds, 0.25, 0);
    assert_int_equal(loops, -4);
    seconds = 0;
    assert_int_equal(sqt_clock_step(&seconds, &loops, &second, (double)-1e-9f), SQT_OK);
    assert_true(seconds >= 0 && seconds < 1);
    assert_close(seconds, 1 - 1e-9, 1e-15);
    assert_int_equal(loops, -1);
    seconds = 0.25;
    assert_int_equal(sqt_clock_step(&seconds, NULL, &second, 0), SQT_OK);
    assert_close(seconds, 0.25, 0);
    const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; ++i) {
        loops = 7;
        assert_int_equal(sqt_clock_step(&seconds, &loops, &second, wrong[i]), SQT_ERROR_NUMBER);
        assert_close(seconds, 0.25, 0);
        assert_int_equal(loops, 7);
    }
}

static void a_step_of_a_clip_of_no_length_is_at_zero_at_once(void **state) {
    (void)state;
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        const sqt_timeline none = {0, loop};
        double seconds = 0;
        int64_t loops = 7;
        assert_int_equal(sqt_clock_step(&seconds, &loops, &none, 5), SQT_OK);
        assert_close(seconds, 0, 0);
        assert_int_equal(loops, 0);
        const sqt_clock clock = started(&none, 0, 1, 2);
        assert_close(sqt_clock_local(&clock, &none, 5), 0, 0);
        assert_true(sqt_clock_done(&clock, &none, 0));
    }
}

static void steps_of_a_ping_pong_keep_their_direction(void **state) {
    (void)state;
    double seconds = 0;
    int64_t loops, total = 0;
    const double expected[] = {2, 1, 1, 2, 0}; // 2 there, 4, 6, 8, 10: 0 at 10 = 2 loops
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(sqt_clock_step(&seconds, &loops, &ping_pong, 2), SQT_OK);
        assert_close(sqt_timeline_wrap(&ping_pong, seconds), expected[i], 0);
        total += loops;
    }
    assert_int_equal(total, 2);
    seconds = 1;
    assert_int_equal(sqt_clock_step(&seconds, &loops, &clamped, 9), SQT_OK);
    assert_close(seconds, 2.5, 0);
    assert_int_equal(loops, 0);
    assert_int_equal(sqt_clock_step(&seconds, &loops, &clamped, -9), SQT_OK);
    assert_close(seconds, 0, 0);
}

static void steps_and_loops_make_up_the_way(void **state) {
    (void)state;
    check_random random = {0xC10F};
    print_message("seed 0xC10F\n");
    for (int i = 0; i < 1000; ++i) {
        const sqt_timeline timeline = {check_random_float(&random, 0.01f, 5), SQT_LOOP_WRAP};
        const double d = (double)timeline.duration_seconds;
        double seconds = 0, way = 0;
        int64_t loops, total = 0;
        for (int k = 0; k < 200; ++k) {
            const double dt = (double)check_random_float(&random, -1, 1) * (k % 7 ? d : 1e4 * d);
            assert_int_equal(sqt_clock_step(&seconds, &loops, &timeline, dt), SQT_OK);
            assert_true(seconds >= 0 && seconds < d);
            way += dt;
            total += loops;
            assert_close((double)total * d + seconds, way, 1e-9);
        }
    }
}

static void the_loop_of_a_time_fits_its_wrap(void **state) {
    (void)state;
    assert_int_equal(sqt_timeline_loop(&wrapped, 0), 0);
    assert_int_equal(sqt_timeline_loop(&wrapped, 2.4999), 0);
    assert_int_equal(sqt_timeline_loop(&wrapped, 2.5), 1);
    assert_int_equal(sqt_timeline_loop(&wrapped, -1e-30), -1);
    assert_int_equal(sqt_timeline_loop(&wrapped, -2.5), -1);
    assert_int_equal(sqt_timeline_loop(&wrapped, -2.6), -2);
    assert_int_equal(sqt_timeline_loop(&ping_pong, 4.9), 0);
    assert_int_equal(sqt_timeline_loop(&ping_pong, 5), 1);
    assert_int_equal(sqt_timeline_loop(&ping_pong, -0.1), -1);
    assert_int_equal(sqt_timeline_loop(&clamped, 100), 0);
    assert_int_equal(sqt_timeline_loop(NULL, 100), 0);
    assert_int_equal(sqt_timeline_loop(&wrapped, (double)NAN), 0);
    assert_true(sqt_timeline_loop(&wrapped, 1e300) == (int64_t)1 << 62);
    assert_true(sqt_timeline_loop(&wrapped, -1e300) == -((int64_t)1 << 62));
    check_random random = {0xC110};
    print_message("seed 0xC110\n");
    for (int i = 0; i < 200000; ++i) {
        const sqt_timeline timeline = {check_random_float(&random, 0.001f, 30), SQT_LOOP_WRAP};
        const double d = (double)timeline.duration_seconds;
        double seconds =
            floor(ldexp(check_random_u32(&random) / 4294967296.0, (int)check_random_below(&random, 30))) * d;
        for (uint32_t step = check_random_below(&random, 4); step > 0; --step) {
            seconds = nextafter(seconds, i % 2 ? 1e300 : -1e300); // around the seams
        }
        const double loop = (double)sqt_timeline_loop(&timeline, seconds);
        assert_close(loop * d + sqt_timeline_wrap(&timeline, seconds), seconds, (fabs(seconds) + d) * 0x1p-51);
    }
}

static void what_is_wrong_is_an_error_and_changes_nothing(void **state) {
    (void)state;
    const double nan = (double)NAN;
    const sqt_timeline bad_loop = {1, 3}, negative = {-1, SQT_LOOP_WRAP}, no_number = {NAN, SQT_LOOP_WRAP};
    sqt_clock clock = started(&wrapped, 1, 2, 3);
    const sqt_clock before = clock;
    double seconds = 0.5;
    assert_int_equal(sqt_clock_start(NULL, &wrapped, 0, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clock_start(&clock, NULL, 0, 1, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_clock_start(&clock, &bad_loop, 0, 1, 0), SQT_ERROR_FLAG);
    assert_int_equal(sqt_clock_start(&clock, &negative, 0, 1, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clock_start(&clock, &no_number, 0, 1, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clock_start(&clock, &wrapped, nan, 1, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clock_start(&clock, &wrapped, 0, (double)INFINITY, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clock_set_rate(NULL, &wrapped, 0, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_clock_set_rate(&clock, &wrapped, nan, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clock_set_rate(&clock, &wrapped, 0, nan), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clock_set_rate(&clock, &wrapped, 1.7e308, 1), SQT_ERROR_NUMBER); // its local time overflows
    assert_int_equal(sqt_clock_seek(NULL, &wrapped, 0, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_clock_seek(&clock, &wrapped, 0, nan), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_clock_seek(&clock, &bad_loop, 0, 0), SQT_ERROR_FLAG);
    assert_same_clock(&clock, &before);
    assert_int_equal(sqt_clock_step(NULL, NULL, &wrapped, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_clock_step(&seconds, NULL, NULL, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_clock_step(&seconds, NULL, &bad_loop, 1), SQT_ERROR_FLAG);
    assert_close(seconds, 0.5, 0);
    assert_close(sqt_clock_local(NULL, &wrapped, 1), 0, 0);
    assert_close(sqt_clock_local(&clock, NULL, 1), 0, 0);
    assert_close(sqt_clock_local(&clock, &wrapped, nan), 0, 0);
    assert_false(sqt_clock_done(NULL, &wrapped, 1));
    assert_false(sqt_clock_done(&clock, &wrapped, nan));
    assert_false(sqt_clock_done(&clock, NULL, 1e9));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zero_clock_rests_at_the_first_instant),
        cmocka_unit_test(local_time_is_the_time_since_the_start_times_the_rate),
        cmocka_unit_test(a_one_shot_holds_its_last_pose),
        cmocka_unit_test(loops_are_counted_and_the_last_is_held_before_the_seam),
        cmocka_unit_test(the_hold_is_before_the_seam_for_any_number_of_loops),
        cmocka_unit_test(a_negative_rate_starts_at_the_last_instant),
        cmocka_unit_test(rate_zero_pauses),
        cmocka_unit_test(a_change_of_rate_does_not_jump),
        cmocka_unit_test(a_seek_moves_the_local_time_and_keeps_the_rate),
        cmocka_unit_test(months_of_random_steps_leave_the_closed_formula),
        cmocka_unit_test(thousands_of_changes_of_rate_stay_within_their_roundings),
        cmocka_unit_test(punch_and_victim_are_in_step_in_either_order_of_update),
        cmocka_unit_test(speed_over_authored_speed_is_the_rate),
        cmocka_unit_test(steps_large_negative_and_tiny),
        cmocka_unit_test(a_step_of_a_clip_of_no_length_is_at_zero_at_once),
        cmocka_unit_test(steps_of_a_ping_pong_keep_their_direction),
        cmocka_unit_test(steps_and_loops_make_up_the_way),
        cmocka_unit_test(the_loop_of_a_time_fits_its_wrap),
        cmocka_unit_test(what_is_wrong_is_an_error_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
