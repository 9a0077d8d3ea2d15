// Meshes whose vertices are grouped by joint set: what grouping makes of a mesh, what validating says of it, and that
// skinning by groups gives the bits of skinning without on every instruction set.
#include <stdlib.h>

#include "check.h"
#include "check_guard.h"

enum { SEED = 0x6209, PALETTE = 24, MOST = 12, SMALLEST_SET = 16 };

static void *make(size_t count, size_t bytes) {
    void *const memory = calloc(count ? count : 1, bytes);
    assert_non_null(memory);
    return memory;
}

// ---- Influences in one form, the long way ----

/// The sum of a vertex's weights for every joint, as floats: 0 where it does not hang on the joint.
typedef struct sums {
    float of[PALETTE];
} sums;

/// A mesh in the variable form: joints as uint16_t, weights as float.
typedef struct source {
    sqt_mesh mesh;
    uint32_t *offsets;
    uint16_t *joints;
    float *weights, *positions;
} source;

static sums source_sums(const source *s, uint32_t vertex) {
    double all[PALETTE] = {0};
    for (uint32_t i = s->offsets[vertex]; i < s->offsets[vertex + 1]; ++i) all[s->joints[i]] += s->weights[i];
    sums r;
    for (uint32_t j = 0; j < PALETTE; ++j) r.of[j] = (float)all[j];
    return r;
}

static source source_make(uint32_t vertex_count, const uint32_t *counts) {
    source s = {.mesh = {.vertex_count = vertex_count, .palette_count = PALETTE}};
    s.offsets = make(vertex_count + 1, sizeof *s.offsets);
    for (uint32_t v = 0; v < vertex_count; ++v) s.offsets[v + 1] = s.offsets[v] + counts[v];
    s.joints = make(s.offsets[vertex_count], sizeof *s.joints);
    s.weights = make(s.offsets[vertex_count], sizeof *s.weights);
    s.positions = make(3 * vertex_count, sizeof *s.positions);
    s.mesh.influence_offsets = s.offsets;
    s.mesh.positions.data = s.positions;
    s.mesh.joints = (sqt_attribute){s.joints, 0, SQT_FORMAT_U16};
    s.mesh.weights = (sqt_attribute){s.weights, 0, SQT_FORMAT_F32};
    return s;
}

static void source_free(source *s) {
    free(s->offsets);
    free(s->joints);
    free(s->weights);
    free(s->positions);
}

/// Joint sets that vertices draw from, some far more often than others.
typedef struct sets {
    uint16_t joints[40][MOST];
    uint32_t counts[40];
    uint32_t count;
} sets;

static sets random_sets(check_random *random, uint32_t count) {
    sets s = {.count = count};
    for (uint32_t i = 0; i < count; ++i) {
        s.counts[i] =
            check_random_below(random, 3) ? check_random_below(random, 5) : check_random_below(random, MOST + 1);
        uint16_t shuffled[PALETTE];
        for (uint16_t j = 0; j < PALETTE; ++j) shuffled[j] = j;
        for (uint32_t k = 0; k < s.counts[i]; ++k) {
            const uint32_t other = k + check_random_below(random, PALETTE - k);
            const uint16_t joint = shuffled[other];
            shuffled[other] = shuffled[k];
            shuffled[k] = joint;
            uint32_t at = k; // ascending
            for (; at > 0 && s.joints[i][at - 1] > joint; --at) s.joints[i][at] = s.joints[i][at - 1];
            s.joints[i][at] = joint;
        }
    }
    return s;
}

/// A mesh of such sets. Canonical: every list in the form that grouping brings it into; else joints in any order, some
/// listed twice, some with weight 0.
static source random_source(check_random *random, uint32_t vertex_count, bool canonical) {
    const sets all = random_sets(random, 1 + check_random_below(random, 40));
    uint32_t *const chosen = make(vertex_count, sizeof *chosen), *const counts = make(vertex_count, sizeof *counts);
    for (uint32_t v = 0; v < vertex_count; ++v) {
        const uint32_t limit = 1 + check_random_below(random, all.count); // the first sets are the most frequent
        chosen[v] = check_random_below(random, limit);
        counts[v] = all.counts[chosen[v]] + (canonical ? 0 : check_random_below(random, 4));
    }
    source s = source_make(vertex_count, counts);
    for (uint32_t v = 0; v < vertex_count; ++v) {
        const uint32_t count = all.counts[chosen[v]], first = s.offsets[v];
        const bool whole = count == 1 && check_random_below(random, 3);
        for (uint32_t k = 0; k < counts[v]; ++k) {
            const bool own = k < count;
            s.joints[first + k] = own ? all.joints[chosen[v]][k] : (uint16_t)check_random_below(random, PALETTE);
            s.weights[first + k] = whole ? 1.0f : check_random_float(random, 0.01f, 1);
            if (own) continue;
            if (count > 0 && !whole && check_random_below(random, 2)) { // a joint that is there already
                s.joints[first + k] = all.joints[chosen[v]][check_random_below(random, count)];
            } else {
                s.weights[first + k] = check_random_below(random, 2) ? 0.0f : -0.0f;
            }
        }
        for (uint32_t k = counts[v]; !canonical && k > 1; --k) { // shuffle
            const uint32_t a = first + k - 1, b = first + check_random_below(random, k);
            const uint16_t joint = s.joints[a];
            const float weight = s.weights[a];
            s.joints[a] = s.joints[b];
            s.weights[a] = s.weights[b];
            s.joints[b] = joint;
            s.weights[b] = weight;
        }
    }
    for (uint32_t i = 0; i < 3 * vertex_count; ++i) s.positions[i] = check_random_float(random, -2, 2);
    free(chosen);
    free(counts);
    return s;
}

// ---- Grouped meshes ----

/// Groups, and the vertices in their new order.
typedef struct grouped {
    sqt_mesh mesh;
    sqt_mesh_groups groups;
    uint32_t *permutation;
    check_guard memory;
    float *positions;
} grouped;

/// Groups in memory that ends at a guard page, begins `offset` bytes later than it could, and has the least size.
static void grouped_make(grouped *g, const sqt_mesh *mesh, size_t offset) {
    const size_t bytes = sqt_mesh_group_bytes(mesh);
    g->memory = check_guard_make(bytes + offset);
    unsigned char *const memory = check_guard_take(&g->memory, bytes + offset);
    g->permutation = make(mesh->vertex_count + 1, sizeof *g->permutation);
    g->permutation[mesh->vertex_count] = 0xC0FFEE;
    sqt_fault fault = {"", 0, 0};
    if (sqt_mesh_group(&g->groups, g->permutation, mesh, memory, bytes, &fault) != SQT_OK) {
        fail_msg("%s at %u, %u", fault.field, fault.index, fault.element);
    }
    check_guard_assert_before(&g->memory, bytes + offset);
    assert_int_equal(g->permutation[mesh->vertex_count], 0xC0FFEE);
    g->positions = make(3 * mesh->vertex_count, sizeof *g->positions);
    assert_int_equal(sqt_mesh_permute(g->positions, mesh->positions.data, 12, g->permutation, mesh->vertex_count, NULL),
                     SQT_OK);
    const sqt_mesh made = {.vertex_count = mesh->vertex_count,
                           .palette_count = mesh->palette_count,
                           .positions = {g->positions, 0, SQT_FORMAT_F32},
                           .groups = &g->groups};
    g->mesh = made;
    if (sqt_mesh_validate(&g->mesh, &fault) != SQT_OK) fail_msg("%s at %u", fault.field, fault.index);
}

static void grouped_free(grouped *g) {
    check_guard_free(&g->memory);
    free(g->permutation);
    free(g->positions);
}

static uint32_t run_of(const sqt_mesh_groups *groups, uint32_t vertex) {
    uint32_t i = 0;
    while (vertex - groups->runs[i].first_vertex >= groups->runs[i].vertex_count) ++i;
    return i;
}

