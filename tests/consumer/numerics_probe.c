// Does this build of sqt give the bits that every build gives? For those who compile the files with flags of their own:
//
//     cc FLAGS -Iinclude tests/consumer/numerics_probe.c src/*.c src/simd/*.c -lm -o numerics_probe && ./numerics_probe
//
// It runs every stage of a frame with every instruction set that the processor has, hashes what comes out, and compares
// with the hashes below. It exits with 0 where all are the same, else with 1, and says which stage differs and where.
//
// With --print it writes the table of this build: for a change of the library that changes bits on purpose, together
// with SQT_NUMERICS_VERSION.
//
// It is C and C++ alike, and its own arithmetic is exact, so that no flag can change the inputs.
#include <stdio.h>
#include <string.h>

#include <sqt/sqt.h>

#if SQT_NUMERICS_VERSION != 1
#error "the hashes below are those of numerics version 1: renew them with --print"
#endif

enum { JOINTS = 37, SAMPLES = 5, KEYS = 6, VERTICES = 53, INFLUENCES = 4, MEMORY = 65536 };

// ---- Inputs: small multiples of a power of two, the same on every machine ----

typedef struct source {
    uint32_t state;
} source;

static uint32_t draw(source *from) { // Marsaglia, "Xorshift RNGs": 13, 17, 5
    from->state ^= from->state << 13;
    from->state ^= from->state >> 17;
    from->state ^= from->state << 5;
    return from->state;
}

/// A multiple of 1/1024 in -2..2.
static float draw_float(source *from) { return (float)((int32_t)(draw(from) >> 20) - 2048) * (1.0f / 1024.0f); }

/// A multiple of 1/1024 in 0.5..1.5.
static float draw_scale(source *from) { return (float)((int32_t)(draw(from) >> 22) + 512) * (1.0f / 1024.0f); }

static sqt_vec3 draw_vec3(source *from) {
    sqt_vec3 v;
    v.x = draw_float(from);
    v.y = draw_float(from);
    v.z = draw_float(from);
    return v;
}

static sqt_quat draw_quat(source *from) {
    sqt_quat q;
    q.x = draw_float(from);
    q.y = draw_float(from);
    q.z = draw_float(from);
    q.w = draw_float(from);
    return sqt_quat_normalize(q);
}

static sqt_transform draw_transform(source *from) {
    sqt_transform t;
    t.rotation = draw_quat(from);
    t.translation = draw_vec3(from);
    t.scale.x = draw_scale(from);
    t.scale.y = draw_scale(from);
    t.scale.z = draw_scale(from);
    return t;
}

static void draw_pose(sqt_pose_block *pose, source *from) {
    sqt_pose_identity(pose, JOINTS);
    for (uint32_t j = 0; j < JOINTS; ++j) sqt_pose_set(pose, j, draw_transform(from));
}

// ---- What comes out: FNV-1a of the 32-bit words, and every call must succeed ----

typedef struct digest {
    uint64_t hash;
    uint32_t failures;
} digest;

static void add(digest *to, const void *words, size_t bytes) {
    const unsigned char *const from = (const unsigned char *)words;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t word;
        memcpy(&word, from + i, sizeof word);
        to->hash = (to->hash ^ word) * 0x100000001B3u;
    }
}

static void add_float(digest *to, float value) { add(to, &value, sizeof value); }

static void expect(digest *to, sqt_result result) { to->failures += result != SQT_OK; }

// ---- A rig of 37 joints, and its buffers ----

static unsigned char memory[MEMORY];
static sqt_joint joints[JOINTS];
static sqt_skeleton skeleton;
static sqt_pose_block pose_a[SQT_POSE_BLOCKS(JOINTS)], pose_b[SQT_POSE_BLOCKS(JOINTS)], pose[SQT_POSE_BLOCKS(JOINTS)];
static sqt_pose_block samples[SAMPLES * SQT_POSE_BLOCKS(JOINTS)], baked_samples[SAMPLES * SQT_POSE_BLOCKS(JOINTS)];
static sqt_mat4 global[JOINTS], palette[JOINTS], inverse_bind[JOINTS];
static float mask[JOINTS];

static void make_rig(digest *to) {
    source from = {2463534242u};
    for (uint32_t j = 0; j < JOINTS; ++j) {
        joints[j].name = "";
        joints[j].parent = j % 12 == 0 ? SQT_NO_JOINT : j - 1 - draw(&from) % (j < 3 ? j : 3);
        joints[j].rest = draw_transform(&from);
    }
    expect(to, sqt_skeleton_build(&skeleton, joints, JOINTS, memory, sizeof memory, NULL));
    draw_pose(pose_a, &from);
    draw_pose(pose_b, &from);
    for (uint32_t s = 0; s < SAMPLES; ++s) draw_pose(samples + s * SQT_POSE_BLOCKS(JOINTS), &from);
    for (uint32_t j = 0; j < JOINTS; ++j) { mask[j] = j % 5 == 0 ? 0.0f : j % 7 == 0 ? 1.0f : draw_scale(&from); }
}

