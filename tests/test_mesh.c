#include <stdlib.h>

#include "check.h"

enum { SEED = 20240817 };

static const float three_points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

/// Three vertices with two influences each, tight, over a palette of four.
typedef struct small {
    sqt_mesh mesh;
    float positions[9], normals[9], tangents[12];
    uint8_t joints[6];
    float weights[6];
} small;

static void fill_small(small *s) {
    static const float normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float tangents[12] = {1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1};
    static const uint8_t joints[6] = {0, 1, 1, 2, 3, 0};
    static const float weights[6] = {0.5f, 0.5f, 0.25f, 0.75f, 1, 0};
    memset(s, 0, sizeof *s);
    memcpy(s->positions, three_points, sizeof three_points);
    memcpy(s->normals, normals, sizeof normals);
    memcpy(s->tangents, tangents, sizeof tangents);
    memcpy(s->joints, joints, sizeof joints);
    memcpy(s->weights, weights, sizeof weights);
    s->mesh.vertex_count = 3;
    s->mesh.influence_count = 2;
    s->mesh.palette_count = 4;
    s->mesh.positions.data = s->positions;
    s->mesh.normals.data = s->normals;
    s->mesh.tangents.data = s->tangents;
    s->mesh.joints = (sqt_attribute){s->joints, 0, SQT_FORMAT_U8};
    s->mesh.weights = (sqt_attribute){s->weights, 0, SQT_FORMAT_F32};
}

static void expect_valid(const sqt_mesh *mesh) {
    sqt_fault fault = {"", 0, 0};
    if (sqt_mesh_validate(mesh, &fault) != SQT_OK) fail_msg("%s at %u, %u", fault.field, fault.index, fault.element);
}

static void expect_invalid(const sqt_mesh *mesh, sqt_result want, const char *field, uint32_t index, uint32_t element) {
    sqt_fault fault = {NULL, 77, 77};
    assert_int_equal(sqt_mesh_validate(mesh, &fault), want);
    assert_fault(fault, field, index, element);
    assert_int_equal(sqt_mesh_validate(mesh, NULL), want);
}

// ---- Validating ----

static void a_sound_mesh_passes_with_and_without_what_is_optional(void **state) {
    (void)state;
    small s;
    fill_small(&s);
    expect_valid(&s.mesh);
    s.mesh.normals.data = NULL;
    s.mesh.normals.format = 99; // of nothing
    s.mesh.tangents.data = NULL;
    s.mesh.tangents.stride_bytes = 1;
    expect_valid(&s.mesh);
    s.mesh.influence_count = 0; // no skinning
    s.mesh.joints = s.mesh.weights = (sqt_attribute){0};
    s.mesh.palette_count = 0;
    expect_valid(&s.mesh);
    const sqt_mesh nothing = {0};
    expect_valid(&nothing);
}

static void formats_are_checked(void **state) {
    (void)state;
    small s;
    for (uint32_t format = 0; format < 8; ++format) {
        const bool is_float = format == SQT_FORMAT_F32;
        const bool is_joint = format >= SQT_FORMAT_U8 && format <= SQT_FORMAT_U32;
        const bool is_weight = is_float || format == SQT_FORMAT_UNORM8 || format == SQT_FORMAT_UNORM16;
        struct {
            sqt_attribute *attribute;
            const char *field;
            bool allowed;
        } const cases[] = {{&s.mesh.positions, "positions", is_float},
                           {&s.mesh.normals, "normals", is_float},
                           {&s.mesh.tangents, "tangents", is_float},
                           {&s.mesh.joints, "joints", is_joint},
                           {&s.mesh.weights, "weights", is_weight}};
        for (uint32_t i = 0; i < 5; ++i) {
            static const uint8_t zeros[64];
            fill_small(&s);
            s.mesh.joints.data = s.mesh.weights.data = zeros; // wide enough for any format
            cases[i].attribute->format = format;
            if (cases[i].allowed) {
                expect_valid(&s.mesh);
            } else {
                expect_invalid(&s.mesh, SQT_ERROR_FLAG, cases[i].field, 0, 0);
            }
        }
    }
}

