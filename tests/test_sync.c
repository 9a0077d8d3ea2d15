// Clips in step: hand-calculated positions, inverses, and long random play with changes of leader.
#include "check.h"

static const float walk_feet[] = {0.1f, 0.6f}, run_feet[] = {0.05f, 0.35f, 0.75f, 1.15f}, limp_feet[] = {0.3f, 0.5f};
static const sqt_sync walk = {walk_feet, 2, 0}, run = {run_feet, 4, 0}, limp = {limp_feet, 2, 1},
                      by_phase = {NULL, 0, 0};
static const sqt_timeline walk_time = {1, SQT_LOOP_WRAP}, run_time = {1.5f, SQT_LOOP_WRAP},
                          limp_time = {2, SQT_LOOP_WRAP};

static void without_marks_clips_are_in_step_by_phase(void **state) {
    (void)state;
    assert_close(sqt_sync_position(&by_phase, &run_time, 0), 0, 0);
    assert_close(sqt_sync_position(&by_phase, &run_time, 0.75), 0.5, 0);
    assert_close(sqt_sync_position(&by_phase, &run_time, -0.375), -0.25, 0);
    assert_close(sqt_sync_position(&by_phase, &run_time, 16.125), 10.75, 0);
    assert_close(sqt_sync_seconds(&by_phase, &limp_time, 10.75), 21.5, 0);
    assert_close(sqt_sync_seconds(&by_phase, &limp_time, -0.25), -0.5, 0);
    assert_close(sqt_sync_seconds(&by_phase, &limp_time, sqt_sync_position(&by_phase, &walk_time, 3.75)), 7.5, 0);
}

static void a_position_counts_the_marks_passed(void **state) {
    (void)state;
    const double expected[][2] = {{0.1, 0},   {0.35, 0.5}, {0.6, 1},      {0.85, 1.5}, {1, 1.8},      {1.1, 2},
                                  {10.6, 21}, {0, -0.2},   {-0.15, -0.5}, {-0.4, -1},  {-0.65, -1.5}, {-0.9, -2}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        assert_close(sqt_sync_position(&walk, &walk_time, expected[i][0]), expected[i][1], 2e-7); // 0.1f is not 0.1
        assert_close(sqt_sync_seconds(&walk, &walk_time, expected[i][1]), expected[i][0], 2e-7);
    }
}

static void first_says_which_foot_the_first_mark_is(void **state) {
    (void)state;
    assert_close(sqt_sync_position(&limp, &limp_time, (double)limp_feet[0]), 1, 0); // its first mark is the second foot
    assert_close(sqt_sync_position(&limp, &limp_time, (double)limp_feet[1]), 2, 0);
    assert_close(sqt_sync_seconds(&limp, &limp_time, 0), (double)limp_feet[1] - 2, 0);
    const sqt_sync late = {NULL, 0, 3};
    assert_close(sqt_sync_position(&late, &limp_time, 0), 3, 0);
    assert_close(sqt_sync_seconds(&late, &limp_time, 4), 2, 0);
}

static void feet_come_down_together_in_clips_of_different_strides(void **state) {
    (void)state;
    // Two loops of the walk hold as many steps as one of the run.
    for (int step = -40; step < 40; ++step) {
        const int cycle = step >= 0 ? step / 4 : -((3 - step) / 4), foot = step - 4 * cycle;
        const double run_seconds = cycle * (double)run_time.duration_seconds + (double)run_feet[foot];
        const double walk_seconds = (cycle * 2 + foot / 2) + (double)walk_feet[foot % 2];
        assert_close(sqt_sync_position(&run, &run_time, run_seconds), step, 1e-13);
        assert_close(sqt_sync_position(&walk, &walk_time, walk_seconds), step, 1e-13);
        assert_close(sqt_sync_seconds(&walk, &walk_time, sqt_sync_position(&run, &run_time, run_seconds)), walk_seconds,
                     1e-13);
    }
}

/// Ascending marks in [0, duration), often one at 0.
static uint32_t random_marks(float *marks, float duration, check_random *random) {
    const uint32_t count = 1 + check_random_below(random, 8);
    for (uint32_t i = 0; i < count; ++i) {
        marks[i] = duration * ((float)i + check_random_float(random, 0, 0.9f)) / (float)count;
    }
    if (check_random_below(random, 2)) marks[0] = 0;
    return count;
}

