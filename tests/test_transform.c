// Trigonometry, quaternions, transforms and matrices against libm and the textbook's formulas in double precision, hand
// calculation, and cglm where its function is right.
#include "check.h"

#include <float.h>

#include <cglm/cglm.h>

#include "trig.h" // beside the public functions, what interpolation uses of it

#define PI 3.14159265358979323846
#define DEGREES (PI / 180)

enum { PAIRS = 20000 };

// ---- the second opinion: double precision, by definition

typedef struct dvec3 {
    double x, y, z;
} dvec3;

typedef struct dquat {
    double x, y, z, w;
} dquat;

static dquat dquat_of(sqt_quat q) {
    const dquat d = {q.x, q.y, q.z, q.w};
    return d;
}

static sqt_quat quat_of(dquat d) {
    const sqt_quat q = {(float)d.x, (float)d.y, (float)d.z, (float)d.w};
    return q;
}

static sqt_quat quat(double x, double y, double z, double w) {
    const dquat d = {x, y, z, w};
    return quat_of(d);
}

static sqt_vec3 vec3_of(double x, double y, double z) {
    const sqt_vec3 v = {(float)x, (float)y, (float)z};
    return v;
}

static sqt_quat negated(sqt_quat q) { return quat(-q.x, -q.y, -q.z, -q.w); }

static double dquat_dot(dquat a, dquat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

static dquat dquat_scale(dquat a, double k) {
    const dquat r = {a.x * k, a.y * k, a.z * k, a.w * k};
    return r;
}

static dquat dquat_add(dquat a, dquat b) {
    const dquat r = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    return r;
}

static double dquat_length(dquat a) { return sqrt(dquat_dot(a, a)); }

static dquat dquat_unit(dquat a) { return dquat_scale(a, 1 / dquat_length(a)); }

/// Hamilton's table: i i = j j = k k = -1, i j = k, j k = i, k i = j.
static dquat dquat_multiply(dquat a, dquat b) {
    const dquat r = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return r;
}

static dquat dquat_about(double x, double y, double z, double radians) {
    const double length = sqrt(x * x + y * y + z * z), k = sin(radians / 2) / length;
    const dquat r = {x * k, y * k, z * k, cos(radians / 2)};
    return r;
}

/// q v q*, of the direction of q.
static dvec3 dquat_rotate(dquat q, dvec3 v) {
    const dquat u = dquat_unit(q), conjugate = {-u.x, -u.y, -u.z, u.w}, p = {v.x, v.y, v.z, 0};
    const dquat r = dquat_multiply(dquat_multiply(u, p), conjugate);
    const dvec3 result = {r.x, r.y, r.z};
    return result;
}

/// The angle between two quaternions as vectors, 0..pi, exact for small and large angles (Kahan).
static double dquat_angle(dquat a, dquat b) {
    return 2 * atan2(dquat_length(dquat_add(a, dquat_scale(b, -1))), dquat_length(dquat_add(a, b)));
}

static dquat nlerp_of(sqt_quat a, sqt_quat b, double t, double sign) {
    return dquat_unit(dquat_add(dquat_scale(dquat_of(a), 1 - t), dquat_scale(dquat_of(b), sign * t)));
}

static dquat slerp_of(sqt_quat a, sqt_quat b, double t, double sign) {
    const dquat from = dquat_unit(dquat_of(a)), to = dquat_scale(dquat_unit(dquat_of(b)), sign);
    const double angle = dquat_angle(from, to);
    if (angle < 1e-12) return from;
    const double k = 1 / sin(angle);
    return dquat_unit(dquat_add(dquat_scale(from, k * sin((1 - t) * angle)), dquat_scale(to, k * sin(t * angle))));
}

static double sign_of_dot(sqt_quat a, sqt_quat b) { return dquat_dot(dquat_of(a), dquat_of(b)) < 0 ? -1 : 1; }

/// The largest difference of a component, with sign.
static double quat_error(sqt_quat q, dquat want) {
    return fmax(fmax(fabs(q.x - want.x), fabs(q.y - want.y)), fmax(fabs(q.z - want.z), fabs(q.w - want.w)));
}

/// Keeps the worst error, and NaN once it has come up.
static void keep_worst(double *worst, double error) {
    if (*worst == *worst && !(error <= *worst)) *worst = error;
}

static bool is_unit(sqt_quat q) { return check_close(dquat_length(dquat_of(q)), 1, 1e-6); }

static void assert_unit(sqt_quat q) {
    if (!is_unit(q)) {
        print_error("(%.9g, %.9g, %.9g, %.9g) is not of unit length\n", q.x, q.y, q.z, q.w);
        fail();
    }
}

/// A 4x4 in double, column-major like sqt_mat4.
typedef struct dmat4 {
    double m[16];
} dmat4;

static dmat4 dmat4_of(sqt_mat4 a) {
    dmat4 r;
    for (int i = 0; i < 16; ++i) r.m[i] = a.m[i];
    return r;
}

static dmat4 dmat4_multiply(dmat4 a, dmat4 b) {
    dmat4 r = {{0}};
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            for (int k = 0; k < 4; ++k) r.m[4 * column + row] += a.m[4 * k + row] * b.m[4 * column + k];
        }
    }
    return r;
}

/// T * R * S: where the axes go, by q v q*.
static dmat4 dmat4_of_transform(sqt_transform t) {
    const double scale[3] = {t.scale.x, t.scale.y, t.scale.z};
    const dvec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    dmat4 r = {{0}};
    for (int column = 0; column < 3; ++column) {
        const dvec3 axis = dquat_rotate(dquat_of(t.rotation), axes[column]);
        r.m[4 * column] = axis.x * scale[column];
        r.m[4 * column + 1] = axis.y * scale[column];
        r.m[4 * column + 2] = axis.z * scale[column];
    }
    r.m[12] = t.translation.x;
    r.m[13] = t.translation.y;
    r.m[14] = t.translation.z;
    r.m[15] = 1;
    return r;
}

/// m * (v, w), first three components.
static dvec3 dmat4_apply(dmat4 m, sqt_vec3 v, double w) {
    double r[3];
    for (int row = 0; row < 3; ++row)
        r[row] = m.m[row] * v.x + m.m[4 + row] * v.y + m.m[8 + row] * v.z + m.m[12 + row] * w;
    const dvec3 result = {r[0], r[1], r[2]};
    return result;
}

/// Gauss and Jordan with a pivot a column: another way than the library's.
static dmat4 dmat4_invert(dmat4 a) {
    dmat4 r = {{[0] = 1, [5] = 1, [10] = 1, [15] = 1}};
    for (int c = 0; c < 4; ++c) {
        int pivot = c;
        for (int row = c; row < 4; ++row) {
            if (fabs(a.m[4 * c + row]) > fabs(a.m[4 * c + pivot])) pivot = row;
        }
        const double divisor = a.m[4 * c + pivot];
        for (int k = 0; k < 4; ++k) {
            const double p = a.m[4 * k + pivot], q = r.m[4 * k + pivot];
            a.m[4 * k + pivot] = a.m[4 * k + c], r.m[4 * k + pivot] = r.m[4 * k + c];
            a.m[4 * k + c] = p / divisor, r.m[4 * k + c] = q / divisor;
        }
        for (int row = 0; row < 4; ++row) {
            const double factor = a.m[4 * c + row];
            if (row == c) continue;
            for (int k = 0; k < 4; ++k) {
                a.m[4 * k + row] -= factor * a.m[4 * k + c];
                r.m[4 * k + row] -= factor * r.m[4 * k + c];
            }
        }
    }
    return r;
}

static void assert_mat4_close(sqt_mat4 a, dmat4 want, double tolerance) {
    for (int i = 0; i < 16; ++i) assert_close(a.m[i], want.m[i], tolerance);
}

static void assert_dvec3_close(sqt_vec3 a, dvec3 want, double tolerance) {
    assert_close(a.x, want.x, tolerance);
    assert_close(a.y, want.y, tolerance);
    assert_close(a.z, want.z, tolerance);
}

static check_random seeded(uint64_t seed) {
    const check_random random = {seed};
    print_message("seed %#llx\n", (unsigned long long)seed);
    return random;
}

/// Away from 0, of both signs where asked for.
static float random_scale(check_random *random, bool mirror) {
    const float magnitude = expf(check_random_float(random, -2, 2));
    return mirror && check_random_below(random, 2) ? -magnitude : magnitude;
}

static sqt_transform random_transform(check_random *random, bool mirror) {
    sqt_transform t;
    t.rotation = check_random_quat(random);
    t.translation = check_random_vec3(random, -10, 10);
    t.scale.x = random_scale(random, mirror);
    t.scale.y = random_scale(random, mirror);
    t.scale.z = random_scale(random, mirror);
    return t;
}

// ---- sine, cosine, arc cosine, arc tangent

/// The distance of neighbouring floats at a number.
static double ulp_at(double value) {
    const int exponent = fabs(value) < FLT_MIN ? -126 : ilogb(value);
    return ldexp(1, exponent - 23);
}

static double ulps(float have, double want) { return fabs(have - want) / ulp_at(want); }

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

typedef struct trig_worst {
    double sine, cosine;
} trig_worst;

static void compare_sine_and_cosine(trig_worst *worst, float x) {
    keep_worst(&worst->sine, ulps(sqt_sin(x), sin((double)x)));
    keep_worst(&worst->cosine, ulps(sqt_cos(x), cos((double)x)));
    keep_worst(&worst->sine, ulps(sqt_sin(-x), -sin((double)x)));
    keep_worst(&worst->cosine, ulps(sqt_cos(-x), cos((double)x)));
}

static void assert_half_an_ulp(trig_worst worst) {
    print_message("sine %.6f ulp, cosine %.6f ulp\n", worst.sine, worst.cosine);
    assert_close(worst.sine, 0, 0.51);
    assert_close(worst.cosine, 0, 0.51);
}

static void sine_and_cosine_are_within_half_an_ulp_up_to_a_million(void **state) {
    (void)state;
    trig_worst worst = {0, 0};
    const uint32_t end = bits_of_float(1e6f);
    for (uint32_t bits = 0; bits < 0x30000000u; bits += 0x10001u) compare_sine_and_cosine(&worst, float_of_bits(bits));
    for (uint32_t bits = 0x30000000u; bits <= end; bits += 2003) compare_sine_and_cosine(&worst, float_of_bits(bits));
    compare_sine_and_cosine(&worst, 1e6f);
    assert_half_an_ulp(worst);
}

static void sine_and_cosine_keep_half_an_ulp_beside_the_quarter_turns(void **state) {
    (void)state;
    trig_worst worst = {0, 0};
    for (int k = 1; k < 636619; k += k < 2000 ? 1 : 13) { // the last multiple of pi/2 below 1e6
        const float nearest = (float)(k * (PI / 2));
        compare_sine_and_cosine(&worst, nearest);
        compare_sine_and_cosine(&worst, nextafterf(nearest, 0));
        compare_sine_and_cosine(&worst, nextafterf(nearest, INFINITY));
    }
    assert_half_an_ulp(worst);
}

static void sine_and_cosine_keep_a_millionth_up_to_a_billion(void **state) {
    (void)state;
    double worst = 0;
    const uint32_t begin = bits_of_float(1e6f), end = bits_of_float(1e9f);
    for (uint32_t bits = begin; bits <= end; bits += 1009) {
        const float x = float_of_bits(bits);
        keep_worst(&worst, fabs(sqt_sin(x) - sin((double)x)));
        keep_worst(&worst, fabs(sqt_cos(x) - cos((double)x)));
        keep_worst(&worst, fabs(sqt_sin(-x) + sin((double)x)));
    }
    keep_worst(&worst, fabs(sqt_sin(1e9f) - sin(1e9)));
    keep_worst(&worst, fabs(sqt_cos(-1e9f) - cos(1e9)));
    print_message("%.3g\n", worst);
    assert_close(worst, 0, 1e-6);
}

static void sine_and_cosine_are_0_and_1_beyond_a_billion_and_for_what_is_no_number(void **state) {
    (void)state;
    const float values[] = {nextafterf(1e9f, INFINITY), 2e9f, 1e15f, 1e30f, FLT_MAX, INFINITY, NAN};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        assert_close(sqt_sin(values[i]), 0, 0);
        assert_close(sqt_sin(-values[i]), 0, 0);
        assert_close(sqt_cos(values[i]), 1, 0);
        assert_close(sqt_cos(-values[i]), 1, 0);
    }
}