static void strides_are_tight_or_at_least_an_element(void **state) {
    (void)state;
    small s;
    struct {
        sqt_attribute *attribute;
        const char *field;
        uint32_t bytes;
    } const cases[] = {{&s.mesh.positions, "positions", 12},
                       {&s.mesh.normals, "normals", 12},
                       {&s.mesh.tangents, "tangents", 16},
                       {&s.mesh.joints, "joints", 2},
                       {&s.mesh.weights, "weights", 8}};
    for (uint32_t i = 0; i < 5; ++i) {
        fill_small(&s);
        cases[i].attribute->stride_bytes = cases[i].bytes;
        expect_valid(&s.mesh);
        cases[i].attribute->stride_bytes = cases[i].bytes - 1;
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, cases[i].field, 0, 0);
    }
    // In the variable form an element is one influence.
    static const uint32_t offsets[] = {0, 2, 4, 6};
    fill_small(&s);
    s.mesh.influence_offsets = offsets;
    s.mesh.influence_count = 999; // ignored
    s.mesh.joints.stride_bytes = 1;
    s.mesh.weights.stride_bytes = 4;
    expect_valid(&s.mesh);
    s.mesh.weights.stride_bytes = 3;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "weights", 0, 0);
}

static void missing_attributes_and_counts_are_named(void **state) {
    (void)state;
    small s;
    expect_invalid(NULL, SQT_ERROR_NULL, "mesh", 0, 0);
    fill_small(&s);
    s.mesh.positions.data = NULL;
    expect_invalid(&s.mesh, SQT_ERROR_NULL, "positions", 0, 0);
    fill_small(&s);
    s.mesh.joints.data = NULL;
    expect_invalid(&s.mesh, SQT_ERROR_NULL, "joints", 0, 0);
    fill_small(&s);
    s.mesh.weights.data = NULL;
    expect_invalid(&s.mesh, SQT_ERROR_NULL, "weights", 0, 0);
    fill_small(&s);
    s.mesh.influence_count = 256;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "influence_count", 0, 0);
}

static void every_number_is_checked_by_name_vertex_and_component(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    small s;
    for (uint32_t k = 0; k < 3; ++k) {
        for (uint32_t i = 0; i < 9; ++i) {
            fill_small(&s);
            s.positions[i] = bad[k];
            expect_invalid(&s.mesh, SQT_ERROR_NUMBER, "positions", i / 3, i % 3);
            fill_small(&s);
            s.normals[i] = bad[k];
            expect_invalid(&s.mesh, SQT_ERROR_NUMBER, "normals", i / 3, i % 3);
        }
        for (uint32_t i = 0; i < 12; ++i) {
            fill_small(&s);
            s.tangents[i] = bad[k];
            expect_invalid(&s.mesh, SQT_ERROR_NUMBER, "tangents", i / 4, i % 4);
        }
        for (uint32_t i = 0; i < 6; ++i) {
            fill_small(&s);
            s.weights[i] = bad[k];
            expect_invalid(&s.mesh, SQT_ERROR_NUMBER, "weights", i / 2, i % 2);
        }
    }
    for (uint32_t i = 0; i < 6; ++i) {
        fill_small(&s);
        s.joints[i] = 4; // also at weight 0
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "joints", i / 2, i % 2);
        fill_small(&s);
        s.weights[i] = -1e-6f;
        expect_invalid(&s.mesh, SQT_ERROR_NUMBER, "weights", i / 2, i % 2);
        fill_small(&s);
        s.weights[i] = -0.0f; // no negative weight
        expect_valid(&s.mesh);
    }
}

