// Difference clips: sampled and added to the reference they give the source again.
#include "check_matrix.h"
#include "check_pose.h"

enum { SEED = 0xD1FC, MOST = 40, BLOCKS = SQT_POSE_BLOCKS(MOST), SAMPLES = 6 };

typedef struct stage {
    check_tree tree;
    sqt_pose_block source[SAMPLES * BLOCKS], reference[SAMPLES * BLOCKS], made[SAMPLES * BLOCKS];
    sqt_pose_block pose[BLOCKS], base[BLOCKS], added[BLOCKS];
    sqt_quat turns[3 * MOST];
    void *memory;
    size_t memory_bytes;
} stage;

static stage *stage_make(uint32_t joint_count, check_random *random) {
    stage *const s = malloc(sizeof *s);
    assert_non_null(s);
    memset(s, 0xFF, sizeof *s);
    s->tree = check_tree_random(joint_count, random);
    s->memory_bytes = sqt_clip_difference_bytes(&s->tree.skeleton);
    s->memory = malloc(s->memory_bytes); // exactly: the sanitizers see what is read beyond
    assert_non_null(s->memory);
    return s;
}

static void stage_free(stage *s) {
    check_tree_free(&s->tree);
    free(s->memory);
    free(s);
}

static sqt_clip clip_of(sqt_pose_block *samples, uint32_t sample_count, uint32_t joint_count, float duration,
                        check_random *random) {
    const uint32_t blocks = SQT_POSE_BLOCKS(joint_count);
    for (uint32_t i = 0; i < sample_count; ++i) check_random_pose(samples + i * (size_t)blocks, joint_count, random);
    const sqt_clip clip = {.timeline = {duration, SQT_LOOP_WRAP},
                           .authored_speed = 1.5f,
                           .sample_count = sample_count,
                           .joint_count = joint_count,
                           .samples = samples};
    return clip;
}

/// At every sample of the source: reference + difference = source.
static void assert_comes_back(stage *s, const sqt_clip *difference, const sqt_clip *source, const sqt_clip *reference,
                              uint32_t flags) {
    const sqt_skeleton *const rig = &s->tree.skeleton;
    sqt_clip from = *source, by = *difference, to = *reference;
    from.timeline.loop = by.timeline.loop = to.timeline.loop = SQT_LOOP_CLAMP;
    for (uint32_t i = 0; i < source->sample_count; ++i) {
        const double seconds = sqt_clip_sample_seconds(source, i);
        const double phase = seconds / (double)source->timeline.duration_seconds;
        const double in_step = phase * (double)reference->timeline.duration_seconds;
        assert_int_equal(sqt_clip_sample(s->pose, rig, &from, seconds, SQT_NLERP), SQT_OK);
        assert_int_equal(sqt_clip_sample(s->base, rig, &to, in_step, flags & SQT_SLERP), SQT_OK);
        assert_int_equal(sqt_clip_sample(s->added, rig, &by, seconds, SQT_NLERP), SQT_OK);
        const uint32_t scale = flags & SQT_SCALE_DIFFERENCE;
        if (flags & SQT_MESH_SPACE) {
            assert_int_equal(sqt_blend_add_mesh(s->added, rig, s->base, s->added, NULL, s->turns, 1, scale), SQT_OK);
        } else {
            assert_int_equal(sqt_blend_add(s->added, rig, s->base, s->added, NULL, 1, scale), SQT_OK);
        }
        for (uint32_t j = 0; j < rig->joint_count; ++j) {
            check_assert_transform(sqt_pose_get(s->added, j), sqt_pose_get(s->pose, j), 2e-5);
        }
    }
}

