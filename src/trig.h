// Sine, cosine and arc tangent in double precision: polynomials after exact reduction, so that every machine gives the
// same bits, accurate enough that their rounding to float is almost always the correctly rounded one.
#ifndef SQT_SRC_TRIG_H
#define SQT_SRC_TRIG_H

#include <math.h>
#include <stdint.h>

typedef struct sqt_sincos {
    double sine, cosine;
} sqt_sincos;

/// |radians| <= 1e9 is reduced by pi/2 in two parts (Cody and Waite; the first part has 33 bits, so that its product
/// with a multiple below 2^20 is exact); larger ones, NaN and infinity give 0 and 1. The polynomials are Taylor's:
/// below 1e-14 on -pi/4..pi/4.
static inline sqt_sincos sqt_sincos_double(double radians) {
    const double high = 1.57079632673412561417e+00, low = 6.07710050650619224932e-11;
    if (!(fabs(radians) <= 1e9)) {
        const sqt_sincos none = {0.0, 1.0};
        return none;
    }
    const double turns = radians * 0.63661977236758134308; // quarter turns: 2 / pi
    const int64_t quadrant = (int64_t)(turns + (turns < 0.0 ? -0.5 : 0.5));
    const double k = (double)quadrant;
    const double r = (radians - k * high) - k * low, x = r * r;
    const double s =
        r + r * x *
                (-1.0 / 6 + x * (1.0 / 120 + x * (-1.0 / 5040 + x * (1.0 / 362880 + x * (-1.0 / 39916800 +
                                                                                         x * (1.0 / 6227020800.0))))));
    const double c =
        1.0 + x * (-0.5 + x * (1.0 / 24 +
                               x * (-1.0 / 720 + x * (1.0 / 40320 + x * (-1.0 / 3628800 + x * (1.0 / 479001600.0))))));
    const sqt_sincos quadrants[4] = {{s, c}, {c, -s}, {-s, -c}, {-c, s}};
    return quadrants[(uint64_t)quadrant & 3u];
}

/// atan(z) for z in 0..1: reduced about 0, 1/2 or 1 to |r| <= 1/4, then Taylor's series to r^17: relative error below
/// 1e-12.
static inline double sqt_atan_unit(double z) {
    const double center = z < 0.25 ? 0.0 : z < 0.75 ? 0.5 : 1.0;
    const double offset = z < 0.25 ? 0.0 : z < 0.75 ? 0.46364760900080611621 : 0.78539816339744830962;
    const double r = (z - center) / (1.0 + z * center), x = r * r;
    const double series =
        -1.0 / 3 +
        x * (1.0 / 5 +
             x * (-1.0 / 7 + x * (1.0 / 9 + x * (-1.0 / 11 + x * (1.0 / 13 + x * (-1.0 / 15 + x * (1.0 / 17)))))));
    return offset + (r + r * x * series);
}

/// 0 where an argument is NaN or both are 0. Signed zeros count as zeros: the result for y = -0 is that for y = 0.
static inline double sqt_atan2_double(double y, double x) {
    const double ay = fabs(y), ax = fabs(x);
    if (!(ay > 0.0 || ax > 0.0) || y != y || x != x) return 0.0;
    double angle;
    if (ay <= ax) {
        angle = ay == ax ? 0.78539816339744830962 : sqt_atan_unit(ay / ax); // equal: infinities too
    } else {
        angle = 1.57079632679489661923 - sqt_atan_unit(ax / ay);
    }
    if (x < 0.0) angle = 3.14159265358979323846 - angle;
    return y < 0.0 ? -angle : angle;
}

#endif
