// Events: hand-counted cases, and a second way to count (a walk over every occurrence) for random tracks, cuts of time,
// directions and loop policies.
#include "check.h"

enum { CAPACITY = 64 };

static const sqt_timeline clamped = {1, SQT_LOOP_CLAMP}, wrapped = {1, SQT_LOOP_WRAP},
                          ping_pong = {1, SQT_LOOP_PING_PONG};
static const sqt_event four[] = {{0, 1}, {0.25f, 2}, {0.75f, 3}, {1, 4}};
static const sqt_event_track track = {four, 4};

/// Plays from *last to a time; the ids that fired, as digits.
static const char *fired(const sqt_timeline *timeline, const sqt_event_track *events, double *last, double to) {
    static char digits[CAPACITY + 1];
    sqt_event out[CAPACITY];
    uint32_t count = 99;
    assert_int_equal(sqt_event_collect(out, &count, events, timeline, CAPACITY, last, to), SQT_OK);
    assert_true(count <= CAPACITY);
    assert_close(*last, to, 0);
    for (uint32_t i = 0; i < count; ++i) digits[i] = (char)('0' + out[i].id);
    digits[count] = 0;
    return digits;
}

static void an_event_fires_as_time_passes_it(void **state) {
    (void)state;
    double last = 0;
    assert_string_equal(fired(&wrapped, &track, &last, 0.25), "1"); // what lies at the instant reached is still to come
    assert_string_equal(fired(&wrapped, &track, &last, 0.25), "");
    assert_string_equal(fired(&wrapped, &track, &last, 0.5), "2");
    assert_string_equal(fired(&wrapped, &track, &last, 1.25), "341");
    assert_string_equal(fired(&wrapped, &track, &last, 3.5), "234123412");
}

static void backwards_mirrors_forwards(void **state) {
    (void)state;
    double last = 1.25;
    assert_string_equal(fired(&wrapped, &track, &last, 0.75), "214");
    assert_string_equal(fired(&wrapped, &track, &last, 0.75), "");
    assert_string_equal(fired(&wrapped, &track, &last, 0.7), "3");
    assert_string_equal(fired(&wrapped, &track, &last, -1.5), "21432143");
}

static void a_turn_fires_what_lies_at_it_once_a_pass(void **state) {
    (void)state;
    double last = 0.2;
    assert_string_equal(fired(&wrapped, &track, &last, 0.25), "");
    assert_string_equal(fired(&wrapped, &track, &last, 0.2), "2"); // leaves 0.25 backwards
    assert_string_equal(fired(&wrapped, &track, &last, 0.3), "2");
    assert_string_equal(fired(&wrapped, &track, &last, 0.2), "2");
}

static void a_seek_is_an_assignment_and_fires_nothing(void **state) {
    (void)state;
    double last = 0.5;
    last = 7.9;
    assert_string_equal(fired(&wrapped, &track, &last, 8.1), "41");
    last = 0.5;
    assert_string_equal(fired(&wrapped, &track, &last, 0.8), "3");
}

static void the_seam_counts_once_a_loop_for_every_step(void **state) {
    (void)state;
    const double steps[] = {1.0 / 64, 0.25, 1, 2.5, 10};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        for (int backwards = 0; backwards < 2; ++backwards) {
            double last = backwards ? 10 : 0;
            uint32_t counts[5] = {0}, total = 0;
            while (backwards ? last > 0 : last < 10) {
                const char *ids = fired(&wrapped, &track, &last, last + (backwards ? -steps[i] : steps[i]));
                for (; *ids; ++ids, ++total) ++counts[*ids - '0'];
            }
            for (uint32_t id = 1; id <= 4; ++id) assert_int_equal(counts[id], 10);
            assert_int_equal(total, 40);
        }
    }
}

static void the_order_across_the_seam_is_that_of_playing(void **state) {
    (void)state;
    static const sqt_event events[] = {{0, 1}, {0.02f, 2}, {0.97f, 3}, {1, 4}};
    const sqt_event_track seam = {events, 4};
    double last = 0.95;
    assert_string_equal(fired(&wrapped, &seam, &last, 1.05), "3412");
    assert_string_equal(fired(&wrapped, &seam, &last, 0.95), "2143");
}

