#include "seams.h"

#include <math.h>

/// A kink shows at every step. Between keys joints move evenly, and only a step over two pairs of keys sees their speed
/// at the end itself; where curves bend fast only the shortest step does.
enum { STEPS = 4 }; // from one key to the next, 1/60, 1/120, 1/240 s

/// Where the joints are at one end of a clip, and how fast they move there, by each step.
typedef struct clip_end {
    sqt_mat4 *global;
    sqt_vec3 *velocities[STEPS]; ///< NULL: the clip has no length
} clip_end;

/// One that is not additive.
typedef struct clip_ends {
    uint32_t clip;
    clip_end start, end;
    float roughness; ///< the largest change of a joint's velocity from key to key
} clip_ends;

/// What posing a clip needs.
typedef struct poser {
    const sqt_skeleton *skeleton;
    sqt_pose_block *pose;
    sqt_mat4 *near, *middle, *far; ///< [joint_count]
    sqt_vec3 *slow;                ///< [joint_count]
} poser;

/// Held at its ends: a clip that wraps is at its start again there.
static void pose_clip(const poser *p, sqt_mat4 *global, const sqt_channel_clip *clip, double seconds) {
    sqt_channel_clip held = *clip;
    held.timeline.loop = SQT_LOOP_CLAMP;
    sqt_channel_clip_sample(p->pose, p->skeleton, &held, NULL, seconds);
    sqt_global_from_local(global, p->skeleton, p->pose, NULL);
}

/// (3 p(0) - 4 p(step) + p(2 step)) / -2 step: one-sided, of second order.
static void measure_velocities(const poser *p, sqt_vec3 *velocities, const sqt_mat4 *global,
                               const sqt_channel_clip *clip, double seconds, double step) {
    pose_clip(p, p->near, clip, seconds + step);
    pose_clip(p, p->far, clip, seconds + 2 * step);
    sqt_core_pose_velocities(velocities, p->skeleton, global, p->near, (float)-step);
    sqt_core_pose_velocities(p->slow, p->skeleton, global, p->far, (float)(-2 * step));
    for (uint32_t j = 0; j < p->skeleton->joint_count; j++) {
        velocities[j].x = 2 * velocities[j].x - p->slow[j].x;
        velocities[j].y = 2 * velocities[j].y - p->slow[j].y;
        velocities[j].z = 2 * velocities[j].z - p->slow[j].z;
    }
}

/// The shortest way from the first key to the second, or from the last to the one before it; 1/30 s without keys.
static double key_step(const sqt_channel_clip *clip, bool at_start) {
    double step = 1.0 / 30;
    bool found = false;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const sqt_curve *const curve = &clip->channels[c].curve;
        if (curve->key_count < 2) continue;
        const float *const pair = curve->times + (at_start ? 0 : curve->key_count - 2);
        const double way = (double)pair[1] - (double)pair[0];
        if (way > 0 && (!found || way < step)) {
            step = way;
            found = true;
        }
    }
    return step;
}

/// @param direction 1: into the clip from its start; -1: from its end.
static void pose_end(const poser *p, clip_end *end, const sqt_channel_clip *clip, double seconds, double direction) {
    pose_clip(p, end->global, clip, seconds);
    const double steps[STEPS] = {key_step(clip, direction > 0), 1.0 / 60, 1.0 / 120, 1.0 / 240};
    for (int i = 0; i < STEPS; i++) {
        const double step = fmin(steps[i], (double)clip->timeline.duration_seconds / 2);
        if ((float)step > 0) { // or it is too short to be a float
            measure_velocities(p, end->velocities[i], end->global, clip, seconds, direction * step);
        } else {
            end->velocities[i] = NULL;
        }
    }
}

static double bend_between(const float *a, const float *b, const float *c) {
    const double x = (double)a[0] - 2.0 * (double)b[0] + (double)c[0];
    const double y = (double)a[1] - 2.0 * (double)b[1] + (double)c[1];
    const double z = (double)a[2] - 2.0 * (double)b[2] + (double)c[2];
    return sqrt(x * x + y * y + z * z);
}

enum { MOST_KEYS = 20000 };

/// |p(t - h) - 2 p(t) + p(t + h)| / h at most, h from key to key.
static float roughness_of(const poser *p, const sqt_channel_clip *clip) {
    const double step = key_step(clip, true), keys = floor((double)clip->timeline.duration_seconds / step + 1e-3);
    double most = 0;
    for (int k = 1; k < keys && k < MOST_KEYS; k++) {
        pose_clip(p, p->near, clip, (k - 1) * step);
        pose_clip(p, p->middle, clip, k * step);
        pose_clip(p, p->far, clip, (k + 1) * step);
        for (uint32_t j = 0; j < p->skeleton->joint_count; j++) {
            most = fmax(most, bend_between(&p->near[j].m[12], &p->middle[j].m[12], &p->far[j].m[12]) / step);
        }
    }
    return (float)most;
}

