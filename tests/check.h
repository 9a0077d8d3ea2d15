// What every test uses besides cmocka: comparisons of floats that NaN fails, random numbers with a printed seed, and
// canaries. cmocka's own assert_float_equal lets NaN pass.
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sqt/sqt.h"

/// What main returns where nothing of an executable can run. cmocka exits with 0 for skipped tests, and ctest's
/// SKIP_REGULAR_EXPRESSION would hide the failures of the others.
#define CHECK_SKIPPED 77

/// True where a and b differ by at most the tolerance; false for NaN, and for infinities unless the tolerance is
/// infinite.
static inline bool check_close(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

/// Fails the test unless a is within tolerance of b.
#define assert_close(a, b, tolerance) check_assert_close((a), (b), (tolerance), #a, __FILE__, __LINE__)

static inline void check_assert_close(double a, double b, double tolerance, const char *what, const char *file,
                                      int line) {
    if (!check_close(a, b, tolerance)) {
        print_error("%s is %.9g, expected %.9g within %.3g\n", what, a, b, tolerance);
        _fail(file, line);
    }
}

/// Fails unless every one of `count` floats is within tolerance.
#define assert_all_close(a, b, count, tolerance) \
    check_assert_all_close((a), (b), (count), (tolerance), #a, __FILE__, __LINE__)

static inline void check_assert_all_close(const float *a, const float *b, size_t count, double tolerance,
                                          const char *what, const char *file, int line) {
    for (size_t i = 0; i < count; ++i) {
        if (!check_close(a[i], b[i], tolerance)) {
            print_error("%s[%zu] is %.9g, expected %.9g within %.3g\n", what, i, a[i], b[i], tolerance);
            _fail(file, line);
        }
    }
}

/// Fails unless two quaternions are one rotation (q or -q), component by component.
#define assert_rotation_close(a, b, tolerance) check_assert_rotation((a), (b), (tolerance), #a, __FILE__, __LINE__)

static inline void check_assert_rotation(sqt_quat a, sqt_quat b, double tolerance, const char *what, const char *file,
                                         int line) {
    const double sign = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w < 0 ? -1 : 1;
    if (!(check_close(a.x, sign * b.x, tolerance) && check_close(a.y, sign * b.y, tolerance) &&
          check_close(a.z, sign * b.z, tolerance) && check_close(a.w, sign * b.w, tolerance))) {
        print_error("%s is (%.9g, %.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g, %.9g) within %.3g\n", what, a.x, a.y,
                    a.z, a.w, b.x, b.y, b.z, b.w, tolerance);
        _fail(file, line);
    }
}

#define assert_vec3_close(a, b, tolerance) check_assert_vec3((a), (b), (tolerance), #a, __FILE__, __LINE__)

static inline void check_assert_vec3(sqt_vec3 a, sqt_vec3 b, double tolerance, const char *what, const char *file,
                                     int line) {
    if (!(check_close(a.x, b.x, tolerance) && check_close(a.y, b.y, tolerance) && check_close(a.z, b.z, tolerance))) {
        print_error("%s is (%.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g) within %.3g\n", what, a.x, a.y, a.z, b.x,
                    b.y, b.z, tolerance);
        _fail(file, line);
    }
}

/// Fails unless a fault names this field, index and element.
#define assert_fault(fault, want_field, want_index, want_element) \
    do {                                                          \
        assert_non_null((fault).field);                           \
        assert_string_equal((fault).field, want_field);           \
        assert_int_equal((fault).index, want_index);              \
        assert_int_equal((fault).element, want_element);          \
    } while (0)

/// xorshift64*: the same numbers on every machine. Seed it with anything but 0, and print the seed.
typedef struct check_random {
    uint64_t state;
} check_random;

static inline uint32_t check_random_u32(check_random *random) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * 0x2545F4914F6CDD1Dull) >> 32);
}

/// Uniform in low..high.
static inline float check_random_float(check_random *random, float low, float high) {
    return low + (high - low) * (float)(check_random_u32(random) >> 8) * (1.0f / 16777215.0f);
}

/// Uniform in 0..count - 1.
static inline uint32_t check_random_below(check_random *random, uint32_t count) {
    return (uint32_t)(((uint64_t)check_random_u32(random) * count) >> 32);
}

/// A uniformly distributed unit quaternion.
static inline sqt_quat check_random_quat(check_random *random) {
    for (;;) {
        const double x = check_random_float(random, -1, 1), y = check_random_float(random, -1, 1);
        const double z = check_random_float(random, -1, 1), w = check_random_float(random, -1, 1);
        const double length = sqrt(x * x + y * y + z * z + w * w);
        if (length > 0.1 && length <= 1) {
            const sqt_quat q = {(float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length)};
            return q;
        }
    }
}

static inline sqt_vec3 check_random_vec3(check_random *random, float low, float high) {
    const float x = check_random_float(random, low, high), y = check_random_float(random, low, high);
    const sqt_vec3 v = {x, y, check_random_float(random, low, high)};
    return v;
}

#endif