// ---- The stages ----

static void run_functions(digest *to) {
    source from = {1u};
    for (int i = -4000; i <= 4000; ++i) {
        add_float(to, sqt_sin((float)i * 0.03125f));
        add_float(to, sqt_cos((float)i * 977.0f));
        add_float(to, sqt_acos((float)i * (1.0f / 4096.0f)));
        const sqt_vec3 point = draw_vec3(&from);
        add_float(to, sqt_atan2(point.y, point.x));
    }
}

static void run_transform(digest *to) {
    source from = {2u};
    for (uint32_t i = 0; i < 240; ++i) {
        const sqt_transform a = draw_transform(&from), b = draw_transform(&from);
        const sqt_vec3 v = draw_vec3(&from);
        const float t = draw_float(&from);
        const sqt_quat rotations[5] = {
            sqt_quat_multiply(a.rotation, b.rotation), sqt_quat_nlerp(a.rotation, b.rotation, t),
            sqt_quat_slerp(a.rotation, b.rotation, t), sqt_quat_from_axis_angle(v, t), sqt_quat_from_euler(v, i % 6)};
        const sqt_transform transforms[2] = {sqt_transform_multiply(a, b), sqt_transform_invert(a)};
        const sqt_mat4 m = sqt_mat4_multiply(sqt_mat4_from_transform(a), sqt_mat4_from_transform(b));
        const sqt_mat4 inverse = sqt_mat4_invert(m);
        const sqt_transform parts = sqt_transform_from_mat4(m);
        const sqt_vec3 vectors[5] = {sqt_quat_rotate(a.rotation, v), sqt_transform_point(a, v), sqt_mat4_point(m, v),
                                     sqt_mat4_vector(m, v), sqt_euler_from_quat(b.rotation, i % 6)};
        add(to, rotations, sizeof rotations);
        add(to, transforms, sizeof transforms);
        add(to, &m, sizeof m);
        add(to, &inverse, sizeof inverse);
        add(to, &parts, sizeof parts);
        add(to, vectors, sizeof vectors);
    }
}

static void run_skeleton(digest *to) {
    expect(to, sqt_skeleton_rest(pose, &skeleton));
    add(to, pose, sizeof pose);
    expect(to, sqt_global_from_local(global, &skeleton, pose_a, NULL));
    static sqt_joint derived[JOINTS];
    memcpy(derived, joints, sizeof derived);
    expect(to, sqt_joint_rest_from_global(derived, global, JOINTS, NULL));
    for (uint32_t j = 0; j < JOINTS; ++j) add(to, &derived[j].rest, sizeof derived[j].rest);
}

static void run_timeline(digest *to) {
    for (uint32_t loop = SQT_LOOP_CLAMP; loop <= SQT_LOOP_PING_PONG; ++loop) {
        const sqt_timeline timeline = {1.7083334f, loop};
        for (int i = -400; i <= 400; ++i) {
            const double local = sqt_timeline_wrap(&timeline, (double)i * 0.015625);
            add(to, &local, sizeof local);
            add_float(to, sqt_timeline_phase(&timeline, (double)i * 16777.25));
        }
    }
}

static void run_clip(digest *to) {
    sqt_clip clip;
    memset(&clip, 0, sizeof clip);
    clip.timeline.duration_seconds = 1.7083334f;
    clip.timeline.loop = SQT_LOOP_WRAP;
    clip.flags = SQT_CLIP_CYCLIC;
    clip.sample_count = SAMPLES;
    clip.joint_count = JOINTS;
    clip.samples = samples;
    for (int i = -20; i <= 20; ++i) {
        expect(to, sqt_clip_sample(pose, &skeleton, &clip, (double)i * 0.15625, i % 2 ? SQT_SLERP : SQT_NLERP));
        add(to, pose, sizeof pose);
    }
}

