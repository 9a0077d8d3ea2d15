// Every public function runs once while the linker counts calls of the allocator (--wrap). test_symbols.sh checks that
// no public function is missing here, and that the library has no other way to memory.
#include <stdlib.h>

#include "check.h"

// Volatile, because compilers know that malloc and free touch no variable of ours.
static volatile bool counting;
static volatile uint32_t calls;

// What --wrap names them.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size) {
    if (counting) ++calls;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    if (counting) ++calls;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    if (counting) ++calls;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    if (counting) ++calls;
    return __real_aligned_alloc(alignment, size);
}

void __wrap_free(void *memory) {
    if (counting) ++calls;
    __real_free(memory);
}

static void calls_of_the_allocator_are_counted(void **state) {
    (void)state;
    calls = 0;
    counting = true;
    void *volatile memory = malloc(8);
    memory = realloc(memory, 16);
    free(memory);
    memory = calloc(2, 8);
    free(memory);
    memory = aligned_alloc(64, 64);
    free(memory);
    counting = false;
    assert_int_equal(calls, 7);
}

enum { JOINTS = 20, VERTICES = 9, KEYS = 3, SAMPLES = 4, MEMORY = 16384 };

/// A chain of joints, one a unit above the other.
static void make_joints(sqt_joint joints[JOINTS], char names[JOINTS][8]) {
    for (uint32_t j = 0; j < JOINTS; ++j) {
        snprintf(names[j], sizeof names[j], "j%u", j);
        joints[j] = (sqt_joint){names[j], j ? j - 1 : SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY};
        joints[j].rest.translation.y = 1;
    }
}

// Results go here, so that no call is without one.
static volatile double sink;

static void use(double value) { sink = value; }

static void succeeds(sqt_result result) {
    if (result != SQT_OK) counting = false; // a message may allocate
    assert_string_equal(sqt_result_string(result), sqt_result_string(SQT_OK));
}

static void run_values(void) {
    use(sqt_hash("name"));
    float values[3] = {1e-40f, 1, -1e-31f};
    sqt_snap(values, 3);
    const uint32_t best = sqt_isa_current();
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) use(sqt_isa_available(isa) + sqt_isa_name(isa)[0]);
    use(sqt_isa_cap(SQT_ISA_SCALAR));
    use(sqt_isa_cap(SQT_ISA_BEST) == best);
    use(sqt_sin(1) + sqt_cos(1) + sqt_acos(0.5f) + sqt_atan2(1, 2));
    const sqt_vec3 v = {1, 2, 3};
    const sqt_quat a = sqt_quat_from_axis_angle(v, 1), b = sqt_quat_from_euler(v, SQT_EULER_ZYX);
    use(sqt_quat_multiply(a, b).x + sqt_quat_conjugate(a).x + sqt_quat_normalize(b).x + sqt_quat_rotate(a, v).x);
    use(sqt_quat_nlerp(a, b, 0.5f).x + sqt_quat_slerp(a, b, 0.5f).x + sqt_euler_from_quat(a, SQT_EULER_XYZ).x);
    const sqt_transform t = {a, v, {1, -2, 1}};
    use(sqt_transform_multiply(t, t).scale.x + sqt_transform_invert(t).scale.x + sqt_transform_point(t, v).x);
    const sqt_mat4 m = sqt_mat4_from_transform(t);
    use(sqt_transform_from_mat4(m).scale.x + sqt_mat4_multiply(m, m).m[0] + sqt_mat4_invert(m).m[0]);
    use(sqt_mat4_point(m, v).x + sqt_mat4_vector(m, v).x);
    const sqt_timeline timeline = {2, SQT_LOOP_WRAP};
    use(sqt_timeline_wrap(&timeline, -3.5) + (double)sqt_timeline_phase(&timeline, 9) +
        (double)sqt_timeline_loop(&timeline, 9));
}

static void run_clock(void) {
    const sqt_timeline timeline = {2, SQT_LOOP_WRAP};
    sqt_clock clock;
    double seconds = 0.5;
    int64_t loops;
    succeeds(sqt_clock_start(&clock, &timeline, 1, sqt_clock_rate(1.5f, 3), 4));
    succeeds(sqt_clock_set_rate(&clock, &timeline, 2, 0.7));
    succeeds(sqt_clock_seek(&clock, &timeline, 3, 1));
    succeeds(sqt_clock_step(&seconds, &loops, &timeline, 3));
    use(sqt_clock_local(&clock, &timeline, 5) + sqt_clock_done(&clock, &timeline, 5));
}