static void offsets_must_ascend_and_bound_the_influences(void **state) {
    (void)state;
    small s;
    fill_small(&s);
    uint32_t offsets[4] = {0, 3, 3, 6};
    s.mesh.influence_offsets = offsets;
    expect_valid(&s.mesh);
    s.weights[4] = NAN;
    expect_invalid(&s.mesh, SQT_ERROR_NUMBER, "weights", 2, 1);
    s.weights[4] = 1;
    s.joints[2] = 4;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "joints", 0, 2);
    s.joints[2] = 1;
    offsets[2] = 2;
    expect_invalid(&s.mesh, SQT_ERROR_ORDER, "influence_offsets", 1, 0);
    // The first and the last are equal, so that no influence seems to be there.
    const uint32_t hump[4] = {0, 5, 5, 0};
    s.mesh.influence_offsets = hump;
    s.mesh.joints.data = s.mesh.weights.data = NULL;
    expect_invalid(&s.mesh, SQT_ERROR_ORDER, "influence_offsets", 2, 0);
    const uint32_t level[4] = {7, 7, 7, 7};
    s.mesh.influence_offsets = level;
    expect_valid(&s.mesh); // nothing is read
    static uint8_t joints[256];
    static float weights[256];
    const uint32_t many[4] = {0, 0, 255, 255}, too_many[4] = {0, 0, 256, 256};
    s.mesh.joints.data = joints;
    s.mesh.weights.data = weights;
    s.mesh.influence_offsets = many;
    expect_valid(&s.mesh);
    s.mesh.influence_offsets = too_many;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "influence_offsets", 1, 0);
}

static void unaligned_interleaved_vertices_are_read_in_place(void **state) {
    (void)state;
    // 1 byte of nothing, then a vertex: position 12, joints 3 * 2, normal 12, weights 3 * 2, tangent 16, padding 1.
    enum { STRIDE = 53, COUNT = 5 };
    unsigned char *const bytes = malloc(1 + COUNT * STRIDE - 1); // ends with the last tangent
    assert_non_null(bytes);
    memset(bytes, 0xFF, 1 + COUNT * STRIDE - 1);
    for (uint32_t v = 0; v < COUNT; ++v) {
        unsigned char *const at = bytes + 1 + v * STRIDE;
        const float floats[4] = {1, 2, 3, -1};
        const uint16_t joints[3] = {(uint16_t)v, 300, 299}, weights[3] = {65535, 0, 1};
        memcpy(at, floats, 12);
        memcpy(at + 12, joints, 6);
        memcpy(at + 18, floats, 12);
        memcpy(at + 30, weights, 6);
        memcpy(at + 36, floats, 16);
    }
    const sqt_mesh mesh = {.vertex_count = COUNT,
                           .influence_count = 3,
                           .palette_count = 301,
                           .positions = {bytes + 1, STRIDE, SQT_FORMAT_F32},
                           .joints = {bytes + 13, STRIDE, SQT_FORMAT_U16},
                           .normals = {bytes + 19, STRIDE, SQT_FORMAT_F32},
                           .weights = {bytes + 31, STRIDE, SQT_FORMAT_UNORM16},
                           .tangents = {bytes + 37, STRIDE, SQT_FORMAT_F32}};
    expect_valid(&mesh);
    sqt_mesh narrow = mesh;
    narrow.palette_count = 300;
    expect_invalid(&narrow, SQT_ERROR_COUNT, "joints", 0, 1);
    const uint16_t wrong = 301;
    memcpy(bytes + 1 + 4 * STRIDE + 16, &wrong, sizeof wrong);
    expect_invalid(&mesh, SQT_ERROR_COUNT, "joints", 4, 2);
    free(bytes);
}

static void wide_joint_indices_are_not_cut(void **state) {
    (void)state;
    small s;
    fill_small(&s);
    uint32_t joints[6] = {0, 1, 2, 3, 0, 0x10000};
    s.mesh.joints = (sqt_attribute){joints, 0, SQT_FORMAT_U32};
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "joints", 2, 1);
    joints[5] = UINT32_MAX;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "joints", 2, 1);
}

// ---- Reducing ----

/// One vertex of `count` influences reduced to `kept`.
static void reduce_one(uint16_t *joints, float *weights, uint32_t kept, const uint16_t *from_joints, const void *from,
                       uint32_t format, uint32_t count) {
    const sqt_mesh mesh = {.vertex_count = 1,
                           .influence_count = count,
                           .palette_count = 65536,
                           .positions = {three_points, 0, SQT_FORMAT_F32},
                           .joints = {from_joints, 0, SQT_FORMAT_U16},
                           .weights = {from, 0, format}};
    expect_valid(&mesh);
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &mesh, kept, NULL), SQT_OK);
}