/// What the groups say of a vertex. Fails where a joint is not above the one before it, or a weight not above 0.
static sums grouped_sums(const sqt_mesh_groups *groups, uint32_t vertex) {
    const sqt_mesh_run *const run = groups->runs + run_of(groups, vertex);
    const uint32_t n = run->influence_count, at = vertex - run->first_vertex;
    const uint16_t *const joints = groups->joints + run->first_joint + (run->kind == SQT_RUN_MIXED ? at * n : 0);
    sums r = {{0}};
    for (uint32_t k = 0; k < n; ++k) {
        if (k > 0) assert_true(joints[k] > joints[k - 1]);
        const float *const weights = groups->weights + run->first_weight;
        const float weight = run->kind == SQT_RUN_RIGID    ? 1.0f
                             : run->kind == SQT_RUN_SHARED ? weights[k * run->vertex_count + at]
                                                           : weights[at * n + k];
        assert_true(weight > 0);
        r.of[joints[k]] = weight;
    }
    return r;
}

static uint32_t sums_count(const sums *s) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < PALETTE; ++j) count += s->of[j] > 0;
    return count;
}

static bool is_rigid(const sums *s) {
    for (uint32_t j = 0; j < PALETTE; ++j) {
        if (s->of[j] > 0 && s->of[j] != 1) return false;
    }
    return sums_count(s) == 1;
}

static bool same_set(const sums *a, const sums *b) {
    for (uint32_t j = 0; j < PALETTE; ++j) {
        if ((a->of[j] > 0) != (b->of[j] > 0)) return false;
    }
    return is_rigid(a) == is_rigid(b);
}

/// Joint by joint, then the shorter list, then rigid.
static bool set_is_before(const sums *a, const sums *b) {
    uint32_t i = 0, k = 0;
    for (;;) {
        while (i < PALETTE && a->of[i] == 0) ++i;
        while (k < PALETTE && b->of[k] == 0) ++k;
        if (i == PALETTE && k == PALETTE) return is_rigid(a) && !is_rigid(b);
        if (i == PALETTE || k == PALETTE) return i == PALETTE;
        if (i != k) return i < k;
        ++i;
        ++k;
    }
}

/// Everything that sqt_mesh_group promises of the groups of `s`.
static void assert_grouped(const grouped *g, const source *s) {
    const uint32_t n = s->mesh.vertex_count;
    sums *const all = make(n, sizeof *all);
    bool *const seen = make(n, sizeof *seen);
    for (uint32_t v = 0; v < n; ++v) {
        assert_true(g->permutation[v] < n);
        assert_false(seen[g->permutation[v]]);
        seen[g->permutation[v]] = true;
        all[v] = source_sums(s, g->permutation[v]);
        const sums made = grouped_sums(&g->groups, v);
        assert_memory_equal(&made, all + v, sizeof made);
        assert_memory_equal(g->positions + 3 * v, s->positions + 3 * g->permutation[v], 12);
    }
    bool mixed = false;
    for (uint32_t i = 0; i < g->groups.run_count; ++i) {
        const sqt_mesh_run *const run = g->groups.runs + i, *const before = run - 1;
        const uint32_t first = run->first_vertex, end = first + run->vertex_count;
        for (uint32_t v = first + 1; v < end; ++v) assert_true(g->permutation[v] > g->permutation[v - 1]);
        if (run->kind == SQT_RUN_MIXED) {
            if (mixed) assert_true(run->influence_count > before->influence_count); // one run for each count
            mixed = true;
            for (uint32_t v = first; v < end; ++v) { // of sets that are too small, or bound to nothing
                uint32_t same = 0;
                for (uint32_t other = 0; other < n; ++other) same += same_set(all + v, all + other);
                assert_true(same < SMALLEST_SET || run->influence_count == 0);
            }
            continue;
        }
        assert_false(mixed); // all before the mixed ones
        assert_true(run->vertex_count >= SMALLEST_SET && run->influence_count > 0);
        if (i > 0) assert_true(set_is_before(all + before->first_vertex, all + first));
        for (uint32_t v = first; v < end; ++v) {
            assert_true(same_set(all + first, all + v));
            assert_int_equal(is_rigid(all + v), run->kind == SQT_RUN_RIGID);
        }
    }
    free(all);
    free(seen);
}

static void random_meshes_are_grouped_as_promised(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t round = 0; round < 60; ++round) {
        const uint32_t vertex_count = round < 4 ? round + 1 : 1 + check_random_below(&random, 700);
        source s = random_source(&random, vertex_count, round % 3 == 0);
        grouped g, again;
        grouped_make(&g, &s.mesh, 0);
        assert_grouped(&g, &s);
        grouped_make(&again, &s.mesh, 1 + round); // the same groups, wherever the memory is
        assert_memory_equal(g.permutation, again.permutation, vertex_count * sizeof *g.permutation);
        assert_int_equal(g.groups.run_count, again.groups.run_count);
        assert_int_equal(g.groups.joint_count, again.groups.joint_count);
        assert_int_equal(g.groups.weight_count, again.groups.weight_count);
        assert_memory_equal(g.groups.runs, again.groups.runs, g.groups.run_count * sizeof *g.groups.runs);
        assert_memory_equal(g.groups.joints, again.groups.joints, g.groups.joint_count * sizeof *g.groups.joints);
        assert_memory_equal(g.groups.weights, again.groups.weights, g.groups.weight_count * sizeof(float));
        grouped_free(&again);
        grouped_free(&g);
        source_free(&s);
    }
}

static void widen(uint16_t *wide, const uint8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) wide[i] = (uint16_t)(257 * bytes[i]);
}

/// Weights in 255ths, stored as they are or in 65535ths (257 to each).
static void group_by_hand(bool wide) {
    // 16 vertices on joints 2 and 5 at even places, in either order of joints; of the odd ones 15 hang wholly on joint
    // 5 and one half on joint 3, so that neither is a set; one hangs on nothing.
    enum { VERTICES = 33 };
    uint8_t joints[VERTICES][3];
    uint8_t weights[VERTICES][3];
    uint16_t wide_weights[VERTICES][3];
    static const float positions[VERTICES * 3];
    for (uint32_t v = 0; v < VERTICES; ++v) {
        const uint8_t two[2][3] = {{2, 5, 9}, {5, 9, 2}}, halves[2][3] = {{51, 204, 0}, {204, 0, 51}};
        const uint8_t one[3] = {5, 5, 1}, whole[3] = {127, 128, 0}, half[3] = {3, 0, 0}, part[3] = {51, 0, 0};
        const bool even = v % 2 == 0;
        memcpy(joints[v], even ? two[v / 2 % 2] : v == 7 ? half : one, 3);
        memcpy(weights[v], even ? halves[v / 2 % 2] : v == 7 ? part : whole, 3);
    }
    memset(weights[32], 0, 3);
    const sqt_mesh mesh = {
        .vertex_count = VERTICES,
        .influence_count = 3,
        .palette_count = 10,
        .positions = {positions, 0, SQT_FORMAT_F32},
        .joints = {joints, 0, SQT_FORMAT_U8},
        .weights = {wide ? (void *)wide_weights : (void *)weights, 0, wide ? SQT_FORMAT_UNORM16 : SQT_FORMAT_UNORM8}};
    grouped g;
    widen(wide_weights[0], weights[0], VERTICES * 3);
    grouped_make(&g, &mesh, 0);
    static const sqt_mesh_run expected[] = {
        {0, 16, 0, 0, 2, SQT_RUN_SHARED}, {16, 1, 2, 32, 0, SQT_RUN_MIXED}, {17, 16, 2, 32, 1, SQT_RUN_MIXED}};
    assert_int_equal(g.groups.run_count, 3);
    assert_int_equal(g.groups.joint_count, 18);
    assert_int_equal(g.groups.weight_count, 48);
    assert_memory_equal(g.groups.runs, expected, sizeof expected);
    assert_int_equal(g.permutation[16], 32);
    for (uint32_t v = 0; v < 16; ++v) {
        assert_int_equal(g.permutation[v], 2 * v);
        assert_int_equal(g.permutation[17 + v], 2 * v + 1);
        assert_close(g.groups.weights[v], 0.2, 1e-8); // 51 of 255, on joint 2
        assert_close(g.groups.weights[16 + v], 0.8, 3e-8);
        assert_int_equal(g.groups.joints[2 + v], v == 3 ? 3 : 5);
        assert_close(g.groups.weights[32 + v], v == 3 ? 0.2 : 1.0, 1e-8);
    }
    assert_int_equal(g.groups.joints[0], 2);
    assert_int_equal(g.groups.joints[1], 5);
    grouped_free(&g);
    weights[7][0] = 0; // the sixteenth
    joints[7][2] = 5;
    weights[7][2] = 255;
    widen(wide_weights[0], weights[0], VERTICES * 3);
    grouped_make(&g, &mesh, 0);
    assert_int_equal(g.groups.run_count, 3);
    assert_int_equal(g.groups.runs[1].kind, SQT_RUN_RIGID);
    assert_int_equal(g.groups.runs[1].vertex_count, 16);
    assert_int_equal(g.groups.joints[g.groups.runs[1].first_joint], 5);
    assert_int_equal(g.permutation[32], 32);
    grouped_free(&g);
}