static void run_sync(void) {
    static const float marks[] = {0.2f, 1.1f};
    const sqt_timeline timeline = {2, SQT_LOOP_WRAP};
    const sqt_sync sync = {marks, 2, 0};
    const sqt_sync_member members[] = {{&sync, &timeline, 0.5f}, {&sync, &timeline, 0.5f}};
    sqt_fault fault;
    double position = 0;
    succeeds(sqt_sync_validate(&sync, &timeline, &fault));
    succeeds(sqt_sync_advance(&position, members, 2, 3));
    const float speeds[] = {1, 2};
    use((double)sqt_sync_speed(members, speeds, 2, position));
    use(sqt_sync_position(&sync, &timeline, 7) + sqt_sync_seconds(&sync, &timeline, position));
}

static void run_events(void) {
    static const sqt_event events[] = {{0, 1}, {0.5f, 2}, {2, 3}};
    const sqt_timeline timeline = {2, SQT_LOOP_WRAP};
    const sqt_event_track track = {events, 3};
    sqt_event fired[32];
    sqt_fault fault;
    uint32_t fired_count;
    double last_seconds = 0.5;
    succeeds(sqt_event_validate(&track, &timeline, &fault));
    succeeds(sqt_event_collect(fired, &fired_count, &track, &timeline, 32, &last_seconds, 9.5));
}

static void run_tracks(const sqt_skeleton *skeleton) {
    static const float times[] = {0, 1}, values[] = {3, 5};
    static const uint32_t ids[] = {7, 9};
    static const sqt_mat4 global[JOINTS];
    const sqt_timeline timeline = {2, SQT_LOOP_WRAP};
    const sqt_curve curve = {times, values, 2, 1, SQT_LINEAR};
    const sqt_id_track track = {times, ids, 2};
    const sqt_channel channel = {curve, 0, SQT_TARGET_TRANSLATION_Y, 0, {0, 0, 0}};
    const sqt_locator locator = {&channel, 1, SQT_TRANSFORM_IDENTITY, 3};
    sqt_fault fault;
    float value;
    uint32_t id, cursor = 0;
    sqt_transform transform;
    sqt_mat4 matrix;
    succeeds(sqt_track_sample(&value, &curve, &timeline, &cursor, 5.5));
    succeeds(sqt_track_id_validate(&track, &fault));
    succeeds(sqt_track_id(&id, &track, &timeline, 5.5));
    succeeds(sqt_locator_validate(skeleton, &locator, &fault));
    succeeds(sqt_locator_sample(&transform, &locator, &timeline, &cursor, 5.5));
    succeeds(sqt_locator_global(&matrix, skeleton, &locator, transform, global));
}

static void run_root_motion(const sqt_skeleton *skeleton) {
    static sqt_pose_block samples[2 * SQT_POSE_BLOCKS(JOINTS)], scratch[SQT_POSE_BLOCKS(JOINTS)];
    static sqt_transform motion_samples[2];
    for (uint32_t i = 0; i < 2; ++i) succeeds(sqt_skeleton_rest(samples + i * SQT_POSE_BLOCKS(JOINTS), skeleton));
    sqt_clip clip = {.timeline = {2, SQT_LOOP_WRAP}, .sample_count = 2, .joint_count = JOINTS, .samples = samples};
    const sqt_root_motion_source source = {.joint = 1, .flags = SQT_MOTION_Z | SQT_MOTION_TURN, .up = {0, 1, 0}};
    sqt_root_motion motion;
    sqt_fault fault;
    sqt_transform delta;
    double last = 0.5;
    succeeds(
        sqt_root_motion_extract(&motion, motion_samples, &clip, samples, skeleton, &clip, &source, scratch, &fault));
    succeeds(sqt_root_motion_validate(&motion, &fault));
    succeeds(sqt_root_motion_delta(&delta, &motion, &last, 99.75));
    const float weight = 1;
    succeeds(sqt_root_motion_blend(&delta, &delta, &weight, 1));
    sqt_root_place place = sqt_root_place_from_transform(delta);
    succeeds(sqt_root_motion_move(&place, delta));
    use((double)sqt_transform_from_root_place(&place).translation.z);
}

