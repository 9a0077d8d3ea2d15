// The examples of a character's frame, run at 60 frames a second and measured: what they promise is seen in the motion.
#include <stdlib.h>

#include "character.h"
#include "check_pose.h"
#include "demo_clips.h"
#include "locomotion.h"

enum { JOINTS = 29, BLOCKS = SQT_POSE_BLOCKS(JOINTS), MAX_FRAMES = 600 };

/// A demo from its beginning to its end: every frame.
typedef struct film {
    uint32_t frame_count;
    double seconds[MAX_FRAMES];
    sqt_pose_block poses[MAX_FRAMES][BLOCKS];
    sqt_transform places[MAX_FRAMES];
    sqt_vec3 joints[MAX_FRAMES][JOINTS]; ///< in the world
    void *state;                         ///< at the end
} film;

static asset character;

static int make(void **state) {
    (void)state;
    return character_make(&character) ? 0 : -1;
}

static int unmake(void **state) {
    (void)state;
    asset_free(&character);
    return 0;
}

static uint32_t joint_named(const char *name) {
    const uint32_t joint = sqt_skeleton_find(&character.skeleton, name);
    assert_int_not_equal(joint, SQT_NO_JOINT);
    return joint;
}

static film *run(const demo *d) {
    film *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->state = calloc(1, d->state_bytes);
    assert_non_null(f->state);
    assert_true(d->start(f->state, &character));
    for (uint32_t i = 0; i < MAX_FRAMES && i / 60.0 <= d->seconds; ++i) {
        f->seconds[i] = i / 60.0;
        memset(f->poses[i], 0xFF, sizeof f->poses[i]);
        assert_true(d->frame(f->poses[i], &f->places[i], &character, f->state, f->seconds[i]));
        sqt_mat4 global[JOINTS];
        const sqt_mat4 place = sqt_mat4_from_transform(f->places[i]);
        assert_int_equal(sqt_global_from_local(global, &character.skeleton, f->poses[i], &place), SQT_OK);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const sqt_vec3 at = {global[j].m[12], global[j].m[13], global[j].m[14]};
            f->joints[i][j] = at;
        }
        f->frame_count = i + 1;
    }
    return f;
}

static void film_free(film *f) {
    free(f->state);
    free(f);
}

static double distance(sqt_vec3 a, sqt_vec3 b) {
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/// The largest step of any joint from one frame to the next, from one time up to another.
static double largest_step(const film *f, double from, double to) {
    double most = 0;
    for (uint32_t i = 1; i < f->frame_count; ++i) {
        if (f->seconds[i] < from || f->seconds[i] > to) continue;
        for (uint32_t j = 0; j < JOINTS; ++j) most = fmax(most, distance(f->joints[i][j], f->joints[i - 1][j]));
    }
    return most;
}

/// The largest change of such a step from one frame to the next: a jump is a large one.
static double largest_jerk(const film *f, double from, double to) {
    double most = 0;
    for (uint32_t i = 2; i < f->frame_count; ++i) {
        if (f->seconds[i] < from || f->seconds[i] > to) continue;
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const sqt_vec3 a = f->joints[i - 2][j], b = f->joints[i - 1][j], c = f->joints[i][j];
            const sqt_vec3 straight = {2 * b.x - a.x, 2 * b.y - a.y, 2 * b.z - a.z};
            most = fmax(most, distance(c, straight));
        }
    }
    return most;
}

// ---- Layers