typedef struct box {
    float low[3], high[3];
} box;

static void box_add(box *b, const sqt_mat4 *global, uint32_t joint_count) {
    for (uint32_t j = 0; j < joint_count; j++) {
        for (int i = 0; i < 3; i++) {
            b->low[i] = fminf(b->low[i], global[j].m[12 + i]);
            b->high[i] = fmaxf(b->high[i], global[j].m[12 + i]);
        }
    }
}

static float box_size(const box *b) {
    const float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return sqrtf(x * x + y * y + z * z);
}

/// Of the joints at rest; where they are all in one place, of where clips bring them.
static float size_of_rest(const poser *p, const clip_ends *clips, uint32_t count) {
    const uint32_t joint_count = p->skeleton->joint_count;
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    sqt_global_from_local(p->near, p->skeleton, p->skeleton->rest, NULL);
    box_add(&b, p->near, joint_count);
    for (uint32_t c = 0; c < count && box_size(&b) == 0; c++) {
        box_add(&b, clips[c].start.global, joint_count);
        box_add(&b, clips[c].end.global, joint_count);
    }
    return box_size(&b);
}

static bool make_end(clip_end *end, asset *a) {
    const uint32_t joint_count = a->skeleton.joint_count;
    end->global = asset_alloc(a, joint_count, sizeof *end->global);
    if (!end->global) return false;
    for (int i = 0; i < STEPS; i++) {
        end->velocities[i] = asset_alloc(a, joint_count, sizeof *end->velocities[i]);
        if (!end->velocities[i]) return false;
    }
    return true;
}

static bool make_poser(poser *p, asset *a) {
    const uint32_t joint_count = a->skeleton.joint_count;
    p->skeleton = &a->skeleton;
    p->pose = asset_alloc(a, SQT_POSE_BLOCKS(joint_count), sizeof *p->pose);
    p->near = asset_alloc(a, joint_count, sizeof *p->near);
    p->middle = asset_alloc(a, joint_count, sizeof *p->middle);
    p->far = asset_alloc(a, joint_count, sizeof *p->far);
    p->slow = asset_alloc(a, joint_count, sizeof *p->slow);
    return p->pose && p->near && p->middle && p->far && p->slow;
}

static void measure(seam *s, float position_limit, float velocity_limit, const sqt_skeleton *skeleton,
                    const clip_ends *from, const clip_ends *to) {
    s->from = from->clip;
    s->to = to->clip;
    for (int i = 0; i < STEPS; i++) {
        const sqt_core_pose a = {from->end.global, from->end.velocities[i]};
        const sqt_core_pose b = {to->start.global, to->start.velocities[i]};
        sqt_core_distance distance;
        sqt_core_pose_distance(&distance, skeleton, &a, &b, NULL);
        if (i == 0 || distance.velocity_most < s->distance.velocity_most) s->distance = distance;
    }
    s->velocity_limit = fmaxf(velocity_limit, 1.25f * fmaxf(from->roughness, to->roughness));
    s->joins = s->distance.position_most <= position_limit && s->distance.velocity_most <= s->velocity_limit;
}

/// The clips that are not additive. False where memory runs out.
static bool pose_clips(clip_ends *clips, uint32_t *count, const poser *p, asset *a) {
    *count = 0;
    for (uint32_t c = 0; c < a->clip_count; c++) {
        const sqt_channel_clip *const clip = &a->clips[c].clip;
        if (clip->flags & SQT_CLIP_DIFFERENCE) continue;
        clip_ends *const ends = &clips[(*count)++];
        if (!make_end(&ends->start, a) || !make_end(&ends->end, a)) return false;
        ends->clip = c;
        pose_end(p, &ends->start, clip, 0, 1);
        pose_end(p, &ends->end, clip, (double)clip->timeline.duration_seconds, -1);
        ends->roughness = roughness_of(p, clip);
    }
    return true;
}

bool seams_collect(seams *s, asset *a) {
    poser p;
    uint32_t count;
    clip_ends *const clips = asset_alloc(a, a->clip_count, sizeof *clips);
    if (!clips || !make_poser(&p, a) || !pose_clips(clips, &count, &p, a)) return false;
    const float size = size_of_rest(&p, clips, count);
    s->position_limit = 0.01f * size;
    s->list = asset_alloc(a, (size_t)count * count, sizeof *s->list);
    if (!s->list) return false;
    for (uint32_t from = 0; from < count; from++) {
        for (uint32_t to = 0; to < count; to++) {
            measure(&s->list[s->count++], s->position_limit, 0.2f * size, &a->skeleton, &clips[from], &clips[to]);
        }
    }
    return true;
}