static void run_skeleton(sqt_skeleton *skeleton, const sqt_joint *joints, void *memory) {
    static sqt_joint sorted[2 * JOINTS];
    static uint16_t remap[JOINTS];
    static sqt_mat4 global[JOINTS];
    sqt_fault fault;
    succeeds(sqt_joint_sort(sorted, remap, joints, JOINTS, &fault));
    succeeds(sqt_joint_append(sorted, JOINTS, 2 * JOINTS, joints, JOINTS, 3, &fault));
    for (uint32_t j = 0; j < JOINTS; ++j) global[j] = sqt_mat4_from_transform(joints[j].rest);
    succeeds(sqt_joint_rest_from_global(sorted, global, JOINTS, &fault));
    const size_t bytes = sqt_skeleton_bytes(joints, JOINTS);
    assert_true(bytes <= MEMORY);
    succeeds(sqt_skeleton_build(skeleton, joints, JOINTS, memory, bytes, &fault));
    succeeds(sqt_skeleton_validate(skeleton, &fault));
    const char *const names[] = {"j3", "j1"};
    uint16_t found[2];
    succeeds(sqt_skeleton_map(found, skeleton, names, 2, &fault));
    use(sqt_skeleton_find(skeleton, "j3"));
    use(sqt_skeleton_find_hash(skeleton, sqt_hash("j3")));
    use(sqt_skeleton_find_below(skeleton, 1, "j3"));
    use(sqt_skeleton_find_hash_below(skeleton, 1, sqt_hash("j3")));
    use(sqt_skeleton_child(skeleton, 3, SQT_NO_JOINT));
    use(sqt_skeleton_is_below(skeleton, 3, 5));
    use(sqt_skeleton_joint(skeleton, 3).parent);
    float mask[JOINTS];
    succeeds(sqt_mask_subtree(mask, skeleton, 3, 0.1f, NULL));
    succeeds(sqt_mask_joints(mask, skeleton, found, NULL, 1, &fault));
    succeeds(sqt_mask_multiply(mask, skeleton, mask, NULL));
    succeeds(sqt_mask_max(mask, skeleton, mask, mask));
    succeeds(sqt_mask_add(mask, skeleton, mask, mask));
    succeeds(sqt_mask_invert(mask, skeleton, mask));
}

static void run_blend_spaces(void) {
    static const float speeds[3] = {0, 1, 3};
    static const sqt_vec2 points[5] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 0}};
    static unsigned char memory[1024];
    const sqt_vec2 p = {0.25f, 0.5f};
    float weights[SQT_TARGETED_CLIP_COUNT];
    succeeds(sqt_blend_space_linear(weights, speeds, 3, 2));
    succeeds(sqt_blend_space_bilinear(weights, points[0], points[3], p));
    succeeds(sqt_blend_space_barycentric(weights, points, p));
    succeeds(sqt_blend_space_gradient_band(weights, points, 5, p));
    sqt_blend_space space;
    sqt_fault fault;
    uint32_t cursor = 0;
    assert_true(sqt_blend_space_bytes(5) <= sizeof memory);
    succeeds(sqt_blend_space_build(&space, points, 5, memory, sizeof memory, &fault));
    succeeds(sqt_blend_space_validate(&space, &fault));
    succeeds(sqt_blend_space_delaunay(weights, &space, &cursor, p));
    sqt_locomotion locomotion = {0};
    bool switched;
    use((double)sqt_locomotion_angle(1, 6));
    succeeds(sqt_locomotion_pivotal(weights, speeds, 3, 0.5f, 1, 2));
    succeeds(sqt_locomotion_targeted(weights, &switched, &locomotion, 2, 0.1f));
}