static void run_channel(digest *to) {
    static float times[KEYS], values[3][KEYS * 3 * 4];
    source from = {3u};
    for (uint32_t k = 0; k < KEYS; ++k) times[k] = (float)(k * k) * 0.0625f;
    for (uint32_t i = 0; i < 3 * KEYS * 3 * 4; ++i) values[i / (KEYS * 3 * 4)][i % (KEYS * 3 * 4)] = draw_float(&from);
    static const uint16_t components[3] = {4, 3, 3};
    static const uint8_t targets[3] = {SQT_TARGET_ROTATION, SQT_TARGET_TRANSLATION, SQT_TARGET_EULER};
    static sqt_channel channels[JOINTS];
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const uint32_t kind = j % 3;
        sqt_channel *const c = channels + j;
        c->curve.times = times;
        c->curve.values = values[kind] + j % 8;
        c->curve.key_count = KEYS - 1;
        c->curve.component_count = components[kind];
        c->curve.interpolation = (uint16_t)(j / 3 % 3);
        c->joint = (uint16_t)j;
        c->target = targets[kind];
        c->euler_order = (uint8_t)(j % 6);
    }
    sqt_channel_clip clip;
    memset(&clip, 0, sizeof clip);
    clip.timeline.duration_seconds = 1.5625f;
    clip.channel_count = JOINTS;
    clip.channels = channels;
    for (int i = 0; i <= 25; ++i) {
        expect(to, sqt_channel_clip_sample(pose, &skeleton, &clip, NULL, (double)i * 0.0625));
        add(to, pose, sizeof pose);
    }
    sqt_clip baked;
    expect(to, sqt_channel_clip_bake(&baked, baked_samples, &skeleton, &clip, NULL, JOINTS, SAMPLES, 0, NULL, NULL));
    add(to, baked_samples, sizeof baked_samples);
}

static void run_blend(digest *to) {
    for (int i = -12; i <= 20; ++i) {
        const float weight = (float)i * 0.125f;
        for (uint32_t flags = SQT_NLERP; flags <= SQT_SLERP; ++flags) {
            expect(to, sqt_blend_pair(pose, &skeleton, pose_a, pose_b, NULL, weight, flags));
            add(to, pose, sizeof pose);
            expect(to, sqt_blend_pair(pose, &skeleton, pose_a, pose_b, mask, weight, flags));
            add(to, pose, sizeof pose);
        }
    }
    expect(to, sqt_mask_subtree(mask, &skeleton, 12, 0.3f, NULL));
    add(to, mask, sizeof mask);
}

static void run_global(digest *to) {
    source from = {4u};
    static sqt_transform transforms[JOINTS];
    const sqt_transform root = draw_transform(&from);
    const sqt_mat4 root_matrix = sqt_mat4_from_transform(root);
    expect(to, sqt_global_from_local(global, &skeleton, pose_a, &root_matrix));
    add(to, global, sizeof global);
    expect(to, sqt_local_from_global(pose, &skeleton, global, &root_matrix));
    add(to, pose, sizeof pose);
    expect(to, sqt_global_from_local_below(global, &skeleton, pose_b, &root_matrix, 13));
    add(to, global, sizeof global);
    expect(to, sqt_global_transforms(transforms, global, &skeleton, pose_b, &root));
    add(to, transforms, sizeof transforms);
    add(to, global, sizeof global);
    expect(to, sqt_local_from_transforms(pose, &skeleton, transforms, &root));
    add(to, pose, sizeof pose);
}

static sqt_skin make_skin(digest *to) {
    sqt_skin skin;
    memset(&skin, 0, sizeof skin);
    expect(to, sqt_skin_bind_from_rest(inverse_bind, &skeleton, NULL, JOINTS, NULL));
    expect(to, sqt_skin_init(&skin, &skeleton, NULL, JOINTS, inverse_bind, NULL));
    return skin;
}

static void run_palette(digest *to) {
    static sqt_mat3x4 rows[JOINTS];
    source from = {5u};
    const sqt_mat4 model_to_world = sqt_mat4_from_transform(draw_transform(&from));
    const sqt_skin skin = make_skin(to);
    add(to, inverse_bind, sizeof inverse_bind);
    expect(to, sqt_global_from_local(global, &skeleton, pose_a, NULL));
    expect(to, sqt_skin_palette(palette, &skeleton, &skin, global, NULL));
    add(to, palette, sizeof palette);
    expect(to, sqt_skin_palette_3x4(rows, &skeleton, &skin, global, &model_to_world));
    add(to, rows, sizeof rows);
}

typedef struct vertex {
    float position[3], normal[3], tangent[4];
} vertex;

static vertex vertices[VERTICES];
static uint8_t joints_u8[VERTICES * INFLUENCES], weights_u8[VERTICES * INFLUENCES];
static uint16_t joints_u16[VERTICES * INFLUENCES], weights_u16[VERTICES * INFLUENCES];
static uint32_t joints_u32[VERTICES * INFLUENCES], influence_offsets[VERTICES + 1];
static float weights_f32[VERTICES * INFLUENCES];