static void sine_and_cosine_of_zeros_and_denormals_are_exact(void **state) {
    (void)state;
    const float values[] = {0.0f, -0.0f, 1e-45f, -1e-45f, 1.1e-38f, FLT_MIN, -FLT_MIN, 1e-20f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        assert_close(sqt_sin(values[i]), values[i], 0);
        assert_close(sqt_cos(values[i]), 1, 0);
    }
}

static void sine_and_cosine_have_the_textbook_values(void **state) {
    (void)state;
    assert_close(sqt_sin((float)(PI / 6)), 0.5, 1e-7);
    assert_close(sqt_cos((float)(PI / 3)), 0.5, 1e-7);
    assert_close(sqt_sin((float)(PI / 4)), 0.70710678118654752, 1e-7);
    assert_close(sqt_cos((float)(3 * PI / 4)), -0.70710678118654752, 1e-7);
    assert_close(sqt_sin((float)(7 * PI / 6)), -0.5, 2e-7);
    assert_close(sqt_cos((float)PI), -1, 0);
    assert_close(sqt_sin(1), 0.84147098480789651, 3e-8);
    assert_close(sqt_cos(1), 0.54030230586813972, 3e-8);
    assert_close(sqt_sin(1e6f), -0.34999350217129295, 2e-8); // 1e6 is a float
}

static void acos_is_within_half_an_ulp(void **state) {
    (void)state;
    double worst = 0;
    for (uint32_t bits = 0; bits <= 0x3F800000u; bits += bits < 0x38000000u ? 0x10001u : 409) {
        const float x = float_of_bits(bits);
        keep_worst(&worst, ulps(sqt_acos(x), acos((double)x)));
        keep_worst(&worst, ulps(sqt_acos(-x), acos(-(double)x)));
    }
    for (uint32_t k = 0; k < 20000; ++k) { // towards 1 and -1, where the curve is steep
        const float x = float_of_bits(0x3F800000u - k);
        keep_worst(&worst, ulps(sqt_acos(x), acos((double)x)));
        keep_worst(&worst, ulps(sqt_acos(-x), acos(-(double)x)));
    }
    print_message("%.6f ulp\n", worst);
    assert_close(worst, 0, 0.51);
}

static void acos_clamps_and_nan_gives_0(void **state) {
    (void)state;
    assert_close(sqt_acos(1), 0, 0);
    assert_close(sqt_acos(-1), (float)PI, 0);
    assert_close(sqt_acos(0), (float)(PI / 2), 0);
    assert_close(sqt_acos(-0.0f), (float)(PI / 2), 0);
    const float beyond[] = {nextafterf(1, 2), 1.5f, 1e15f, FLT_MAX, INFINITY};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i) {
        assert_close(sqt_acos(beyond[i]), 0, 0);
        assert_close(sqt_acos(-beyond[i]), (float)PI, 0);
    }
    assert_close(sqt_acos(NAN), 0, 0);
}

static void atan2_is_within_half_an_ulp(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < 100000; ++i) { // around the circle
        const double angle = i * (2 * PI / 100000);
        const float y = (float)(3 * sin(angle)), x = (float)(3 * cos(angle));
        keep_worst(&worst, ulps(sqt_atan2(y, x), atan2((double)y, (double)x)));
    }
    check_random random = seeded(0xA7A2);
    for (int i = 0; i < 200000; ++i) { // any pair of floats, half of them of like magnitude
        const uint32_t bits = check_random_u32(&random);
        const float x = float_of_bits(bits);
        const float y = i % 2 ? float_of_bits(check_random_u32(&random))
                              : float_of_bits((bits & 0x7F800000u) | (check_random_u32(&random) & 0x807FFFFFu));
        if (!isfinite(x) || !isfinite(y) || (x == 0 && y == 0)) continue;
        keep_worst(&worst, ulps(sqt_atan2(y, x), atan2((double)y, (double)x)));
    }
    print_message("%.6f ulp\n", worst);
    assert_close(worst, 0, 0.51);
}

static void sines_and_cosines_in_double_precision_are_within_5e_13(void **state) {
    (void)state;
    double worst = 0;
    for (int i = -100000; i <= 100000; ++i) {
        const double angle = i * (PI / 4 / 100000);
        const sqt_sincos turn = sqt_sincos_double(angle);
        keep_worst(&worst, fabs(turn.sine - sin(angle)));
        keep_worst(&worst, fabs(turn.cosine - cos(angle)));
    }
    print_message("%.3g\n", worst);
    assert_close(worst, 0, 5e-13);
}

static void angles_in_double_precision_are_within_1e_12(void **state) {
    (void)state;
    // What interpolation multiplies by its parameter before it is rounded.
    double worst = 0;
    for (int i = 1; i <= 100000; ++i) {
        const double z = i / 100000.0;
        keep_worst(&worst, fabs(sqt_atan2_double(z, 1) / atan(z) - 1));
        keep_worst(&worst, fabs(sqt_atan2_double(1, z) / atan2(1, z) - 1));
    }
    print_message("%.3g\n", worst);
    assert_close(worst, 0, 1e-12);
}

static void atan2_knows_axes_diagonals_and_infinities(void **state) {
    (void)state;
    const float half = (float)(PI / 2), quarter = (float)(PI / 4), three = (float)(3 * PI / 4), straight = (float)PI;
    const float magnitudes[] = {1e-45f, 1e-38f, 1e-20f, 1, 3, 1e15f, FLT_MAX, INFINITY};
    for (size_t i = 0; i < sizeof magnitudes / sizeof magnitudes[0]; ++i) {
        const float a = magnitudes[i];
        assert_close(sqt_atan2(0, a), 0, 0);
        assert_close(sqt_atan2(a, 0), half, 0);
        assert_close(sqt_atan2(0, -a), straight, 0);
        assert_close(sqt_atan2(-a, 0), -half, 0);
        assert_close(sqt_atan2(a, a), quarter, 0);
        assert_close(sqt_atan2(a, -a), three, 0);
        assert_close(sqt_atan2(-a, -a), -three, 0);
        assert_close(sqt_atan2(-a, a), -quarter, 0);
        assert_close(sqt_atan2(-0.0f, -a), straight, 0); // a zero has no sign here
    }
    assert_close(sqt_atan2(1, INFINITY), 0, 0);
    assert_close(sqt_atan2(1, -INFINITY), straight, 0);
    assert_close(sqt_atan2(-1, -INFINITY), -straight, 0);
    assert_close(sqt_atan2(INFINITY, 1), half, 0);
    assert_close(sqt_atan2(-INFINITY, -1), -half, 0);
}

static void atan2_of_the_origin_and_of_nan_is_0(void **state) {
    (void)state;
    assert_close(sqt_atan2(0, 0), 0, 0);
    assert_close(sqt_atan2(-0.0f, 0), 0, 0);
    assert_close(sqt_atan2(0, -0.0f), 0, 0);
    assert_close(sqt_atan2(-0.0f, -0.0f), 0, 0);
    assert_close(sqt_atan2(NAN, 1), 0, 0);
    assert_close(sqt_atan2(1, NAN), 0, 0);
    assert_close(sqt_atan2(NAN, -1), 0, 0);
    assert_close(sqt_atan2(-INFINITY, NAN), 0, 0);
    assert_close(sqt_atan2(NAN, NAN), 0, 0);
}

// ---- products, conjugates, normalisation, rotation

static void unit_quaternions_multiply_by_hamiltons_table(void **state) {
    (void)state;
    const sqt_quat one = SQT_QUAT_IDENTITY, i = {1, 0, 0, 0}, j = {0, 1, 0, 0}, k = {0, 0, 1, 0};
    const sqt_quat minus_one = {0, 0, 0, -1};
    const sqt_quat units[3] = {i, j, k};
    for (int n = 0; n < 3; ++n) {
        const sqt_quat a = units[n], b = units[(n + 1) % 3], c = units[(n + 2) % 3];
        assert_close(quat_error(sqt_quat_multiply(a, b), dquat_of(c)), 0, 0);
        assert_close(quat_error(sqt_quat_multiply(b, a), dquat_of(negated(c))), 0, 0);
        assert_close(quat_error(sqt_quat_multiply(a, a), dquat_of(minus_one)), 0, 0);
        assert_close(quat_error(sqt_quat_multiply(a, one), dquat_of(a)), 0, 0);
        assert_close(quat_error(sqt_quat_multiply(one, a), dquat_of(a)), 0, 0);
    }
    // (1 + 2i + 3j + 4k)(5 + 6i + 7j + 8k) = -60 + 12i + 30j + 24k
    assert_close(quat_error(sqt_quat_multiply(quat(2, 3, 4, 1), quat(6, 7, 8, 5)), dquat_of(quat(12, 30, 24, -60))), 0,
                 0);
}

static void products_agree_with_double_precision_and_cglm(void **state) {
    (void)state;
    check_random random = seeded(0xB0B1);
    double worst = 0;
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        const sqt_quat product = sqt_quat_multiply(a, b);
        keep_worst(&worst, quat_error(product, dquat_multiply(dquat_of(a), dquat_of(b))));
        versor p = {a.x, a.y, a.z, a.w}, q = {b.x, b.y, b.z, b.w}, r;
        glm_quat_mul(p, q, r);
        assert_close(quat_error(product, dquat_of(quat(r[0], r[1], r[2], r[3]))), 0, 3e-7);
        assert_unit(product);
    }
    print_message("%.3g\n", worst);
    assert_close(worst, 0, 1.5e-7);
}

static void products_are_associative_and_conjugates_reverse_them(void **state) {
    (void)state;
    check_random random = seeded(0xB0B2);
    const dquat one = {0, 0, 0, 1};
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random), c = check_random_quat(&random);
        const sqt_quat left = sqt_quat_multiply(sqt_quat_multiply(a, b), c);
        const sqt_quat right = sqt_quat_multiply(a, sqt_quat_multiply(b, c));
        assert_close(quat_error(left, dquat_of(right)), 0, 5e-7);
        const sqt_quat ab = sqt_quat_conjugate(sqt_quat_multiply(a, b));
        const sqt_quat ba = sqt_quat_multiply(sqt_quat_conjugate(b), sqt_quat_conjugate(a));
        assert_close(quat_error(ab, dquat_of(ba)), 0, 3e-7);
        assert_close(quat_error(sqt_quat_multiply(a, sqt_quat_conjugate(a)), one), 0, 3e-7);
        assert_close(quat_error(sqt_quat_multiply(sqt_quat_conjugate(a), a), one), 0, 3e-7);
    }
}

static void conjugate_negates_the_vector_part_alone(void **state) {
    (void)state;
    assert_close(quat_error(sqt_quat_conjugate(quat(1, -2, 3, 4)), dquat_of(quat(-1, 2, -3, 4))), 0, 0);
    const sqt_quat zeros = sqt_quat_conjugate(quat(0, 0, 0, -1));
    assert_close(zeros.w, -1, 0);
}

static void product_applies_the_right_factor_first(void **state) {
    (void)state;
    const sqt_quat x90 = quat_of(dquat_about(1, 0, 0, 90 * DEGREES)), z90 = quat_of(dquat_about(0, 0, 1, 90 * DEGREES));
    const sqt_vec3 x = {1, 0, 0};
    // Z takes x to y, X takes y to z; the other way round X leaves x alone and Z takes it to y.
    assert_vec3_close(sqt_quat_rotate(sqt_quat_multiply(x90, z90), x), vec3_of(0, 0, 1), 1e-6);
    assert_vec3_close(sqt_quat_rotate(sqt_quat_multiply(z90, x90), x), vec3_of(0, 1, 0), 1e-6);
}