/// Where a vertex at the origin of every joint's space is drawn along x: the sum of weight * x of the joint.
static double blended_x(const uint16_t *joints, const float *weights, uint32_t count, const double *x) {
    double sum = 0;
    for (uint32_t i = 0; i < count; ++i) sum += weights[i] * x[joints[i]];
    return sum;
}

static void weights_that_do_not_sum_to_one_are_normalised(void **state) {
    (void)state;
    // Both joints at x = 1000, the vertex at x = 1 when bound: 1001, where the weights as given make 980.98.
    static const uint16_t from[] = {0, 1};
    static const float given[] = {0.49f, 0.49f};
    static const double x[] = {1001, 1001};
    uint16_t joints[2];
    float weights[2];
    assert_close(blended_x(from, given, 2, x), 980.98, 1e-4);
    reduce_one(joints, weights, 2, from, given, SQT_FORMAT_F32, 2);
    assert_close(weights[0], 0.5, 0);
    assert_close(weights[1], 0.5, 0);
    assert_close(blended_x(joints, weights, 2, x), 1001, 1e-5);
}

static void normalised_integers_are_weights(void **state) {
    (void)state;
    static const uint16_t from[] = {0, 1};
    static const uint8_t halves[] = {128, 127}, whole[] = {255, 0};
    static const double x[] = {0, 255};
    uint16_t joints[2];
    float weights[2];
    reduce_one(joints, weights, 2, from, halves, SQT_FORMAT_UNORM8, 2);
    assert_close(weights[0], 128 / 255.0, 3e-8);
    assert_close(weights[1], 127 / 255.0, 3e-8);
    assert_close(blended_x(joints, weights, 2, x), 127, 1e-5);
    reduce_one(joints, weights, 2, from, whole, SQT_FORMAT_UNORM8, 2);
    assert_close(weights[0], 1, 0);
    assert_close(weights[1], 0, 0);
    static const uint16_t words[] = {0, 65535}, parts[] = {0x4000, 0xBFFF}; // both bytes of a word count
    reduce_one(joints, weights, 2, from, words, SQT_FORMAT_UNORM16, 2);
    assert_int_equal(joints[0], 1);
    assert_close(weights[0], 1, 0);
    reduce_one(joints, weights, 2, from, parts, SQT_FORMAT_UNORM16, 2);
    assert_int_equal(joints[0], 1);
    assert_close(weights[0], 49151 / 65535.0, 3e-8);
    assert_close(weights[1], 16384 / 65535.0, 3e-8);
}

static void weights_in_order_stay_as_they_are(void **state) {
    (void)state;
    static const uint16_t from[] = {4, 2, 9};
    static const float given[] = {0.6f, 0.3f, 0.1f};
    uint16_t joints[3];
    float weights[3];
    reduce_one(joints, weights, 3, from, given, SQT_FORMAT_F32, 3);
    assert_memory_equal(joints, from, sizeof from);
    assert_all_close(weights, given, 3, 1e-8);
}

static void five_influences_reduce_to_the_four_heaviest(void **state) {
    (void)state;
    static const uint16_t from[] = {0, 1, 2, 3, 4};
    static const float given[] = {0.4f, 0.25f, 0.2f, 0.1f, 0.05f};
    static const float four[] = {0.42105263f, 0.26315789f, 0.21052632f, 0.10526316f}; // over 0.95
    static const double x[] = {0, 10, 20, 30, 100};
    uint16_t joints[5];
    float weights[5];
    reduce_one(joints, weights, 5, from, given, SQT_FORMAT_F32, 5);
    assert_close(blended_x(joints, weights, 5, x), 14.5, 1e-5);
    reduce_one(joints, weights, 4, from, given, SQT_FORMAT_F32, 5);
    assert_close(blended_x(joints, weights, 4, x), 10, 1e-5);
    assert_memory_equal(joints, from, 4 * sizeof *from);
    assert_all_close(weights, four, 4, 3e-8);
}

