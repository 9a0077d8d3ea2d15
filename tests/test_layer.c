// Stacks of layers: each is what the functions of blend.h give, one after another, and the cases that users met.
#include "check_matrix.h"
#include "check_pose.h"

enum { SEED = 0x1A7E, JOINTS = 37, BLOCKS = SQT_POSE_BLOCKS(JOINTS), POSES = 5 };

typedef struct stage {
    check_tree tree;
    sqt_pose_block poses[POSES][BLOCKS], out[BLOCKS], expected[BLOCKS];
    float masks[POSES][JOINTS];
    sqt_quat scratch[3 * JOINTS];
} stage;

static stage *stage_make(uint64_t seed) {
    stage *const s = malloc(sizeof *s);
    assert_non_null(s);
    memset(s, 0xFF, sizeof *s);
    check_random random = {seed};
    s->tree = check_tree_random(JOINTS, &random);
    for (uint32_t i = 0; i < POSES; ++i) {
        check_random_pose(s->poses[i], JOINTS, &random);
        for (uint32_t j = 0; j < JOINTS; ++j) s->masks[i][j] = check_random_float(&random, 0, 1);
    }
    return s;
}

static void stage_free(stage *s) {
    check_tree_free(&s->tree);
    free(s);
}

static sqt_layer layer_of(const sqt_pose_block *pose, float weight, uint32_t kind, uint32_t flags) {
    const sqt_layer layer = {.pose = pose, .weight = weight, .kind = kind, .flags = flags};
    return layer;
}

static void no_layers_give_the_rest_pose(void **state) {
    (void)state;
    stage *const s = stage_make(SEED);
    assert_int_equal(sqt_layers_blend(s->out, &s->tree.skeleton, NULL, 0, NULL, SQT_REST_THRESHOLD), SQT_OK);
    check_assert_pose_bits(s->out, s->tree.skeleton.rest, JOINTS);
    const sqt_layer nothing = layer_of(NULL, 0, SQT_LAYER_ADDITIVE, 0); // weighs nothing: not read
    assert_int_equal(sqt_layers_blend(s->out, &s->tree.skeleton, &nothing, 1, NULL, 0), SQT_OK);
    check_assert_pose_bits(s->out, s->tree.skeleton.rest, JOINTS);
    stage_free(s);
}

static void a_stack_is_its_functions_one_after_another(void **state) {
    (void)state;
    stage *const s = stage_make(SEED + 1);
    const sqt_skeleton *const rig = &s->tree.skeleton;
    sqt_layer layers[5] = {layer_of(s->poses[0], 0.7f, SQT_LAYER_BASE, 0),
                           layer_of(s->poses[1], 0.6f, SQT_LAYER_BASE, 0),
                           layer_of(s->poses[2], 0.8f, SQT_LAYER_OVERRIDE, SQT_SLERP),
                           layer_of(s->poses[3], -0.4f, SQT_LAYER_ADDITIVE, SQT_SCALE_DIFFERENCE),
                           layer_of(s->poses[4], 0.5f, SQT_LAYER_ADDITIVE, SQT_SLERP | SQT_MESH_SPACE)};
    for (uint32_t i = 1; i < 5; ++i) layers[i].mask = s->masks[i];
    layers[1].translation_mask = s->masks[0];
    assert_int_equal(sqt_layers_blend(s->out, rig, layers, 5, s->scratch, 0.25f), SQT_OK);

    const sqt_blend_input bases[2] = {{s->poses[0], NULL, NULL, 0.7f}, {s->poses[1], s->masks[1], s->masks[0], 0.6f}};
    sqt_pose_block *const e = s->expected;
    assert_int_equal(sqt_blend_many(e, rig, bases, 2, 0.25f, SQT_NLERP), SQT_OK);
    assert_int_equal(sqt_blend_pair(e, rig, e, s->poses[2], s->masks[2], 0.8f, SQT_SLERP), SQT_OK);
    assert_int_equal(sqt_blend_add(e, rig, e, s->poses[3], s->masks[3], -0.4f, SQT_SCALE_DIFFERENCE), SQT_OK);
    assert_int_equal(sqt_blend_add_mesh(e, rig, e, s->poses[4], s->masks[4], s->scratch, 0.5f, SQT_SLERP), SQT_OK);
    check_assert_pose_bits(s->out, e, JOINTS);

    // The output may be one of the base poses.
    assert_int_equal(sqt_layers_blend(s->poses[1], rig, layers, 5, s->scratch, 0.25f), SQT_OK);
    check_assert_pose_bits(s->poses[1], e, JOINTS);
    stage_free(s);
}