static void a_grouped_mesh_by_hand(void **state) {
    (void)state;
    group_by_hand(false);
    group_by_hand(true);
}

static void a_mesh_without_vertices_has_no_groups(void **state) {
    (void)state;
    const sqt_mesh nothing = {0};
    sqt_mesh_groups groups = {.run_count = 9};
    assert_int_equal(sqt_mesh_group_bytes(NULL), 0);
    assert_int_equal(sqt_mesh_group_bytes(&nothing), 0);
    assert_int_equal(sqt_mesh_group(&groups, NULL, &nothing, NULL, 0, NULL), SQT_OK);
    assert_int_equal(groups.run_count, 0);
    const sqt_mesh grouped_nothing = {.groups = &groups};
    assert_int_equal(sqt_mesh_validate(&grouped_nothing, NULL), SQT_OK);
}

/// One vertex in a buffer of one set too many or too few joints.
static void grouping_names_every_error_and_writes_nothing_then(void **state) {
    (void)state;
    enum { VERTICES = 3, BYTES = 4096 };
    static const float positions[VERTICES * 3];
    uint16_t joints[VERTICES * 2];
    float weights[VERTICES * 2];
    uint32_t permutation[VERTICES];
    static unsigned char memory[BYTES];
    sqt_mesh_groups groups;
    const struct {
        sqt_result result;
        const char *field;
        uint32_t index, element;
    } wants[] = {{SQT_ERROR_NULL, "groups", 0, 0},           {SQT_ERROR_NULL, "mesh", 0, 0},
                 {SQT_ERROR_NULL, "permutation", 0, 0},      {SQT_ERROR_NULL, "memory", 0, 0},
                 {SQT_ERROR_SPACE, "memory_bytes", 0, 0},    {SQT_ERROR_COUNT, "palette_count", 0, 0},
                 {SQT_ERROR_COUNT, "influence_count", 0, 0}, {SQT_ERROR_COUNT, "influence_count", 0, 0},
                 {SQT_ERROR_NULL, "joints", 0, 0},           {SQT_ERROR_NULL, "weights", 0, 0},
                 {SQT_ERROR_FLAG, "joints", 0, 0},           {SQT_ERROR_FLAG, "weights", 0, 0},
                 {SQT_ERROR_COUNT, "joints", 0, 0},          {SQT_ERROR_COUNT, "joints", 2, 1},
                 {SQT_ERROR_NUMBER, "weights", 1, 0},        {SQT_ERROR_NUMBER, "weights", 2, 1},
                 {SQT_ERROR_NUMBER, "weights", 2, 1},        {SQT_ERROR_ORDER, "influence_offsets", 1, 0}};
    for (uint32_t i = 0; i < sizeof wants / sizeof *wants; ++i) {
        static const uint32_t descending[] = {0, 2, 1, 3};
        for (uint32_t k = 0; k < VERTICES * 2; ++k) {
            joints[k] = (uint16_t)(k % 4);
            weights[k] = 0.5f;
        }
        sqt_mesh mesh = {.vertex_count = VERTICES,
                         .influence_count = 2,
                         .palette_count = 4,
                         .positions = {positions, 0, SQT_FORMAT_F32},
                         .joints = {joints, 0, SQT_FORMAT_U16},
                         .weights = {weights, 0, SQT_FORMAT_F32}};
        size_t bytes = sqt_mesh_group_bytes(&mesh);
        assert_true(bytes > 0 && bytes <= BYTES);
        switch (i) {
        case 4:
            --bytes;
            break;
        case 5:
            mesh.palette_count = SQT_MAX_PALETTE + 1;
            break;
        case 6:
            mesh.influence_count = 256;
            break;
        case 7: // 2^32 influences and more
            mesh.vertex_count = 16843010;
            mesh.influence_count = 255;
            break;
        case 8:
            mesh.joints.data = NULL;
            break;
        case 9:
            mesh.weights.data = NULL;
            break;
        case 10:
            mesh.joints.format = SQT_FORMAT_F32;
            break;
        case 11:
            mesh.weights.format = SQT_FORMAT_U16;
            break;
        case 12:
            mesh.joints.stride_bytes = 3;
            break;
        case 13:
            joints[5] = 4;
            weights[5] = 0; // also where it does not count
            break;
        case 14:
            weights[2] = -0.25f;
            break;
        case 15:
            weights[5] = NAN;
            break;
        case 16: // 4e38 on one joint
            joints[4] = joints[5];
            weights[4] = weights[5] = 2e38f;
            break;
        case 17:
            mesh.influence_offsets = descending;
            break;
        default:
            break;
        }
        memset(&groups, CHECK_CANARY, sizeof groups);
        memset(permutation, CHECK_CANARY, sizeof permutation);
        sqt_fault fault = {NULL, 77, 77};
        for (uint32_t twice = 0; twice < 2; ++twice) {
            assert_int_equal(sqt_mesh_group(i == 0 ? NULL : &groups, i == 2 ? NULL : permutation, i == 1 ? NULL : &mesh,
                                            i == 3 ? NULL : memory, bytes, twice ? NULL : &fault),
                             wants[i].result);
        }
        assert_fault(fault, wants[i].field, wants[i].index, wants[i].element);
        for (size_t k = 0; k < sizeof groups; ++k) assert_int_equal(((unsigned char *)&groups)[k], CHECK_CANARY);
        for (size_t k = 0; k < sizeof permutation; ++k) {
            assert_int_equal(((unsigned char *)permutation)[k], CHECK_CANARY);
        }
    }
}

static void the_limits_of_influences_and_joints_are_grouped(void **state) {
    (void)state;
    enum { VERTICES = 20, WIDE = 255 };
    static uint32_t joints[VERTICES][WIDE];
    static float weights[VERTICES][WIDE], positions[VERTICES * 3];
    for (uint32_t v = 0; v < VERTICES; ++v) {
        for (uint32_t k = 0; k < WIDE; ++k) {
            joints[v][k] = v < 17 ? 65535 - 257 * k : 65535 - 257 * (k / 2); // 255 joints, or 128
            weights[v][k] = 1.0f / WIDE;
        }
    }
    const sqt_mesh mesh = {.vertex_count = VERTICES,
                           .influence_count = WIDE,
                           .palette_count = SQT_MAX_PALETTE,
                           .positions = {positions, 0, SQT_FORMAT_F32},
                           .joints = {joints, 0, SQT_FORMAT_U32},
                           .weights = {weights, 0, SQT_FORMAT_F32}};
    grouped g;
    grouped_make(&g, &mesh, 0);
    static const sqt_mesh_run expected[] = {{0, 17, 0, 0, 255, SQT_RUN_SHARED},
                                            {17, 3, 255, 17 * 255, 128, SQT_RUN_MIXED}};
    assert_int_equal(g.groups.run_count, 2);
    assert_memory_equal(g.groups.runs, expected, sizeof expected);
    for (uint32_t k = 0; k < WIDE; ++k) assert_int_equal(g.groups.joints[k], 257 + 257 * k);
    assert_int_equal(g.groups.joints[255 + 127], 65535);
    assert_close(g.groups.weights[17 * 255 + 127], 2.0 / WIDE, 1e-9);
    assert_close(g.groups.weights[17 * 255], 1.0 / WIDE, 1e-9); // the last of an odd number stands alone
    grouped_free(&g);
}