static void the_legs_of_the_layers_run_while_the_arm_waves(void **state) {
    (void)state;
    film *const f = run(&demo_layers);
    static const char *const legs[] = {"root", "pelvis", "thigh.l", "shin.l", "foot.r", "toes.r", "upper_arm.l"};
    for (uint32_t i = 0; i < f->frame_count; ++i) {
        sqt_pose_block running[BLOCKS];
        demo_sample(running, &character, DEMO_RUN, f->seconds[i]);
        for (size_t k = 0; k < sizeof legs / sizeof *legs; ++k) {
            const uint32_t j = joint_named(legs[k]);
            check_assert_transform(sqt_pose_get(f->poses[i], j), sqt_pose_get(running, j), 0);
        }
        // The wave has the right arm to itself once it has come, and nothing of it before it comes and after it went.
        const uint32_t arm = joint_named("forearm.r");
        sqt_pose_block waving[BLOCKS];
        demo_sample(waving, &character, DEMO_WAVE, f->seconds[i] * 0.7 + 0.3);
        const sqt_transform shown = sqt_pose_get(f->poses[i], arm);
        if (f->seconds[i] > 0.9 && f->seconds[i] < 3) {
            check_assert_transform(shown, sqt_pose_get(waving, arm), 1e-6);
        }
        if (f->seconds[i] < 0.4 || f->seconds[i] > 3.5) {
            check_assert_transform(shown, sqt_pose_get(running, arm), 1e-6);
        }
        // The lean stands on top: spine * lean.
        sqt_pose_block leaning[BLOCKS];
        demo_sample(leaning, &character, DEMO_LEAN, f->seconds[i] * 0.5);
        const uint32_t spine = joint_named("spine_2");
        assert_rotation_close(
            sqt_pose_get(f->poses[i], spine).rotation,
            sqt_quat_multiply(sqt_pose_get(running, spine).rotation, sqt_pose_get(leaning, spine).rotation), 1e-6);
    }
    film_free(f);
}

static void layers_do_not_jump(void **state) {
    (void)state;
    film *const f = run(&demo_layers);
    const double alone = largest_jerk(f, 0, 0.4); // the run by itself
    assert_true(largest_jerk(f, 0.4, 4) < 2 * alone);
    assert_true(largest_step(f, 0.4, 4) < 2 * largest_step(f, 0, 0.4));
    film_free(f);
}

// ---- Transitions

static void transitions_do_not_jump(void **state) {
    (void)state;
    film *const f = run(&demo_transitions);
    const double running = largest_step(f, 0.95, 1.68), jerk = largest_jerk(f, 0.95, 1.68); // nothing fades then
    assert_true(largest_step(f, 0, 0.95) < 1.1 * running);
    assert_true(largest_jerk(f, 0, 0.95) < 1.1 * jerk); // also where the first fade is interrupted
    assert_true(largest_step(f, 1.68, 2.4) < running);
    assert_true(largest_jerk(f, 1.68, 2.4) < 1.2 * jerk); // where the run is left at full speed
    film_free(f);
}

static void transitions_begin_and_end_on_their_clips(void **state) {
    (void)state;
    film *const f = run(&demo_transitions);
    sqt_pose_block pose[BLOCKS];
    demo_sample(pose, &character, DEMO_IDLE, f->seconds[15]);
    check_assert_pose_bits(f->poses[15], pose, JOINTS);
    demo_sample(pose, &character, DEMO_RUN, f->seconds[80] - f->seconds[33]); // since it was asked for
    check_assert_pose_bits(f->poses[80], pose, JOINTS);
    const uint32_t end = f->frame_count - 1;
    demo_sample(pose, &character, DEMO_IDLE, f->seconds[end] - f->seconds[101]); // the last frame of the run
    check_assert_pose_bits(f->poses[end], pose, JOINTS);
    film_free(f);
}

static void a_copy_of_the_state_goes_on_alike(void **state) {
    (void)state;
    static const demo *const demos[] = {&demo_layers, &demo_transitions, &demo_locomotion};
    for (size_t k = 0; k < 3; ++k) {
        const demo *const d = demos[k];
        void *const a = malloc(d->state_bytes), *const b = malloc(d->state_bytes);
        assert_true(a && b && d->start(a, &character));
        sqt_pose_block pose[BLOCKS], again[BLOCKS];
        sqt_transform place, place_again;
        for (uint32_t i = 0; i / 60.0 < d->seconds; ++i) {
            memcpy(b, a, d->state_bytes); // saved before every frame, and played from the copy
            assert_true(d->frame(pose, &place, &character, a, i / 60.0));
            assert_true(d->frame(again, &place_again, &character, b, i / 60.0));
            check_assert_pose_bits(again, pose, JOINTS);
            assert_memory_equal(&place, &place_again, sizeof place);
        }
        free(a);
        free(b);
    }
}