static void weights_of_zero_bind_to_the_first_joint(void **state) {
    (void)state;
    static const uint16_t from[] = {7, 3, 5};
    static const float given[] = {0, 0, -0.0f};
    uint16_t joints[4] = {9, 9, 9, 9};
    float weights[4] = {9, 9, 9, 9};
    static const uint16_t first[] = {7, 0, 0, 0}, none[] = {0, 0, 0, 0};
    static const float whole[] = {1, 0, 0, 0};
    reduce_one(joints, weights, 4, from, given, SQT_FORMAT_F32, 3);
    assert_memory_equal(joints, first, sizeof first);
    assert_all_close(weights, whole, 4, 0);
    reduce_one(joints, weights, 4, NULL, NULL, SQT_FORMAT_F32, 0); // no influence at all
    assert_memory_equal(joints, none, sizeof none);
    assert_all_close(weights, whole, 4, 0);
}

static void weights_of_one_joint_are_added_up_before_the_heaviest_are_kept(void **state) {
    (void)state;
    // Joint 5 has 0.15 + 0.15 + 0.1 and is the heaviest only when added up.
    static const uint16_t from[] = {5, 8, 5, 2, 5};
    static const float given[] = {0.15f, 0.35f, 0.15f, 0.25f, 0.1f};
    uint16_t joints[2];
    float weights[2];
    reduce_one(joints, weights, 2, from, given, SQT_FORMAT_F32, 5);
    assert_int_equal(joints[0], 5);
    assert_int_equal(joints[1], 8);
    assert_close(weights[0], 0.4 / 0.75, 6e-8);
    assert_close(weights[1], 0.35 / 0.75, 6e-8);
}

static void ties_go_to_the_earlier_influence(void **state) {
    (void)state;
    static const uint16_t from[] = {6, 1, 4, 3};
    static const float given[] = {0.125f, 0.25f, 0.25f, 0.125f};
    uint16_t joints[3];
    float weights[3];
    reduce_one(joints, weights, 3, from, given, SQT_FORMAT_F32, 4);
    static const uint16_t expected[] = {1, 4, 6};
    assert_memory_equal(joints, expected, sizeof expected);
}

static void unused_places_are_joint_zero_weight_zero(void **state) {
    (void)state;
    static const uint16_t from[] = {6, 1, 4};
    static const float given[] = {0.5f, 0, 1.5f};
    static const uint16_t expected[] = {4, 6, 0, 0, 0};
    static const float shares[] = {0.75f, 0.25f, 0, 0, 0};
    uint16_t joints[5] = {9, 9, 9, 9, 9};
    float weights[5] = {9, 9, 9, 9, 9};
    reduce_one(joints, weights, 5, from, given, SQT_FORMAT_F32, 3);
    assert_memory_equal(joints, expected, sizeof expected);
    assert_all_close(weights, shares, 5, 0);
}

static void huge_and_tiny_weights_normalise(void **state) {
    (void)state;
    static const uint16_t from[] = {1, 2, 3};
    static const float huge[] = {3e38f, 3e38f, 3e38f}, tiny[] = {1e-44f, 1e-44f, 0}, mixed[] = {1e-10f, 1e29f, 1};
    uint16_t joints[3];
    float weights[3];
    reduce_one(joints, weights, 3, from, huge, SQT_FORMAT_F32, 3);
    for (uint32_t i = 0; i < 3; ++i) assert_close(weights[i], 1 / 3.0, 3e-8);
    reduce_one(joints, weights, 3, from, tiny, SQT_FORMAT_F32, 3);
    assert_close(weights[0], 0.5, 0);
    assert_close(weights[1], 0.5, 0);
    reduce_one(joints, weights, 3, from, mixed, SQT_FORMAT_F32, 3); // 1e-39 is no number to compute with
    assert_int_equal(joints[0], 2);
    assert_int_equal(joints[1], 3);
    assert_close(weights[1], 1e-29, 1e-36);
    assert_int_equal(joints[2], 0);
    assert_close(weights[2], 0, 0);
}