// ---- Validating groups ----

/// A mesh of a rigid, a shared and a mixed run.
typedef struct small {
    sqt_mesh mesh;
    sqt_mesh_groups groups;
    sqt_mesh_run runs[3];
    uint16_t joints[7];
    float weights[8], positions[15];
} small;

static void fill_small(small *s) {
    static const sqt_mesh_run runs[3] = {
        {0, 1, 0, 0, 1, SQT_RUN_RIGID}, {1, 2, 1, 0, 2, SQT_RUN_SHARED}, {3, 2, 3, 4, 2, SQT_RUN_MIXED}};
    static const uint16_t joints[7] = {4, 0, 3, 1, 2, 2, 4};
    memset(s, 0, sizeof *s);
    memcpy(s->runs, runs, sizeof runs);
    memcpy(s->joints, joints, sizeof joints);
    for (uint32_t i = 0; i < 8; ++i) s->weights[i] = 0.5f;
    const sqt_mesh_groups groups = {s->runs, s->joints, s->weights, 3, 7, 8};
    s->groups = groups;
    s->mesh.vertex_count = 5;
    s->mesh.palette_count = 5;
    s->mesh.positions.data = s->positions;
    s->mesh.groups = &s->groups;
}

static void expect_valid(const sqt_mesh *mesh) {
    sqt_fault fault = {"", 0, 0};
    if (sqt_mesh_validate(mesh, &fault) != SQT_OK) fail_msg("%s at %u, %u", fault.field, fault.index, fault.element);
}

static void expect_invalid(const sqt_mesh *mesh, sqt_result want, const char *field, uint32_t index) {
    sqt_fault fault = {NULL, 77, 77};
    assert_int_equal(sqt_mesh_validate(mesh, &fault), want);
    assert_fault(fault, field, index, 0);
    assert_int_equal(sqt_mesh_validate(mesh, NULL), want);
}

static void groups_stand_in_for_influences(void **state) {
    (void)state;
    small s;
    fill_small(&s);
    expect_valid(&s.mesh);
    s.mesh.influence_count = 999; // what is not used is not checked
    s.mesh.joints = s.mesh.weights = (sqt_attribute){"", 1, 99};
    expect_valid(&s.mesh);
    s.mesh.groups = NULL;
    assert_int_equal(sqt_mesh_validate(&s.mesh, NULL), SQT_ERROR_COUNT);
    fill_small(&s);
    s.mesh.palette_count = SQT_MAX_PALETTE;
    expect_valid(&s.mesh);
    s.mesh.palette_count = SQT_MAX_PALETTE + 1;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "palette_count", 0);
    fill_small(&s);
    s.positions[14] = NAN; // and the rest of the mesh is
    assert_int_equal(sqt_mesh_validate(&s.mesh, NULL), SQT_ERROR_NUMBER);
    s.positions[14] = 0;
    s.mesh.normals.format = 99;
    s.mesh.normals.data = s.positions;
    expect_invalid(&s.mesh, SQT_ERROR_FLAG, "normals", 0);
}

static void arrays_of_groups_may_be_absent_where_they_are_empty(void **state) {
    (void)state;
    small s;
    fill_small(&s);
    s.runs[0].vertex_count = 5; // all rigid
    s.groups.run_count = 1;
    s.groups.weights = NULL;
    expect_invalid(&s.mesh, SQT_ERROR_NULL, "groups.weights", 0);
    s.groups.weight_count = 0;
    expect_valid(&s.mesh);
    s.runs[0].kind = SQT_RUN_MIXED; // all bound to nothing
    s.runs[0].influence_count = 0;
    s.groups.joints = NULL;
    expect_invalid(&s.mesh, SQT_ERROR_NULL, "groups.joints", 0);
    s.groups.joint_count = 0;
    expect_valid(&s.mesh);
    s.runs[0].kind = SQT_RUN_SHARED;
    expect_valid(&s.mesh);
    s.groups.runs = NULL;
    expect_invalid(&s.mesh, SQT_ERROR_NULL, "groups.runs", 0);
}

static void every_field_of_a_run_is_checked(void **state) {
    (void)state;
    small s;
    for (uint32_t i = 0; i < 3; ++i) {
        sqt_mesh_run *const run = s.runs + i;
        fill_small(&s);
        run->first_vertex ^= 1;
        expect_invalid(&s.mesh, SQT_ERROR_ORDER, "runs.first_vertex", i);
        fill_small(&s);
        run->vertex_count = 0;
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.vertex_count", i);
        fill_small(&s);
        run->vertex_count = 6 - run->first_vertex; // behind the last vertex
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.vertex_count", i);
        fill_small(&s);
        run->vertex_count = UINT32_MAX; // so that the next vertex wraps around
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.vertex_count", i);
        fill_small(&s);
        run->kind = 3;
        expect_invalid(&s.mesh, SQT_ERROR_FLAG, "runs.kind", i);
        fill_small(&s);
        run->influence_count = 256;
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.influence_count", i);
        fill_small(&s);
        run->first_joint = 7;
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_joint", i);
        fill_small(&s);
        run->first_joint = UINT32_MAX;
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_joint", i);
        fill_small(&s);
        run->first_weight = run->kind == SQT_RUN_RIGID ? 9 : 5; // none needs to be at most where the array ends
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_weight", i);
        fill_small(&s);
        run->first_weight = UINT32_MAX;
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_weight", i);
    }
    fill_small(&s);
    s.runs[0].influence_count = 2;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.influence_count", 0);
    s.runs[0].influence_count = 0;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.influence_count", 0);
    fill_small(&s);
    s.groups.run_count = 2;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "groups.run_count", 0);
    s.groups.run_count = 0;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "groups.run_count", 0);
    fill_small(&s);
    s.groups.joint_count = 6;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_joint", 2);
    fill_small(&s);
    s.groups.weight_count = 7;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_weight", 2);
    // 255 * 0x1010102 = 2^32 + 254: in 32 bits there would be room.
    uint16_t joints[300] = {0};
    float weights[300] = {0};
    float *const positions = make((size_t)3 * 0x1010102, sizeof *positions);
    fill_small(&s);
    const sqt_mesh_groups wide = {s.runs, joints, weights, 1, 300, 300};
    s.groups = wide;
    s.mesh.vertex_count = s.runs[0].vertex_count = 0x1010102;
    s.mesh.positions.data = positions;
    s.runs[0].influence_count = 255;
    s.runs[0].kind = SQT_RUN_MIXED;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_joint", 0);
    s.runs[0].kind = SQT_RUN_SHARED;
    expect_invalid(&s.mesh, SQT_ERROR_COUNT, "runs.first_weight", 0);
    free(positions);
}

static void every_joint_and_weight_of_groups_is_checked(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1e-6f};
    small s;
    for (uint32_t i = 0; i < 7; ++i) {
        fill_small(&s);
        s.joints[i] = 5;
        expect_invalid(&s.mesh, SQT_ERROR_COUNT, "groups.joints", i);
    }
    for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t k = 0; k < 4; ++k) {
            fill_small(&s);
            s.weights[i] = bad[k];
            expect_invalid(&s.mesh, SQT_ERROR_NUMBER, "groups.weights", i);
        }
        s.weights[i] = -0.0f;
        expect_valid(&s.mesh);
    }
}

// ---- Vertices in a new order ----