static void rotate_agrees_with_the_sandwich_product_and_keeps_lengths(void **state) {
    (void)state;
    check_random random = seeded(0xB0B3);
    double worst = 0;
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat q = check_random_quat(&random), p = check_random_quat(&random);
        const sqt_vec3 v = check_random_vec3(&random, -5, 5);
        const dvec3 d = {v.x, v.y, v.z}, want = dquat_rotate(dquat_of(q), d);
        const double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        const sqt_vec3 r = sqt_quat_rotate(q, v);
        keep_worst(&worst, fmax(fabs(r.x - want.x), fmax(fabs(r.y - want.y), fabs(r.z - want.z))) / length);
        assert_vec3_close(sqt_quat_rotate(negated(q), v), r, 0); // q and -q are one rotation
        const sqt_vec3 twice = sqt_quat_rotate(p, r);
        assert_vec3_close(sqt_quat_rotate(sqt_quat_multiply(p, q), v), twice, 1e-5);
        assert_vec3_close(sqt_quat_rotate(sqt_quat_conjugate(q), r), v, 1e-5);
    }
    print_message("%.3g of the length\n", worst);
    assert_close(worst, 0, 5e-7);
}

static void normalize_rounds_each_component_once(void **state) {
    (void)state;
    check_random random = seeded(0xB0B4);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat unit = check_random_quat(&random);
        const double length = exp(check_random_float(&random, -33, 34)); // 5e-15 to 6e14
        const sqt_quat q = quat_of(dquat_scale(dquat_of(unit), length));
        const dquat want = dquat_unit(dquat_of(q));
        const sqt_quat r = sqt_quat_normalize(q);
        assert_close(ulps(r.x, want.x), 0, 0.51);
        assert_close(ulps(r.y, want.y), 0, 0.51);
        assert_close(ulps(r.z, want.z), 0, 0.51);
        assert_close(ulps(r.w, want.w), 0, 0.51);
        assert_unit(r);
    }
    assert_close(quat_error(sqt_quat_normalize(quat(0, 0, 2, 2)), dquat_about(0, 0, 1, 90 * DEGREES)), 0, 6e-8);
    assert_close(quat_error(sqt_quat_normalize(quat(3, 0, 0, -4)), dquat_of(quat(.6, 0, 0, -.8))), 0, 0);
}

static void normalize_gives_the_identity_for_what_has_no_direction(void **state) {
    (void)state;
    const sqt_quat none[] = {{0, 0, 0, 0},
                             {-0.0f, -0.0f, -0.0f, -0.0f},
                             {1e-45f, 0, 0, 0},
                             {0, -1e-38f, 0, 1e-40f},
                             {0, 9.9e-16f, 0, 0},
                             {0, 0, 0, -9.9e-16f},
                             {4.9e-16f, 4.9e-16f, 4.9e-16f, 4.9e-16f},
                             {INFINITY, 0, 0, 1},
                             {0, 0, 0, -INFINITY},
                             {NAN, 0, 0, 1},
                             {0, 0, NAN, 0},
                             {0, 0, 0, NAN}};
    const dquat one = {0, 0, 0, 1};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
        assert_close(quat_error(sqt_quat_normalize(none[i]), one), 0, 0);
    }
    // Just long enough, and as long as a float can be.
    assert_close(quat_error(sqt_quat_normalize(quat(1.01e-15, 0, 0, 0)), dquat_of(quat(1, 0, 0, 0))), 0, 0);
    assert_close(quat_error(sqt_quat_normalize(quat(0, 0, 0, -1.01e-15)), dquat_of(quat(0, 0, 0, -1))), 0, 0);
    assert_close(quat_error(sqt_quat_normalize(quat(1e15, 1e15, -1e15, 1e15)), dquat_of(quat(.5, .5, -.5, .5))), 0,
                 1e-7);
    assert_close(quat_error(sqt_quat_normalize(quat(0, FLT_MAX, 0, 0)), dquat_of(quat(0, 1, 0, 0))), 0, 0);
    assert_unit(sqt_quat_normalize(quat(FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX)));
}

// ---- axis and angle, Euler angles

static void axis_and_angle_give_the_half_angle_quaternion(void **state) {
    (void)state;
    check_random random = seeded(0xE001);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_vec3 axis = check_random_vec3(&random, -3, 3);
        const float radians = check_random_float(&random, -20, 20);
        const dquat want = dquat_about(axis.x, axis.y, axis.z, radians);
        assert_close(quat_error(sqt_quat_from_axis_angle(axis, radians), want), 0, 3.1e-8);
    }
    assert_close(quat_error(sqt_quat_from_axis_angle(vec3_of(0, 0, 5), (float)(PI / 2)),
                            dquat_of(quat(0, 0, 0.70710678118654752, 0.70710678118654752))),
                 0, 6e-8);
    assert_vec3_close(sqt_quat_rotate(sqt_quat_from_axis_angle(vec3_of(0, 1, 0), (float)(PI / 2)), vec3_of(0, 0, 1)),
                      vec3_of(1, 0, 0), 1e-6);
}

static void axis_may_have_any_length(void **state) {
    (void)state;
    const double lengths[] = {1e-45, 1e-38, 1e-20, 1, 1e15, 1e38};
    const float radians = 1.25f;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
        const sqt_quat q = sqt_quat_from_axis_angle(vec3_of(0, -lengths[i], 0), radians);
        assert_close(quat_error(q, dquat_about(0, -1, 0, radians)), 0, 3.1e-8);
    }
    assert_unit(sqt_quat_from_axis_angle(vec3_of(1e38, -3e38, 2e38), radians));
}

static void no_axis_gives_the_identity(void **state) {
    (void)state;
    const dquat one = {0, 0, 0, 1};
    const sqt_vec3 axes[] = {{0, 0, 0}, {-0.0f, 0, 0}, {INFINITY, 0, 0}, {NAN, 1, 0}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; ++i) {
        assert_close(quat_error(sqt_quat_from_axis_angle(axes[i], 1), one), 0, 0);
    }
    // Nor does an angle that has no sine (see sqt_sin).
    assert_close(quat_error(sqt_quat_from_axis_angle(vec3_of(1, 2, 3), INFINITY), one), 0, 0);
    assert_close(quat_error(sqt_quat_from_axis_angle(vec3_of(1, 2, 3), NAN), one), 0, 0);
}

/// The axes of an order from its name, first to last.
static const char *const order_names[6] = {[SQT_EULER_XYZ] = "xyz", [SQT_EULER_XZY] = "xzy", [SQT_EULER_YXZ] = "yxz",
                                           [SQT_EULER_YZX] = "yzx", [SQT_EULER_ZXY] = "zxy", [SQT_EULER_ZYX] = "zyx"};

static double component_of(sqt_vec3 v, char axis) { return axis == 'x' ? v.x : axis == 'y' ? v.y : v.z; }

static sqt_vec3 angles_of(uint32_t order, double first, double middle, double last) {
    const double angles[3] = {first, middle, last};
    double v[3] = {0, 0, 0};
    for (int n = 0; n < 3; ++n) v[order_names[order][n] - 'x'] = angles[n];
    return vec3_of(v[0], v[1], v[2]);
}

/// The product of the axis rotations, left to right.
static dquat euler_of(sqt_vec3 radians, uint32_t order) {
    dquat q = {0, 0, 0, 1};
    for (int n = 0; n < 3; ++n) {
        const char axis = order_names[order][n];
        q = dquat_multiply(q, dquat_about(axis == 'x', axis == 'y', axis == 'z', component_of(radians, axis)));
    }
    return q;
}

static void euler_angles_are_the_product_of_the_axis_rotations_in_every_order(void **state) {
    (void)state;
    check_random random = seeded(0xE002);
    for (int n = 0; n < PAIRS; ++n) {
        const uint32_t order = (uint32_t)n % 6;
        const sqt_vec3 radians = check_random_vec3(&random, -10, 10);
        assert_close(quat_error(sqt_quat_from_euler(radians, order), euler_of(radians, order)), 0, 3.1e-8);
    }
}

static void euler_angles_give_the_matrices_of_cglm_in_every_order(void **state) {
    (void)state;
    static void (*const matrices[6])(vec3, mat4) = {
        [SQT_EULER_XYZ] = glm_euler_xyz, [SQT_EULER_XZY] = glm_euler_xzy, [SQT_EULER_YXZ] = glm_euler_yxz,
        [SQT_EULER_YZX] = glm_euler_yzx, [SQT_EULER_ZXY] = glm_euler_zxy, [SQT_EULER_ZYX] = glm_euler_zyx};
    check_random random = seeded(0xE003);
    for (int n = 0; n < 6000; ++n) {
        const uint32_t order = (uint32_t)n % 6;
        sqt_transform t = SQT_TRANSFORM_IDENTITY;
        const sqt_vec3 radians = check_random_vec3(&random, -4, 4);
        t.rotation = sqt_quat_from_euler(radians, order);
        vec3 angles = {radians.x, radians.y, radians.z};
        mat4 want;
        matrices[order](angles, want);
        float flat[16];
        memcpy(flat, want, sizeof flat);
        const sqt_mat4 have = sqt_mat4_from_transform(t);
        assert_all_close(have.m, flat, 16, 1e-6);
    }
}

// The BVH case: channels Z X Y of 30, 40 and 50 degrees.
static void euler_zxy_has_the_known_quaternion(void **state) {
    (void)state;
    const sqt_vec3 radians = vec3_of(40 * DEGREES, 50 * DEGREES, 30 * DEGREES);
    const sqt_quat q = sqt_quat_from_euler(radians, SQT_EULER_ZXY);
    assert_rotation_close(q, quat(.1966282, .4638269, .3600422, .7852207), 1e-6);
}

// Quarter turns about z and x: BVH's "Zrotation Xrotation Yrotation" turns about x first, as does the program that
// names its fixed axes "XYZ"; the product X Y Z turns about z first.
static void the_last_axis_of_an_order_turns_first(void **state) {
    (void)state;
    const sqt_vec3 radians = vec3_of(90 * DEGREES, 0, 90 * DEGREES), y = {0, 1, 0};
    assert_vec3_close(sqt_quat_rotate(sqt_quat_from_euler(radians, SQT_EULER_ZXY), y), vec3_of(0, 0, 1), 1e-6);
    assert_vec3_close(sqt_quat_rotate(sqt_quat_from_euler(radians, SQT_EULER_ZYX), y), vec3_of(0, 0, 1), 1e-6);
    assert_vec3_close(sqt_quat_rotate(sqt_quat_from_euler(radians, SQT_EULER_XYZ), y), vec3_of(-1, 0, 0), 1e-6);
}

static void euler_angles_come_back_away_from_gimbal_lock(void **state) {
    (void)state;
    check_random random = seeded(0xE004);
    for (int n = 0; n < PAIRS; ++n) {
        const uint32_t order = (uint32_t)n % 6;
        const float first = check_random_float(&random, -3.14f, 3.14f),
                    last = check_random_float(&random, -3.14f, 3.14f);
        const sqt_vec3 radians = angles_of(order, first, check_random_float(&random, -1.4f, 1.4f), last);
        const sqt_quat q = sqt_quat_from_euler(radians, order);
        assert_vec3_close(sqt_euler_from_quat(q, order), radians, 3e-6); // 3e-7 over the cosine of the middle angle
    }
}

static void assert_euler_ranges(sqt_vec3 radians, uint32_t order) {
    const char *const name = order_names[order];
    assert_true(fabs(component_of(radians, name[0])) <= (float)PI);
    assert_true(fabs(component_of(radians, name[1])) <= (float)(PI / 2));
    assert_true(fabs(component_of(radians, name[2])) <= (float)PI);
}

static void every_rotation_survives_the_way_through_euler_angles(void **state) {
    (void)state;
    check_random random = seeded(0xE005);
    double worst = 0;
    for (int n = 0; n < PAIRS; ++n) {
        const uint32_t order = (uint32_t)n % 6;
        const sqt_quat q = check_random_quat(&random);
        const sqt_vec3 radians = sqt_euler_from_quat(q, order);
        const sqt_quat back = sqt_quat_from_euler(radians, order);
        keep_worst(&worst, quat_error(back, dquat_scale(dquat_of(q), sign_of_dot(q, back))));
        assert_euler_ranges(radians, order);
        const sqt_vec3 same = sqt_euler_from_quat(negated(q), order);
        assert_memory_equal(&same, &radians, sizeof same);
    }
    print_message("%.3g\n", worst);
    assert_close(worst, 0, 3e-7);
}