/// What reducing should keep, the long way: all sums by joint, then the largest again and again.
static void reduce_slowly(double *share, const uint32_t *joints, const float *weights, uint32_t count, uint32_t kept) {
    enum { JOINTS = 40 };
    double sums[JOINTS] = {0}, total = 0;
    bool seen[JOINTS] = {0};
    uint32_t order[JOINTS], seen_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!seen[joints[i]]) order[seen_count++] = joints[i];
        seen[joints[i]] = true;
        sums[joints[i]] += weights[i];
    }
    memset(share, 0, JOINTS * sizeof *share);
    for (uint32_t k = 0; k < kept && k < seen_count; ++k) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < seen_count; ++i) {
            if (share[order[i]] == 0 && (best == UINT32_MAX || sums[order[i]] > sums[best])) best = order[i];
        }
        if (best == UINT32_MAX || sums[best] == 0) break;
        share[best] = sums[best];
        total += sums[best];
    }
    for (uint32_t j = 0; j < JOINTS; ++j) share[j] = total > 0 ? share[j] / total : 0;
}

static void random_meshes_of_both_forms_reduce_as_the_long_way_says(void **state) {
    (void)state;
    enum { VERTICES = 60, MOST = 255, JOINTS = 40 };
    check_random random = {SEED};
    static uint32_t joints[VERTICES * MOST][3]; // the stride is three words
    static float weights[VERTICES * MOST];
    static float positions[VERTICES * 3];
    static uint16_t out_joints[VERTICES * MOST + 1];
    static float out_weights[VERTICES * MOST + 1];
    for (uint32_t round = 0; round < 40; ++round) {
        const bool variable = round % 2;
        const uint32_t most = round % 5 == 0 ? MOST : 9, kept = 1 + check_random_below(&random, most);
        uint32_t offsets[VERTICES + 1] = {0}, flat[MOST];
        const uint32_t fixed_count = variable ? 0 : 1 + check_random_below(&random, 9);
        for (uint32_t v = 0; v < VERTICES; ++v) {
            offsets[v + 1] = offsets[v] + (variable ? check_random_below(&random, most + 1) : fixed_count);
        }
        for (uint32_t i = 0; i < offsets[VERTICES]; ++i) {
            joints[i][0] = check_random_below(&random, JOINTS);
            weights[i] = check_random_below(&random, 4) ? check_random_float(&random, 0, 1) : 0;
        }
        // Fixed: consecutive joints, so pack them to the front of the same memory.
        uint32_t *const packed = &joints[0][0];
        if (!variable) {
            for (uint32_t i = 0; i < offsets[VERTICES]; ++i) packed[i] = joints[i][0];
        }
        const sqt_mesh mesh = {.vertex_count = VERTICES,
                               .influence_count = fixed_count,
                               .palette_count = JOINTS,
                               .influence_offsets = variable ? offsets : NULL,
                               .positions = {positions, 0, SQT_FORMAT_F32},
                               .joints = {joints, variable ? sizeof joints[0] : 0, SQT_FORMAT_U32},
                               .weights = {weights, 0, SQT_FORMAT_F32}};
        expect_valid(&mesh);
        out_joints[VERTICES * kept] = 777;
        out_weights[VERTICES * kept] = 777;
        assert_int_equal(sqt_mesh_reduce_influences(out_joints, out_weights, &mesh, kept, NULL), SQT_OK);
        assert_int_equal(out_joints[VERTICES * kept], 777);
        assert_close(out_weights[VERTICES * kept], 777, 0);
        for (uint32_t v = 0; v < VERTICES; ++v) {
            const uint32_t count = offsets[v + 1] - offsets[v];
            for (uint32_t i = 0; i < count; ++i) {
                flat[i] = variable ? joints[offsets[v] + i][0] : packed[offsets[v] + i];
            }
            double share[JOINTS], sum = 0;
            reduce_slowly(share, flat, weights + offsets[v], count, kept);
            bool any = false;
            for (uint32_t j = 0; j < JOINTS; ++j) any = any || share[j] > 0;
            if (!any) share[count > 0 ? flat[0] : 0] = 1;
            for (uint32_t i = 0; i < kept; ++i) {
                const uint32_t joint = out_joints[v * kept + i];
                const float weight = out_weights[v * kept + i];
                if (i > 0) assert_true(weight <= out_weights[v * kept + i - 1]);
                if (weight > 0) {
                    assert_close(weight, share[joint], 6e-8);
                } else {
                    assert_int_equal(joint, 0);
                }
                sum += weight;
            }
            assert_close(sum, 1, 1e-6);
        }
    }
}