static void the_end_of_a_loop_is_an_instant_before_the_seam(void **state) {
    (void)state;
    double last = 1.5;
    assert_string_equal(fired(&wrapped, &track, &last, nextafter(1, 0)), "21");
    assert_string_equal(fired(&wrapped, &track, &last, 0.9), "4");
    last = 0.5;
    assert_string_equal(fired(&wrapped, &track, &last, -1e-17), "21");
    assert_string_equal(fired(&wrapped, &track, &last, -0.1), "4");
    last = -0.5;
    assert_string_equal(fired(&wrapped, &track, &last, nextafter(-1, -2)), "21");
    assert_string_equal(fired(&wrapped, &track, &last, -1.1), "4");
}

static void events_of_one_time_keep_their_order(void **state) {
    (void)state;
    static const sqt_event events[] = {{0.5f, 1}, {0.5f, 2}, {0.5f, 3}};
    const sqt_event_track same = {events, 3};
    double last = 0;
    assert_string_equal(fired(&wrapped, &same, &last, 2), "123123");
    assert_string_equal(fired(&wrapped, &same, &last, 0), "321321");
}

static void a_clamped_clip_fires_its_end_once(void **state) {
    (void)state;
    double last = 0;
    assert_string_equal(fired(&clamped, &track, &last, 1), "1234"); // arriving, so that a clock held there has fired it
    assert_string_equal(fired(&clamped, &track, &last, 1), "");
    assert_string_equal(fired(&clamped, &track, &last, 100), "");
    assert_string_equal(fired(&clamped, &track, &last, 0.5), "43");
    assert_string_equal(fired(&clamped, &track, &last, 0), "21");
    assert_string_equal(fired(&clamped, &track, &last, -5), "");
    assert_string_equal(fired(&clamped, &track, &last, 9), "1234");
    last = -1;
    assert_string_equal(fired(&clamped, &track, &last, 0), "");
    assert_string_equal(fired(&clamped, &track, &last, 0.1), "1");
}

static void a_clock_that_ends_has_fired_every_loop_and_no_more(void **state) {
    (void)state;
    const sqt_timeline *const timelines[] = {&clamped, &wrapped};
    for (int i = 0; i < 2; ++i) {
        for (int backwards = 0; backwards < 2; ++backwards) {
            const uint32_t loops = i == 0 ? 1 : 3;
            sqt_clock clock;
            assert_int_equal(sqt_clock_start(&clock, timelines[i], 5, backwards ? -1 : 1, loops), SQT_OK);
            double last = clock.local_seconds;
            char all[64] = "";
            for (int frame = 1; frame < 400; ++frame) {
                const double local = sqt_clock_local(&clock, timelines[i], 5 + frame / 60.0);
                strcat(all, fired(timelines[i], &track, &last, local));
            }
            assert_true(sqt_clock_done(&clock, timelines[i], 5 + 400 / 60.0));
            assert_string_equal(all, backwards ? (i ? "432143214321" : "4321") : (i ? "123412341234" : "1234"));
        }
    }
}

static void a_ping_pong_fires_there_and_back_and_once_a_turn(void **state) {
    (void)state;
    double last = 0;
    assert_string_equal(fired(&ping_pong, &track, &last, 1), "123");
    assert_string_equal(fired(&ping_pong, &track, &last, 2), "432");
    assert_string_equal(fired(&ping_pong, &track, &last, 4.5), "12343212");
    assert_string_equal(fired(&ping_pong, &track, &last, 0), "2123432123432");
}

static void a_clip_of_no_length_fires_nothing(void **state) {
    (void)state;
    static const sqt_event at_zero[] = {{0, 1}};
    const sqt_event_track one = {at_zero, 1};
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        const sqt_timeline none = {0, loop};
        double last = -3;
        assert_string_equal(fired(&none, &one, &last, 1e300), "");
        assert_string_equal(fired(&none, &one, &last, -1e300), "");
    }
}

// A second way: every occurrence of every event, one after another, against the interval

typedef struct occurrence {
    double seconds;
    uint32_t index;
    bool end, start; // of a loop that does not turn
} occurrence;

/// Forwards over loops -4..4, in order.
static uint32_t list_occurrences(occurrence *list, const sqt_timeline *timeline, const sqt_event_track *events) {
    const double d = (double)timeline->duration_seconds;
    uint32_t count = 0;
    for (int loop = -4; loop <= 4; ++loop) {
        if (timeline->loop == SQT_LOOP_CLAMP && loop != 0) continue;
        const double start = loop * (timeline->loop == SQT_LOOP_PING_PONG ? 2 * d : d);
        for (uint32_t i = 0; i < events->event_count; ++i) {
            const bool turns = timeline->loop == SQT_LOOP_PING_PONG;
            const double t = (double)events->events[i].seconds;
            list[count++] = (occurrence){start + t, i, !turns && t == d, !turns && t == 0};
        }
        if (timeline->loop != SQT_LOOP_PING_PONG) continue;
        for (uint32_t i = events->event_count; i-- > 0;) {
            const double t = (double)events->events[i].seconds;
            if (t > 0 && t < d) list[count++] = (occurrence){start + 2 * d - t, i, false, false};
        }
    }
    return count;
}