static void in_gimbal_lock_the_last_angle_is_0_and_the_rotation_stays(void **state) {
    (void)state;
    const double offsets[] = {0, 1e-7, 4e-7, -4e-7};
    check_random random = seeded(0xE006);
    for (int n = 0; n < 6000; ++n) {
        const uint32_t order = (uint32_t)n % 6;
        const double middle = ((n / 6) % 2 ? 1 : -1) * (PI / 2 + offsets[(n / 12) % 4]);
        const double first = check_random_float(&random, -3, 3), last = check_random_float(&random, -3, 3);
        const char *const name = order_names[order];
        dquat q = {0, 0, 0, 1};
        const double angles[3] = {first, middle, last};
        for (int k = 0; k < 3; ++k) {
            q = dquat_multiply(q, dquat_about(name[k] == 'x', name[k] == 'y', name[k] == 'z', angles[k]));
        }
        const sqt_vec3 radians = sqt_euler_from_quat(quat_of(q), order);
        assert_close(component_of(radians, name[2]), 0, 0);
        assert_close(fabs(component_of(radians, name[1])), PI / 2, 1.2e-6);
        assert_euler_ranges(radians, order);
        assert_rotation_close(sqt_quat_from_euler(radians, order), quat_of(q), 1e-6);
    }
}

static void beside_gimbal_lock_all_three_angles_are_kept(void **state) {
    (void)state;
    check_random random = seeded(0xE007);
    for (int n = 0; n < 6000; ++n) {
        const uint32_t order = (uint32_t)n % 6;
        const double sign = (n / 6) % 2 ? 1 : -1, offset = pow(10, check_random_float(&random, -5.5f, -2));
        const double first = check_random_float(&random, -3, 3);
        const double last = check_random_float(&random, 1, 2) * ((n / 12) % 2 ? 1 : -1);
        const sqt_vec3 wanted = angles_of(order, first, sign * (PI / 2 - offset), last);
        const sqt_quat q = quat_of(euler_of(wanted, order));
        const sqt_vec3 radians = sqt_euler_from_quat(q, order);
        assert_close(component_of(radians, order_names[order][2]), last, 5e-7 / offset + 1e-6);
        assert_rotation_close(sqt_quat_from_euler(radians, order), q, 3e-7);
    }
}

static void unknown_orders_give_the_identity_and_zeros(void **state) {
    (void)state;
    const dquat one = {0, 0, 0, 1};
    const uint32_t orders[] = {6, 7, 0xFF, UINT32_MAX};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; ++i) {
        assert_close(quat_error(sqt_quat_from_euler(vec3_of(1, 2, 3), orders[i]), one), 0, 0);
        assert_vec3_close(sqt_euler_from_quat(quat(.5, .5, .5, .5), orders[i]), vec3_of(0, 0, 0), 0);
    }
}

// ---- NLERP and SLERP

typedef sqt_quat (*mix)(sqt_quat a, sqt_quat b, float t);
typedef dquat (*mix_of)(sqt_quat a, sqt_quat b, double t, double sign);

/// The distance from the formula; where the quaternions are at right angles either arc is the shorter one.
static double mix_error(mix function, mix_of formula, sqt_quat a, sqt_quat b, float t) {
    const sqt_quat q = function(a, b, t);
    const double dot = dquat_dot(dquat_of(a), dquat_of(b)), sign = dot < 0 ? -1 : 1;
    const double error = quat_error(q, formula(a, b, t, sign));
    return fabs(dot) < 1e-6 ? fmin(error, quat_error(q, formula(a, b, t, -sign))) : error;
}

/// The worst error over random pairs, a random t of low..high for each.
static double worst_mix_error(mix function, mix_of formula, float low, float high, uint64_t seed) {
    check_random random = seeded(seed);
    double worst = 0;
    for (int n = 0; n < 4 * PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        const float t = n % 8 ? check_random_float(&random, low, high) : n % 16 ? low : high;
        assert_unit(function(a, b, t));
        keep_worst(&worst, mix_error(function, formula, a, b, t));
    }
    print_message("t in %g..%g: %.3g\n", low, high, worst);
    return worst;
}

static void nlerp_agrees_with_the_formula(void **state) {
    (void)state;
    assert_close(worst_mix_error(sqt_quat_nlerp, nlerp_of, 0, 1, 0x17E1), 0, 3e-7);
    assert_close(worst_mix_error(sqt_quat_nlerp, nlerp_of, -1, 2, 0x17E2), 0, 6e-7);
}

static void slerp_agrees_with_the_formula_to_its_stated_bounds(void **state) {
    (void)state;
    assert_close(worst_mix_error(sqt_quat_slerp, slerp_of, 0, 1, 0x51E1), 0, 3e-7);
    assert_close(worst_mix_error(sqt_quat_slerp, slerp_of, -1, 2, 0x51E2), 0, 1e-6);
}

static void nlerp_far_outside_extrapolates_the_chord(void **state) {
    (void)state;
    assert_close(worst_mix_error(sqt_quat_nlerp, nlerp_of, -7.5f, -1, 0x17E3), 0, 4e-6);
    assert_close(worst_mix_error(sqt_quat_nlerp, nlerp_of, 2, 10, 0x17E4), 0, 4e-6);
    assert_close(worst_mix_error(sqt_quat_nlerp, nlerp_of, 1000, 1000, 0x17E5), 0, 4e-4);
}

static void slerp_far_outside_keeps_turning(void **state) {
    (void)state;
    assert_close(worst_mix_error(sqt_quat_slerp, slerp_of, -7.5f, -1, 0x51E3), 0, 1e-6);
    assert_close(worst_mix_error(sqt_quat_slerp, slerp_of, 2, 10, 0x51E4), 0, 1e-6);
    assert_close(worst_mix_error(sqt_quat_slerp, slerp_of, 1000, 1000, 0x51E5), 0, 1e-6);
    // 12 degrees about z, 30 times over, is a whole turn; 45 times a half more.
    const sqt_quat a = SQT_QUAT_IDENTITY, b = quat_of(dquat_about(0, 0, 1, 12 * DEGREES));
    assert_rotation_close(sqt_quat_slerp(a, b, 30), a, 1e-5);
    assert_rotation_close(sqt_quat_slerp(a, b, 45), quat(0, 0, 1, 0), 1e-5);
    assert_rotation_close(sqt_quat_slerp(a, b, -7.5f), quat(0, 0, -0.70710678, 0.70710678), 1e-6);
}

static void small_angles_add_up_far_outside(void **state) {
    (void)state;
    check_random random = seeded(0x51EA);
    double worst = 0;
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random);
        const sqt_vec3 axis = check_random_vec3(&random, -1, 1);
        const double angle = pow(10, check_random_float(&random, -6, -2));
        const sqt_quat b = quat_of(dquat_multiply(dquat_of(a), dquat_about(axis.x, axis.y, axis.z, angle)));
        const float t = check_random_float(&random, 2.5f, 1000) * (n % 2 ? 1.0f : -1.0f);
        keep_worst(&worst, quat_error(sqt_quat_slerp(a, b, t), slerp_of(a, b, t, 1)));
    }
    print_message("%.3g\n", worst);
    assert_close(worst, 0, 1e-6);
}

static void slerp_is_continuous_where_its_method_changes(void **state) {
    (void)state;
    check_random random = seeded(0x51E6);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        const sqt_quat at = sqt_quat_slerp(a, b, 2), above = sqt_quat_slerp(a, b, nextafterf(2, 3));
        assert_close(quat_error(at, dquat_of(above)), 0, 1.5e-6);
        const sqt_quat low = sqt_quat_slerp(a, b, -1), below = sqt_quat_slerp(a, b, nextafterf(-1, -2));
        assert_close(quat_error(low, dquat_of(below)), 0, 1.5e-6);
    }
}

static const mix mixes[2] = {sqt_quat_nlerp, sqt_quat_slerp};
static const mix_of formulas[2] = {nlerp_of, slerp_of};

static void the_ends_are_the_inputs_on_the_shorter_arc(void **state) {
    (void)state;
    check_random random = seeded(0x3ED5);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        const dquat other = dquat_scale(dquat_of(b), sign_of_dot(a, b));
        for (int k = 0; k < 2; ++k) {
            assert_close(quat_error(mixes[k](a, b, 0), dquat_of(a)), 0, 2.5e-7);
            assert_close(quat_error(mixes[k](a, b, -0.0f), dquat_of(a)), 0, 2.5e-7);
            assert_close(quat_error(mixes[k](a, b, 1), other), 0, 2.5e-7);
        }
    }
}

static void slerp_turns_at_constant_speed(void **state) {
    (void)state;
    check_random random = seeded(0x51E7);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        const dquat from = dquat_unit(dquat_of(a)), to = dquat_scale(dquat_unit(dquat_of(b)), sign_of_dot(a, b));
        const float t = check_random_float(&random, 0, 1);
        const dquat between = dquat_unit(dquat_of(sqt_quat_slerp(a, b, t)));
        const double angle = dquat_angle(from, to);
        assert_close(dquat_angle(from, between), t * angle, 6e-7);
        assert_close(dquat_angle(between, to), (1 - (double)t) * angle, 6e-7);
    }
}

static void mixing_is_the_same_from_the_other_end(void **state) {
    (void)state;
    check_random random = seeded(0x3ED6);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        const float t = (float)check_random_below(&random, 1025) / 1024; // so that 1 - t is exact
        const double sign = sign_of_dot(a, b);
        for (int k = 0; k < 2; ++k) {
            const sqt_quat there = mixes[k](a, b, t), back = mixes[k](b, a, 1 - t);
            assert_close(quat_error(there, dquat_scale(dquat_of(back), sign)), 0, 6e-7);
        }
    }
}

// Exporters emit q or -q as they please: keys of 10 and 50 degrees about x.
static void sign_flipped_keys_mix_to_one_rotation(void **state) {
    (void)state;
    const sqt_quat x10 = quat_of(dquat_about(1, 0, 0, 10 * DEGREES)), x50 = quat_of(dquat_about(1, 0, 0, 50 * DEGREES));
    for (int signs = 0; signs < 4; ++signs) {
        const sqt_quat a = signs & 1 ? negated(x10) : x10, b = signs & 2 ? negated(x50) : x50;
        for (int k = 0; k < 2; ++k) {
            const sqt_quat half = mixes[k](a, b, 0.5f);
            assert_rotation_close(half, quat(.258819, 0, 0, .9659258), 1e-6);
            assert_vec3_close(sqt_quat_rotate(half, vec3_of(0, 1, 0)), vec3_of(0, .8660254, .5), 1e-6);
        }
        assert_rotation_close(sqt_quat_slerp(a, b, 0.25f), quat(.1736482, 0, 0, .9848078), 1e-6);
        assert_rotation_close(sqt_quat_nlerp(a, b, 0.25f), quat(.1729887, 0, 0, .9849238), 1e-6);
    }
}

static void all_four_sign_combinations_give_one_rotation(void **state) {
    (void)state;
    check_random random = seeded(0x3ED7);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        if (fabs(dquat_dot(dquat_of(a), dquat_of(b))) < 1e-6) continue;
        const float t = n % 9 ? check_random_float(&random, -1, 2) : 5;
        for (int k = 0; k < 2; ++k) {
            const sqt_quat q = mixes[k](a, b, t);
            assert_rotation_close(mixes[k](negated(a), b, t), q, 0);
            assert_rotation_close(mixes[k](a, negated(b), t), q, 0);
            assert_rotation_close(mixes[k](negated(a), negated(b), t), q, 0);
        }
    }
}

static void mixing_120_degrees_gives_the_known_quarter(void **state) {
    (void)state;
    const sqt_quat a = SQT_QUAT_IDENTITY, b = quat_of(dquat_about(0, 0, 1, 120 * DEGREES));
    assert_rotation_close(sqt_quat_slerp(a, b, 0.25f), quat(0, 0, .258819, .9659258), 1e-6);
    assert_rotation_close(sqt_quat_nlerp(a, b, 0.25f), quat(0, 0, .2401922, .9707253), 1e-6);
}

static void a_quarter_of_the_way_to_80_degrees_is_20_degrees(void **state) {
    (void)state;
    const sqt_quat a = SQT_QUAT_IDENTITY, b = quat_of(dquat_about(0, 0, 1, 80 * DEGREES));
    assert_rotation_close(sqt_quat_slerp(a, b, 0.25f), quat(0, 0, .1736482, .9848078), 1e-6);
}

