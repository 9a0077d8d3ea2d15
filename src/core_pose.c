#include "simd/isa.h"

#include "sqt/core_pose.h"

#include <math.h>

#include "fault.h"

static sqt_vec3 position_of(const sqt_mat4 *m) {
    const sqt_vec3 p = {m->m[12], m->m[13], m->m[14]};
    return p;
}

static double square_between(sqt_vec3 a, sqt_vec3 b) {
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return x * x + y * y + z * z;
}

/// Squares of distances, weighed and summed, and the largest of them.
typedef struct spread {
    double sum, most;
    uint32_t most_at;
} spread;

static void spread_add(spread *s, double square, double weight, uint32_t joint) {
    s->sum += square * weight;
    if (square > s->most || s->most_at == SQT_NO_JOINT) {
        s->most = square;
        s->most_at = joint;
    }
}

sqt_result sqt_core_pose_distance(sqt_core_distance *distance, const sqt_skeleton *skeleton, const sqt_core_pose *a,
                                  const sqt_core_pose *b, const float *mask) {
    if (!distance || !skeleton || !a || !b || !a->global || !b->global) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    static const sqt_vec3 rest = {0.0f, 0.0f, 0.0f};
    spread positions = {0.0, 0.0, SQT_NO_JOINT}, velocities = {0.0, 0.0, SQT_NO_JOINT};
    double total = 0.0;
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const double weight = mask ? (double)mask[j] : 1.0;
        if (!(weight > 0.0)) continue;
        total += weight;
        spread_add(&positions, square_between(position_of(a->global + j), position_of(b->global + j)), weight, j);
        spread_add(&velocities,
                   square_between(a->velocities ? a->velocities[j] : rest, b->velocities ? b->velocities[j] : rest),
                   weight, j);
    }
    const double divisor = total > 0.0 ? total : 1.0;
    distance->position = (float)sqrt(positions.sum / divisor);
    distance->velocity = (float)sqrt(velocities.sum / divisor);
    distance->position_most = (float)sqrt(positions.most);
    distance->velocity_most = (float)sqrt(velocities.most);
    distance->position_at = positions.most_at;
    distance->velocity_at = velocities.most_at;
    return SQT_OK;
}

sqt_result sqt_core_pose_velocities(sqt_vec3 *velocities, const sqt_skeleton *skeleton, const sqt_mat4 *global,
                                    const sqt_mat4 *other, float seconds) {
    if (!velocities || !skeleton || !global || !other) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (!sqt_finite(seconds) || seconds == 0.0f) return SQT_ERROR_NUMBER;
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const sqt_vec3 p = position_of(global + j), q = position_of(other + j);
        const sqt_vec3 v = {(p.x - q.x) / seconds, (p.y - q.y) / seconds, (p.z - q.z) / seconds};
        velocities[j] = v;
    }
    return SQT_OK;
}