static void run_blends(const sqt_skeleton *skeleton, sqt_pose_block *pose, sqt_pose_block *other,
                       const sqt_clip *clip) {
    static const float mask[JOINTS] = {0.0f, 1.0f, 0.5f};
    static sqt_quat turns[3 * JOINTS];
    static sqt_pose_block samples[SAMPLES * SQT_POSE_BLOCKS(JOINTS)], scratch[8 * SQT_POSE_BLOCKS(JOINTS)];
    succeeds(sqt_blend_pair(pose, skeleton, pose, other, NULL, 0.3f, SQT_NLERP));
    succeeds(sqt_blend_pair(pose, skeleton, pose, other, NULL, 0.3f, SQT_SLERP));
    const sqt_blend_input inputs[] = {{pose, NULL, NULL, 0.3f}, {other, mask, mask, 0.5f}, {pose, NULL, NULL, 0.1f}};
    succeeds(sqt_blend_many(pose, skeleton, inputs, 1, 1, SQT_NLERP));
    succeeds(sqt_blend_many(pose, skeleton, inputs, 3, 1, SQT_NLERP));
    succeeds(sqt_blend_difference(other, skeleton, pose, other, 0));
    succeeds(sqt_blend_add(pose, skeleton, pose, other, mask, 0.4f, SQT_SLERP));
    succeeds(sqt_blend_difference_mesh(other, skeleton, pose, other, turns, 0));
    succeeds(sqt_blend_add_mesh(pose, skeleton, pose, other, mask, turns, 0.4f, SQT_SLERP));
    const sqt_layer layers[] = {{.pose = pose, .weight = 1}, {.pose = other, .weight = 1, .kind = SQT_LAYER_ADDITIVE}};
    succeeds(sqt_layers_blend(pose, skeleton, layers, 2, NULL, SQT_REST_THRESHOLD));
    sqt_clip difference;
    assert_true(sqt_clip_difference_bytes(skeleton) <= sizeof scratch);
    succeeds(sqt_clip_difference(&difference, samples, skeleton, clip, clip, 0, scratch, sizeof scratch, NULL));
}

static void run_clips(sqt_pose_block *pose, const sqt_skeleton *skeleton) {
    static sqt_pose_block other[SQT_POSE_BLOCKS(JOINTS)], samples[SAMPLES * SQT_POSE_BLOCKS(JOINTS)];
    static sqt_transform transforms[JOINTS];
    succeeds(sqt_pose_identity(pose, JOINTS));
    succeeds(sqt_pose_unpack(transforms, pose, JOINTS));
    succeeds(sqt_pose_pack(other, transforms, JOINTS));
    sqt_pose_set(pose, 2, sqt_pose_get(other, 3));
    succeeds(sqt_skeleton_rest(pose, skeleton));

    const float times[KEYS] = {0, 0.5f, 2};
    const float rotations[KEYS * 4] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 1, 0, 0, 0};
    const float numbers[KEYS * 3] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const sqt_channel channels[] = {
        {{times, rotations, KEYS, 4, SQT_LINEAR}, 1, SQT_TARGET_ROTATION, 0, {0, 0, 0}},
        {{times, numbers, KEYS, 3, SQT_STEP}, 1, SQT_TARGET_TRANSLATION, 0, {0, 0, 0}},
        {{times, numbers, 1, 1, SQT_CUBIC}, 2, SQT_TARGET_SCALE_Y, 0, {0, 0, 0}},
        {{times, numbers, KEYS, 1, SQT_LINEAR}, 3, SQT_TARGET_EULER_Y, SQT_EULER_XYZ, {0, 0, 0}},
    };
    sqt_channel_clip channel_clip = {.channel_count = 4, .channels = channels};
    channel_clip.timeline.duration_seconds = sqt_channel_clip_duration(&channel_clip);
    sqt_fault fault;
    uint32_t cursors[4] = {0};
    float value[4];
    succeeds(sqt_curve_validate(&channels[0].curve, &fault));
    succeeds(sqt_curve_sample(value, &channels[0].curve, cursors, 0.7));
    succeeds(sqt_channel_clip_validate(&channel_clip, skeleton, &fault));
    succeeds(sqt_channel_clip_sample(pose, skeleton, &channel_clip, cursors, 0.7));

    sqt_clip clip;
    sqt_channel unsorted[2] = {{.joint = 1}, {.joint = 0}};
    succeeds(sqt_channel_sort(unsorted, 2));
    use(sqt_target_components(SQT_TARGET_SCALE));
    succeeds(sqt_channel_clip_bake(&clip, samples, skeleton, &channel_clip, NULL, JOINTS, SAMPLES, SQT_CLIP_CYCLIC,
                                   other, NULL));
    succeeds(sqt_clip_validate(&clip, skeleton, &fault));
    succeeds(sqt_clip_sample(other, skeleton, &clip, 0.9, SQT_SLERP));
    succeeds(sqt_clip_sample(other, skeleton, &clip, 0.9, SQT_NLERP));
    static unsigned char small_memory[MEMORY], scratch[MEMORY];
    sqt_uniform_clip small;
    sqt_clip_error error;
    const size_t small_bytes = sqt_uniform_clip_bytes(&clip, 0), error_bytes = sqt_uniform_clip_error_bytes(skeleton);
    assert_true(small_bytes <= MEMORY && error_bytes <= MEMORY);
    succeeds(sqt_uniform_clip_build(&small, skeleton, &clip, 0, small_memory, small_bytes, &fault));
    succeeds(sqt_uniform_clip_validate(&small, skeleton, &fault));
    succeeds(sqt_uniform_clip_error(&error, skeleton, &clip, &small, 0.1f, SQT_SLERP, scratch, error_bytes));
    succeeds(sqt_uniform_clip_sample(other, skeleton, &small, 0.9, SQT_NLERP));
    succeeds(sqt_clip_sample_pair(other, skeleton, &clip, &clip, 0.9, 1.4, 0.3f, SQT_NLERP));
    use((double)sqt_clip_rate_hz(&clip) + sqt_clip_sample_count(1, 30, 0) + sqt_clip_sample_seconds(&clip, 2));
    run_blends(skeleton, pose, other, &clip);
}