static double shortest_interval(const float *marks, uint32_t count, float duration) {
    double shortest = (double)marks[0] + (double)duration - (double)marks[count - 1];
    for (uint32_t i = 1; i < count; ++i) shortest = fmin(shortest, (double)marks[i] - (double)marks[i - 1]);
    return shortest;
}

static void position_and_seconds_are_inverses(void **state) {
    (void)state;
    check_random random = {0x5C1};
    print_message("seed 0x5C1\n");
    double worst = 0;
    for (int i = 0; i < 300000; ++i) {
        float marks[8];
        const sqt_timeline timeline = {check_random_float(&random, 0.1f, 10), check_random_below(&random, 3)};
        const double d = (double)timeline.duration_seconds;
        const uint32_t count = random_marks(marks, timeline.duration_seconds, &random);
        const sqt_sync sync = {marks, count, check_random_below(&random, 5)};
        assert_int_equal(sqt_sync_validate(&sync, &timeline, NULL), SQT_OK);
        const double share = shortest_interval(marks, count, timeline.duration_seconds) / d * count;
        const double range = ldexp(1, (int)check_random_below(&random, 25));
        const double seconds = d * range * (double)check_random_float(&random, -1, 1);
        const double there = sqt_sync_position(&sync, &timeline, seconds),
                     back = sqt_sync_seconds(&sync, &timeline, there);
        const double position = range * (double)check_random_float(&random, -1, 1);
        const double time = sqt_sync_seconds(&sync, &timeline, position),
                     again = sqt_sync_position(&sync, &timeline, time);
        const double a = fabs(back - seconds) / fmax(fabs(seconds), d),
                     b = fabs(again - position) / fmax(fabs(position), count + sync.first);
        worst = fmax(worst, fmax(a, b) * share);
        assert_close(back, seconds, 1e-15 * fmax(fabs(seconds), d) / share);
        assert_close(again, position, 1e-15 * fmax(fabs(position), count + sync.first) / share);
    }
    print_message("there and back: %.2g\n", worst);
}

static void position_never_falls_as_time_grows(void **state) {
    (void)state;
    check_random random = {0x5C2};
    print_message("seed 0x5C2\n");
    for (int i = 0; i < 2000; ++i) {
        float marks[8];
        const sqt_timeline timeline = {check_random_float(&random, 0.1f, 3), SQT_LOOP_WRAP};
        const sqt_sync sync = {marks, random_marks(marks, timeline.duration_seconds, &random), 0};
        const double d = (double)timeline.duration_seconds;
        double seconds = d * floor((double)check_random_float(&random, -1, 1) * 1e5);
        double last = sqt_sync_position(&sync, &timeline, seconds);
        for (int k = 0; k < 200; ++k) {
            if (k % 3 == 0) { // to a mark, and around it
                const double loop = floor(seconds / d) + 1;
                seconds = nextafter(loop * d + (double)marks[(uint32_t)k % sync.mark_count], -1e300);
            } else {
                seconds =
                    k % 3 == 1 ? nextafter(seconds, 1e300) : seconds + d * (double)check_random_float(&random, 0, 0.3f);
            }
            const double position = sqt_sync_position(&sync, &timeline, seconds);
            assert_true(position >= last && position - last < 3.0 * sync.mark_count);
            last = position;
        }
    }
}

static void one_member_advances_at_its_own_speed(void **state) {
    (void)state;
    check_random random = {0x5C3};
    print_message("seed 0x5C3\n");
    const sqt_sync_member members[] = {{&run, &run_time, 0}, {&limp, &limp_time, 0.25f}};
    double seconds = 0.2, position = sqt_sync_position(&limp, &limp_time, seconds);
    for (int i = 0; i < 20000; ++i) {
        const double dt = (double)check_random_float(&random, -1, 1.2f) * (i % 100 ? 0.05 : 20);
        seconds += dt;
        assert_int_equal(sqt_sync_advance(&position, members, 2, dt), SQT_OK);
        assert_close(sqt_sync_seconds(&limp, &limp_time, position), seconds, 1e-9);
    }
    assert_true(seconds > 50);
}