// ---- Locomotion

static void steps_alternate_and_none_is_lost(void **state) {
    (void)state;
    film *const f = run(&demo_locomotion);
    const locomotion_state *const s = f->state;
    // The position counts the marks: with the mark at the very beginning, one step for each that was passed.
    assert_int_equal(s->step_count, (uint32_t)floor(s->position) + 1);
    assert_in_range(s->step_count, 12, 30);
    for (uint32_t i = 0; i < s->step_count; ++i) {
        assert_int_equal(s->steps[i].foot, i % 2 ? LOCOMOTION_RIGHT : LOCOMOTION_LEFT);
        if (i > 0) assert_true(s->steps[i].seconds > s->steps[i - 1].seconds);
    }
    film_free(f);
}

/// How far the lower foot slides over the ground, as a share of how far the character goes, between two times.
static double slide(const film *f, double from, double to) {
    const uint32_t feet[2] = {joint_named("toes.l"), joint_named("toes.r")};
    double slid = 0, way = 0;
    for (uint32_t i = 1; i < f->frame_count; ++i) {
        if (f->seconds[i] < from || f->seconds[i] > to) continue;
        way += distance(f->places[i].translation, f->places[i - 1].translation);
        const uint32_t foot = feet[f->joints[i][feet[1]].y < f->joints[i][feet[0]].y];
        sqt_vec3 a = f->joints[i][foot], b = f->joints[i - 1][foot];
        if (a.y > 0.035f || b.y > 0.035f) continue; // in the air: a run has both feet there
        a.y = b.y = 0;
        slid += distance(a, b);
    }
    return slid / way;
}

static void feet_stay_where_they_are_put(void **state) {
    (void)state;
    film *const f = run(&demo_locomotion);
    print_message("slide: walk %.3f, run %.3f, between %.3f\n", slide(f, 1.6, 2.9), slide(f, 4.6, 5.4),
                  slide(f, 3, 4.5));
    assert_true(slide(f, 1.6, 2.9) < 0.04);
    assert_true(slide(f, 4.6, 5.4) < 0.05);
    assert_true(slide(f, 3, 4.5) < 0.10); // two strides blended
    film_free(f);
}

static void the_way_is_that_of_the_speed_asked_for(void **state) {
    (void)state;
    film *const f = run(&demo_locomotion);
    double wanted = 0;
    for (uint32_t i = 1; i < f->frame_count; ++i) wanted += (double)locomotion_wanted_speed(f->seconds[i]) / 60;
    const sqt_vec3 end = f->places[f->frame_count - 1].translation;
    print_message("%.3f m, wanted %.3f m\n", (double)end.z, wanted);
    assert_close((double)end.z, wanted, 1e-5 * wanted);
    assert_close((double)end.x, 0, 1e-6);
    assert_close((double)end.y, 0, 1e-6);
    // Steps while it stands still: none.
    assert_close((double)f->places[29].translation.z, 0, 0);
    film_free(f);
}

static void locomotion_does_not_jump(void **state) {
    (void)state;
    film *const f = run(&demo_locomotion);
    const double running = largest_jerk(f, 4.6, 5.4);
    assert_true(largest_jerk(f, 0, 7.5) < 1.3 * running);
    film_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_legs_of_the_layers_run_while_the_arm_waves),
        cmocka_unit_test(layers_do_not_jump),
        cmocka_unit_test(transitions_do_not_jump),
        cmocka_unit_test(transitions_begin_and_end_on_their_clips),
        cmocka_unit_test(a_copy_of_the_state_goes_on_alike),
        cmocka_unit_test(steps_alternate_and_none_is_lost),
        cmocka_unit_test(feet_stay_where_they_are_put),
        cmocka_unit_test(the_way_is_that_of_the_speed_asked_for),
        cmocka_unit_test(locomotion_does_not_jump),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
