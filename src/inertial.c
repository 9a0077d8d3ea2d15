#include "simd/isa.h"

#include "sqt/inertial.h"

#include <math.h>

#include "fault.h"
#include "pose_lanes.h"
#include "simd/kernels.h"
#include "trig.h"

_Static_assert(sizeof(sqt_inertial_block) == 18 * 16 * sizeof(float), "the kernel reads rows of 16 floats");

static const double pi = 3.14159265358979323846;

typedef struct vec3d {
    double x, y, z;
} vec3d;

typedef struct quatd {
    vec3d v;
    double w;
} quatd;

static double dot(vec3d a, vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static vec3d subtract(sqt_vec3 a, sqt_vec3 b) {
    const vec3d r = {(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z};
    return r;
}

/// a * conjugate(b).
static quatd turn_between(sqt_quat a, sqt_quat b) {
    const double ax = (double)a.x, ay = (double)a.y, az = (double)a.z, aw = (double)a.w;
    const double bx = -(double)b.x, by = -(double)b.y, bz = -(double)b.z, bw = (double)b.w;
    const quatd r = {{aw * bx + ax * bw + (ay * bz - az * by), aw * by + ay * bw + (az * bx - ax * bz),
                      aw * bz + az * bw + (ax * by - ay * bx)},
                     aw * bw - ax * bx - (ay * by + az * bz)};
    return r;
}

/// Within -pi..pi, of an angle within three half turns.
static double wrap_angle(double angle) {
    if (angle > pi) return angle - 2.0 * pi;
    return angle < -pi ? angle + 2.0 * pi : angle;
}

/// A component of a direction. Tiny ones would make denormals of what is left of the offset.
static float component(double value, double size) {
    const double part = value / size;
    return fabs(part) < 1e-15 ? 0.0f : (float)part;
}

/// One lane: a direction of any length, how far, how fast. Nothing where it is below the threshold, or no number.
static void set_offset(sqt_inertial_offset *o, uint32_t lane, vec3d direction, double length, double size,
                       double velocity, double duration_seconds) {
    const double inward = velocity < 0.0 ? -velocity : 0.0;
    // Numbers beyond 1e30 either way would overflow or become denormals.
    const double least = 1.0 / duration_seconds, needed = inward / (5.0 * size), rate = needed > least ? needed : least;
    o->x[lane] = component(direction.x, length);
    o->y[lane] = component(direction.y, length);
    o->z[lane] = component(direction.z, length);
    o->size[lane] = (float)size;
    o->rate[lane] = (float)(rate < 1e-30 ? 1e-30 : rate < 1e30 ? rate : 1e30);
    const double pull = inward / (size * (double)o->rate[lane]);
    o->pull[lane] = (float)(pull < 1e-30 ? 0.0 : pull < 5.0 ? pull : 5.0);
}

static void set_turn(sqt_inertial_offset *o, uint32_t lane, quatd now, quatd before, const sqt_inertial_switch *s) {
    const double sine = sqrt(dot(now.v, now.v)), sign = now.w < 0.0 ? -1.0 : 1.0;
    const double angle = 2.0 * sqt_atan2_double(sine, sign * now.w);
    if (!(angle >= 1e-8 && sine <= 1e30)) return;
    const vec3d axis = {sign * now.v.x, sign * now.v.y, sign * now.v.z};
    const double twist = 2.0 * sqt_atan2_double(dot(before.v, axis) / sine, before.w);
    const double velocity = wrap_angle(angle - twist) / s->frame_seconds;
    set_offset(o, lane, axis, sine, angle, velocity, (double)s->duration_seconds);
}

static void set_way(sqt_inertial_offset *o, uint32_t lane, vec3d now, vec3d before, const sqt_inertial_switch *s) {
    const double size = sqrt(dot(now, now));
    if (!(size >= 1e-15 && size <= 1e30)) return;
    const double velocity = (size - dot(before, now) / size) / s->frame_seconds;
    set_offset(o, lane, now, size, size, velocity, (double)s->duration_seconds);
}

static void set_joint(sqt_inertial_block *offsets, uint32_t joint, const sqt_inertial_switch *s) {
    const uint32_t lane = joint % SQT_POSE_LANES;
    const sqt_transform p = sqt_pose_get(s->pose, joint), p_before = sqt_pose_get(s->pose_before, joint);
    const sqt_transform t = sqt_pose_get(s->target, joint), t_before = sqt_pose_get(s->target_before, joint);
    set_turn(&offsets->rotation, lane, turn_between(p.rotation, t.rotation),
             turn_between(p_before.rotation, t_before.rotation), s);
    set_way(&offsets->translation, lane, subtract(p.translation, t.translation),
            subtract(p_before.translation, t_before.translation), s);
    set_way(&offsets->scale, lane, subtract(p.scale, t.scale), subtract(p_before.scale, t_before.scale), s);
}

static bool is_duration(float seconds) { return sqt_finite(seconds) && seconds >= 0.0f; }

sqt_result sqt_inertial_begin(sqt_inertial *inertial, sqt_inertial_block *offsets, const sqt_skeleton *skeleton,
                              const sqt_inertial_switch *change) {
    if (!inertial || !offsets || !skeleton || !change || !change->pose || !change->target) return SQT_ERROR_NULL;
    const uint32_t joint_count = skeleton->joint_count;
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (!sqt_finite_double(change->seconds) || !is_duration(change->duration_seconds)) return SQT_ERROR_NUMBER;
    sqt_inertial_switch s = *change;
    if (!s.pose_before && !s.target_before) s.frame_seconds = 1.0; // any: both are at rest
    if (!sqt_finite_double(s.frame_seconds) || s.frame_seconds <= 0.0) return SQT_ERROR_NUMBER;
    if (!s.pose_before) s.pose_before = s.pose;
    if (!s.target_before) s.target_before = s.target;
    memset(offsets, 0, SQT_POSE_BLOCKS(joint_count) * sizeof *offsets);
    if (s.duration_seconds > 0.0f) {
        for (uint32_t joint = 0; joint < joint_count; ++joint) set_joint(offsets + joint / SQT_POSE_LANES, joint, &s);
    }
    inertial->start_seconds = s.seconds;
    inertial->duration_seconds = s.duration_seconds;
    inertial->joint_count = joint_count;
    return SQT_OK;
}

sqt_result sqt_inertial_apply(sqt_pose_block *out, const sqt_skeleton *skeleton, const sqt_pose_block *target,
                              const sqt_inertial *inertial, const sqt_inertial_block *offsets, double now_seconds) {
    if (!out || !skeleton || !target || !inertial || !offsets) return SQT_ERROR_NULL;
    const uint32_t joint_count = skeleton->joint_count;
    if (joint_count == 0 || joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (!sqt_finite_double(now_seconds)) return SQT_ERROR_NUMBER;
    const double elapsed = now_seconds - inertial->start_seconds, duration = (double)inertial->duration_seconds;
    if (!(elapsed < duration && duration > 0.0)) {
        sqt_pose_copy(out, target, joint_count);
        return SQT_OK;
    }
    if (joint_count > inertial->joint_count) return SQT_ERROR_COUNT;
    const float seconds = elapsed > 0.0 ? (float)elapsed : 0.0f;
    sqt_kernels_current()->inertial(out, target, offsets, seconds, joint_count);
    return SQT_OK;
}