static void blended_clips_advance_at_their_weighted_speed(void **state) {
    (void)state;
    const sqt_sync_member members[] = {{&walk, &walk_time, 3}, {&run, &run_time, 1}};
    // From mark 0 to 1: 0.5 s in the walk, 0.3 s in the run: (3 / 0.5 + 1 / 0.3) / 4 = 2.3333333 marks a second.
    double position = 0;
    assert_int_equal(sqt_sync_advance(&position, members, 2, 0.3), SQT_OK);
    assert_close(position, 0.7, 1e-6);
    // The rest of the interval takes 0.128571 s; from mark 1 to 2 it is (3 / 0.5 + 1 / 0.4) / 4 = 2.125 marks a second.
    assert_int_equal(sqt_sync_advance(&position, members, 2, 0.3 / 2.3333333 + 0.2), SQT_OK);
    assert_close(position, 1.425, 1e-6);
    assert_int_equal(sqt_sync_advance(&position, members, 2, -(0.3 / 2.3333333 + 0.5)), SQT_OK);
    assert_close(position, 0, 1e-6);
    assert_int_equal(sqt_sync_advance(&position, members, 2, -0.1), SQT_OK); // 0.35 -> 0.05 over the run's seam: 0.4 s
    assert_close(position, -0.1 * 2.125, 1e-6);
}

static void one_step_is_the_same_as_many(void **state) {
    (void)state;
    check_random random = {0x5C4};
    print_message("seed 0x5C4\n");
    for (int i = 0; i < 500; ++i) {
        const sqt_sync_member members[] = {{&walk, &walk_time, check_random_float(&random, 0, 1)},
                                           {&run, &run_time, check_random_float(&random, 0.01f, 1)},
                                           {&by_phase, &limp_time, check_random_float(&random, 0, 1)}};
        const double start = (double)check_random_float(&random, -100, 100);
        double whole = start, parts = start, sum = 0;
        while (sum < 20) {
            const double dt = (double)check_random_float(&random, 0, 1);
            assert_int_equal(sqt_sync_advance(&parts, members, 3, dt), SQT_OK);
            sum += dt;
        }
        assert_int_equal(sqt_sync_advance(&whole, members, 3, sum), SQT_OK);
        assert_close(parts, whole, 1e-11);
        assert_int_equal(sqt_sync_advance(&whole, members, 3, -sum), SQT_OK);
        assert_close(whole, start, 1e-11);
    }
}

static void a_group_has_the_speed_of_its_ways(void **state) {
    (void)state;
    const sqt_sync_member members[] = {{&walk, &walk_time, 3}, {&run, &run_time, 1}};
    const float speeds[] = {1.2f, 3.5f};
    // From mark 0 to 1 the walk goes 1.2 * 0.5 m and the run 3.5 * 0.3, and there are 2.3333333 marks a second.
    assert_close((double)sqt_sync_speed(members, speeds, 2, 0.25), (3 * 0.6 + 1.05) / 4 * 2.3333333, 1e-6);
    assert_close((double)sqt_sync_speed(members, speeds, 2, -4), (3 * 0.6 + 1.05) / 4 * 2.3333333, 1e-6);
    // From mark 1 to 2, and before 0 and before -2: 0.5 and 0.4 s, 2.125 marks a second.
    assert_close((double)sqt_sync_speed(members, speeds, 2, 1.5), (3 * 0.6 + 1.4) / 4 * 2.125, 1e-6);
    assert_close((double)sqt_sync_speed(members, speeds, 2, -0.01), (3 * 0.6 + 1.4) / 4 * 2.125, 1e-6);
    const sqt_sync_member alone[] = {{&walk, &walk_time, 0}, {&run, &run_time, 0.1f}, {&limp, &limp_time, 0}};
    const float three[] = {1.2f, 3.5f, -0.5f};
    for (int k = 0; k < 4; ++k) assert_close((double)sqt_sync_speed(alone, three, 3, k + 0.5), 3.5, 1e-6);
    assert_close((double)sqt_sync_speed(alone, three, 1, 0), 0, 0); // nothing has a weight
}

