// Geometry of points in the plane for every finite float: signs are never wrong, and values keep their digits where
// differences cancel. Doubles serve where their error is within bounds; else the sum is made exactly, as an expansion:
// a sum of doubles that do not overlap. Products of floats are exact in double, and no product here comes near its
// range.
// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
#ifndef SQT_SRC_PLANAR_H
#define SQT_SRC_PLANAR_H

#include <math.h>

#include "sqt/blend_space.h"

enum { SQT_EXPANSION_TERMS = 96 }; ///< of sqt_in_circle

/// The sum of doubles, its sign exact and its value within a few units in the last place. At most SQT_EXPANSION_TERMS.
static inline double sqt_exact_sum(const double *terms, uint32_t term_count) {
    double expansion[SQT_EXPANSION_TERMS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < term_count; ++i) {
        double sum = terms[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < count; ++k) { // Shewchuk's grow-expansion, of Knuth's two-sums; zeros are dropped
            const double a = sum, b = expansion[k];
            sum = a + b;
            const double part = sum - a, rest = (a - (sum - part)) + (b - part);
            if (rest != 0.0) expansion[kept++] = rest;
        }
        if (sum != 0.0) expansion[kept++] = sum;
        count = kept;
    }
    double total = 0.0; // from the smallest: the last alone has the sign
    for (uint32_t k = 0; k < count; ++k) total += expansion[k];
    return total;
}

/// The upper 26 bits of a double (Veltkamp).
static inline double sqt_upper_half(double a) {
    const double scaled = 134217729.0 * a; // 2^27 + 1
    return scaled - (scaled - a);
}

/// a * b = terms[0] + terms[1], exactly (Dekker).
static inline void sqt_exact_product(double *terms, double a, double b) {
    const double a1 = sqt_upper_half(a), a2 = a - a1, b1 = sqt_upper_half(b), b2 = b - b1;
    terms[0] = a * b;
    terms[1] = a2 * b2 - (((terms[0] - a1 * b1) - a2 * b1) - a1 * b2);
}

/// Six terms whose sum is sqt_orient.
static inline void sqt_orient_terms(double *terms, sqt_vec2 a, sqt_vec2 b, sqt_vec2 c) {
    const double ax = (double)a.x, ay = (double)a.y, bx = (double)b.x, by = (double)b.y, cx = (double)c.x,
                 cy = (double)c.y;
    terms[0] = ax * by;
    terms[1] = -(ay * bx);
    terms[2] = bx * cy;
    terms[3] = -(by * cx);
    terms[4] = cx * ay;
    terms[5] = -(cy * ax);
}

/// Twice the area of the triangle a, b, c: above 0 counterclockwise, 0 exactly where they are on one line. The relative
/// error is below 1e-9.
static inline double sqt_orient(sqt_vec2 a, sqt_vec2 b, sqt_vec2 c) {
    const double left = ((double)a.x - (double)c.x) * ((double)b.y - (double)c.y);
    const double right = ((double)a.y - (double)c.y) * ((double)b.x - (double)c.x);
    const double area = left - right;
    // The error is below (3 + 16 e) e (|left| + |right|) with e = 2^-53.
    if (fabs(area) >= 0x1p-20 * (fabs(left) + fabs(right))) return area;
    double terms[6];
    sqt_orient_terms(terms, a, b, c);
    return sqt_exact_sum(terms, 6);
}

/// Where p is along the way from a (0) to b (1), b not equal to a: (p - a).(b - a) / |b - a|^2, within 1e-9, or 1e-9 of
/// itself. Exactly 0 at a and 1 at b.
static inline double sqt_along(sqt_vec2 a, sqt_vec2 b, sqt_vec2 p) {
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, square = x * x + y * y;
    const double dot_x = ((double)p.x - (double)a.x) * x, dot_y = ((double)p.y - (double)a.y) * y;
    if (fabs(dot_x) + fabs(dot_y) <= 0x1p20 * square) return (dot_x + dot_y) / square;
    const double ax = (double)a.x, ay = (double)a.y, bx = (double)b.x, by = (double)b.y, px = (double)p.x,
                 py = (double)p.y;
    const double terms[8] = {px * bx, -(px * ax), -(ax * bx), ax * ax, py * by, -(py * ay), -(ay * by), ay * ay};
    return sqt_exact_sum(terms, 8) / square;
}

/// One of the four parts of sqt_in_circle: 24 terms whose sum is sign * |d|^2 * sqt_orient(a, b, c).
static inline void sqt_in_circle_terms(double *terms, double sign, sqt_vec2 d, sqt_vec2 a, sqt_vec2 b, sqt_vec2 c) {
    const double lift_x = sign * ((double)d.x * (double)d.x), lift_y = sign * ((double)d.y * (double)d.y);
    double orient[6];
    sqt_orient_terms(orient, a, b, c);
    for (uint32_t i = 0; i < 6; ++i) {
        sqt_exact_product(terms + 4 * i, orient[i], lift_x);
        sqt_exact_product(terms + 4 * i + 2, orient[i], lift_y);
    }
}

/// Above 0 where d is inside the circle through a, b, c (counterclockwise), 0 on it, below outside. The sign is exact.
static inline double sqt_in_circle(sqt_vec2 a, sqt_vec2 b, sqt_vec2 c, sqt_vec2 d) {
    const double ax = (double)a.x - (double)d.x, ay = (double)a.y - (double)d.y;
    const double bx = (double)b.x - (double)d.x, by = (double)b.y - (double)d.y;
    const double cx = (double)c.x - (double)d.x, cy = (double)c.y - (double)d.y;
    const double lift_a = ax * ax + ay * ay, lift_b = bx * bx + by * by, lift_c = cx * cx + cy * cy;
    const double inside = lift_a * (bx * cy - cx * by) + lift_b * (cx * ay - ax * cy) + lift_c * (ax * by - bx * ay);
    const double magnitude = lift_a * (fabs(bx * cy) + fabs(cx * by)) + lift_b * (fabs(cx * ay) + fabs(ax * cy)) +
                             lift_c * (fabs(ax * by) + fabs(bx * ay));
    if (fabs(inside) > 0x1p-49 * magnitude) return inside; // the error is below (10 + 96 e) e magnitude
    double terms[SQT_EXPANSION_TERMS];
    sqt_in_circle_terms(terms, 1.0, a, b, c, d);
    sqt_in_circle_terms(terms + 24, -1.0, b, a, c, d);
    sqt_in_circle_terms(terms + 48, 1.0, c, a, b, d);
    sqt_in_circle_terms(terms + 72, -1.0, d, a, b, c);
    return sqt_exact_sum(terms, SQT_EXPANSION_TERMS);
}

#endif