static sqt_attribute attribute(const void *data, uint32_t stride_bytes, uint32_t format) {
    sqt_attribute made;
    made.data = data;
    made.stride_bytes = stride_bytes;
    made.format = format;
    return made;
}

static sqt_mesh make_mesh(void) {
    source from = {6u};
    for (uint32_t v = 0; v < VERTICES; ++v) {
        for (uint32_t i = 0; i < 3; ++i) vertices[v].position[i] = draw_float(&from);
        for (uint32_t i = 0; i < 3; ++i) vertices[v].normal[i] = draw_float(&from);
        for (uint32_t i = 0; i < 4; ++i) vertices[v].tangent[i] = draw_float(&from);
        influence_offsets[v + 1] = influence_offsets[v] + draw(&from) % (INFLUENCES + 1);
    }
    for (uint32_t i = 0; i < VERTICES * INFLUENCES; ++i) {
        const uint32_t joint = draw(&from) % JOINTS;
        joints_u8[i] = (uint8_t)joint;
        joints_u16[i] = (uint16_t)joint;
        joints_u32[i] = joint;
        weights_f32[i] = draw_scale(&from);
        weights_u8[i] = (uint8_t)(draw(&from) >> 24);
        weights_u16[i] = (uint16_t)(draw(&from) >> 16);
    }
    sqt_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    mesh.vertex_count = VERTICES;
    mesh.influence_count = INFLUENCES;
    mesh.palette_count = JOINTS;
    mesh.positions = attribute(vertices[0].position, sizeof(vertex), SQT_FORMAT_F32);
    mesh.normals = attribute(vertices[0].normal, sizeof(vertex), SQT_FORMAT_F32);
    mesh.tangents = attribute(vertices[0].tangent, sizeof(vertex), SQT_FORMAT_F32);
    mesh.joints = attribute(joints_u8, 0, SQT_FORMAT_U8);
    mesh.weights = attribute(weights_f32, 0, SQT_FORMAT_F32);
    return mesh;
}

static void add_skinned(digest *to, const sqt_mesh *mesh, uint32_t flags) {
    static float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
    sqt_skinned skinned;
    memset(&skinned, 0, sizeof skinned);
    skinned.positions = positions;
    skinned.normals = normals;
    skinned.tangents = tangents;
    expect(to, sqt_skin_vertices(&skinned, mesh, palette, JOINTS, 0, VERTICES, flags));
    add(to, positions, sizeof positions);
    add(to, normals, sizeof normals);
    add(to, tangents, sizeof tangents);
}

static void run_skin(digest *to) {
    const sqt_skin skin = make_skin(to);
    expect(to, sqt_global_from_local(global, &skeleton, pose_a, NULL));
    expect(to, sqt_skin_palette(palette, &skeleton, &skin, global, NULL));
    sqt_mesh mesh = make_mesh();
    for (mesh.influence_count = 1; mesh.influence_count <= INFLUENCES; ++mesh.influence_count) {
        add_skinned(to, &mesh, 0);
        add_skinned(to, &mesh, SQT_PLAIN_NORMALS);
        add_skinned(to, &mesh, SQT_RAW_NORMALS);
    }
    mesh.influence_count = INFLUENCES;
    mesh.joints = attribute(joints_u16, 0, SQT_FORMAT_U16);
    mesh.weights = attribute(weights_u8, 0, SQT_FORMAT_UNORM8);
    add_skinned(to, &mesh, 0);
    mesh.joints = attribute(joints_u32, 0, SQT_FORMAT_U32);
    mesh.weights = attribute(weights_u16, 0, SQT_FORMAT_UNORM16);
    add_skinned(to, &mesh, 0);
    mesh.influence_offsets = influence_offsets;
    add_skinned(to, &mesh, 0);
}