// The first has a self-dot above 1 in float.
static void equal_and_opposite_pairs_give_the_rotation_itself(void **state) {
    (void)state;
    const sqt_quat known = {-.9628540f, -.1274090f, -.2375748f, .0154063f};
    const float ts[] = {-1, 0, 0.25f, 0.5f, 1, 2, 10, -7.5f, 1000};
    check_random random = seeded(0x3ED8);
    for (int n = 0; n < 2000; ++n) {
        const sqt_quat q = n ? check_random_quat(&random) : known;
        for (size_t i = 0; i < sizeof ts / sizeof ts[0]; ++i) {
            const double tolerance = ts[i] >= -1 && ts[i] <= 2 ? 4e-7 : 1e-4; // NLERP cancels 1000 q - 999 q
            for (int k = 0; k < 2; ++k) {
                assert_close(quat_error(mixes[k](q, q, ts[i]), dquat_of(q)), 0, tolerance);
                assert_close(quat_error(mixes[k](q, negated(q), ts[i]), dquat_of(q)), 0, tolerance);
            }
        }
    }
}

static void slerp_of_equal_rotations_is_that_rotation_for_any_t(void **state) {
    (void)state;
    const float ts[] = {2.5f, 10, -7.5f, 1000, 1e5f, 1e6f, 1.3e7f, -2.7e7f, 1e8f, 1e9f, 1e15f, FLT_MAX};
    check_random random = seeded(0x51E8);
    for (int n = 0; n < 2000; ++n) {
        const sqt_quat q = check_random_quat(&random);
        for (size_t i = 0; i < sizeof ts / sizeof ts[0]; ++i) {
            assert_close(quat_error(sqt_quat_slerp(q, q, ts[i]), dquat_of(q)), 0, 2.5e-7);
            assert_close(quat_error(sqt_quat_slerp(q, negated(q), ts[i]), dquat_of(q)), 0, 2.5e-7);
        }
    }
}

static void half_turns_take_one_arc_or_the_other(void **state) {
    (void)state;
    const float ts[] = {-1, -0.25f, 0, 0.25f, 0.5f, 0.75f, 1, 2, 10};
    check_random random = seeded(0x3ED9);
    for (int n = 0; n < 5000; ++n) {
        const sqt_quat a = n % 2 ? check_random_quat(&random) : quat(0, 0, 0, 1);
        const sqt_vec3 axis = n < 3 ? vec3_of(n == 0, n == 1, n == 2) : check_random_vec3(&random, -1, 1);
        const sqt_quat b = quat_of(dquat_multiply(dquat_of(a), dquat_about(axis.x, axis.y, axis.z, PI)));
        for (size_t i = 0; i < sizeof ts / sizeof ts[0]; ++i) {
            for (int k = 0; k < 2; ++k) {
                assert_unit(mixes[k](a, b, ts[i]));
                assert_close(mix_error(mixes[k], formulas[k], a, b, ts[i]), 0, ts[i] > 2 ? 4e-6 : 1e-6);
            }
        }
    }
}

static void a_million_nearly_equal_pairs_mix_smoothly(void **state) {
    (void)state;
    check_random random = seeded(0x3EDA);
    double worst[2] = {0, 0};
    for (int n = 0; n < 1000000; ++n) {
        const sqt_quat a = check_random_quat(&random);
        const sqt_vec3 v = check_random_vec3(&random, -1, 1);
        // From 1e-7 to 1e-3 radians, each power of two as often; half the angle over the length of the axis.
        const double angle = ldexp(1e-7 + 1e-7 * (n % 64) / 64, (n / 64) % 13) * (1000.0 / 819.2);
        const double k = 0.5 * angle / sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z + 1e-9);
        const dquat step = {v.x * k, v.y * k, v.z * k, 1};
        const dquat b = dquat_scale(dquat_multiply(dquat_of(a), step), n % 3 ? 1 : -1);
        const float t = check_random_float(&random, 0, 1);
        for (int i = 0; i < 2; ++i) {
            const sqt_quat q = mixes[i](a, quat_of(b), t);
            if (!is_unit(q)) assert_unit(q);
            if (n % 16 == 0) keep_worst(&worst[i], quat_error(q, formulas[i](a, quat_of(b), t, n % 3 ? 1 : -1)));
        }
    }
    print_message("NLERP %.3g, SLERP %.3g\n", worst[0], worst[1]);
    assert_close(worst[0], 0, 3e-7);
    assert_close(worst[1], 0, 3e-7);
}

// Zero, tiny and huge quaternions are no rotations, but what comes out is one.
static void mixtures_are_unit_whatever_the_inputs(void **state) {
    (void)state;
    const sqt_quat inputs[] = {{0, 0, 0, 0},
                               {-0.0f, 0, -0.0f, 0},
                               {0, 0, 0, 1},
                               {1, 0, 0, 0},
                               {0, 0, 0, -1},
                               {.5f, .5f, -.5f, .5f},
                               {1e15f, 0, 0, 0},
                               {1e15f, 1e15f, 1e15f, 1e15f},
                               {-1e15f, -1e15f, -1e15f, -1e15f},
                               {0, -1e15f, 0, 1e-15f},
                               {1e-45f, 0, 0, 1e-45f},
                               {1e-38f, 1e-39f, 0, -1e-38f},
                               {0, 0, 1e-20f, 0},
                               {1e-16f, 0, 0, 1e-16f},
                               {1e-15f, 0, 0, 0},
                               {0, 2e-15f, 0, -2e-15f},
                               {1e-8f, 0, 0, 1e-8f},
                               {3, 4, 0, 12}};
    const float ts[] = {0, -0.0f, 1e-45f, 1e-20f, 0.25f, 0.5f, 0.75f, 1 - 0x1p-24f, 1, 1 + 0x1p-23f,
                        2, -1,    -1.5f,  10,     -7.5f, 1000, -1000};
    enum { INPUTS = sizeof inputs / sizeof inputs[0], TS = sizeof ts / sizeof ts[0] };
    for (int i = 0; i < INPUTS; ++i) {
        for (int j = 0; j < INPUTS; ++j) {
            for (int k = 0; k < TS; ++k) {
                for (int m = 0; m < 2; ++m) {
                    const sqt_quat q = mixes[m](inputs[i], inputs[j], ts[k]);
                    if (is_unit(q)) continue;
                    print_error("%s of input %d and %d at %g\n", m ? "SLERP" : "NLERP", i, j, ts[k]);
                    assert_unit(q);
                }
            }
        }
    }
}

static void quaternions_of_any_length_mix_by_their_direction(void **state) {
    (void)state;
    const sqt_quat q = {.48f, -.6f, 0, .64f}, nothing = {0, 0, 0, 0};
    const double lengths[] = {1e15, 1e10, 3, 1e-3, 1e-8, 2e-15};
    const float ts[] = {0.25f, 0.5f, 1, 10, -7.5f};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
        const sqt_quat a = quat_of(dquat_scale(dquat_of(q), lengths[i]));
        for (int k = 0; k < 2; ++k) { assert_rotation_close(mixes[k](a, a, 0.5f), q, 4e-7); }
    }
    for (size_t i = 0; i < sizeof ts / sizeof ts[0]; ++i) { // a zero quaternion leaves the other
        for (int k = 0; k < 2; ++k) {
            assert_rotation_close(mixes[k](nothing, q, ts[i]), q, 4e-7);
            if (ts[i] < 1 || ts[i] > 2) assert_rotation_close(mixes[k](q, nothing, ts[i]), q, 4e-7);
        }
    }
}

static void rotations_stay_unit_far_outside(void **state) {
    (void)state;
    const float ts[] = {1e6f, -1e9f, 1e10f, 1e15f, -1e15f, 1e18f, 1e30f, FLT_MAX, -FLT_MAX};
    check_random random = seeded(0x51E9);
    for (int n = 0; n < 1000; ++n) {
        const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
        for (size_t i = 0; i < sizeof ts / sizeof ts[0]; ++i) {
            assert_unit(sqt_quat_slerp(a, b, ts[i]));
            // In float the squares of NLERP's sums end at 1e38; SLERP has no such sums.
            if (fabsf(ts[i]) <= 1e18f) assert_unit(sqt_quat_nlerp(a, b, ts[i]));
        }
    }
}

// ---- transforms

static const sqt_transform identity_transform = SQT_TRANSFORM_IDENTITY;

static void assert_transform_close(sqt_transform a, sqt_transform want, double tolerance) {
    assert_rotation_close(a.rotation, want.rotation, tolerance);
    assert_vec3_close(a.translation, want.translation, tolerance);
    assert_vec3_close(a.scale, want.scale, tolerance);
}

static void types_are_packed_floats(void **state) {
    (void)state;
    assert_int_equal(sizeof(sqt_vec3), 12);
    assert_int_equal(sizeof(sqt_quat), 16);
    assert_int_equal(sizeof(sqt_transform), 40);
    assert_int_equal(offsetof(sqt_transform, rotation), 0);
    assert_int_equal(offsetof(sqt_transform, translation), 16);
    assert_int_equal(offsetof(sqt_transform, scale), 28);
    assert_int_equal(sizeof(sqt_mat4), 64);
    assert_int_equal(sizeof(sqt_mat3x4), 48);
    assert_int_equal(_Alignof(sqt_mat4), _Alignof(float));
}

static void initialisers_are_identities(void **state) {
    (void)state;
    const sqt_vec3 p = {1.5f, -2.5f, 3.5f};
    const sqt_quat q = SQT_QUAT_IDENTITY;
    const sqt_mat4 m = SQT_MAT4_IDENTITY;
    assert_vec3_close(sqt_quat_rotate(q, p), p, 0);
    assert_vec3_close(sqt_transform_point(identity_transform, p), p, 0);
    assert_vec3_close(sqt_mat4_point(m, p), p, 0);
    assert_vec3_close(sqt_mat4_vector(m, p), p, 0);
    const sqt_mat4 from = sqt_mat4_from_transform(identity_transform);
    assert_all_close(from.m, m.m, 16, 0);
}

static void points_are_scaled_then_turned_then_moved(void **state) {
    (void)state;
    const sqt_transform t = {{0, 0, 0.70710678f, 0.70710678f}, {10, 20, 30}, {2, 3, 4}};
    // (1,1,1) scales to (2,3,4), a quarter turn about z makes (-3,2,4).
    assert_vec3_close(sqt_transform_point(t, vec3_of(1, 1, 1)), vec3_of(7, 22, 34), 2e-6);
    assert_vec3_close(sqt_mat4_point(sqt_mat4_from_transform(t), vec3_of(1, 1, 1)), vec3_of(7, 22, 34), 2e-6);
    assert_vec3_close(sqt_mat4_vector(sqt_mat4_from_transform(t), vec3_of(1, 1, 1)), vec3_of(-3, 2, 4), 2e-6);
}

static void transforms_points_and_matrices_agree_with_double_precision(void **state) {
    (void)state;
    check_random random = seeded(0x7A01);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_transform t = random_transform(&random, true);
        const sqt_vec3 p = check_random_vec3(&random, -10, 10);
        const dmat4 want = dmat4_of_transform(t);
        const sqt_mat4 m = sqt_mat4_from_transform(t);
        assert_mat4_close(m, want, 4e-6); // scales up to e^2
        assert_dvec3_close(sqt_transform_point(t, p), dmat4_apply(want, p, 1), 1e-4);
        assert_dvec3_close(sqt_mat4_point(m, p), dmat4_apply(dmat4_of(m), p, 1), 3e-5);
        assert_dvec3_close(sqt_mat4_vector(m, p), dmat4_apply(dmat4_of(m), p, 0), 3e-5);
        assert_close(m.m[3], 0, 0);
        assert_close(m.m[7], 0, 0);
        assert_close(m.m[11], 0, 0);
        assert_close(m.m[15], 1, 0);
    }
}

