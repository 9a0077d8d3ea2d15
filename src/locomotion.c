#include "simd/isa.h"

#include "sqt/locomotion.h"

#include <math.h>

#include "fault.h"

static const double pi = 3.14159265358979323846;

/// The angle brought to [-pi, pi] by whole turns; unchanged within. Finite angles only.
static double wrap_angle(double radians) {
    const double rest = radians - floor(radians / (2.0 * pi) + 0.5) * (2.0 * pi);
    return rest < -pi ? -pi : rest > pi ? pi : rest; // rounding, and all of it where an ulp is many turns
}

float sqt_locomotion_angle(float from_radians, float to_radians) {
    if (!sqt_finite(from_radians) || !sqt_finite(to_radians)) return 0.0f;
    return (float)wrap_angle((double)to_radians - (double)from_radians);
}

sqt_result sqt_locomotion_pivotal(float *weights, const float *speeds, uint32_t speed_count, float speed, float turn,
                                  float full_turn) {
    if (!sqt_finite(turn) || !sqt_finite(full_turn) || !(full_turn > 0.0f)) return SQT_ERROR_NUMBER;
    const sqt_result result = sqt_blend_space_linear(weights, speeds, speed_count, speed);
    if (result) return result;

    const double ratio = fabs((double)turn) / (double)full_turn, share = ratio < 1.0 ? ratio : 1.0;
    const double standing = (double)weights[0];
    const float turning = (float)(standing * share);
    weights[0] = (float)(standing * (1.0 - share));
    weights[speed_count] = turn > 0.0f ? turning : 0.0f;
    weights[(size_t)speed_count + 1] = turn < 0.0f ? turning : 0.0f;
    return SQT_OK;
}

sqt_result sqt_locomotion_targeted(float *weights, bool *switched, sqt_locomotion *state, float direction_radians,
                                   float hysteresis_radians) {
    if (!weights || !state) return SQT_ERROR_NULL;
    if (state->backward > 1) return SQT_ERROR_COUNT;
    if (!sqt_finite(direction_radians)) return SQT_ERROR_NUMBER;
    if (!(hysteresis_radians >= 0.0f && hysteresis_radians <= 0.785398185f)) return SQT_ERROR_NUMBER;

    const double side = 0.5 * pi, hysteresis = (double)hysteresis_radians;
    const double angle = wrap_angle((double)direction_radians), from_front = fabs(angle);
    const uint32_t backward = state->backward ? from_front >= side - hysteresis : from_front > side + hysteresis;
    const double from_straight = backward ? pi - from_front : from_front;
    const double strafe = from_straight < side ? from_straight / side : 1.0;

    const uint32_t first = backward ? SQT_TARGETED_BACKWARD : SQT_TARGETED_FORWARD;
    for (uint32_t i = 0; i < SQT_TARGETED_CLIP_COUNT; ++i) weights[i] = 0.0f;
    weights[first] = (float)(1.0 - strafe);
    weights[first + (angle > 0.0 ? 1u : 2u)] = (float)strafe; // the left one, the right one
    if (switched) *switched = backward != state->backward;
    state->backward = backward;
    return SQT_OK;
}