/// Skins the mesh again with the influences that a loader makes of its own, with groups and without.
static void run_mesh(digest *to) {
    static uint16_t reduced_joints[VERTICES * 3];
    static float reduced_weights[VERTICES * 3], shared_weights[VERTICES * 2];
    static uint16_t shared_joints[VERTICES * 2];
    static uint8_t quantized[VERTICES * 4];
    static uint32_t permutation[VERTICES];
    static vertex permuted[VERTICES];
    static unsigned char group_memory[MEMORY];
    sqt_mesh mesh = make_mesh();
    expect(to, sqt_mesh_reduce_influences(reduced_joints, reduced_weights, &mesh, 3, NULL));
    add(to, reduced_weights, sizeof reduced_weights);
    expect(to, sqt_mesh_quantize_weights(quantized, reduced_weights, VERTICES, 3, NULL));
    add(to, quantized, sizeof quantized / 4 * 3);

    source from = {7u};
    for (uint32_t v = 0; v < VERTICES; ++v) { // two sets of vertices that share their joints, and a few others
        const bool other = v % 11 == 0;
        shared_joints[2 * v] = (uint16_t)(other ? v % JOINTS : v % 2);
        shared_joints[2 * v + 1] = (uint16_t)(other ? (v + 7) % JOINTS : 5 + v % 2);
        shared_weights[2 * v] = draw_scale(&from);
        shared_weights[2 * v + 1] = draw_scale(&from);
    }
    mesh.influence_count = 2;
    mesh.joints = attribute(shared_joints, 0, SQT_FORMAT_U16);
    mesh.weights = attribute(shared_weights, 0, SQT_FORMAT_F32);
    sqt_mesh_groups groups;
    expect(to, sqt_mesh_group(&groups, permutation, &mesh, group_memory, sizeof group_memory, NULL));
    expect(to, sqt_mesh_permute(permuted, vertices, sizeof(vertex), permutation, VERTICES, NULL));
    mesh.groups = &groups;
    mesh.positions.data = permuted[0].position;
    mesh.normals.data = permuted[0].normal;
    mesh.tangents.data = permuted[0].tangent;
    add_skinned(to, &mesh, 0);
}

typedef struct stage {
    const char *name;
    void (*run)(digest *to);
    uint64_t hash;
} stage;

// clang-format off
static const stage stages[] = {
    {"functions", run_functions, 0x2813025E9D2AFE18u},
    {"transform", run_transform, 0x45B4310E08C228F4u},
    {"skeleton", run_skeleton, 0xBD721627B3F8697Du},
    {"timeline", run_timeline, 0xA8CE0575E8AE1AF4u},
    {"clip", run_clip, 0xAD3F72F7FCB1FCB4u},
    {"channel", run_channel, 0xC035F55A9F80371Fu},
    {"blend", run_blend, 0xCC6D96E2495144DCu},
    {"global", run_global, 0xA75482C6997A0318u},
    {"palette", run_palette, 0x29697079172D5607u},
    {"skin", run_skin, 0xD2C9D0243550D900u},
    {"mesh", run_mesh, 0x3356CAB6C18DBDE2u},
};
// clang-format on

enum { STAGES = sizeof stages / sizeof stages[0] };

static digest run(const stage *of) {
    digest made = {0xCBF29CE484222325u, 0};
    make_rig(&made);
    of->run(&made);
    return made;
}

static const char *compiler(void) {
#if defined(__clang__)
    return __VERSION__; // names itself
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "an unknown compiler";
#endif
}

static int print(void) {
    for (uint32_t s = 0; s < STAGES; ++s) {
        const digest got = run(stages + s);
        if (got.failures) fprintf(stderr, "%s: %u calls failed\n", stages[s].name, (unsigned)got.failures);
        printf("    {\"%s\", run_%s, 0x%08lX%08lXu},\n", stages[s].name, stages[s].name,
               (unsigned long)(got.hash >> 32), (unsigned long)(got.hash & 0xFFFFFFFFu));
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--print") == 0) return print();
    printf("sqt numerics version %d, %s, %s\n", SQT_NUMERICS_VERSION,
#if defined(__cplusplus)
           "C++",
#else
           "C",
#endif
           compiler());
    uint32_t differences = 0;
    for (uint32_t isa = SQT_ISA_SCALAR; isa < SQT_ISA_COUNT; ++isa) {
        if (!sqt_isa_available(isa) || sqt_isa_cap(isa) != isa) continue;
        uint32_t here = 0;
        for (uint32_t s = 0; s < STAGES; ++s) {
            const digest got = run(stages + s);
            const bool same = got.hash == stages[s].hash;
            if (!same) printf("%s: %s gives other bits\n", sqt_isa_name(isa), stages[s].name);
            if (got.failures)
                printf("%s: %s: %u calls failed\n", sqt_isa_name(isa), stages[s].name, (unsigned)got.failures);
            here += !same || got.failures;
        }
        if (!here) printf("%s: %u stages, the promised bits\n", sqt_isa_name(isa), (unsigned)STAGES);
        differences += here;
    }
    if (differences) {
        puts("THIS BUILD BREAKS SQT'S PROMISE OF THE SAME BITS. Compile its sources with -ffp-contract=off, without\n"
             "-ffast-math and its parts, and on 32-bit x86 with -msse2 -mfpmath=sse; or do without the promise.");
        return 1;
    }
    puts("this build gives the bits that every build gives");
    return 0;
}