static void layers_above_act_in_their_order(void **state) {
    (void)state;
    stage *const s = stage_make(SEED + 2);
    const sqt_skeleton *const rig = &s->tree.skeleton;
    const sqt_layer base = layer_of(s->poses[0], 1, SQT_LAYER_BASE, 0);
    const sqt_layer over = layer_of(s->poses[1], 1, SQT_LAYER_OVERRIDE, 0);
    const sqt_layer add = layer_of(s->poses[2], 1, SQT_LAYER_ADDITIVE, 0);
    const sqt_layer covered[3] = {base, add, over}, on_top[3] = {base, over, add};
    assert_int_equal(sqt_layers_blend(s->out, rig, covered, 3, NULL, 0), SQT_OK);
    check_assert_pose_bits(s->out, s->poses[1], JOINTS); // the override hides what was added below
    assert_int_equal(sqt_layers_blend(s->out, rig, on_top, 3, NULL, 0), SQT_OK);
    assert_int_equal(sqt_blend_add(s->expected, rig, s->poses[1], s->poses[2], NULL, 1, SQT_NLERP), SQT_OK);
    check_assert_pose_bits(s->out, s->expected, JOINTS);
    stage_free(s);
}

static void what_is_added_where_the_base_is_masked_out_stands_on_the_rest_pose(void **state) {
    (void)state; // base x = 4 with mask 0, rest x = 1, difference x = 2 at half: 1 + 1
    const sqt_transform rest = {SQT_QUAT_IDENTITY, {1, 0, 0}, {1, 1, 1}};
    check_tree tree = check_tree_chain(1, rest);
    const sqt_transform base = {SQT_QUAT_IDENTITY, {4, 0, 0}, {1, 1, 1}};
    const sqt_transform difference = {SQT_QUAT_IDENTITY, {2, 0, 0}, {1, 1, 1}};
    sqt_pose_block b, d, out;
    assert_int_equal(sqt_pose_pack(&b, &base, 1), SQT_OK);
    assert_int_equal(sqt_pose_pack(&d, &difference, 1), SQT_OK);
    const float none = 0;
    sqt_layer layers[2] = {layer_of(&b, 1, SQT_LAYER_BASE, 0), layer_of(&d, 0.5f, SQT_LAYER_ADDITIVE, 0)};
    layers[0].mask = &none;
    assert_int_equal(sqt_layers_blend(&out, &tree.skeleton, layers, 2, NULL, SQT_REST_THRESHOLD), SQT_OK);
    assert_close(sqt_pose_get(&out, 0).translation.x, 2, 0);
    layers[1].kind = SQT_LAYER_OVERRIDE; // half way from rest to x = 2
    assert_int_equal(sqt_layers_blend(&out, &tree.skeleton, layers, 2, NULL, SQT_REST_THRESHOLD), SQT_OK);
    assert_close(sqt_pose_get(&out, 0).translation.x, 1.5, 0);
    check_tree_free(&tree);
}

static void a_layer_moves_the_result_no_more_than_its_weight_moves(void **state) {
    (void)state; // a sweep of the weight of one layer of each kind: no step is larger than its share of the whole way
    stage *const s = stage_make(SEED + 3);
    const sqt_skeleton *const rig = &s->tree.skeleton;
    for (uint32_t kind = SQT_LAYER_OVERRIDE; kind <= SQT_LAYER_ADDITIVE; ++kind) {
        sqt_layer layers[2] = {layer_of(s->poses[0], 1, SQT_LAYER_BASE, 0), layer_of(s->poses[1], 0, kind, SQT_SLERP)};
        double last[JOINTS] = {0};
        for (uint32_t step = 0; step <= 100; ++step) {
            layers[1].weight = (float)step / 100;
            assert_int_equal(sqt_layers_blend(s->out, rig, layers, 2, NULL, 0), SQT_OK);
            for (uint32_t j = 0; j < JOINTS; ++j) {
                const sqt_transform t = sqt_pose_get(s->out, j), from = sqt_pose_get(s->poses[0], j);
                const double x = (double)t.translation.x - (double)from.translation.x;
                const double to = (double)sqt_pose_get(s->poses[1], j).translation.x;
                const double way = kind == SQT_LAYER_ADDITIVE ? to : to - (double)from.translation.x;
                if (step > 0) assert_close(x - last[j], way / 100, 1e-6);
                last[j] = x;
            }
        }
    }
    stage_free(s);
}