static bool fires(const occurrence *o, double from, double to) {
    if (to > from) return o->end ? from < o->seconds && o->seconds <= to : from <= o->seconds && o->seconds < to;
    return o->start ? to <= o->seconds && o->seconds < from : to < o->seconds && o->seconds <= from;
}

/// Random times on a grid of sixteenths, so that many cuts fall on events and seams; no rounding anywhere.
static void any_cut_of_time_fires_what_a_walk_over_all_occurrences_finds(void **state) {
    (void)state;
    check_random random = {0xE7E2};
    print_message("seed 0xE7E2\n");
    for (int round = 0; round < 20000; ++round) {
        const sqt_timeline timeline = {(float)(1 + check_random_below(&random, 16)) / 8,
                                       check_random_below(&random, 3)};
        const uint32_t sixteenths = (uint32_t)(timeline.duration_seconds * 16);
        sqt_event events[6];
        const sqt_event_track random_track = {events, check_random_below(&random, 7)};
        for (uint32_t i = 0; i < random_track.event_count; ++i) {
            const uint32_t last = i ? (uint32_t)(events[i - 1].seconds * 16) : 0;
            events[i].seconds = (float)(last + check_random_below(&random, sixteenths + 1 - last)) / 16;
            events[i].id = i + 1;
        }
        occurrence list[9 * 12];
        const uint32_t count = list_occurrences(list, &timeline, &random_track);
        double last = 0;
        for (int step = 0; step < 8; ++step) {
            const double to = ((double)check_random_below(&random, 6 * sixteenths) - 3 * sixteenths) / 16;
            char expected[9 * 12 + 1];
            uint32_t length = 0;
            for (uint32_t k = 0; k < count; ++k) {
                const occurrence *const o = list + (to > last ? k : count - 1 - k);
                if (to == last || !fires(o, last, to)) continue;
                expected[length++] = (char)('1' + o->index);
            }
            expected[length] = 0;
            assert_string_equal(fired(&timeline, &random_track, &last, to), expected);
        }
    }
}

static void every_cut_of_a_random_way_fires_each_event_once(void **state) {
    (void)state;
    check_random random = {0xE7E3};
    print_message("seed 0xE7E3\n");
    for (int round = 0; round < 3000; ++round) {
        const uint32_t loop = check_random_below(&random, 3);
        const sqt_timeline timeline = {check_random_float(&random, 0.01f, 3), loop};
        const double d = (double)timeline.duration_seconds;
        sqt_event events[5];
        const sqt_event_track random_track = {events, 5};
        for (uint32_t i = 0; i < 5; ++i) events[i].id = i;
        events[0].seconds = 0;
        events[1].seconds = check_random_float(&random, 0, timeline.duration_seconds);
        events[2].seconds = check_random_float(&random, events[1].seconds, timeline.duration_seconds);
        events[3].seconds = nextafterf(timeline.duration_seconds, 0);
        events[4].seconds = timeline.duration_seconds;
        const double away = floor(ldexp(1, (int)check_random_below(&random, 40))) * d; // far from 0, where sums round
        const double start = loop == SQT_LOOP_CLAMP ? -d : away, end = start + (loop == SQT_LOOP_CLAMP ? 3 : 10) * d;
        for (int backwards = 0; backwards < 2; ++backwards) {
            const double from = backwards ? end : start, to = backwards ? start : end;
            double last = from;
            sqt_event out[256];
            uint32_t whole_count, count;
            uint32_t whole[5] = {0}, parts[5] = {0};
            assert_int_equal(sqt_event_collect(out, &whole_count, &random_track, &timeline, 256, &last, to), SQT_OK);
            for (uint32_t i = 0; i < whole_count; ++i) ++whole[out[i].id];
            last = from;
            while (last != to) {
                double next = last + (backwards ? -d : d) * (double)check_random_float(&random, 0, 0.7f);
                if (check_random_below(&random, 3) == 0) { // to a seam, or a few ulps off it
                    next = floor(next / d) * d;
                    if (check_random_below(&random, 2))
                        next = nextafter(next, check_random_below(&random, 2) ? 1e300 : -1e300);
                }
                if (backwards ? next > last : next < last) next = last;
                if (backwards ? next < to : next > to) next = to;
                assert_int_equal(sqt_event_collect(out, &count, &random_track, &timeline, 256, &last, next), SQT_OK);
                for (uint32_t i = 0; i < count; ++i) ++parts[out[i].id];
            }
            assert_memory_equal(parts, whole, sizeof whole);
            for (uint32_t i = 0; i < 5 && away < 0x1p30 * d; ++i) {
                const bool once_a_turn = loop == SQT_LOOP_PING_PONG && (i == 0 || i == 4);
                const uint32_t expected = loop == SQT_LOOP_CLAMP ? 1 : once_a_turn ? 5 : 10;
                // A turn at the very end of the way is still to come, or has been before it.
                const uint32_t slack = loop == SQT_LOOP_CLAMP ? 0 : 1;
                assert_true(whole[i] + slack >= expected && whole[i] <= expected + slack);
            }
        }
    }
}