static void run_transitions(sqt_pose_block *pose, const sqt_skeleton *skeleton) {
    static const sqt_transition gentle = {0.2f, {SQT_EASE_BEZIER, {0.4f, 0.1f, 0.6f, 0.9f}}};
    static sqt_pose_block frozen[SQT_POSE_BLOCKS(JOINTS)];
    static sqt_inertial_block offsets[SQT_POSE_BLOCKS(JOINTS)];
    succeeds(sqt_ease_validate(&gentle.ease, NULL));
    use(sqt_ease_value(gentle.ease, 0.3));
    sqt_fade fade = {0};
    succeeds(sqt_fade_to(&fade, 1, 0.5f, gentle));
    use(sqt_fade_weight(&fade, 1.1));
    sqt_cross_fade cross = {0};
    sqt_fade_source sources[SQT_FADE_SOURCES];
    uint32_t count;
    succeeds(sqt_cross_fade_freeze(&cross, frozen, skeleton, pose));
    succeeds(sqt_cross_fade_to(&cross, 1, 3, gentle));
    succeeds(sqt_cross_fade_weights(sources, &count, &cross, 1.1));
    sqt_inertial inertial;
    const sqt_inertial_switch change = {.pose = pose, .target = skeleton->rest, .duration_seconds = 1};
    succeeds(sqt_inertial_begin(&inertial, offsets, skeleton, &change));
    succeeds(sqt_inertial_apply(pose, skeleton, pose, &inertial, offsets, 0.3));
    static sqt_mat4 global[JOINTS];
    static sqt_vec3 velocities[JOINTS];
    sqt_core_distance distance;
    succeeds(sqt_global_from_local(global, skeleton, pose, NULL));
    succeeds(sqt_core_pose_velocities(velocities, skeleton, global, global, 0.1f));
    const sqt_core_pose core = {global, velocities};
    succeeds(sqt_core_pose_distance(&distance, skeleton, &core, &core, NULL));
}

static void run_groups(const sqt_mesh *mesh) {
    static unsigned char memory[MEMORY];
    static uint32_t permutation[VERTICES], new_of_old[VERTICES];
    static float permuted[VERTICES * 3];
    uint16_t triangle[3] = {0, 4, 8};
    sqt_mesh_groups groups;
    sqt_fault fault;
    assert_true(sqt_mesh_group_bytes(mesh) <= MEMORY);
    succeeds(sqt_mesh_group(&groups, permutation, mesh, memory, MEMORY, &fault));
    succeeds(sqt_mesh_permute(permuted, mesh->positions.data, 3 * sizeof(float), permutation, VERTICES, NULL));
    succeeds(sqt_mesh_invert_permutation(new_of_old, permutation, VERTICES, &fault));
    succeeds(sqt_mesh_renumber(triangle, triangle, SQT_FORMAT_U16, 3, new_of_old, VERTICES, &fault));
}