static sqt_result run(stage *s, const sqt_layer *layers, uint32_t count, sqt_quat *scratch) {
    return sqt_layers_blend(s->out, &s->tree.skeleton, layers, count, scratch, SQT_REST_THRESHOLD);
}

static void wrong_layers_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    stage *const s = stage_make(SEED + 4);
    const sqt_layer base = layer_of(s->poses[0], 1, SQT_LAYER_BASE, 0);
    const sqt_layer over = layer_of(s->poses[1], 1, SQT_LAYER_OVERRIDE, 0);
    sqt_layer wrong[2] = {base, over};
    assert_int_equal(run(s, NULL, 1, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_layers_blend(NULL, &s->tree.skeleton, wrong, 2, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_layers_blend(s->out, NULL, wrong, 2, NULL, 0), SQT_ERROR_NULL);
    sqt_skeleton empty = s->tree.skeleton;
    empty.joint_count = 0;
    assert_int_equal(sqt_layers_blend(s->out, &empty, wrong, 2, NULL, 0), SQT_ERROR_COUNT);
    assert_int_equal(sqt_layers_blend(s->out, &s->tree.skeleton, wrong, 2, NULL, -1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_layers_blend(s->out, &s->tree.skeleton, wrong, 2, NULL, NAN), SQT_ERROR_NUMBER);
    const sqt_layer turned[2] = {over, base};
    assert_int_equal(run(s, turned, 2, NULL), SQT_ERROR_ORDER);
    wrong[1].pose = NULL;
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_NULL);
    wrong[1] = over;
    wrong[1].kind = 3;
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_FLAG);
    wrong[1] = over;
    wrong[1].flags = SQT_SCALE_DIFFERENCE;
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_FLAG);
    wrong[1] = over;
    wrong[1].translation_mask = s->masks[0];
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_FLAG);
    wrong[1] = over;
    wrong[1].weight = NAN;
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_NUMBER);
    wrong[1] = layer_of(s->poses[1], 1, SQT_LAYER_ADDITIVE, SQT_MESH_SPACE);
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_NULL); // without scratch
    wrong[1] = over;
    wrong[0].weight = -0.5f;
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_NUMBER);
    wrong[0] = base;
    wrong[0].flags = SQT_SLERP;
    assert_int_equal(run(s, wrong, 2, NULL), SQT_ERROR_FLAG);
    sqt_layer many[SQT_LAYER_MAX_BASES + 2];
    for (uint32_t i = 0; i < SQT_LAYER_MAX_BASES + 2; ++i) many[i] = base;
    assert_int_equal(run(s, many, SQT_LAYER_MAX_BASES + 1, NULL), SQT_ERROR_COUNT);
    for (size_t i = 0; i < sizeof s->out; ++i) assert_int_equal(((unsigned char *)s->out)[i], 0xFF);
    many[3].weight = many[5].weight = 0; // which do not count
    assert_int_equal(run(s, many, SQT_LAYER_MAX_BASES + 2, NULL), SQT_OK);
    stage_free(s);
}

int main(void) {
    print_message("seed %#x\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_layers_give_the_rest_pose),
        cmocka_unit_test(a_stack_is_its_functions_one_after_another),
        cmocka_unit_test(layers_above_act_in_their_order),
        cmocka_unit_test(what_is_added_where_the_base_is_masked_out_stands_on_the_rest_pose),
        cmocka_unit_test(a_layer_moves_the_result_no_more_than_its_weight_moves),
        cmocka_unit_test(wrong_layers_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
