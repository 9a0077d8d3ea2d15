#include "simd/isa.h"

#include "sqt/ease.h"

#include <math.h>

#include "fault.h"

/// How many numbers of the curve a kind reads.
static uint32_t number_count(uint32_t kind) {
    return kind == SQT_EASE_BEZIER ? 4u : kind == SQT_EASE_HERMITE ? 2u : 0u;
}

sqt_result sqt_ease_validate(const sqt_ease *ease, sqt_fault *fault) {
    if (!ease) return sqt_fail(fault, SQT_ERROR_NULL, "ease", 0, 0);
    if (ease->kind > SQT_EASE_HERMITE) return sqt_fail(fault, SQT_ERROR_FLAG, "kind", 0, 0);
    for (uint32_t i = 0; i < number_count(ease->kind); ++i) {
        const float number = ease->curve[i];
        const bool is_x = ease->kind == SQT_EASE_BEZIER && i % 2 == 0;
        const float least = is_x ? 0.0f : -1e15f, most = is_x ? 1.0f : 1e15f;
        if (!sqt_finite(number) || number < least || number > most) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "curve", 0, i);
        }
    }
    return SQT_OK;
}

static double cubic_in_out(double p) {
    const double rest = 1.0 - p;
    return p < 0.5 ? 4.0 * p * p * p : 1.0 - 4.0 * rest * rest * rest;
}

static double hermite(double start_slope, double end_slope, double p) {
    const double rest = 1.0 - p;
    return p * rest * (start_slope * rest - end_slope * p) + p * p * (3.0 - 2.0 * p);
}

/// One coordinate of the Bezier curve from 0 to 1 with inner control points a and b.
static double bezier(double a, double b, double s) {
    const double rest = 1.0 - s;
    return 3.0 * rest * s * (rest * a + s * b) + s * s * s;
}

static double bezier_slope(double a, double b, double s) {
    const double rest = 1.0 - s;
    return 3.0 * (rest * rest * a + 2.0 * rest * s * (b - a) + s * s * (1.0 - b));
}

/// The s of x(s) = x. x(s) rises, but may stand still: Newton's step is taken where it stays between the bounds and
/// halves at least what the last step was, else their middle.
static double bezier_solve(double a, double b, double x) {
    double low = 0.0, high = 1.0, s = x, last_step = 1.0;
    for (int i = 0; i < 128; ++i) {
        const double error = bezier(a, b, s) - x;
        if (error == 0.0) break;
        if (error < 0.0) {
            low = s;
        } else {
            high = s;
        }
        const double slope = bezier_slope(a, b, s), newton = slope > 0.0 ? s - error / slope : -1.0;
        const bool good = newton > low && newton < high && fabs(newton - s) <= 0.5 * fabs(last_step);
        const double next = good ? newton : low + 0.5 * (high - low);
        last_step = next - s;
        if (next == s) break;
        s = next;
    }
    return s;
}

double sqt_ease_value(sqt_ease ease, double phase) {
    if (!(phase > 0.0)) return 0.0;
    if (phase >= 1.0) return 1.0;
    if (sqt_ease_validate(&ease, NULL)) return phase;
    const double a = (double)ease.curve[0], b = (double)ease.curve[1], c = (double)ease.curve[2];
    switch (ease.kind) {
    case SQT_EASE_CUBIC:
        return cubic_in_out(phase);
    case SQT_EASE_BEZIER:
        return bezier(b, (double)ease.curve[3], bezier_solve(a, c, phase));
    case SQT_EASE_HERMITE:
        return hermite(a, b, phase);
    default:
        return phase;
    }
}
