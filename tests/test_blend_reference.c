// Blends of Fox.glb against what another runtime computed (Fox.blend.json, by three.js's AnimationMixer):
//
// - two poses: its slerp, by sqt_blend_pair with SQT_SLERP;
// - a missing weight: the rest pose as one more pose;
// - three poses: its result depends on their order, since it slerps one after another. sqt does not do that; it agrees
//   with the order-free weighted sum that the file lists beside it (sqt_blend_many);
// - additive: rotation on the right as there; scale as a difference, by SQT_SCALE_DIFFERENCE, where sqt's own default is
//   a ratio (half of a difference that doubles a scale of 1 adds 0.5 in both, to a scale of 4 it adds 2 by ratio);
// - a cross-fade from clip to clip to clip through time.
#include "check_pose.h"

#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "gltf_import.h"
#include "run_program.h"

enum { MOST = 64, BLOCKS = SQT_POSE_BLOCKS(MOST), NUMBERS = 10, MOST_LAYERS = 4 };

typedef struct fixture {
    asset fox;
    cJSON *reference;
} fixture;

static fixture shared;

static const cJSON *member(const cJSON *object, const char *name) {
    const cJSON *const found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!found) fail_msg("the reference has no %s", name);
    return found;
}

static double number(const cJSON *object, const char *name) { return member(object, name)->valuedouble; }

static sqt_transform listed(const cJSON *local, uint32_t node) {
    float n[NUMBERS];
    for (int i = 0; i < NUMBERS; ++i) {
        const cJSON *const item = cJSON_GetArrayItem(local, (int)node * NUMBERS + i);
        assert_true(cJSON_IsNumber(item));
        n[i] = (float)item->valuedouble;
    }
    const sqt_transform t = {{n[3], n[4], n[5], n[6]}, {n[0], n[1], n[2]}, {n[7], n[8], n[9]}};
    return t;
}

static double largest(sqt_vec3 v) {
    return fmax(1, fmax(fabs((double)v.x), fmax(fabs((double)v.y), fabs((double)v.z))));
}

/// Rotation within 2e-6 up to sign, the rest within 2e-6 * max(1, the largest component).
static void assert_is_listed(const sqt_pose_block *pose, const cJSON *local) {
    assert_int_equal(cJSON_GetArraySize(local), (int)shared.fox.node_count * NUMBERS);
    for (uint32_t node = 0; node < shared.fox.node_count; ++node) {
        const sqt_transform t = sqt_pose_get(pose, shared.fox.nodes[node].joint), want = listed(local, node);
        assert_rotation_close(t.rotation, want.rotation, 2e-6);
        assert_vec3_close(t.translation, want.translation, 2e-6 * largest(want.translation));
        assert_vec3_close(t.scale, want.scale, 2e-6 * largest(want.scale));
    }
}

/// The largest angle, in degrees, between the rotations of a pose and the listed ones.
static double largest_turn(const sqt_pose_block *pose, const cJSON *local) {
    double most = 0;
    for (uint32_t node = 0; node < shared.fox.node_count; ++node) {
        const sqt_quat a = sqt_pose_get(pose, shared.fox.nodes[node].joint).rotation, b = listed(local, node).rotation;
        const check_dquat p = check_dquat_of(&a.x), q = check_dquat_of(&b.x), back = {-p.x, -p.y, -p.z, p.w};
        const check_dquat turn = check_dquat_multiply(back, q);
        const double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
        most = fmax(most, 2 * atan2(sine, fabs(turn.w)) * 180 / 3.14159265358979323846);
    }
    return most;
}

static void sample(sqt_pose_block *pose, uint32_t clip, double seconds) {
    assert_in_range(clip, 0, shared.fox.clip_count - 1);
    sqt_channel_clip playing = shared.fox.clips[clip].clip;
    playing.timeline.loop = SQT_LOOP_CLAMP;
    assert_int_equal(sqt_channel_clip_sample(pose, &shared.fox.skeleton, &playing, NULL, seconds), SQT_OK);
}

static uint32_t clip_called(const char *name) {
    for (uint32_t i = 0; i < shared.fox.clip_count; ++i) {
        if (shared.fox.clips[i].name && strcmp(shared.fox.clips[i].name, name) == 0) return i;
    }
    fail_msg("no clip is called %s", name);
    return 0;
}

static void sample_layer(sqt_pose_block *pose, const cJSON *layer) {
    sample(pose, clip_called(member(layer, "name")->valuestring), number(layer, "t"));
    const cJSON *const additive = cJSON_GetObjectItemCaseSensitive(layer, "additive");
    if (!additive || !cJSON_IsObject(additive)) return;
    sqt_pose_block reference[BLOCKS];
    sample(reference, (uint32_t)number(additive, "referenceClip"), number(additive, "referenceTime"));
    assert_int_equal(sqt_blend_difference(pose, &shared.fox.skeleton, pose, reference, SQT_SCALE_DIFFERENCE), SQT_OK);
}

static bool is_additive(const cJSON *layer) {
    return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(layer, "additive"));
}