static void too_many_lose_nothing_and_say_how_many(void **state) {
    (void)state;
    double last = 0.5;
    sqt_event out[3] = {{9, 9}, {9, 9}, {9, 9}};
    uint32_t count = 0;
    assert_int_equal(sqt_event_collect(out, &count, &track, &wrapped, 3, &last, 2.5), SQT_ERROR_SPACE);
    assert_int_equal(count, 8);
    assert_close(last, 0.5, 0);
    assert_int_equal(out[0].id, 9);
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 0, &last, 2.5), SQT_ERROR_SPACE);
    assert_int_equal(count, 8);
    assert_string_equal(fired(&wrapped, &track, &last, 2.5), "34123412");
    last = 0;
    assert_int_equal(sqt_event_collect(out, &count, &track, &wrapped, 3, &last, 0.9), SQT_OK); // exactly as many as fit
    assert_int_equal(count, 3);
    assert_int_equal(out[2].id, 3);
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 0, &last, 0.95), SQT_OK);
    assert_int_equal(count, 0);
}

static void counts_of_many_loops_are_arithmetic_and_saturate(void **state) {
    (void)state;
    double last = 0;
    uint32_t count = 0;
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 0, &last, 1e6), SQT_ERROR_SPACE);
    assert_int_equal(count, 4000000);
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 0, &last, -1e6 - 0.5), SQT_ERROR_SPACE);
    assert_int_equal(count, 4000002);
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &ping_pong, 0, &last, 2e6), SQT_ERROR_SPACE);
    assert_int_equal(count, 6000000);
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 0, &last, 1e14), SQT_ERROR_SPACE);
    assert_true(count == UINT32_MAX);
    last = -1e15;
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 0, &last, 1e15), SQT_ERROR_SPACE);
    assert_true(count == UINT32_MAX);
    last = 1e15; // few events far away
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 0, &last, 1e15 + 2), SQT_ERROR_SPACE);
    assert_int_equal(count, 8);
}

