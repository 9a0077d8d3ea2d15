// The optional header sqt/cglm.h, as C and as C++, with and without -mavx and -mavx512f. Every number here is exact, so
// that everything can be compared as bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

#include <cglm/cglm.h>
#include <sqt/cglm.h>
#include <sqt/sqt.h>

#include "test_cglm_other.h"

#ifdef __cplusplus
#define ALIGNMENT_OF(type) alignof(type)
#else
#define ALIGNMENT_OF(type) _Alignof(type)
#endif

typedef struct sqt_types {
    char first;
    sqt_mat4 m;
    sqt_vec3 v;
    sqt_quat q;
} sqt_types;

/// Numbers that arithmetic would change: a signalling and a quiet NaN, the smallest denormal, -0, both infinities.
static void fill(void *words, size_t bytes) {
    static const uint32_t bits[] = {0x7FA12345u, 0xFFC54321u, 0x00000001u, 0x80000000u, 0x7F800000u, 0xFF800000u,
                                    0x3F800000u, 0x40490FDBu, 0x807FFFFFu, 0xC2F6E979u, 0x7F7FFFFFu, 0x00800000u,
                                    0xBF000000u, 0x33800000u, 0x4B000001u, 0x12345678u};
    assert_true(bytes <= sizeof bits);
    memcpy(words, bits, bytes);
}

static void vectors_keep_every_bit(void **state) {
    (void)state;
    sqt_vec3 v;
    fill(&v, sizeof v);
    float c[4] = {0, 0, 0, 7};
    sqt_cglm_from_vec3(c, v);
    assert_memory_equal(c, &v, sizeof v);
    assert_true(c[3] == 7); // three floats are written, not four
    const sqt_vec3 back = sqt_vec3_from_cglm(c), other = other_side_vec3(v);
    assert_memory_equal(&back, &v, sizeof v);
    assert_memory_equal(&other, &v, sizeof v);
}

static void quaternions_keep_every_bit(void **state) {
    (void)state;
    sqt_quat q;
    fill(&q, sizeof q);
    versor c;
    sqt_cglm_from_quat(c, q);
    assert_memory_equal(c, &q, sizeof q);
    const sqt_quat back = sqt_quat_from_cglm(c), other = other_side_quat(q);
    assert_memory_equal(&back, &q, sizeof q);
    assert_memory_equal(&other, &q, sizeof q);
}

static void matrices_keep_every_bit(void **state) {
    (void)state;
    sqt_mat4 m;
    fill(&m, sizeof m);
    mat4 c;
    sqt_cglm_from_mat4(c, m);
    assert_memory_equal(c, &m, sizeof m);
    const sqt_mat4 back = sqt_mat4_from_cglm(c), other = other_side_mat4(m);
    assert_memory_equal(&back, &m, sizeof m);
    assert_memory_equal(&other, &m, sizeof m);
}

static void matrices_of_any_alignment_are_read_and_written(void **state) {
    (void)state;
    sqt_mat4 m;
    fill(&m, sizeof m);
    for (size_t offset = 0; offset < 16; ++offset) {
        float storage[16 + 16];
        memset(storage, 0, sizeof storage);
        void *const at = storage + offset;
        float(*const c)[4] = (float(*)[4])at;
        sqt_cglm_from_mat4(c, m);
        assert_memory_equal(at, &m, sizeof m);
        sqt_mat4 back = sqt_mat4_from_cglm(c);
        assert_memory_equal(&back, &m, sizeof m);
        back = other_side_read(c);
        assert_memory_equal(&back, &m, sizeof m);
        memset(storage, 0, sizeof storage);
        other_side_write(c, m);
        assert_memory_equal(at, &m, sizeof m);
    }
}

static void structs_of_sqt_types_are_the_same_where_those_of_cglm_are_not(void **state) {
    (void)state;
    const other_layout other = other_side_layout();
    assert_int_equal(other.sqt_mat4_alignment, ALIGNMENT_OF(sqt_mat4));
    assert_int_equal(other.sqt_struct_bytes, sizeof(sqt_types));
    assert_int_equal(sizeof(sqt_mat4), sizeof(mat4));
#if defined(__AVX__)
    assert_int_not_equal(other.mat4_alignment, ALIGNMENT_OF(mat4)); // else this executable tests nothing new
#endif
}

static void a_point_goes_through_both_libraries_alike(void **state) {
    (void)state;
    // A quarter turn about z, scaled by (2, 4, 8), moved by (10, 20, 30): x goes to 2 y, y to -4 x.
    const sqt_mat4 m = {{0, 2, 0, 0, -4, 0, 0, 0, 0, 0, 8, 0, 10, 20, 30, 1}};
    const sqt_vec3 p = {1, 2, 3}, expected = {2, 22, 54};
    mat4 c;
    vec3 from, to;
    sqt_cglm_from_mat4(c, m);
    sqt_cglm_from_vec3(from, p);
    glm_mat4_mulv3(c, from, 1, to);
    const sqt_vec3 by_cglm = sqt_vec3_from_cglm(to), by_sqt = sqt_mat4_point(m, p);
    assert_memory_equal(&by_cglm, &expected, sizeof expected);
    assert_memory_equal(&by_sqt, &expected, sizeof expected);
}

static void a_rotation_turns_the_same_way_in_both_libraries(void **state) {
    (void)state;
    // A third of a turn about (1, 1, 1), exact in floats: x goes to y, y to z, z to x.
    const sqt_quat q = {0.5f, 0.5f, 0.5f, 0.5f};
    const sqt_vec3 v = {1, 2, 4}, expected = {4, 1, 2};
    versor c;
    vec3 from, to;
    sqt_cglm_from_quat(c, q);
    sqt_cglm_from_vec3(from, v);
    glm_quat_rotatev(c, from, to);
    const sqt_vec3 by_cglm = sqt_vec3_from_cglm(to), by_sqt = sqt_quat_rotate(q, v);
    assert_memory_equal(&by_cglm, &expected, sizeof expected);
    assert_memory_equal(&by_sqt, &expected, sizeof expected);
}

int main(void) {
    // 77: ctest counts it as skipped.
#if defined(__AVX512F__)
    if (!__builtin_cpu_supports("avx512f")) return 77;
#elif defined(__AVX__)
    if (!__builtin_cpu_supports("avx")) return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_keep_every_bit),
        cmocka_unit_test(quaternions_keep_every_bit),
        cmocka_unit_test(matrices_keep_every_bit),
        cmocka_unit_test(matrices_of_any_alignment_are_read_and_written),
        cmocka_unit_test(structs_of_sqt_types_are_the_same_where_those_of_cglm_are_not),
        cmocka_unit_test(a_point_goes_through_both_libraries_alike),
        cmocka_unit_test(a_rotation_turns_the_same_way_in_both_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