/// Slerp of the layers that are not additive, one after another, the rest pose last: for up to two poses the one way to
/// do it.
static void blend_pairs(sqt_pose_block *pose, const cJSON *layers) {
    const sqt_skeleton *const rig = &shared.fox.skeleton;
    sqt_pose_block other[BLOCKS];
    double sum = 0;
    const cJSON *layer;
    cJSON_ArrayForEach(layer, layers) {
        const double weight = number(layer, "weight");
        if (is_additive(layer) || weight == 0) continue;
        sample_layer(sum == 0 ? pose : other, layer);
        sum += weight;
        if (sum == weight) continue;
        assert_int_equal(sqt_blend_pair(pose, rig, pose, other, NULL, (float)(weight / sum), SQT_SLERP), SQT_OK);
    }
    if (sum < 1 - 1e-9) {
        assert_int_equal(sqt_blend_pair(pose, rig, pose, rig->rest, NULL, (float)(1 - sum), SQT_SLERP), SQT_OK);
    }
}

static void add_differences(sqt_pose_block *pose, const cJSON *layers) {
    sqt_pose_block difference[BLOCKS];
    const cJSON *layer;
    cJSON_ArrayForEach(layer, layers) {
        if (!is_additive(layer)) continue;
        sample_layer(difference, layer);
        assert_int_equal(sqt_blend_add(pose, &shared.fox.skeleton, pose, difference, NULL,
                                       (float)number(layer, "weight"), SQT_SLERP | SQT_SCALE_DIFFERENCE),
                         SQT_OK);
    }
}

static uint32_t pose_layers(const cJSON *layers) {
    uint32_t count = 0;
    const cJSON *layer;
    cJSON_ArrayForEach(layer, layers) count += !is_additive(layer);
    return count;
}

static void samples_agree(void **state) {
    (void)state;
    const cJSON *input;
    cJSON_ArrayForEach(input, member(shared.reference, "inputs")) {
        sqt_pose_block pose[BLOCKS];
        sample(pose, (uint32_t)number(input, "clip"), number(input, "t"));
        assert_is_listed(pose, member(input, "local"));
    }
}

static void two_poses_and_what_is_added_to_them_agree(void **state) {
    (void)state;
    uint32_t checked = 0;
    const cJSON *one;
    cJSON_ArrayForEach(one, member(shared.reference, "cases")) {
        const cJSON *const layers = member(one, "layers");
        if (pose_layers(layers) > 2) continue;
        sqt_pose_block pose[BLOCKS];
        blend_pairs(pose, layers);
        add_differences(pose, layers);
        print_message("%s\n", member(one, "title")->valuestring);
        assert_is_listed(pose, member(one, "local"));
        ++checked;
    }
    assert_true(checked >= 9);
}

static void any_number_of_poses_agrees_with_the_weighted_sum(void **state) {
    (void)state;
    uint32_t checked = 0, ordered = 0;
    const cJSON *one;
    cJSON_ArrayForEach(one, member(shared.reference, "cases")) {
        const cJSON *const sum = cJSON_GetObjectItemCaseSensitive(one, "weightedSum");
        if (!sum) continue;
        sqt_pose_block poses[MOST_LAYERS][BLOCKS], pose[BLOCKS];
        sqt_blend_input inputs[MOST_LAYERS] = {{0}};
        uint32_t count = 0;
        const cJSON *layer;
        cJSON_ArrayForEach(layer, member(one, "layers")) {
            assert_true(count < MOST_LAYERS);
            sample_layer(poses[count], layer);
            inputs[count].pose = poses[count];
            inputs[count++].weight = (float)number(layer, "weight");
        }
        assert_int_equal(sqt_blend_many(pose, &shared.fox.skeleton, inputs, count, 1, SQT_NLERP), SQT_OK);
        assert_is_listed(pose, sum);
        ++checked;
        if (count < 3) continue;
        // Slerp after slerp is another curve, by less than a degree, and another one in another order.
        const double apart = largest_turn(pose, member(one, "local"));
        assert_true(apart > 1e-3 && apart < 1);
        ++ordered;
    }
    assert_true(checked >= 7 && ordered >= 3);
}

static void a_cross_fade_agrees_at_every_step(void **state) {
    (void)state;
    uint32_t checked = 0;
    const cJSON *step;
    cJSON_ArrayForEach(step, member(member(shared.reference, "crossfade"), "steps")) {
        sqt_pose_block pose[BLOCKS];
        blend_pairs(pose, member(step, "layers"));
        assert_is_listed(pose, member(step, "local"));
        ++checked;
    }
    assert_true(checked >= 7);
}

static int read_fox(const char *assets) {
    char path[4096], fault[256];
    snprintf(path, sizeof path, "%s/Fox.glb", assets);
    FILE *const there = fopen(path, "rb");
    if (!there) return CHECK_SKIPPED;
    fclose(there);
    if (!gltf_import(&shared.fox, path, fault, sizeof fault)) {
        fprintf(stderr, "%s\n", fault);
        return 1;
    }
    snprintf(path, sizeof path, "%s/../reference/Fox.blend.json", assets);
    char *const text = read_whole_file(path, NULL);
    if (!text) return CHECK_SKIPPED;
    shared.reference = cJSON_Parse(text);
    free(text);
    return shared.reference && shared.fox.node_count <= MOST ? 0 : 1;
}

int main(void) {
    const char *const assets = getenv("SQT_ASSETS");
    const int found = assets ? read_fox(assets) : CHECK_SKIPPED;
    if (found == CHECK_SKIPPED)
        puts("skipped: SQT_ASSETS does not name a folder with Fox.glb and references beside it");
    if (found) return found;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_agree),
        cmocka_unit_test(two_poses_and_what_is_added_to_them_agree),
        cmocka_unit_test(any_number_of_poses_agrees_with_the_weighted_sum),
        cmocka_unit_test(a_cross_fade_agrees_at_every_step),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cJSON_Delete(shared.reference);
    asset_free(&shared.fox);
    return failed;
}