static void reducing_names_every_error(void **state) {
    (void)state;
    small s;
    uint16_t joints[6] = {9, 9, 9, 9, 9, 9};
    float weights[6] = {9, 9, 9, 9, 9, 9};
    sqt_fault fault;
    fill_small(&s);
    assert_int_equal(sqt_mesh_reduce_influences(NULL, weights, &s.mesh, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "joints", 0, 0);
    assert_int_equal(sqt_mesh_reduce_influences(joints, NULL, &s.mesh, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "weights", 0, 0);
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, NULL, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "mesh", 0, 0);
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 0, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "influence_count", 0, 0);
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 256, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "influence_count", 0, 0);
    s.mesh.palette_count = 65537;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "palette_count", 0, 0);
    fill_small(&s);
    s.mesh.influence_count = 256;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "influence_count", 0, 0);
    fill_small(&s);
    s.mesh.joints.format = SQT_FORMAT_UNORM8;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "joints", 0, 0);
    fill_small(&s);
    s.mesh.weights.format = 6;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "weights", 0, 0);
    fill_small(&s);
    s.mesh.weights.data = NULL;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "weights", 0, 0);
    const uint32_t hump[4] = {0, 256, 256, 256}; // more than a vertex may have, whether or not it was validated
    fill_small(&s);
    s.mesh.influence_offsets = hump;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "influence_offsets", 0, 0);
    for (uint32_t i = 0; i < 6; ++i) assert_true(joints[i] == 9 && weights[i] == 9);
    fill_small(&s);
    s.weights[3] = -1;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 1, 1);
    fill_small(&s);
    s.weights[4] = INFINITY;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 2, 0);
    fill_small(&s);
    s.joints[5] = 4;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 2, 1);
    s.mesh.vertex_count = 0;
    assert_int_equal(sqt_mesh_reduce_influences(joints, weights, &s.mesh, 2, NULL), SQT_OK);
}

// ---- Quantising ----

static void bytes_are_rounded_by_the_largest_remainder(void **state) {
    (void)state;
    // 127.5, 63.75, 63.75: floors 127, 63, 63 lack two, and both quarters have the larger remainder.
    static const float halves[] = {0.5f, 0.25f, 0.25f};
    // 255 / 3 is whole in fact and not in floats; 1/2 twice leaves a tie, which goes to the earlier.
    static const float tie[] = {0.5f, 0.5f, 0};
    // 25.5 ten times: floors 25, the first five are rounded up.
    static const float tenths[] = {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f};
    static const float whole[] = {0, 1, 0};
    uint8_t q[10];
    assert_int_equal(sqt_mesh_quantize_weights(q, halves, 1, 3, NULL), SQT_OK);
    assert_int_equal(q[0], 127);
    assert_int_equal(q[1], 64);
    assert_int_equal(q[2], 64);
    assert_int_equal(sqt_mesh_quantize_weights(q, tie, 1, 3, NULL), SQT_OK);
    assert_int_equal(q[0], 128);
    assert_int_equal(q[1], 127);
    assert_int_equal(q[2], 0);
    assert_int_equal(sqt_mesh_quantize_weights(q, tenths, 1, 10, NULL), SQT_OK);
    for (uint32_t i = 0; i < 10; ++i) assert_int_equal(q[i], i < 5 ? 26 : 25);
    assert_int_equal(sqt_mesh_quantize_weights(q, whole, 1, 3, NULL), SQT_OK);
    assert_int_equal(q[0], 0);
    assert_int_equal(q[1], 255);
    assert_int_equal(q[2], 0);
}