static void run_skin(const sqt_skeleton *skeleton, sqt_pose_block *pose) {
    static sqt_mat4 global[JOINTS], inverse_bind[JOINTS], palette[JOINTS];
    static sqt_mat3x4 small_palette[JOINTS];
    static sqt_transform transforms[JOINTS];
    succeeds(sqt_global_from_local(global, skeleton, pose, NULL));
    succeeds(sqt_global_from_local_below(global, skeleton, pose, NULL, 2));
    succeeds(sqt_local_from_global(pose, skeleton, global, NULL));
    succeeds(sqt_global_transforms(transforms, palette, skeleton, pose, NULL));
    succeeds(sqt_local_from_transforms(pose, skeleton, transforms, NULL));

    static const uint16_t joints[3] = {7, 3, 11};
    sqt_fault fault;
    sqt_skin skin;
    succeeds(sqt_skin_bind_from_global(inverse_bind, joints, 3, palette, JOINTS, &fault));
    succeeds(sqt_skin_bind_from_rest(inverse_bind, skeleton, joints, 3, &fault));
    succeeds(sqt_skin_init(&skin, skeleton, joints, 3, inverse_bind, &fault));
    succeeds(sqt_skin_validate(&skin, skeleton, &fault));
    succeeds(sqt_skin_palette(palette, skeleton, &skin, global, NULL));
    succeeds(sqt_skin_palette_3x4(small_palette, skeleton, &skin, global, NULL));
    static unsigned char scratch[8192];
    static sqt_mat3x4 crowd[16][JOINTS];
    sqt_global_character characters[16];
    for (uint32_t i = 0; i < 16; ++i) characters[i] = (sqt_global_character){.local = pose, .palette_3x4 = crowd[i]};
    assert_true(sqt_global_many_bytes(skeleton, &skin) <= sizeof scratch);
    succeeds(sqt_global_many(characters, skeleton, &skin, 16, scratch, sizeof scratch));

    static float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4], weights[VERTICES * 5];
    static float out[3][VERTICES * 4], reduced[VERTICES * 4];
    static uint8_t indices[VERTICES * 5], quantized[VERTICES * 4];
    static uint16_t reduced_joints[VERTICES * 4];
    for (uint32_t i = 0; i < VERTICES; ++i) {
        normals[3 * i] = tangents[4 * i] = tangents[4 * i + 3] = 1;
        for (uint32_t k = 0; k < 5; ++k) weights[5 * i + k] = 0.2f;
        indices[5 * i + i % 5] = (uint8_t)(i % 3);
    }
    const sqt_mesh mesh = {.vertex_count = VERTICES,
                           .influence_count = 5,
                           .palette_count = 3,
                           .positions = {positions, 0, SQT_FORMAT_F32},
                           .normals = {normals, 0, SQT_FORMAT_F32},
                           .tangents = {tangents, 0, SQT_FORMAT_F32},
                           .joints = {indices, 0, SQT_FORMAT_U8},
                           .weights = {weights, 0, SQT_FORMAT_F32}};
    const sqt_skinned skinned = {.positions = out[0], .normals = out[1], .tangents = out[2]};
    succeeds(sqt_mesh_validate(&mesh, &fault));
    succeeds(sqt_mesh_reduce_influences(reduced_joints, reduced, &mesh, 4, &fault));
    succeeds(sqt_mesh_quantize_weights(quantized, reduced, VERTICES, 4, &fault));
    succeeds(sqt_skin_vertices(&skinned, &mesh, palette, 3, 0, VERTICES, 0));
    succeeds(sqt_skin_vertices(&skinned, &mesh, palette, 3, 0, VERTICES, SQT_PLAIN_NORMALS));
    run_groups(&mesh);
}

static void no_public_function_allocates(void **state) {
    (void)state;
    static sqt_joint joints[JOINTS];
    static char names[JOINTS][8];
    static unsigned char memory[MEMORY];
    static sqt_pose_block pose[SQT_POSE_BLOCKS(JOINTS)];
    make_joints(joints, names);
    sqt_skeleton skeleton;
    calls = 0;
    counting = true;
    run_values();
    run_clock();
    run_sync();
    run_events();
    run_blend_spaces();
    run_skeleton(&skeleton, joints, memory);
    run_tracks(&skeleton);
    run_root_motion(&skeleton);
    run_clips(pose, &skeleton);
    run_transitions(pose, &skeleton);
    run_skin(&skeleton, pose);
    counting = false;
    assert_int_equal(calls, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_the_allocator_are_counted),
        cmocka_unit_test(no_public_function_allocates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