static void what_is_wrong_is_an_error_and_changes_nothing(void **state) {
    (void)state;
    const sqt_timeline bad_loop = {1, 3}, negative = {-1, SQT_LOOP_WRAP}, no_number = {INFINITY, SQT_LOOP_WRAP};
    const sqt_event_track empty = {NULL, 0}, missing = {NULL, 2};
    sqt_event out[4] = {{9, 9}, {9, 9}, {9, 9}, {9, 9}};
    uint32_t count = 77;
    double last = 0.1;
    assert_int_equal(sqt_event_collect(NULL, &count, &track, &wrapped, 4, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_event_collect(out, NULL, &track, &wrapped, 4, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_event_collect(out, &count, NULL, &wrapped, 4, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_event_collect(out, &count, &missing, &wrapped, 4, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_event_collect(out, &count, &track, NULL, 4, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_event_collect(out, &count, &track, &wrapped, 4, NULL, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_event_collect(out, &count, &track, &bad_loop, 4, &last, 1), SQT_ERROR_FLAG);
    assert_int_equal(sqt_event_collect(out, &count, &track, &negative, 4, &last, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_event_collect(out, &count, &track, &no_number, 4, &last, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_event_collect(out, &count, &track, &wrapped, 4, &last, (double)NAN), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_event_collect(out, &count, &track, &wrapped, 4, &last, (double)INFINITY), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_event_collect(out, &count, &track, &wrapped, 4, &last, 1e16), SQT_ERROR_NUMBER);
    assert_close(last, 0.1, 0);
    last = (double)NAN;
    assert_int_equal(sqt_event_collect(out, &count, &track, &wrapped, 4, &last, 1), SQT_ERROR_NUMBER);
    assert_int_equal(count, 77);
    assert_int_equal(out[0].id, 9);
    last = 0;
    assert_int_equal(sqt_event_collect(out, &count, &empty, &wrapped, 4, &last, 1), SQT_OK);
    assert_int_equal(count, 0);
    assert_close(last, 1, 0);
    static const sqt_event outside[] = {{-0.5f, 1}, {NAN, 2}, {0.5f, 3}, {1.5f, 4}, {INFINITY, 5}};
    const sqt_event_track strange = {outside, 5};
    last = 0;
    assert_string_equal(fired(&wrapped, &strange, &last, 3), "333");
    assert_string_equal(fired(&ping_pong, &strange, &last, 1), "33");
}

static void validation_names_what_is_wrong(void **state) {
    (void)state;
    const sqt_timeline bad_loop = {1, 3}, negative = {-1, SQT_LOOP_WRAP};
    const sqt_event_track missing = {NULL, 2}, empty = {NULL, 0};
    sqt_fault fault;
    assert_int_equal(sqt_event_validate(&track, &wrapped, &fault), SQT_OK);
    assert_int_equal(sqt_event_validate(&empty, &wrapped, NULL), SQT_OK);
    assert_int_equal(sqt_event_validate(NULL, &wrapped, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "track", 0, 0);
    assert_int_equal(sqt_event_validate(&track, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "timeline", 0, 0);
    assert_int_equal(sqt_event_validate(&missing, &wrapped, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "events", 0, 0);
    assert_int_equal(sqt_event_validate(&track, &bad_loop, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "loop", 0, 0);
    assert_int_equal(sqt_event_validate(&track, &negative, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "duration_seconds", 0, 0);
    sqt_event events[4];
    const sqt_event_track edited = {events, 4};
    const float wrong[] = {-1e-6f, 1.0000001f, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        memcpy(events, four, sizeof events);
        events[i].seconds = wrong[i];
        assert_int_equal(sqt_event_validate(&edited, &wrapped, &fault), SQT_ERROR_NUMBER);
        assert_fault(fault, "events", (uint32_t)i, 0);
    }
    memcpy(events, four, sizeof events);
    events[2].seconds = 0.2f;
    assert_int_equal(sqt_event_validate(&edited, &wrapped, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "events", 2, 0);
    events[0].seconds = 0.3f;
    assert_int_equal(sqt_event_validate(&edited, &wrapped, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "events", 1, 0);
    events[0].seconds = 0;
    events[2].seconds = 0.25f;
    assert_int_equal(sqt_event_validate(&edited, &wrapped, &fault), SQT_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_fires_as_time_passes_it),
        cmocka_unit_test(backwards_mirrors_forwards),
        cmocka_unit_test(a_turn_fires_what_lies_at_it_once_a_pass),
        cmocka_unit_test(a_seek_is_an_assignment_and_fires_nothing),
        cmocka_unit_test(the_seam_counts_once_a_loop_for_every_step),
        cmocka_unit_test(the_order_across_the_seam_is_that_of_playing),
        cmocka_unit_test(the_end_of_a_loop_is_an_instant_before_the_seam),
        cmocka_unit_test(events_of_one_time_keep_their_order),
        cmocka_unit_test(a_clamped_clip_fires_its_end_once),
        cmocka_unit_test(a_clock_that_ends_has_fired_every_loop_and_no_more),
        cmocka_unit_test(a_ping_pong_fires_there_and_back_and_once_a_turn),
        cmocka_unit_test(a_clip_of_no_length_fires_nothing),
        cmocka_unit_test(any_cut_of_time_fires_what_a_walk_over_all_occurrences_finds),
        cmocka_unit_test(every_cut_of_a_random_way_fires_each_event_once),
        cmocka_unit_test(too_many_lose_nothing_and_say_how_many),
        cmocka_unit_test(counts_of_many_loops_are_arithmetic_and_saturate),
        cmocka_unit_test(what_is_wrong_is_an_error_and_changes_nothing),
        cmocka_unit_test(validation_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