static void a_difference_added_to_a_clip_in_step_gives_the_source(void **state) {
    (void)state;
    check_random random = {SEED};
    const uint32_t flags[] = {0, SQT_SLERP, SQT_SCALE_DIFFERENCE, SQT_MESH_SPACE,
                              SQT_MESH_SPACE | SQT_SCALE_DIFFERENCE};
    for (uint32_t round = 0; round < 40; ++round) {
        const uint32_t n = 1 + check_random_below(&random, MOST);
        stage *const s = stage_make(n, &random);
        sqt_clip source = clip_of(s->source, SAMPLES, n, 0.8f, &random);
        const sqt_clip reference = clip_of(s->reference, 1 + round % SAMPLES, n, 1.3f, &random);
        source.flags = round % 2 ? SQT_CLIP_CYCLIC : 0;
        sqt_clip made;
        assert_int_equal(sqt_clip_difference(&made, s->made, &s->tree.skeleton, &source, &reference, flags[round % 5],
                                             s->memory, s->memory_bytes, NULL),
                         SQT_OK);
        assert_int_equal(made.flags, source.flags | SQT_CLIP_DIFFERENCE);
        assert_int_equal(made.sample_count, SAMPLES);
        assert_int_equal(made.rig_hash, s->tree.skeleton.rig_hash);
        assert_close(made.timeline.duration_seconds, source.timeline.duration_seconds, 0);
        assert_int_equal(made.timeline.loop, SQT_LOOP_WRAP);
        assert_close(made.authored_speed, 0, 0);
        assert_int_equal(sqt_clip_validate(&made, &s->tree.skeleton, NULL), SQT_OK);
        assert_comes_back(s, &made, &source, &reference, flags[round % 5]);
        stage_free(s);
    }
}

static void the_reference_may_be_one_pose(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    stage *const s = stage_make(MOST, &random);
    const sqt_clip source = clip_of(s->source, SAMPLES, MOST, 2, &random);
    const sqt_clip rest = {.sample_count = 1, .joint_count = MOST, .samples = s->tree.skeleton.rest};
    const sqt_clip first = {.sample_count = 1, .joint_count = MOST, .samples = source.samples};
    sqt_clip made;
    assert_int_equal(
        sqt_clip_difference(&made, s->made, &s->tree.skeleton, &source, &rest, 0, s->memory, s->memory_bytes, NULL),
        SQT_OK);
    assert_comes_back(s, &made, &source, &rest, 0);
    assert_int_equal(
        sqt_clip_difference(&made, s->made, &s->tree.skeleton, &source, &first, 0, s->memory, s->memory_bytes, NULL),
        SQT_OK);
    assert_comes_back(s, &made, &source, &first, 0);
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    for (uint32_t j = 0; j < MOST; ++j) { // the first sample against itself
        check_assert_transform(sqt_pose_get(made.samples, j), identity, 0);
    }
    stage_free(s);
}

static void a_clip_that_lists_joints_differs_in_those_alone(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    stage *const s = stage_make(MOST, &random);
    static const uint16_t joints[] = {0, 3, 17, 39};
    sqt_clip source = clip_of(s->source, SAMPLES, 4, 2, &random);
    source.joints = joints;
    const sqt_clip reference = clip_of(s->reference, SAMPLES, MOST, 2, &random);
    sqt_clip made;
    assert_int_equal(sqt_clip_difference(&made, s->made, &s->tree.skeleton, &source, &reference, 0, s->memory,
                                         s->memory_bytes, NULL),
                     SQT_OK);
    assert_int_equal(sqt_clip_sample(s->pose, &s->tree.skeleton, &made, 0.8, SQT_NLERP), SQT_OK);
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    for (uint32_t j = 0; j < MOST; ++j) {
        if (j != 0 && j != 3 && j != 17 && j != 39) check_assert_transform(sqt_pose_get(s->pose, j), identity, 0);
    }
    for (uint32_t lane = 4; lane < SQT_POSE_LANES; ++lane) { // behind the listed joints
        check_assert_transform(sqt_pose_get(made.samples + 5, lane), identity, 0);
    }
    for (uint32_t k = 0; k < 4; ++k) { // sample 2 is at 0.8
        const sqt_transform p = sqt_pose_get(source.samples + 2, k), d = sqt_pose_get(s->pose, joints[k]);
        const sqt_transform r = sqt_pose_get(reference.samples + 2 * (size_t)BLOCKS, joints[k]);
        assert_close(d.translation.y, p.translation.y - r.translation.y, 1e-6);
        assert_close(d.scale.z, p.scale.z / r.scale.z, 1e-6);
    }
    stage_free(s);
}