static void elements_follow_the_permutation(void **state) {
    (void)state;
    static const uint32_t permutation[4] = {2, 0, 3, 1};
    static const char in[] = "aaabbbcccddd";
    char out[13] = "............";
    sqt_fault fault;
    assert_int_equal(sqt_mesh_permute(out, in, 3, permutation, 4, NULL), SQT_OK);
    assert_string_equal(out, "cccaaadddbbb");
    const uint32_t beyond[4] = {2, 0, 3, 4};
    memset(out, '.', 12);
    assert_int_equal(sqt_mesh_permute(out, in, 3, beyond, 4, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "permutation", 3, 0);
    assert_int_equal(sqt_mesh_permute(out, in, 0, permutation, 4, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "element_bytes", 0, 0);
    assert_int_equal(sqt_mesh_permute(NULL, in, 3, permutation, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "out", 0, 0);
    assert_int_equal(sqt_mesh_permute(out, NULL, 3, permutation, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "in", 0, 0);
    assert_int_equal(sqt_mesh_permute(out, in, 3, NULL, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "permutation", 0, 0);
    assert_int_equal(sqt_mesh_permute(NULL, NULL, 3, NULL, 0, NULL), SQT_OK);
    assert_string_equal(out, "............");
}

static void an_inverse_permutation_undoes_the_permutation(void **state) {
    (void)state;
    const uint32_t permutation[5] = {2, 0, 4, 3, 1};
    static const uint32_t expected[5] = {1, 4, 0, 3, 2};
    uint32_t inverse[6] = {9, 9, 9, 9, 9, 9};
    sqt_fault fault;
    assert_int_equal(sqt_mesh_invert_permutation(inverse, permutation, 5, NULL), SQT_OK);
    assert_memory_equal(inverse, expected, sizeof expected);
    assert_int_equal(inverse[5], 9);
    const uint32_t beyond[3] = {1, 3, 0}, twice[3] = {1, 0, 1};
    assert_int_equal(sqt_mesh_invert_permutation(inverse, beyond, 3, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "permutation", 1, 0);
    assert_int_equal(sqt_mesh_invert_permutation(inverse, twice, 3, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "permutation", 2, 0);
    assert_int_equal(sqt_mesh_invert_permutation(NULL, twice, 3, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "new_of_old", 0, 0);
    assert_int_equal(sqt_mesh_invert_permutation(inverse, NULL, 3, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "permutation", 0, 0);
    assert_int_equal(sqt_mesh_invert_permutation(NULL, NULL, 0, NULL), SQT_OK);
}

static void index_buffers_of_every_format_are_renumbered(void **state) {
    (void)state;
    static const uint32_t new_of_old[4] = {3, 1, 0, 2}, old[6] = {0, 1, 2, 2, 1, 3}, expected[6] = {3, 1, 0, 0, 1, 2};
    static const uint32_t formats[3] = {SQT_FORMAT_U8, SQT_FORMAT_U16, SQT_FORMAT_U32}, sizes[3] = {1, 2, 4};
    for (uint32_t f = 0; f < 3; ++f) {
        for (uint32_t in_place = 0; in_place < 2; ++in_place) {
            unsigned char in[32], out[32];
            memset(out, CHECK_CANARY, sizeof out);
            for (uint32_t i = 0; i < 6; ++i) { // little or big endian: write and read by the format's own type
                const uint8_t byte = (uint8_t)old[i];
                const uint16_t half = (uint16_t)old[i];
                const void *const value = f == 0 ? (const void *)&byte : f == 1 ? (const void *)&half : old + i;
                memcpy(in + 1 + i * sizes[f], value, sizes[f]);
            }
            unsigned char *const to = in_place ? in + 1 : out + 3; // at odd addresses
            assert_int_equal(sqt_mesh_renumber(to, in + 1, formats[f], 6, new_of_old, 4, NULL), SQT_OK);
            for (uint32_t i = 0; i < 6; ++i) {
                uint16_t half;
                uint32_t word;
                memcpy(&half, to + i * sizes[f], 2);
                memcpy(&word, to + i * sizes[f], 4);
                assert_int_equal(f == 0 ? to[i] : f == 1 ? half : word, expected[i]);
            }
            if (!in_place) assert_int_equal(to[6 * sizes[f]], CHECK_CANARY);
        }
    }
}

static void renumbering_names_every_error_and_writes_nothing_then(void **state) {
    (void)state;
    static const uint32_t new_of_old[4] = {3, 1, 0, 2}, beyond[4] = {3, 1, 0, 4};
    static uint32_t wide[257];
    const uint8_t in[3] = {1, 2, 3}, foreign[3] = {1, 2, 4};
    uint8_t out[3] = {9, 9, 9};
    sqt_fault fault;
    assert_int_equal(sqt_mesh_renumber(out, in, SQT_FORMAT_F32, 3, new_of_old, 4, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "format", 0, 0);
    assert_int_equal(sqt_mesh_renumber(NULL, in, SQT_FORMAT_U8, 3, new_of_old, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "out", 0, 0);
    assert_int_equal(sqt_mesh_renumber(out, NULL, SQT_FORMAT_U8, 3, new_of_old, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "in", 0, 0);
    assert_int_equal(sqt_mesh_renumber(out, in, SQT_FORMAT_U8, 3, NULL, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "new_of_old", 0, 0);
    assert_int_equal(sqt_mesh_renumber(out, in, SQT_FORMAT_U8, 3, beyond, 4, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "new_of_old", 3, 0);
    assert_int_equal(sqt_mesh_renumber(out, foreign, SQT_FORMAT_U8, 3, new_of_old, 4, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "in", 2, 0);
    for (uint32_t v = 0; v < 257; ++v) wide[v] = v == 0 ? 256 : v == 256 ? 0 : v;
    const uint8_t narrow[3] = {1, 0, 2};
    assert_int_equal(sqt_mesh_renumber(out, narrow, SQT_FORMAT_U8, 3, wide, 257, &fault), SQT_ERROR_SPACE);
    assert_fault(fault, "format", 1, 0);
    for (uint32_t i = 0; i < 3; ++i) assert_int_equal(out[i], 9);
    assert_int_equal(sqt_mesh_renumber(out, in, SQT_FORMAT_U8, 3, wide, 257, NULL), SQT_OK); // 1, 2, 3 fit
    assert_int_equal(sqt_mesh_renumber(NULL, NULL, SQT_FORMAT_U8, 0, NULL, 0, NULL), SQT_OK);
}

// ---- Skinning ----

/// The instruction sets of this machine, scalar first.
static uint32_t available_sets(uint32_t *isas) {
    uint32_t count = 0;
    for (uint32_t isa = SQT_ISA_SCALAR; isa < SQT_ISA_COUNT; ++isa) {
        if (sqt_isa_available(isa)) isas[count++] = isa;
    }
    return count;
}

static void random_palette(sqt_mat4 *palette, check_random *random) {
    for (uint32_t k = 0; k < PALETTE; ++k) {
        for (uint32_t i = 0; i < 16; ++i) {
            palette[k].m[i] = i % 4 == 3 ? (float)(i == 15) : check_random_float(random, -2, 2);
        }
    }
}

static bool is_same_number(uint32_t a, uint32_t b) {
    return a == b || ((a | b) & 0x7FFFFFFFu) == 0; // zeros of either sign
}

enum { POSITIONS, NORMALS, TANGENTS, ATTRIBUTES };

static const uint32_t element_bytes[ATTRIBUTES] = {12, 12, 16};

/// Vertex buffers that end at guard pages: the inputs of a mesh, or what skinning writes.
typedef struct buffers {
    check_guard guards[ATTRIBUTES];
    unsigned char *data[ATTRIBUTES];
    size_t bytes[ATTRIBUTES];
    uint32_t strides[ATTRIBUTES];
} buffers;

static buffers buffers_make(uint32_t vertex_count, const uint32_t *strides) {
    buffers b;
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) {
        b.strides[a] = strides[a];
        b.bytes[a] = vertex_count == 0 ? 0 : (size_t)(vertex_count - 1) * strides[a] + element_bytes[a];
        b.guards[a] = check_guard_make(b.bytes[a]);
        b.data[a] = check_guard_take(b.guards + a, b.bytes[a]);
    }
    return b;
}

static void buffers_free(buffers *b) {
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) check_guard_free(b->guards + a);
}

static sqt_skinned buffers_as_output(const buffers *b) {
    float *at[ATTRIBUTES];
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) at[a] = (float *)(void *)b->data[a];
    const sqt_skinned s = {at[0], at[1], at[2], b->strides[0], b->strides[1], b->strides[2]};
    return s;
}

static void buffers_as_input(sqt_mesh *mesh, const buffers *b) {
    sqt_attribute *const attributes[ATTRIBUTES] = {&mesh->positions, &mesh->normals, &mesh->tangents};
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) {
        const sqt_attribute attribute = {b->data[a], b->strides[a], SQT_FORMAT_F32};
        *attributes[a] = attribute;
    }
}

/// Now and then a number that is hard on kernels: zeros of both signs, denormals, huge ones.
static float number(check_random *random) {
    static const float odd[] = {-0.0f, 0.0f, 1e-45f, -1e-40f, 1e-30f, 1e15f, -1e15f, 1e30f};
    if (check_random_below(random, 32) == 0) return odd[check_random_below(random, 8)];
    return check_random_float(random, -2, 2);
}

static void buffers_fill(buffers *b, uint32_t vertex_count, check_random *random) {
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) {
        for (uint32_t v = 0; v < vertex_count; ++v) {
            for (uint32_t at = 0; at < element_bytes[a]; at += sizeof(float)) {
                const float value = number(random);
                memcpy(b->data[a] + (size_t)v * b->strides[a] + at, &value, sizeof value);
            }
        }
    }
}

/// Fails unless the vertices first .. end - 1 are those of `expected` and all else is canary.
static void buffers_assert(const buffers *b, const buffers *expected, uint32_t first, uint32_t end, const char *what) {
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) {
        check_guard_assert_before(b->guards + a, b->bytes[a]);
        for (size_t i = 0; i < b->bytes[a]; ++i) {
            const size_t v = i / b->strides[a], at = i % b->strides[a];
            if (at < element_bytes[a] && v >= first && v < end) {
                if (at % sizeof(float)) continue;
                uint32_t word, wanted;
                memcpy(&word, b->data[a] + i, sizeof word);
                memcpy(&wanted, expected->data[a] + v * expected->strides[a] + at, sizeof wanted);
                const bool both_nan = (word & 0x7FFFFFFFu) > 0x7F800000u && (wanted & 0x7FFFFFFFu) > 0x7F800000u;
                if (word != wanted && !both_nan) {
                    fail_msg("%s: attribute %u of vertex %zu is %08x, expected %08x", what, a, v, word, wanted);
                }
            } else if (b->data[a][i] != CHECK_CANARY) {
                fail_msg("%s: attribute %u: byte %zu was written", what, a, i);
            }
        }
    }
}

/// Runs made by hand, of any kind, length and number of influences, in arrays that end at guard pages; and the same
/// influences in the variable form.
typedef struct hand {
    sqt_mesh grouped, listed;
    sqt_mesh_groups groups;
    check_guard runs, joints, weights;
    uint32_t *offsets;
    uint16_t *listed_joints;
    float *listed_weights;
} hand;

/// Room for runs whose kind, influence_count and vertex_count are given, and random influences for them.
static void hand_make(hand *h, const sqt_mesh_run *given, uint32_t run_count, check_random *random) {
    uint32_t vertex_count = 0, joint_count = 0, weight_count = 0, total = 0;
    memset(h, 0, sizeof *h);
    h->runs = check_guard_make(run_count * sizeof(sqt_mesh_run));
    sqt_mesh_run *const runs = check_guard_take(&h->runs, run_count * sizeof(sqt_mesh_run));
    for (uint32_t i = 0; i < run_count; ++i) {
        const uint32_t every = given[i].influence_count * given[i].vertex_count;
        const sqt_mesh_run run = {vertex_count, given[i].vertex_count,    joint_count,
                                  weight_count, given[i].influence_count, given[i].kind};
        runs[i] = run;
        vertex_count += run.vertex_count;
        joint_count += run.kind == SQT_RUN_MIXED ? every : run.influence_count;
        weight_count += run.kind == SQT_RUN_RIGID ? 0 : every;
        total += every;
    }
    h->joints = check_guard_make(joint_count * sizeof(uint16_t));
    h->weights = check_guard_make(weight_count * sizeof(float));
    uint16_t *const joints = check_guard_take(&h->joints, joint_count * sizeof(uint16_t));
    float *const weights = check_guard_take(&h->weights, weight_count * sizeof(float));
    for (uint32_t i = 0; i < joint_count; ++i) joints[i] = (uint16_t)check_random_below(random, PALETTE);
    for (uint32_t i = 0; i < weight_count; ++i) weights[i] = check_random_float(random, 0, 1);
    h->offsets = make(vertex_count + 1, sizeof *h->offsets);
    h->listed_joints = make(total, sizeof *h->listed_joints);
    h->listed_weights = make(total, sizeof *h->listed_weights);
    uint32_t end = 0;
    for (uint32_t i = 0; i < run_count; ++i) {
        for (uint32_t v = 0; v < runs[i].vertex_count; ++v) {
            for (uint32_t k = 0; k < runs[i].influence_count; ++k, ++end) {
                const uint32_t n = runs[i].influence_count;
                const uint16_t *const run_joints = joints + runs[i].first_joint;
                const float *const run_weights = weights + runs[i].first_weight;
                h->listed_joints[end] = run_joints[runs[i].kind == SQT_RUN_MIXED ? v * n + k : k];
                h->listed_weights[end] = runs[i].kind == SQT_RUN_RIGID    ? 1.0f
                                         : runs[i].kind == SQT_RUN_SHARED ? run_weights[k * runs[i].vertex_count + v]
                                                                          : run_weights[v * n + k];
            }
            h->offsets[runs[i].first_vertex + v + 1] = end;
        }
    }
    const sqt_mesh_groups groups = {runs, joints, weights, run_count, joint_count, weight_count};
    h->groups = groups;
    h->grouped.vertex_count = h->listed.vertex_count = vertex_count;
    h->grouped.palette_count = h->listed.palette_count = PALETTE;
    h->grouped.groups = &h->groups;
    h->listed.influence_offsets = h->offsets;
    h->listed.joints = (sqt_attribute){h->listed_joints, 0, SQT_FORMAT_U16};
    h->listed.weights = (sqt_attribute){h->listed_weights, 0, SQT_FORMAT_F32};
}

static void hand_free(hand *h) {
    check_guard_free(&h->runs);
    check_guard_free(&h->joints);
    check_guard_free(&h->weights);
    free(h->offsets);
    free(h->listed_joints);
    free(h->listed_weights);
}

static void skin(const sqt_skinned *out, const sqt_mesh *mesh, const sqt_mat4 *palette, uint32_t first, uint32_t count,
                 uint32_t flags) {
    assert_int_equal(sqt_skin_vertices(out, mesh, palette, PALETTE, first, count, flags), SQT_OK);
}

static const uint32_t normal_flags[4] = {0, SQT_PLAIN_NORMALS, SQT_RAW_NORMALS, SQT_PLAIN_NORMALS | SQT_RAW_NORMALS};

/// In place: the outputs begin as copies of the inputs.
static void assert_skinned_in_place(const sqt_mesh *mesh, const buffers *in, const sqt_mat4 *palette, uint32_t flags,
                                    const buffers *expected, const char *what) {
    const uint32_t n = mesh->vertex_count;
    buffers same = buffers_make(n, in->strides);
    sqt_mesh in_place = *mesh;
    buffers_as_input(&in_place, &same);
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) {
        for (uint32_t v = 0; v < n; ++v) {
            const size_t at = (size_t)v * in->strides[a];
            memcpy(same.data[a] + at, in->data[a] + at, element_bytes[a]);
        }
    }
    const sqt_skinned out = buffers_as_output(&same);
    skin(&out, &in_place, palette, 0, n, flags);
    buffers_assert(&same, expected, 0, n, what);
    buffers_free(&same);
}

/// Skins on every set, at once, in a piece of the mesh, and in place, and compares with scalar without groups.
static void assert_hand_is_skinned(hand *h, check_random *random, const char *what) {
    const uint32_t n = h->grouped.vertex_count, flags = normal_flags[check_random_below(random, 4)];
    const uint32_t layout = check_random_below(random, 3), pad = layout == 0 ? 0 : layout == 1 ? 4 : 1;
    uint32_t in_strides[ATTRIBUTES], out_strides[ATTRIBUTES]; // tight, or words between, or bytes
    for (uint32_t a = 0; a < ATTRIBUTES; ++a) {
        in_strides[a] = element_bytes[a] + pad * check_random_below(random, 7);
        out_strides[a] = element_bytes[a] + (pad ? 4 * check_random_below(random, 5) : 0);
    }
    const uint32_t first = check_random_below(random, n + 1), end = first + check_random_below(random, n - first + 1);
    uint32_t isas[SQT_ISA_COUNT];
    const uint32_t isa_count = available_sets(isas);
    sqt_mat4 palette[PALETTE];
    random_palette(palette, random);
    buffers in = buffers_make(n, in_strides), expected = buffers_make(n, element_bytes);
    buffers_fill(&in, n, random);
    buffers_as_input(&h->grouped, &in);
    buffers_as_input(&h->listed, &in);
    const sqt_skinned expected_out = buffers_as_output(&expected);
    sqt_isa_cap(SQT_ISA_SCALAR);
    skin(&expected_out, &h->listed, palette, 0, n, flags);
    for (uint32_t i = 0; i < isa_count; ++i) {
        assert_int_equal(sqt_isa_cap(isas[i]), isas[i]);
        buffers out = buffers_make(n, out_strides), piece = buffers_make(n, out_strides);
        const sqt_skinned whole_out = buffers_as_output(&out), piece_out = buffers_as_output(&piece);
        skin(&whole_out, &h->grouped, palette, 0, n, flags);
        buffers_assert(&out, &expected, 0, n, what);
        skin(&piece_out, &h->grouped, palette, first, end - first, flags);
        buffers_assert(&piece, &expected, first, end, what);
        buffers_free(&out);
        buffers_free(&piece);
        if (layout < 2) assert_skinned_in_place(&h->grouped, &in, palette, flags, &expected, what);
    }
    sqt_isa_cap(SQT_ISA_BEST);
    buffers_free(&in);
    buffers_free(&expected);
}

static void runs_of_every_kind_length_and_count_have_the_bits_of_scalar(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    for (uint32_t length = 1; length <= 40; ++length) {
        for (uint32_t influences = 0; influences <= MOST; ++influences) {
            for (uint32_t kind = SQT_RUN_MIXED; kind <= SQT_RUN_RIGID; ++kind) {
                if (kind == SQT_RUN_RIGID && influences != 1) continue;
                // A short run in front, so that nothing is aligned, and one behind that must not be touched too early.
                const sqt_mesh_run runs[3] = {
                    {.vertex_count = 1 + check_random_below(&random, 3), .influence_count = 2, .kind = SQT_RUN_MIXED},
                    {.vertex_count = length, .influence_count = (uint16_t)influences, .kind = (uint16_t)kind},
                    {.vertex_count = 1, .influence_count = 1, .kind = SQT_RUN_RIGID}};
                const uint32_t from = check_random_below(&random, 2), to = check_random_below(&random, 2);
                char what[64];
                snprintf(what, sizeof what, "kind %u, %u influences, %u vertices", kind, influences, length);
                hand h;
                hand_make(&h, runs + from, 3 - from - to, &random);
                assert_hand_is_skinned(&h, &random, what);
                hand_free(&h);
            }
        }
    }
}

static void runs_of_up_to_255_influences_have_the_bits_of_scalar(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    static const uint16_t counts[] = {16, 31, 100, 255};
    for (uint32_t i = 0; i < 4; ++i) {
        const sqt_mesh_run runs[2] = {{.vertex_count = 19, .influence_count = counts[i], .kind = SQT_RUN_SHARED},
                                      {.vertex_count = 21, .influence_count = counts[i], .kind = SQT_RUN_MIXED}};
        hand h;
        hand_make(&h, runs, 2, &random);
        assert_hand_is_skinned(&h, &random, "many influences");
        hand_free(&h);
    }
}

static void many_runs_have_the_bits_of_scalar_however_the_mesh_is_cut(void **state) {
    (void)state;
    enum { RUNS = 60 };
    check_random random = {SEED + 3};
    for (uint32_t round = 0; round < 30; ++round) {
        sqt_mesh_run runs[RUNS];
        const uint32_t run_count = 1 + check_random_below(&random, RUNS);
        for (uint32_t i = 0; i < run_count; ++i) {
            const uint32_t kind = check_random_below(&random, 3);
            const uint32_t influences = kind == SQT_RUN_RIGID ? 1 : check_random_below(&random, 6);
            const uint32_t longest = i % 8 == 0 ? 200 : 40; // with gaps, attributes are copied in parts
            const sqt_mesh_run run = {.vertex_count = 1 + check_random_below(&random, longest),
                                      .influence_count = (uint16_t)influences,
                                      .kind = (uint16_t)kind};
            runs[i] = run;
        }
        hand h;
        hand_make(&h, runs, run_count, &random);
        assert_hand_is_skinned(&h, &random, "many runs");
        hand_free(&h);
    }
}

static void a_grouped_mesh_is_skinned_as_the_mesh_it_was_made_of(void **state) {
    (void)state;
    check_random random = {SEED + 4};
    uint32_t isas[SQT_ISA_COUNT];
    const uint32_t isa_count = available_sets(isas);
    sqt_mat4 palette[PALETTE];
    for (uint32_t round = 0; round < 24; ++round) {
        const bool canonical = round % 2;
        source s = random_source(&random, 1 + check_random_below(&random, 600), canonical);
        const uint32_t n = s.mesh.vertex_count;
        grouped g;
        grouped_make(&g, &s.mesh, 0);
        random_palette(palette, &random);
        float *const plain = make(3 * n, sizeof *plain), *const fast = make(3 * n, sizeof *fast);
        for (uint32_t i = 0; i < isa_count; ++i) {
            sqt_isa_cap(isas[i]);
            const sqt_skinned plain_out = {.positions = plain}, fast_out = {.positions = fast};
            skin(&plain_out, &s.mesh, palette, 0, n, 0);
            skin(&fast_out, &g.mesh, palette, 0, n, 0);
            for (uint32_t v = 0; v < n; ++v) {
                for (uint32_t k = 0; k < 3; ++k) {
                    const float *const made = fast + 3 * v + k, *const wanted = plain + 3 * g.permutation[v] + k;
                    uint32_t bits[2];
                    memcpy(bits, made, 4);
                    memcpy(bits + 1, wanted, 4);
                    if (canonical) assert_true(is_same_number(bits[0], bits[1]));
                    assert_close(*made, *wanted, 2e-5); // sums of up to 15 terms below 12
                }
            }
        }
        sqt_isa_cap(SQT_ISA_BEST);
        free(plain);
        free(fast);
        grouped_free(&g);
        source_free(&s);
    }
}

/// Whether a set multiplies and adds with one rounding where SQT_FUSED allows it.
static bool set_fuses(uint32_t isa) { return isa == SQT_ISA_AVX2 || isa == SQT_ISA_AVX512 || isa == SQT_ISA_NEON; }

static void fused_sets_agree_with_each_other_however_the_mesh_is_cut_and_with_the_rest_but_for_rounding(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    uint32_t isas[SQT_ISA_COUNT];
    const uint32_t isa_count = available_sets(isas);
    bool any_other_bits = false;
    for (uint32_t round = 0; round < 40; ++round) {
        sqt_mesh_run runs[12];
        for (uint32_t i = 0; i < 12; ++i) {
            const sqt_mesh_run run = {.vertex_count = 1 + check_random_below(&random, 40),
                                      .influence_count = (uint16_t)(i % 3 == SQT_RUN_RIGID ? 1 : i / 2),
                                      .kind = (uint16_t)(i % 3)};
            runs[i] = run;
        }
        hand h;
        hand_make(&h, runs, 12, &random);
        const uint32_t n = h.grouped.vertex_count, flags = normal_flags[round % 4];
        const uint32_t first = check_random_below(&random, n + 1), end = first + check_random_below(&random, n - first);
        sqt_mat4 palette[PALETTE];
        random_palette(palette, &random);
        buffers in = buffers_make(n, element_bytes), scalar = buffers_make(n, element_bytes), fused = scalar;
        for (uint32_t a = 0; a < ATTRIBUTES; ++a) {
            float *const at = (float *)(void *)in.data[a];
            for (uint32_t i = 0; i < n * element_bytes[a] / 4; ++i) at[i] = check_random_float(&random, -2, 2);
        }
        buffers_as_input(&h.grouped, &in);
        buffers_as_input(&h.listed, &in);
        const sqt_skinned scalar_out = buffers_as_output(&scalar);
        sqt_isa_cap(SQT_ISA_SCALAR);
        skin(&scalar_out, &h.listed, palette, 0, n, flags | SQT_FUSED);
        bool has_fused = false;
        for (uint32_t i = 0; i < isa_count; ++i) {
            sqt_isa_cap(isas[i]);
            buffers out = buffers_make(n, element_bytes), piece = buffers_make(n, element_bytes);
            const sqt_skinned whole_out = buffers_as_output(&out), piece_out = buffers_as_output(&piece);
            skin(&whole_out, &h.listed, palette, 0, n, flags | SQT_FUSED);
            skin(&piece_out, &h.grouped, palette, first, end - first, flags | SQT_FUSED);
            buffers_assert(&piece, &out, first, end, "a piece with groups");
            buffers_free(&piece);
            if (!set_fuses(isas[i])) {
                buffers_assert(&out, &scalar, 0, n, "a set that cannot fuse");
                buffers_free(&out);
            } else if (has_fused) {
                buffers_assert(&out, &fused, 0, n, "another set that fuses");
                buffers_free(&out);
            } else {
                fused = out;
                has_fused = true;
            }
        }
        for (uint32_t v = 0; has_fused && v < n; ++v) { // sums of up to 5 terms below 4, then of 4 below 40
            float a[3], b[3];
            memcpy(a, fused.data[0] + 12 * (size_t)v, 12);
            memcpy(b, scalar.data[0] + 12 * (size_t)v, 12);
            assert_all_close(a, b, 3, 3e-5);
            any_other_bits = any_other_bits || memcmp(a, b, 12) != 0;
        }
        if (has_fused) {
            buffers_free(&fused);
            assert_true(any_other_bits); // the flag has an effect
        }
        buffers_free(&in);
        buffers_free(&scalar);
        hand_free(&h);
    }
    sqt_isa_cap(SQT_ISA_BEST);
}

static void a_palette_of_any_alignment_gives_the_same_bits(void **state) {
    (void)state;
    enum { BYTES = PALETTE * sizeof(sqt_mat4) };
    check_random random = {SEED + 5};
    const sqt_mesh_run runs[3] = {{.vertex_count = 7 * PALETTE, .influence_count = 4, .kind = SQT_RUN_MIXED},
                                  {.vertex_count = 5 * PALETTE, .influence_count = 1, .kind = SQT_RUN_MIXED},
                                  {.vertex_count = 6 * PALETTE, .influence_count = 2, .kind = SQT_RUN_SHARED}};
    uint32_t isas[SQT_ISA_COUNT];
    const uint32_t isa_count = available_sets(isas), n = 18 * PALETTE;
    sqt_mat4 matrices[PALETTE];
    random_palette(matrices, &random);
    hand h;
    hand_make(&h, runs, 3, &random);
    buffers in = buffers_make(n, element_bytes), expected = buffers_make(n, element_bytes);
    buffers_fill(&in, n, &random);
    buffers_as_input(&h.grouped, &in);
    const sqt_skinned expected_out = buffers_as_output(&expected);
    sqt_isa_cap(SQT_ISA_SCALAR);
    skin(&expected_out, &h.grouped, matrices, 0, n, 0);
    check_guard guard = check_guard_make(BYTES + 64);
    for (uint32_t offset = 0; offset < 64; offset += 4) { // the last byte of the palette is 0..60 before the guard page
        unsigned char *const palette = check_guard_take(&guard, BYTES + offset);
        memcpy(palette, matrices, BYTES);
        for (uint32_t i = 0; i < isa_count; ++i) {
            sqt_isa_cap(isas[i]);
            buffers out = buffers_make(n, element_bytes);
            const sqt_skinned skinned = buffers_as_output(&out);
            skin(&skinned, &h.grouped, (const sqt_mat4 *)(const void *)palette, 0, n, 0);
            buffers_assert(&out, &expected, 0, n, "palette");
            buffers_free(&out);
        }
    }
    sqt_isa_cap(SQT_ISA_BEST);
    check_guard_free(&guard);
    buffers_free(&in);
    buffers_free(&expected);
    hand_free(&h);
}

static void groups_of_another_mesh_are_refused(void **state) {
    (void)state;
    small s;
    sqt_mat4 palette[5] = {{{0}}};
    float positions[15];
    memset(positions, CHECK_CANARY, sizeof positions);
    const sqt_skinned out = {.positions = positions};
    fill_small(&s);
    s.mesh.vertex_count = 4;
    assert_int_equal(sqt_skin_vertices(&out, &s.mesh, palette, 5, 0, 4, 0), SQT_ERROR_COUNT);
    s.mesh.vertex_count = 5;
    s.groups.run_count = 0;
    assert_int_equal(sqt_skin_vertices(&out, &s.mesh, palette, 5, 0, 5, 0), SQT_ERROR_COUNT);
    s.groups.run_count = 3;
    s.groups.runs = NULL;
    assert_int_equal(sqt_skin_vertices(&out, &s.mesh, palette, 5, 0, 5, 0), SQT_ERROR_NULL);
    for (size_t i = 0; i < sizeof positions; ++i) assert_int_equal(((unsigned char *)positions)[i], CHECK_CANARY);
    fill_small(&s);
    assert_int_equal(sqt_skin_vertices(&out, &s.mesh, palette, 5, 0, 5, 0), SQT_OK);
    assert_int_equal(sqt_skin_vertices(&out, &s.mesh, palette, 5, 5, 0, 0), SQT_OK); // an empty range behind the last
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_are_grouped_as_promised),
        cmocka_unit_test(a_grouped_mesh_by_hand),
        cmocka_unit_test(a_mesh_without_vertices_has_no_groups),
        cmocka_unit_test(grouping_names_every_error_and_writes_nothing_then),
        cmocka_unit_test(the_limits_of_influences_and_joints_are_grouped),
        cmocka_unit_test(groups_stand_in_for_influences),
        cmocka_unit_test(arrays_of_groups_may_be_absent_where_they_are_empty),
        cmocka_unit_test(every_field_of_a_run_is_checked),
        cmocka_unit_test(every_joint_and_weight_of_groups_is_checked),
        cmocka_unit_test(elements_follow_the_permutation),
        cmocka_unit_test(an_inverse_permutation_undoes_the_permutation),
        cmocka_unit_test(index_buffers_of_every_format_are_renumbered),
        cmocka_unit_test(renumbering_names_every_error_and_writes_nothing_then),
        cmocka_unit_test(runs_of_every_kind_length_and_count_have_the_bits_of_scalar),
        cmocka_unit_test(runs_of_up_to_255_influences_have_the_bits_of_scalar),
        cmocka_unit_test(many_runs_have_the_bits_of_scalar_however_the_mesh_is_cut),
        cmocka_unit_test(a_grouped_mesh_is_skinned_as_the_mesh_it_was_made_of),
        cmocka_unit_test(fused_sets_agree_with_each_other_however_the_mesh_is_cut_and_with_the_rest_but_for_rounding),
        cmocka_unit_test(a_palette_of_any_alignment_gives_the_same_bits),
        cmocka_unit_test(groups_of_another_mesh_are_refused),
    };
    print_message("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