static void rotation_matrices_are_those_of_cglm(void **state) {
    (void)state;
    check_random random = seeded(0x7A02);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_transform t = SQT_TRANSFORM_IDENTITY;
        t.rotation = check_random_quat(&random);
        versor q = {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
        mat4 m;
        glm_quat_mat4(q, m);
        sqt_mat4 want;
        memcpy(want.m, m, sizeof want.m);
        const sqt_mat4 have = sqt_mat4_from_transform(t);
        assert_all_close(have.m, want.m, 16, 1e-6);
        versor back;
        glm_mat4_quat(m, back);
        assert_rotation_close(sqt_transform_from_mat4(want).rotation, quat(back[0], back[1], back[2], back[3]), 1e-6);
    }
}

static void product_is_component_by_component(void **state) {
    (void)state;
    check_random random = seeded(0x7A03);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_transform a = random_transform(&random, true), b = random_transform(&random, true);
        const sqt_transform r = sqt_transform_multiply(a, b);
        assert_close(quat_error(r.rotation, dquat_multiply(dquat_of(a.rotation), dquat_of(b.rotation))), 0, 2e-7);
        assert_dvec3_close(r.translation, dmat4_apply(dmat4_of_transform(a), b.translation, 1), 1e-4);
        assert_vec3_close(
            r.scale,
            vec3_of((double)a.scale.x * b.scale.x, (double)a.scale.y * b.scale.y, (double)a.scale.z * b.scale.z), 4e-6);
    }
}

static void product_is_the_matrix_product_under_uniform_scale_or_without_rotation(void **state) {
    (void)state;
    check_random random = seeded(0x7A04);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_transform a = random_transform(&random, false), b = random_transform(&random, true);
        if (n % 2) {
            a.scale.y = a.scale.z = a.scale.x;
        } else {
            b.rotation = identity_transform.rotation;
        }
        const sqt_mat4 have = sqt_mat4_from_transform(sqt_transform_multiply(a, b));
        assert_mat4_close(have, dmat4_multiply(dmat4_of_transform(a), dmat4_of_transform(b)), 1e-4);
    }
}

// A parent stretched along x, a child turned by a quarter: the matrix moves (1,0,0) to (0,1,0), where nothing is
// stretched; component by component the stretch comes along.
static void product_under_a_stretched_parent_is_not_the_matrix_product(void **state) {
    (void)state;
    sqt_transform parent = SQT_TRANSFORM_IDENTITY, child = SQT_TRANSFORM_IDENTITY;
    parent.scale.x = 2;
    child.rotation = quat_of(dquat_about(0, 0, 1, 90 * DEGREES));
    const sqt_vec3 x = {1, 0, 0};
    const sqt_mat4 product = sqt_mat4_multiply(sqt_mat4_from_transform(parent), sqt_mat4_from_transform(child));
    assert_vec3_close(sqt_mat4_point(product, x), vec3_of(0, 1, 0), 1e-6);
    assert_vec3_close(sqt_transform_point(sqt_transform_multiply(parent, child), x), vec3_of(0, 2, 0), 1e-6);
    child.rotation = quat_of(dquat_about(0, 0, 1, 45 * DEGREES));
    const sqt_mat4 slanted = sqt_mat4_multiply(sqt_mat4_from_transform(parent), sqt_mat4_from_transform(child));
    assert_vec3_close(sqt_mat4_point(slanted, x), vec3_of(1.4142136, .7071068, 0), 1e-6);
}

static void inverse_on_the_right_gives_the_identity_for_any_scale(void **state) {
    (void)state;
    check_random random = seeded(0x7A05);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_transform a = random_transform(&random, true);
        assert_transform_close(sqt_transform_multiply(a, sqt_transform_invert(a)), identity_transform, 2e-5);
    }
}

static void inverse_under_uniform_scale_is_the_matrix_inverse_on_both_sides(void **state) {
    (void)state;
    check_random random = seeded(0x7A06);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_transform a = random_transform(&random, true);
        a.scale.y = a.scale.z = a.scale.x;
        const sqt_transform b = sqt_transform_invert(a);
        assert_transform_close(sqt_transform_multiply(b, a), identity_transform, 1e-4);
        assert_mat4_close(sqt_mat4_from_transform(b), dmat4_invert(dmat4_of_transform(a)), 1e-4);
    }
}

// t = (1,0,0), a quarter turn about z, stretched twofold along x: the inverse is (0,1,0), a quarter turn back, (1/2,1,1).
static void inverse_under_non_uniform_scale_is_one_sided(void **state) {
    (void)state;
    const sqt_transform a = {{0, 0, 0.70710678f, 0.70710678f}, {1, 0, 0}, {2, 1, 1}};
    const sqt_transform b = sqt_transform_invert(a);
    const sqt_transform want = {{0, 0, -0.70710678f, 0.70710678f}, {0, 1, 0}, {0.5f, 1, 1}};
    assert_transform_close(b, want, 1e-6);
    assert_vec3_close(sqt_transform_multiply(a, b).translation, vec3_of(0, 0, 0), 1e-6);
    assert_vec3_close(sqt_transform_multiply(b, a).translation, vec3_of(0, .5, 0), 1e-6); // not 0: (0,1,0) - (0,1/2,0)
}

static void inverse_of_a_scale_without_a_reciprocal_has_scale_0(void **state) {
    (void)state;
    const float flat[] = {0, -0.0f, 1e-45f, -1e-39f};
    for (size_t i = 0; i < sizeof flat / sizeof flat[0]; ++i) {
        sqt_transform a = {{0, 0, 0, 1}, {3, 0, 5}, {2, 0, -4}};
        a.scale.y = flat[i];
        const sqt_transform b = sqt_transform_invert(a);
        assert_vec3_close(b.scale, vec3_of(.5, 0, -.25), 0);
        assert_vec3_close(b.translation, vec3_of(-1.5, 0, 1.25), 0);
    }
    const sqt_transform nothing = {{0, 0, 0, 1}, {1e15f, -1e15f, 1}, {0, 0, 0}};
    assert_vec3_close(sqt_transform_invert(nothing).translation, vec3_of(0, 0, 0), 0);
}

static bool all_finite(const float *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static void magnitudes_up_to_1e15_stay_finite(void **state) {
    (void)state;
    check_random random = seeded(0x7A07);
    for (int n = 0; n < 1000; ++n) {
        sqt_transform a = random_transform(&random, true), b = random_transform(&random, true);
        a.translation = check_random_vec3(&random, -1e15f, 1e15f);
        b.translation = check_random_vec3(&random, -1e15f, 1e15f);
        a.scale = check_random_vec3(&random, -1e15f, 1e15f);
        b.scale = check_random_vec3(&random, -1e15f, 1e15f);
        const sqt_transform r = sqt_transform_multiply(a, b), inverse = sqt_transform_invert(a);
        assert_true(all_finite(&r.rotation.x, 4) && all_finite(&r.translation.x, 3) && all_finite(&r.scale.x, 3));
        assert_true(all_finite(&inverse.translation.x, 3) && all_finite(&inverse.scale.x, 3));
        const sqt_mat4 m = sqt_mat4_from_transform(a), product = sqt_mat4_multiply(m, sqt_mat4_from_transform(b));
        const sqt_mat4 inverted = sqt_mat4_invert(m);
        assert_true(all_finite(m.m, 16) && all_finite(product.m, 16) && all_finite(inverted.m, 16));
        const sqt_vec3 p = sqt_mat4_point(m, b.translation), v = sqt_mat4_vector(m, b.translation);
        assert_true(all_finite(&p.x, 3) && all_finite(&v.x, 3));
        assert_unit(sqt_transform_from_mat4(product).rotation);
    }
}

// ---- the split of a matrix

/// Unit, w >= 0, and T * R * S gives the matrix back within `tolerance` times each column's length.
static void assert_splits(sqt_mat4 m, double tolerance) {
    const sqt_transform t = sqt_transform_from_mat4(m);
    assert_unit(t.rotation);
    assert_true(t.rotation.w >= 0);
    const dmat4 back = dmat4_of_transform(t);
    for (int column = 0; column < 4; ++column) {
        const float *const c = m.m + 4 * column;
        const double length = sqrt((double)c[0] * c[0] + (double)c[1] * c[1] + (double)c[2] * c[2]);
        for (int row = 0; row < 3; ++row) {
            assert_close(back.m[4 * column + row], c[row], column == 3 ? 0 : tolerance * length);
        }
    }
}

static sqt_mat4 rounded(dmat4 d) {
    sqt_mat4 m;
    for (int i = 0; i < 16; ++i) m.m[i] = (float)d.m[i];
    return m;
}

static void split_gives_back_rotation_translation_and_scale(void **state) {
    (void)state;
    check_random random = seeded(0xDEC1);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_transform t = random_transform(&random, false);
        const sqt_transform r = sqt_transform_from_mat4(rounded(dmat4_of_transform(t)));
        assert_rotation_close(r.rotation, t.rotation, 3e-7);
        assert_true(r.rotation.w >= 0);
        assert_vec3_close(r.translation, t.translation, 0);
        assert_close(r.scale.x / t.scale.x, 1, 3e-7);
        assert_close(r.scale.y / t.scale.y, 1, 3e-7);
        assert_close(r.scale.z / t.scale.z, 1, 3e-7);
    }
}

// Each of the four components as the largest, and half turns, where w is 0.
static void split_finds_every_kind_of_rotation(void **state) {
    (void)state;
    check_random random = seeded(0xDEC2);
    for (int n = 0; n < 4000; ++n) {
        const double e = n < 8 ? 0 : 1e-3;
        double c[4];
        for (int k = 0; k < 4; ++k) c[k] = e * check_random_float(&random, -1, 1);
        c[n % 4] = n % 8 < 4 ? 1 : -1;
        const dquat q = {c[0], c[1], c[2], c[3]};
        sqt_transform t = SQT_TRANSFORM_IDENTITY;
        t.rotation = quat_of(dquat_unit(q));
        const sqt_mat4 m = rounded(dmat4_of_transform(t));
        assert_splits(m, 4e-7);
        assert_rotation_close(sqt_transform_from_mat4(m).rotation, t.rotation, 3e-7);
    }
}

static void a_mirrored_matrix_has_the_negative_x_scale(void **state) {
    (void)state;
    check_random random = seeded(0xDEC3);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_transform t = random_transform(&random, false);
        const int negative = 1 + n % 7; // any of the axes, one at least
        if (negative & 1) t.scale.x = -t.scale.x;
        if (negative & 2) t.scale.y = -t.scale.y;
        if (negative & 4) t.scale.z = -t.scale.z;
        const bool mirrored = (t.scale.x < 0) ^ (t.scale.y < 0) ^ (t.scale.z < 0);
        const sqt_mat4 m = rounded(dmat4_of_transform(t));
        const sqt_transform r = sqt_transform_from_mat4(m);
        assert_int_equal(r.scale.x < 0, mirrored);
        assert_true(r.scale.y > 0 && r.scale.z > 0);
        assert_splits(m, 4e-7);
    }
}

static void a_zero_column_is_completed_from_the_other_two(void **state) {
    (void)state;
    check_random random = seeded(0xDEC4);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_transform t = random_transform(&random, false);
        float *const scale = n % 3 == 0 ? &t.scale.x : n % 3 == 1 ? &t.scale.y : &t.scale.z;
        *scale = 0;
        const sqt_mat4 m = rounded(dmat4_of_transform(t));
        const sqt_transform r = sqt_transform_from_mat4(m);
        assert_rotation_close(r.rotation, t.rotation, 4e-7); // the third axis is the cross product
        assert_close(n % 3 == 0 ? r.scale.x : n % 3 == 1 ? r.scale.y : r.scale.z, 0, 0);
        assert_splits(m, 4e-7);
    }
}

static void two_zero_columns_leave_one_axis_to_the_rotation(void **state) {
    (void)state;
    check_random random = seeded(0xDEC5);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_transform t = random_transform(&random, false);
        if (n % 3 != 0) t.scale.x = 0;
        if (n % 3 != 1) t.scale.y = 0;
        if (n % 3 != 2) t.scale.z = 0;
        if (n < 3) t.rotation = identity_transform.rotation;
        const sqt_mat4 m = rounded(dmat4_of_transform(t));
        assert_splits(m, 4e-7);
        const sqt_vec3 scale = sqt_transform_from_mat4(m).scale;
        assert_close((scale.x == 0) + (scale.y == 0) + (scale.z == 0), 2, 0);
    }
}