static void a_group_travels_at_the_speed_asked_for(void **state) {
    (void)state;
    check_random random = {0x5C7};
    print_message("seed 0x5C7\n");
    double worst = 0, plain = 0;
    for (int round = 0; round < 20000; ++round) {
        const float seconds[] = {check_random_float(&random, 0.3f, 2), check_random_float(&random, 0.3f, 2)};
        const sqt_timeline timelines[] = {{seconds[0], SQT_LOOP_WRAP}, {seconds[1], SQT_LOOP_WRAP}};
        float marks[2][2];
        for (int i = 0; i < 2; ++i) {
            marks[i][0] = seconds[i] * check_random_float(&random, 0, 0.4f);
            marks[i][1] = seconds[i] * check_random_float(&random, 0.5f, 0.9f);
        }
        const sqt_sync syncs[] = {{marks[0], 2, 0}, {marks[1], 2, 0}};
        const sqt_sync_member members[] = {{&syncs[0], &timelines[0], check_random_float(&random, 0.1f, 1)},
                                           {&syncs[1], &timelines[1], check_random_float(&random, 0.1f, 1)}};
        const float speeds[] = {check_random_float(&random, 0.5f, 2), check_random_float(&random, 2, 5)};
        const float wanted = check_random_float(&random, 0.5f, 5);
        // A step within an interval; each clip travels evenly, and the ways are blended as root motion is.
        const double before =
            floor((double)check_random_float(&random, -9, 9)) + (double)check_random_float(&random, 0.01f, 0.5f);
        const double dt = 0.01;
        for (int corrected = 0; corrected < 2; ++corrected) {
            const float speed = sqt_sync_speed(members, speeds, 2, before);
            double position = before, way = 0, total = 0, sum = 0;
            const double rate = corrected ? sqt_clock_rate(speed, wanted) : 1;
            assert_int_equal(sqt_sync_advance(&position, members, 2, dt * rate), SQT_OK);
            if (floor(position) != floor(before)) continue;
            for (int i = 0; i < 2; ++i) {
                const double w = (double)members[i].weight, v = (double)speeds[i];
                way += w * v *
                       (sqt_sync_seconds(&syncs[i], &timelines[i], position) -
                        sqt_sync_seconds(&syncs[i], &timelines[i], before));
                total += w;
                sum += w * v;
            }
            const double travelled = way / total / dt;
            if (corrected) {
                assert_close(travelled, (double)wanted, 1e-6 * (double)wanted);
                worst = fmax(worst, fabs(travelled / (double)wanted - 1));
            } else {
                assert_close(travelled, (double)speed, 1e-6 * (double)speed); // the formula itself
                plain = fmax(plain, fabs(travelled / (sum / total) - 1));
            }
        }
    }
    print_message("off the speed asked for: %.2g; off the weighted sum without the rate: %.2g\n", worst, plain);
    assert_true(plain > 0.2);
}

static void a_group_that_is_wrong_has_no_speed(void **state) {
    (void)state;
    const sqt_timeline none = {0, SQT_LOOP_WRAP};
    const float same[] = {0.5f, 0.5f}, speeds[] = {1, 2}, wrong[] = {NAN, INFINITY};
    const sqt_sync stuck = {same, 2, 0};
    const sqt_sync_member member = {&walk, &walk_time, 1}, negative = {&walk, &walk_time, -1};
    const sqt_sync_member flat[] = {{&walk, &none, 1}, {&stuck, &walk_time, 1}, {NULL, &walk_time, 1}};
    assert_close((double)sqt_sync_speed(&member, speeds, 1, 0), 1, 1e-6);
    assert_close((double)sqt_sync_speed(NULL, speeds, 1, 0), 0, 0);
    assert_close((double)sqt_sync_speed(&member, NULL, 1, 0), 0, 0);
    assert_close((double)sqt_sync_speed(&member, speeds, 0, 0), 0, 0);
    assert_close((double)sqt_sync_speed(&member, wrong, 1, 0), 0, 0);
    assert_close((double)sqt_sync_speed(&member, wrong + 1, 1, 0), 0, 0);
    assert_close((double)sqt_sync_speed(&member, speeds, 1, (double)NAN), 0, 0);
    assert_close((double)sqt_sync_speed(&member, speeds, 1, 1e300), 0, 0);
    assert_close((double)sqt_sync_speed(&negative, speeds, 1, 0), 0, 0);
    for (int i = 0; i < 3; ++i) assert_close((double)sqt_sync_speed(flat + i, speeds, 1, 0), 0, 0);
}

static void a_change_of_leader_does_not_jump_and_keeps_the_feet(void **state) {
    (void)state;
    check_random random = {0x5C5};
    print_message("seed 0x5C5\n");
    const sqt_sync *const syncs[] = {&walk, &run, &limp};
    const sqt_timeline *const timelines[] = {&walk_time, &run_time, &limp_time};
    double seconds[3] = {0}, last = 0;
    uint32_t leader = 0;
    const double dt = 1.0 / 60;
    for (int frame = 0; frame < 100000; ++frame) {
        if (check_random_below(&random, 20) == 0) leader = check_random_below(&random, 3);
        seconds[leader] += dt;
        const double position = sqt_sync_position(syncs[leader], timelines[leader], seconds[leader]);
        for (uint32_t i = 0; i < 3; ++i) {
            if (i != leader) seconds[i] = sqt_sync_seconds(syncs[i], timelines[i], position);
            assert_close(sqt_sync_position(syncs[i], timelines[i], seconds[i]), position, 1e-8); // the same foot
        }
        if (frame > 0) { // the shortest interval of all is 0.2 s
            assert_true(position > last && position - last < dt / 0.2 + 1e-6);
        }
        last = position;
    }
    assert_true(last > 2000);
}

