/// @file ease.h
/// Ease curves: how a transition gets from 0 to 1. A curve is a small struct, to be kept as data:
///
///     static const sqt_ease gentle = {SQT_EASE_BEZIER, {0.42f, 0.0f, 0.58f, 1.0f}}; // "ease-in-out" of CSS
#ifndef SQT_EASE_H
#define SQT_EASE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds, with p = phase, 0..1. Every curve is exactly 0 at phase 0 and 1 at phase 1.
enum {
    SQT_EASE_LINEAR = 0, ///< p
    SQT_EASE_CUBIC = 1,  ///< in and out: 4 p^3 up to the middle, 1 - 4 (1 - p)^3 after it; slope 3 in the middle
    SQT_EASE_BEZIER = 2, ///< cubic Bezier from (0, 0) to (1, 1); curve: x1, y1, x2, y2 as in CSS; x1, x2 in 0..1
    SQT_EASE_HERMITE = 3 ///< cubic Hermite; curve[0], curve[1]: slope at the start and at the end; 0, 0: 3 p^2 - 2 p^3
};

/// An ease curve. Zero is linear.
typedef struct sqt_ease {
    uint32_t kind;  ///< SQT_EASE_...
    float curve[4]; ///< what the kind says; the rest is not read
} sqt_ease;

/// Checks a curve.
///
/// @return SQT_OK, SQT_ERROR_NULL, SQT_ERROR_FLAG ("kind"), SQT_ERROR_NUMBER ("curve", element: not finite, its
///         magnitude above 1e15, or an x outside 0..1).
SQT_NODISCARD sqt_result sqt_ease_validate(const sqt_ease *ease, sqt_fault *fault);

/// The value of a curve at a phase.
///
/// Bezier: the curve is (x(s), y(s)) with x(s) = 3 (1 - s)^2 s x1 + 3 (1 - s) s^2 x2 + s^3, y alike; s is solved for
/// x(s) = phase by Newton's method between bounds that bisection keeps. x(s) is within 2e-15 of the phase; so the error
/// of the value is below 1e-14 times the slope of the curve (for y1, y2 in 0..1), which has no bound where x1 = 1 and
/// x2 = 0. The other kinds are within 1e-15 (Hermite: times the largest slope).
///
/// Bezier curves with y1, y2 in 0..1 and Hermite curves with slopes in 0..3 stay within 0..1; others may leave it.
///
/// @param ease  one that sqt_ease_validate refuses is taken as linear.
/// @param phase at or below 0, and for NaN, the value is 0; at or above 1 it is 1.
/// Source: CSS Easing Functions Level 1, section "Cubic Bezier easing functions"; Penner, "Motion, Tweening, and
/// Easing", 2002.
double sqt_ease_value(sqt_ease ease, double phase);

#ifdef __cplusplus
}
#endif

#endif