static void one_column_may_lie_along_any_axis(void **state) {
    (void)state;
    for (int n = 0; n < 18; ++n) {
        const int column = n % 3, row = n / 3 % 3;
        sqt_mat4 m = {{[15] = 1}};
        m.m[4 * column + row] = n < 9 ? 2.5f : -2.5f;
        assert_splits(m, 4e-7);
    }
}

static void three_zero_columns_give_scale_0_and_keep_the_translation(void **state) {
    (void)state;
    const sqt_mat4 m = {{[12] = 4, [13] = -5, [14] = 6, [15] = 1}};
    const sqt_transform r = sqt_transform_from_mat4(m);
    assert_rotation_close(r.rotation, identity_transform.rotation, 0);
    assert_vec3_close(r.translation, vec3_of(4, -5, 6), 0);
    assert_vec3_close(r.scale, vec3_of(0, 0, 0), 0);
}

static void a_matrix_that_only_flattens_has_no_rotation(void **state) {
    (void)state;
    for (int zeros = 0; zeros < 8; ++zeros) {
        const sqt_vec3 scale = vec3_of(zeros & 1 ? 0 : 2, zeros & 2 ? 0 : 3, zeros & 4 ? 0 : 4);
        const sqt_mat4 m = {{[0] = scale.x, [5] = scale.y, [10] = scale.z, [15] = 1}};
        const sqt_transform r = sqt_transform_from_mat4(m);
        assert_rotation_close(r.rotation, identity_transform.rotation, 0);
        assert_vec3_close(r.scale, scale, 0);
    }
}

static void tiny_and_huge_scales_split_like_others(void **state) {
    (void)state;
    check_random random = seeded(0xDEC6);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_transform t = random_transform(&random, n % 2);
        t.scale.x *= powf(10, check_random_float(&random, -29, 29));
        t.scale.y *= powf(10, check_random_float(&random, -29, 29));
        t.scale.z *= powf(10, check_random_float(&random, -29, 29));
        assert_splits(rounded(dmat4_of_transform(t)), 4e-7);
    }
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Gram and Schmidt by the book, columns x, y, z.
static void gram_schmidt(double axes[3][3], const sqt_mat4 *m) {
    for (int i = 0; i < 3; ++i) {
        double v[3] = {m->m[4 * i], m->m[4 * i + 1], m->m[4 * i + 2]};
        for (int j = 0; j < i; ++j) {
            const double along = dot3(v, axes[j]);
            for (int k = 0; k < 3; ++k) v[k] -= along * axes[j][k];
        }
        const double length = sqrt(dot3(v, v));
        for (int k = 0; k < 3; ++k) axes[i][k] = v[k] / length;
    }
}

static void shear_is_dropped_in_the_order_x_y_z(void **state) {
    (void)state;
    check_random random = seeded(0xDEC7);
    const dvec3 basis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int n = 0; n < PAIRS; ++n) {
        sqt_mat4 m = SQT_MAT4_IDENTITY;
        double determinant = 0;
        while (fabs(determinant) < 0.05) {
            for (int i = 0; i < 12; ++i) m.m[4 * (i / 3) + i % 3] = check_random_float(&random, -1, 1);
            const double *const c = dmat4_of(m).m;
            determinant = c[0] * (c[5] * c[10] - c[6] * c[9]) + c[4] * (c[9] * c[2] - c[1] * c[10]) +
                          c[8] * (c[1] * c[6] - c[5] * c[2]);
        }
        double axes[3][3];
        gram_schmidt(axes, &m);
        const sqt_transform r = sqt_transform_from_mat4(m);
        const double scale[3] = {r.scale.x, r.scale.y, r.scale.z};
        assert_unit(r.rotation);
        assert_true(r.rotation.w >= 0);
        for (int i = 0; i < 3; ++i) {
            const double sign = i == 0 && determinant < 0 ? -1 : 1;
            const dvec3 axis = dquat_rotate(dquat_of(r.rotation), basis[i]);
            assert_close(axis.x, sign * axes[i][0], 1e-6);
            assert_close(axis.y, sign * axes[i][1], 1e-6);
            assert_close(axis.z, sign * axes[i][2], 1e-6);
            const double column[3] = {m.m[4 * i], m.m[4 * i + 1], m.m[4 * i + 2]};
            assert_close(scale[i], sign * sqrt(dot3(column, column)), 2e-7);
        }
    }
}

// What is left of y is a few 1e-12: its direction must still be at right angles to x.
static void nearly_parallel_columns_keep_the_first(void **state) {
    (void)state;
    check_random random = seeded(0xDEC8);
    for (int n = 0; n < PAIRS; ++n) {
        sqt_mat4 m = SQT_MAT4_IDENTITY;
        m.m[1] = check_random_float(&random, 1e-5f, 2e-5f);
        m.m[2] = check_random_float(&random, 1e-5f, 2e-5f);
        m.m[4] = 1;
        m.m[5] = m.m[1] + check_random_float(&random, 1e-12f, 8e-12f);
        m.m[6] = m.m[2] - check_random_float(&random, 1e-12f, 8e-12f);
        const sqt_transform r = sqt_transform_from_mat4(m);
        const dvec3 axis = dquat_rotate(dquat_of(r.rotation), (const dvec3){1, 0, 0});
        assert_unit(r.rotation);
        assert_close(axis.x, 1, 2e-7);
        assert_close(axis.y, m.m[1], 2e-7);
        assert_close(axis.z, m.m[2], 2e-7);
    }
}

static void parallel_and_coplanar_columns_still_give_a_rotation(void **state) {
    (void)state;
    const float columns[][9] = {
        {1, 2, 3, 2, 4, 6, -1, -2, -3},   // one line
        {1, 0, 0, 1, 0, 0, 0, 0, 1},      // x and y
        {1, 0, 0, 0, 1, 0, 1, 0, 0},      // x and z
        {1, 0, 0, 0, 1, 0, 0, 1, 0},      // y and z
        {1, 0, 0, 0, 1, 0, 1, 1, 0},      // one plane
        {0, 0, 0, 1, 1, 1, 2, 2, 2},      // one line and nothing
        {1, 1e-20f, 0, 1, 0, 0, 0, 0, 1}, // as good as parallel
        {1e15f, 1e15f, 0, 1, 1, 0, 1e-15f, 1e-15f, 0},
    };
    for (size_t n = 0; n < sizeof columns / sizeof columns[0]; ++n) {
        sqt_mat4 m = SQT_MAT4_IDENTITY;
        for (int i = 0; i < 9; ++i) m.m[4 * (i / 3) + i % 3] = columns[n][i];
        const sqt_transform r = sqt_transform_from_mat4(m);
        const double scale[3] = {r.scale.x, r.scale.y, r.scale.z};
        assert_unit(r.rotation);
        assert_true(r.rotation.w >= 0);
        for (int i = 0; i < 3; ++i) {
            const double c[3] = {m.m[4 * i], m.m[4 * i + 1], m.m[4 * i + 2]}, length = sqrt(dot3(c, c));
            assert_close(fabs(scale[i]), length, 1e-7 * length);
        }
        // The first column that is there keeps its direction.
        const int first = scale[0] != 0 ? 0 : 1;
        const dvec3 along = dquat_rotate(dquat_of(r.rotation), (const dvec3){first == 0, first == 1, 0});
        assert_close(along.x * scale[first], m.m[4 * first], 1e-6 * fabs(scale[first]));
        assert_close(along.y * scale[first], m.m[4 * first + 1], 1e-6 * fabs(scale[first]));
        assert_close(along.z * scale[first], m.m[4 * first + 2], 1e-6 * fabs(scale[first]));
    }
}

static void the_rotation_is_unit_for_columns_that_are_no_numbers(void **state) {
    (void)state;
    const float values[] = {NAN, INFINITY, -INFINITY, FLT_MAX};
    for (int n = 0; n < 9 * 4 * 8; ++n) {
        sqt_mat4 m = {{0.5f, 1, -2, 0, 3, -1, 0.25f, 0, 1, 2, 2, 0, 1, 2, 3, 1}};
        const int at = n % 9;
        m.m[4 * (at / 3) + at % 3] = values[n / 9 % 4];
        for (int c = 0; c < 3; ++c) { // and none to three further columns spoilt in another row
            if (n / 36 & 1 << c) m.m[4 * c + c] = values[(n + c) % 4];
        }
        const sqt_transform r = sqt_transform_from_mat4(m);
        assert_unit(r.rotation);
        assert_true(r.rotation.w >= 0);
    }
}

// ---- matrices

static sqt_mat4 random_mat4(check_random *random) {
    sqt_mat4 m;
    for (int i = 0; i < 16; ++i) m.m[i] = check_random_float(random, -3, 3);
    return m;
}

static void matrix_products_use_all_16_elements_in_the_stated_order(void **state) {
    (void)state;
    check_random random = seeded(0x3A01);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_mat4 a = random_mat4(&random), b = random_mat4(&random), product = sqt_mat4_multiply(a, b);
        assert_mat4_close(product, dmat4_multiply(dmat4_of(a), dmat4_of(b)), 1e-5);
        mat4 p, q, r;
        memcpy(p, a.m, sizeof a.m);
        memcpy(q, b.m, sizeof b.m);
        glm_mat4_mul(p, q, r);
        float flat[16];
        memcpy(flat, r, sizeof flat);
        assert_all_close(product.m, flat, 16, 1e-5);
        for (int i = 0; i < 16; ++i) {
            const float *const row = a.m + i % 4, *const column = b.m + 4 * (i / 4);
            volatile float sum = row[0] * column[0]; // volatile: every step is rounded
            for (int k = 1; k < 4; ++k) {
                volatile const float term = row[4 * k] * column[k];
                sum = sum + term;
            }
            const float want = sum;
            assert_memory_equal(&product.m[i], &want, sizeof want);
        }
    }
}

static void matrix_products_are_associative_and_have_an_identity(void **state) {
    (void)state;
    check_random random = seeded(0x3A02);
    const sqt_mat4 one = SQT_MAT4_IDENTITY;
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_mat4 a = random_mat4(&random), b = random_mat4(&random), c = random_mat4(&random);
        const sqt_mat4 left = sqt_mat4_multiply(sqt_mat4_multiply(a, b), c);
        const sqt_mat4 right = sqt_mat4_multiply(a, sqt_mat4_multiply(b, c));
        assert_all_close(left.m, right.m, 16, 2e-4);
        const sqt_mat4 before = sqt_mat4_multiply(one, a), after = sqt_mat4_multiply(a, one);
        assert_all_close(before.m, a.m, 16, 0);
        assert_all_close(after.m, a.m, 16, 0);
    }
}

static void matrix_inverses_agree_with_elimination_in_double_precision(void **state) {
    (void)state;
    check_random random = seeded(0x3A03);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_transform a = random_transform(&random, true), b = random_transform(&random, true);
        const sqt_mat4 m = rounded(dmat4_multiply(dmat4_of_transform(a), dmat4_of_transform(b))); // with shear
        const dmat4 want = dmat4_invert(dmat4_of(m));
        const sqt_mat4 have = sqt_mat4_invert(m);
        for (int i = 0; i < 16; ++i) assert_close(have.m[i], want.m[i], 1e-7 * fabs(want.m[i]) + 1e-11);
        const dmat4 product = dmat4_multiply(dmat4_of(m), dmat4_of(have));
        for (int i = 0; i < 16; ++i) assert_close(product.m[i], i % 5 == 0, 2e-3); // entries of up to 1e4 cancel
    }
}

static void matrix_inverse_by_hand(void **state) {
    (void)state;
    // x -> 2y + 10, y -> -4x + 20, z -> z/2 + 30, as columns; the fourth row is taken for 0, 0, 0, 1 whatever it holds.
    const sqt_mat4 m = {{0, -4, 0, 7, 2, 0, 0, -7, 0, 0, 0.5f, 3, 10, 20, 30, 9}};
    const sqt_mat4 want = {{0, 0.5f, 0, 0, -0.25f, 0, 0, 0, 0, 0, 2, 0, 5, -5, -60, 1}};
    const sqt_mat4 have = sqt_mat4_invert(m), one = SQT_MAT4_IDENTITY;
    assert_all_close(have.m, want.m, 16, 0);
    const sqt_mat4 same = sqt_mat4_invert(one);
    assert_all_close(same.m, one.m, 16, 0);
}