static void random_weights_quantise_to_a_sum_of_255(void **state) {
    (void)state;
    enum { MOST = 255 };
    check_random random = {SEED};
    static float weights[4 * MOST];
    static uint8_t q[4 * MOST + 1];
    for (uint32_t round = 0; round < 600; ++round) {
        const uint32_t count = round < 3 ? MOST : 1 + check_random_below(&random, 12);
        for (uint32_t v = 0; v < 4; ++v) {
            double sum = 0;
            for (uint32_t i = 0; i < count; ++i) {
                float *const w = &weights[v * count + i];
                *w = i == 0 || check_random_below(&random, 3) ? check_random_float(&random, 0.001f, 1) : 0;
                sum += *w;
            }
            const double total = check_random_float(&random, 0.9991f, 1.0009f); // what is let through
            for (uint32_t i = 0; i < count; ++i) {
                weights[v * count + i] = (float)(weights[v * count + i] / sum * total);
            }
        }
        q[4 * count] = 77;
        assert_int_equal(sqt_mesh_quantize_weights(q, weights, 4, count, NULL), SQT_OK);
        assert_int_equal(q[4 * count], 77);
        for (uint32_t v = 0; v < 4; ++v) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < count; ++i) {
                const double exact = 255.0 * weights[v * count + i];
                assert_true(q[v * count + i] >= exact - 1 && q[v * count + i] <= exact + 1);
                if (weights[v * count + i] == 0) assert_int_equal(q[v * count + i], 0);
                sum += q[v * count + i];
            }
            assert_int_equal(sum, 255);
        }
    }
}

static void quantising_names_every_error(void **state) {
    (void)state;
    float weights[] = {0.5f, 0.5f, 0.25f, 0.75f};
    uint8_t q[4];
    sqt_fault fault;
    assert_int_equal(sqt_mesh_quantize_weights(NULL, weights, 2, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "quantized", 0, 0);
    assert_int_equal(sqt_mesh_quantize_weights(q, NULL, 2, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "weights", 0, 0);
    assert_int_equal(sqt_mesh_quantize_weights(q, weights, 2, 0, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "influence_count", 0, 0);
    assert_int_equal(sqt_mesh_quantize_weights(q, weights, 2, 256, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "influence_count", 0, 0);
    assert_int_equal(sqt_mesh_quantize_weights(NULL, NULL, 0, 2, NULL), SQT_OK);
    weights[3] = 0.7489f;
    assert_int_equal(sqt_mesh_quantize_weights(q, weights, 2, 2, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 1, 0);
    weights[3] = 0.7511f;
    assert_int_equal(sqt_mesh_quantize_weights(q, weights, 2, 2, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 1, 0);
    weights[3] = NAN;
    assert_int_equal(sqt_mesh_quantize_weights(q, weights, 2, 2, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 1, 1);
    weights[2] = -0.25f; // the sum is 1
    weights[3] = 1.25f;
    assert_int_equal(sqt_mesh_quantize_weights(q, weights, 2, 2, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "weights", 1, 0);
}

int main(void) {
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_mesh_passes_with_and_without_what_is_optional),
        cmocka_unit_test(formats_are_checked),
        cmocka_unit_test(strides_are_tight_or_at_least_an_element),
        cmocka_unit_test(missing_attributes_and_counts_are_named),
        cmocka_unit_test(every_number_is_checked_by_name_vertex_and_component),
        cmocka_unit_test(offsets_must_ascend_and_bound_the_influences),
        cmocka_unit_test(unaligned_interleaved_vertices_are_read_in_place),
        cmocka_unit_test(wide_joint_indices_are_not_cut),
        cmocka_unit_test(weights_that_do_not_sum_to_one_are_normalised),
        cmocka_unit_test(normalised_integers_are_weights),
        cmocka_unit_test(weights_in_order_stay_as_they_are),
        cmocka_unit_test(five_influences_reduce_to_the_four_heaviest),
        cmocka_unit_test(weights_of_zero_bind_to_the_first_joint),
        cmocka_unit_test(weights_of_one_joint_are_added_up_before_the_heaviest_are_kept),
        cmocka_unit_test(ties_go_to_the_earlier_influence),
        cmocka_unit_test(unused_places_are_joint_zero_weight_zero),
        cmocka_unit_test(huge_and_tiny_weights_normalise),
        cmocka_unit_test(random_meshes_of_both_forms_reduce_as_the_long_way_says),
        cmocka_unit_test(reducing_names_every_error),
        cmocka_unit_test(bytes_are_rounded_by_the_largest_remainder),
        cmocka_unit_test(random_weights_quantise_to_a_sum_of_255),
        cmocka_unit_test(quantising_names_every_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