static void wrong_difference_clips_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    sqt_fault fault;
    check_random random = {SEED + 3};
    stage *const s = stage_make(5, &random);
    const sqt_skeleton *const rig = &s->tree.skeleton;
    const sqt_clip source = clip_of(s->source, SAMPLES, 5, 2, &random);
    const sqt_clip reference = clip_of(s->reference, SAMPLES, 5, 2, &random);
    sqt_clip made, wrong;
    memset(&made, 0xFF, sizeof made);
    void *const m = s->memory;
    const size_t bytes = s->memory_bytes;
    assert_int_equal(sqt_clip_difference(NULL, s->made, rig, &source, &reference, 0, m, bytes, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "difference", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, NULL, rig, &source, &reference, 0, m, bytes, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "samples", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, NULL, &source, &reference, 0, m, bytes, &fault),
                     SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, NULL, &reference, 0, m, bytes, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "source", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &source, NULL, 0, m, bytes, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "reference", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &source, &reference, 0, NULL, bytes, &fault),
                     SQT_ERROR_NULL);
    assert_fault(fault, "memory", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &source, &reference, 0, m, bytes - 1, &fault),
                     SQT_ERROR_SPACE);
    assert_fault(fault, "memory_bytes", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &source, &reference, 4, m, bytes, &fault),
                     SQT_ERROR_FLAG);
    assert_fault(fault, "flags", 0, 0);
    wrong = source;
    wrong.flags = SQT_CLIP_DIFFERENCE;
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &wrong, &reference, 0, m, bytes, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "source", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &source, &wrong, 0, m, bytes, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "reference", 0, 0);
    wrong = source;
    wrong.sample_count = 0;
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &wrong, &reference, 0, m, bytes, &fault),
                     SQT_ERROR_COUNT);
    assert_fault(fault, "sample_count", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &source, &wrong, 0, m, bytes, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "reference", 0, 0);
    wrong = source;
    wrong.joint_count = 4;
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &wrong, &reference, 0, m, bytes, &fault),
                     SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
    wrong.joint_count = 6;
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &wrong, &reference, 0, m, bytes, &fault),
                     SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
    static const uint16_t beyond[] = {2, 5};
    wrong.joint_count = 2;
    wrong.joints = beyond;
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &wrong, &reference, 0, m, bytes, &fault),
                     SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 1, 0);
    wrong = source;
    wrong.rig_hash = rig->rig_hash + 1;
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &wrong, &reference, 0, m, bytes, &fault), SQT_ERROR_RIG);
    assert_fault(fault, "source", 0, 0);
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &source, &wrong, 0, m, bytes, &fault), SQT_ERROR_RIG);
    assert_fault(fault, "reference", 0, 0);
    wrong = source;
    wrong.timeline.duration_seconds = NAN;
    assert_int_equal(sqt_clip_difference(&made, s->made, rig, &wrong, &reference, 0, m, bytes, &fault),
                     SQT_ERROR_NUMBER);
    assert_fault(fault, "source", 0, 0);
    for (size_t i = 0; i < sizeof made; ++i) assert_int_equal(((unsigned char *)&made)[i], 0xFF);
    for (size_t i = 0; i < sizeof s->made; ++i) assert_int_equal(((unsigned char *)s->made)[i], 0xFF);
    assert_int_equal(sqt_clip_difference_bytes(NULL), 0);
    stage_free(s);
}

int main(void) {
    print_message("seed %#x\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_added_to_a_clip_in_step_gives_the_source),
        cmocka_unit_test(the_reference_may_be_one_pose),
        cmocka_unit_test(a_clip_that_lists_joints_differs_in_those_alone),
        cmocka_unit_test(wrong_difference_clips_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