static void matrix_inverse_spans_the_range_of_floats(void **state) {
    (void)state;
    const float scales[] = {1e-37f, 1e-30f, 1e-15f, 1e15f, 1e30f, 1e37f};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        const float s = scales[i];
        const sqt_mat4 m = {{[1] = s, [6] = s, [8] = s, [15] = 1}};
        const sqt_mat4 r = sqt_mat4_invert(m);
        assert_close(r.m[4] * (double)s, 1, 1e-7);
        assert_close(r.m[9] * (double)s, 1, 1e-7);
        assert_close(r.m[2] * (double)s, 1, 1e-7);
    }
    const sqt_mat4 mixed = {{[0] = 1e-30f, [5] = 1, [10] = 1e30f, [15] = 1}};
    assert_close(sqt_mat4_invert(mixed).m[0] * 1e-30, 1, 1e-6);
    assert_close(sqt_mat4_invert(mixed).m[10] * 1e30, 1, 1e-6);
}

static void singular_matrices_collapse_to_the_origin(void **state) {
    (void)state;
    const sqt_mat4 collapsed = {{[15] = 1}};
    const sqt_mat4 singular[] = {
        {{[12] = 1, [13] = 2, [14] = 3, [15] = 1}},                  // zero
        {{[0] = 1, [5] = 1, [12] = 4, [15] = 1}},                    // a zero column
        {{1, 2, 3, 0, 2, 4, 6, 0, 0, 0, 1, 0, 1, 2, 3, 1}},          // two parallel columns
        {{1, 2, 3, 0, 4, 5, 6, 0, 5, 7, 9, 0, 1, 2, 3, 1}},          // the third is the sum of the others
        {{[0] = 1e-39f, [5] = 1, [10] = 1, [15] = 1}},               // 1e39 is no float
        {{[0] = 1e-45f, [5] = 1e-45f, [10] = 1e-45f, [15] = 1}},     //
        {{[0] = 1e-30f, [5] = 1, [10] = 1, [12] = 1e15f, [15] = 1}}, // nor is 1e45 as a translation
        {{[0] = NAN, [5] = 1, [10] = 1, [15] = 1}},                  //
        {{[0] = 1, [5] = INFINITY, [10] = 1, [15] = 1}},             //
        {{[0] = 1, [5] = 1, [10] = 1, [12] = INFINITY, [15] = 1}},   //
        {{[0] = 1, [5] = 1, [10] = 1, [14] = NAN, [15] = 1}},        //
    };
    for (size_t n = 0; n < sizeof singular / sizeof singular[0]; ++n) {
        const sqt_mat4 r = sqt_mat4_invert(singular[n]);
        assert_all_close(r.m, collapsed.m, 16, 0);
        assert_vec3_close(sqt_mat4_point(r, vec3_of(5, 6, 7)), vec3_of(0, 0, 0), 0);
    }
}

static void points_take_the_translation_and_vectors_do_not(void **state) {
    (void)state;
    // The fourth row and its products are left out.
    const sqt_mat4 m = {{1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 9, 99, 10, 20, 30, 99}};
    assert_vec3_close(sqt_mat4_point(m, vec3_of(1, 10, 100)), vec3_of(751, 872, 993), 0);
    assert_vec3_close(sqt_mat4_vector(m, vec3_of(1, 10, 100)), vec3_of(741, 852, 963), 0);
}

static void points_go_through_a_product_as_through_its_factors(void **state) {
    (void)state;
    check_random random = seeded(0x3A04);
    for (int n = 0; n < PAIRS; ++n) {
        const sqt_mat4 a = sqt_mat4_from_transform(random_transform(&random, true));
        const sqt_mat4 b = sqt_mat4_from_transform(random_transform(&random, true)), ab = sqt_mat4_multiply(a, b);
        const sqt_vec3 p = check_random_vec3(&random, -5, 5);
        assert_vec3_close(sqt_mat4_point(ab, p), sqt_mat4_point(a, sqt_mat4_point(b, p)), 2e-3);
        assert_vec3_close(sqt_mat4_vector(ab, p), sqt_mat4_vector(a, sqt_mat4_vector(b, p)), 2e-3);
    }
}

// The 16 floats as rows, with a row vector on the left, as Direct3D has it.
static void the_same_floats_serve_row_vectors(void **state) {
    (void)state;
    check_random random = seeded(0x3A05);
    for (int n = 0; n < 1000; ++n) {
        const sqt_mat4 m = sqt_mat4_from_transform(random_transform(&random, true));
        float rows[4][4];
        memcpy(rows, m.m, sizeof rows);
        const sqt_vec3 p = check_random_vec3(&random, -5, 5);
        const double row_vector[4] = {p.x, p.y, p.z, 1};
        double r[3] = {0, 0, 0};
        for (int column = 0; column < 3; ++column) {
            for (int k = 0; k < 4; ++k) r[column] += row_vector[k] * rows[k][column];
        }
        assert_vec3_close(sqt_mat4_point(m, p), vec3_of(r[0], r[1], r[2]), 3e-5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_within_half_an_ulp_up_to_a_million),
        cmocka_unit_test(sine_and_cosine_keep_half_an_ulp_beside_the_quarter_turns),
        cmocka_unit_test(sine_and_cosine_keep_a_millionth_up_to_a_billion),
        cmocka_unit_test(sine_and_cosine_are_0_and_1_beyond_a_billion_and_for_what_is_no_number),
        cmocka_unit_test(sine_and_cosine_of_zeros_and_denormals_are_exact),
        cmocka_unit_test(sine_and_cosine_have_the_textbook_values),
        cmocka_unit_test(acos_is_within_half_an_ulp),
        cmocka_unit_test(acos_clamps_and_nan_gives_0),
        cmocka_unit_test(atan2_is_within_half_an_ulp),
        cmocka_unit_test(sines_and_cosines_in_double_precision_are_within_5e_13),
        cmocka_unit_test(angles_in_double_precision_are_within_1e_12),
        cmocka_unit_test(atan2_knows_axes_diagonals_and_infinities),
        cmocka_unit_test(atan2_of_the_origin_and_of_nan_is_0),
        cmocka_unit_test(unit_quaternions_multiply_by_hamiltons_table),
        cmocka_unit_test(products_agree_with_double_precision_and_cglm),
        cmocka_unit_test(products_are_associative_and_conjugates_reverse_them),
        cmocka_unit_test(conjugate_negates_the_vector_part_alone),
        cmocka_unit_test(product_applies_the_right_factor_first),
        cmocka_unit_test(rotate_agrees_with_the_sandwich_product_and_keeps_lengths),
        cmocka_unit_test(normalize_rounds_each_component_once),
        cmocka_unit_test(normalize_gives_the_identity_for_what_has_no_direction),
        cmocka_unit_test(axis_and_angle_give_the_half_angle_quaternion),
        cmocka_unit_test(axis_may_have_any_length),
        cmocka_unit_test(no_axis_gives_the_identity),
        cmocka_unit_test(euler_angles_are_the_product_of_the_axis_rotations_in_every_order),
        cmocka_unit_test(euler_angles_give_the_matrices_of_cglm_in_every_order),
        cmocka_unit_test(euler_zxy_has_the_known_quaternion),
        cmocka_unit_test(the_last_axis_of_an_order_turns_first),
        cmocka_unit_test(euler_angles_come_back_away_from_gimbal_lock),
        cmocka_unit_test(every_rotation_survives_the_way_through_euler_angles),
        cmocka_unit_test(in_gimbal_lock_the_last_angle_is_0_and_the_rotation_stays),
        cmocka_unit_test(beside_gimbal_lock_all_three_angles_are_kept),
        cmocka_unit_test(unknown_orders_give_the_identity_and_zeros),
        cmocka_unit_test(nlerp_agrees_with_the_formula),
        cmocka_unit_test(slerp_agrees_with_the_formula_to_its_stated_bounds),
        cmocka_unit_test(nlerp_far_outside_extrapolates_the_chord),
        cmocka_unit_test(slerp_far_outside_keeps_turning),
        cmocka_unit_test(small_angles_add_up_far_outside),
        cmocka_unit_test(slerp_is_continuous_where_its_method_changes),
        cmocka_unit_test(the_ends_are_the_inputs_on_the_shorter_arc),
        cmocka_unit_test(slerp_turns_at_constant_speed),
        cmocka_unit_test(mixing_is_the_same_from_the_other_end),
        cmocka_unit_test(sign_flipped_keys_mix_to_one_rotation),
        cmocka_unit_test(all_four_sign_combinations_give_one_rotation),
        cmocka_unit_test(mixing_120_degrees_gives_the_known_quarter),
        cmocka_unit_test(a_quarter_of_the_way_to_80_degrees_is_20_degrees),
        cmocka_unit_test(equal_and_opposite_pairs_give_the_rotation_itself),
        cmocka_unit_test(slerp_of_equal_rotations_is_that_rotation_for_any_t),
        cmocka_unit_test(half_turns_take_one_arc_or_the_other),
        cmocka_unit_test(a_million_nearly_equal_pairs_mix_smoothly),
        cmocka_unit_test(mixtures_are_unit_whatever_the_inputs),
        cmocka_unit_test(quaternions_of_any_length_mix_by_their_direction),
        cmocka_unit_test(rotations_stay_unit_far_outside),
        cmocka_unit_test(types_are_packed_floats),
        cmocka_unit_test(initialisers_are_identities),
        cmocka_unit_test(points_are_scaled_then_turned_then_moved),
        cmocka_unit_test(transforms_points_and_matrices_agree_with_double_precision),
        cmocka_unit_test(rotation_matrices_are_those_of_cglm),
        cmocka_unit_test(product_is_component_by_component),
        cmocka_unit_test(product_is_the_matrix_product_under_uniform_scale_or_without_rotation),
        cmocka_unit_test(product_under_a_stretched_parent_is_not_the_matrix_product),
        cmocka_unit_test(inverse_on_the_right_gives_the_identity_for_any_scale),
        cmocka_unit_test(inverse_under_uniform_scale_is_the_matrix_inverse_on_both_sides),
        cmocka_unit_test(inverse_under_non_uniform_scale_is_one_sided),
        cmocka_unit_test(inverse_of_a_scale_without_a_reciprocal_has_scale_0),
        cmocka_unit_test(magnitudes_up_to_1e15_stay_finite),
        cmocka_unit_test(split_gives_back_rotation_translation_and_scale),
        cmocka_unit_test(split_finds_every_kind_of_rotation),
        cmocka_unit_test(a_mirrored_matrix_has_the_negative_x_scale),
        cmocka_unit_test(a_zero_column_is_completed_from_the_other_two),
        cmocka_unit_test(two_zero_columns_leave_one_axis_to_the_rotation),
        cmocka_unit_test(one_column_may_lie_along_any_axis),
        cmocka_unit_test(three_zero_columns_give_scale_0_and_keep_the_translation),
        cmocka_unit_test(a_matrix_that_only_flattens_has_no_rotation),
        cmocka_unit_test(tiny_and_huge_scales_split_like_others),
        cmocka_unit_test(shear_is_dropped_in_the_order_x_y_z),
        cmocka_unit_test(nearly_parallel_columns_keep_the_first),
        cmocka_unit_test(parallel_and_coplanar_columns_still_give_a_rotation),
        cmocka_unit_test(the_rotation_is_unit_for_columns_that_are_no_numbers),
        cmocka_unit_test(matrix_products_use_all_16_elements_in_the_stated_order),
        cmocka_unit_test(matrix_products_are_associative_and_have_an_identity),
        cmocka_unit_test(matrix_inverses_agree_with_elimination_in_double_precision),
        cmocka_unit_test(matrix_inverse_by_hand),
        cmocka_unit_test(matrix_inverse_spans_the_range_of_floats),
        cmocka_unit_test(singular_matrices_collapse_to_the_origin),
        cmocka_unit_test(points_take_the_translation_and_vectors_do_not),
        cmocka_unit_test(points_go_through_a_product_as_through_its_factors),
        cmocka_unit_test(the_same_floats_serve_row_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