static void a_walk_sped_up_to_a_run_keeps_its_feet(void **state) {
    (void)state;
    double position = 0, last_walk = sqt_sync_seconds(&walk, &walk_time, 0);
    for (int frame = 0; frame < 600; ++frame) { // ten seconds of cross-fade
        const float weight = (float)frame / 600;
        const sqt_sync_member members[] = {{&walk, &walk_time, 1 - weight}, {&run, &run_time, weight}};
        assert_int_equal(sqt_sync_advance(&position, members, 2, 1.0 / 60), SQT_OK);
        const double walk_seconds = sqt_sync_seconds(&walk, &walk_time, position);
        const double run_seconds = sqt_sync_seconds(&run, &run_time, position);
        assert_close(sqt_sync_position(&walk, &walk_time, walk_seconds), position, 1e-13);
        assert_close(sqt_sync_position(&run, &run_time, run_seconds), position, 1e-13);
        // Never slower than the walk itself, never faster than the walk at the run's shortest step.
        assert_true(walk_seconds - last_walk > 1.0 / 60 - 1e-6 && walk_seconds - last_walk < 0.5 / 0.3 / 60 + 1e-6);
        last_walk = walk_seconds;
    }
    assert_true(position > 20 && position < 27); // between ten seconds of walking, 20 steps, and of running
}

static void weights_of_zero_stand_still(void **state) {
    (void)state;
    const sqt_sync_member members[] = {{&walk, &walk_time, 0}, {&run, &run_time, 0}};
    double position = 3.25;
    assert_int_equal(sqt_sync_advance(&position, members, 2, 5), SQT_OK);
    assert_close(position, 3.25, 0);
}

static void what_is_wrong_is_an_error_and_changes_nothing(void **state) {
    (void)state;
    const sqt_timeline none = {0, SQT_LOOP_WRAP}, negative = {-1, SQT_LOOP_WRAP}, bad_loop = {1, 3};
    const float same[] = {0.5f, 0.5f};
    const sqt_sync stuck = {same, 2, 0};
    double position = 0.5;
    sqt_sync_member member = {&walk, &walk_time, 1};
    assert_int_equal(sqt_sync_advance(NULL, &member, 1, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_sync_advance(&position, NULL, 1, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_sync_advance(&position, &member, 0, 1), SQT_ERROR_COUNT);
    assert_int_equal(sqt_sync_advance(&position, &member, 1, (double)NAN), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_sync_advance(&position, &member, 1, (double)INFINITY), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_sync_advance(&position, &member, 1, 1e6), SQT_ERROR_NUMBER); // two million steps
    assert_int_equal(sqt_sync_advance(&position, &member, 1, -1e6), SQT_ERROR_NUMBER);
    const float weights[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; ++i) {
        member.weight = weights[i];
        assert_int_equal(sqt_sync_advance(&position, &member, 1, 1), SQT_ERROR_NUMBER);
    }
    const sqt_sync_member wrong[] = {
        {&walk, &none, 1}, {&walk, &negative, 1}, {&walk, &bad_loop, 1}, {&stuck, &walk_time, 1}};
    for (int i = 0; i < 4; ++i) assert_int_equal(sqt_sync_advance(&position, wrong + i, 1, 1), SQT_ERROR_NUMBER);
    const sqt_sync_member missing[] = {{NULL, &walk_time, 1}, {&walk, NULL, 1}};
    for (int i = 0; i < 2; ++i) assert_int_equal(sqt_sync_advance(&position, missing + i, 1, 1), SQT_ERROR_NULL);
    assert_close(position, 0.5, 0);
    position = 1e16;
    member.weight = 1;
    assert_int_equal(sqt_sync_advance(&position, &member, 1, 1), SQT_ERROR_NUMBER);
    position = 4e15;
    assert_int_equal(sqt_sync_advance(&position, &member, 1, 0.001), SQT_ERROR_NUMBER);
    position = (double)NAN;
    assert_int_equal(sqt_sync_advance(&position, &member, 1, 1), SQT_ERROR_NUMBER);
    assert_close(sqt_sync_position(NULL, &walk_time, 1), 0, 0);
    assert_close(sqt_sync_position(&limp, NULL, 1), 1, 0);
    assert_close(sqt_sync_position(&limp, &none, 1), 1, 0);
    assert_close(sqt_sync_position(&walk, &walk_time, (double)NAN), 0, 0);
    assert_close(sqt_sync_seconds(NULL, &walk_time, 1), 0, 0);
    assert_close(sqt_sync_seconds(&walk, &none, 1), 0, 0);
    assert_close(sqt_sync_seconds(&walk, &walk_time, (double)INFINITY), 0, 0);
    // Neither hostile marks nor huge numbers read beyond the marks.
    const float hostile[] = {NAN, 5, -1, INFINITY};
    const sqt_sync strange = {hostile, 4, 0xFFFFFFFFu}, three = {run_feet, 3, 0};
    const double numbers[] = {0, 1e15, -1e15, 1e300, -1e300};
    for (int i = 0; i < 5; ++i) {
        (void)sqt_sync_position(&strange, &walk_time, numbers[i]);
        (void)sqt_sync_seconds(&strange, &walk_time, numbers[i]);
        (void)sqt_sync_seconds(&three, &walk_time, numbers[i]);
    }
}

static void validation_names_what_is_wrong(void **state) {
    (void)state;
    const sqt_timeline none = {0, SQT_LOOP_WRAP}, bad_loop = {1, 3}, no_number = {NAN, SQT_LOOP_WRAP};
    const sqt_sync missing = {NULL, 2, 0};
    sqt_fault fault;
    assert_int_equal(sqt_sync_validate(&walk, &walk_time, &fault), SQT_OK);
    assert_int_equal(sqt_sync_validate(&by_phase, &walk_time, NULL), SQT_OK);
    assert_int_equal(sqt_sync_validate(NULL, &walk_time, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "sync", 0, 0);
    assert_int_equal(sqt_sync_validate(&walk, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "timeline", 0, 0);
    assert_int_equal(sqt_sync_validate(&missing, &walk_time, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "marks", 0, 0);
    assert_int_equal(sqt_sync_validate(&walk, &bad_loop, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "loop", 0, 0);
    assert_int_equal(sqt_sync_validate(&walk, &none, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "duration_seconds", 0, 0);
    assert_int_equal(sqt_sync_validate(&walk, &no_number, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "duration_seconds", 0, 0);
    const float wrong[] = {-0.1f, 1, NAN, INFINITY};
    for (uint32_t i = 0; i < 4; ++i) {
        float marks[4] = {0.1f, 0.2f, 0.3f, 0.4f};
        const sqt_sync sync = {marks, 4, 0};
        marks[i] = wrong[i];
        assert_int_equal(sqt_sync_validate(&sync, &walk_time, &fault), SQT_ERROR_NUMBER);
        assert_fault(fault, "marks", 0, i);
    }
    const float equal[] = {0, 0.5f, 0.5f};
    const sqt_sync twice = {equal, 3, 0};
    assert_int_equal(sqt_sync_validate(&twice, &walk_time, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "marks", 0, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_marks_clips_are_in_step_by_phase),
        cmocka_unit_test(a_position_counts_the_marks_passed),
        cmocka_unit_test(first_says_which_foot_the_first_mark_is),
        cmocka_unit_test(feet_come_down_together_in_clips_of_different_strides),
        cmocka_unit_test(position_and_seconds_are_inverses),
        cmocka_unit_test(position_never_falls_as_time_grows),
        cmocka_unit_test(one_member_advances_at_its_own_speed),
        cmocka_unit_test(blended_clips_advance_at_their_weighted_speed),
        cmocka_unit_test(one_step_is_the_same_as_many),
        cmocka_unit_test(a_group_has_the_speed_of_its_ways),
        cmocka_unit_test(a_group_travels_at_the_speed_asked_for),
        cmocka_unit_test(a_group_that_is_wrong_has_no_speed),
        cmocka_unit_test(a_change_of_leader_does_not_jump_and_keeps_the_feet),
        cmocka_unit_test(a_walk_sped_up_to_a_run_keeps_its_feet),
        cmocka_unit_test(weights_of_zero_stand_still),
        cmocka_unit_test(what_is_wrong_is_an_error_and_changes_nothing),
        cmocka_unit_test(validation_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
