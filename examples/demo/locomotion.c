// Locomotion: standing, walking and running in one blend space. Walk and run are kept in step by the instants at which
// their feet come down, the same instants are events, and the character travels by its clips' own root motion, blended
// as the poses are.
#include "locomotion.h"

#include "demo_clips.h"

enum { JOINTS = 29, BLOCKS = SQT_POSE_BLOCKS(JOINTS), CLIPS = 3 };
static const uint32_t clips[CLIPS] = {DEMO_IDLE, DEMO_WALK, DEMO_RUN};

float locomotion_wanted_speed(double now) {
    static const float seconds[] = {0.5f, 1.5f, 3.0f, 4.5f, 5.5f, 7.0f}, speeds[] = {0, 1.3f, 1.3f, 3.2f, 3.2f, 0};
    const sqt_curve curve = {seconds, speeds, 6, 1, SQT_LINEAR};
    float speed = 0;
    sqt_curve_sample(&speed, &curve, NULL, now);
    return speed;
}

static bool locomotion_start(void *state, const asset *character) {
    const locomotion_state fresh = {.place = SQT_ROOT_PLACE_IDENTITY};
    *(locomotion_state *)state = fresh;
    return character->skeleton.joint_count == JOINTS;
}

/// The left foot comes down as the clip begins, the right one half-way.
typedef struct stride {
    sqt_timeline timeline;
    float marks[2];
    sqt_event events[2];
    sqt_transform way[2]; ///< the motion's first and last sample: it travels straight ahead
} stride;

static stride stride_of(const sqt_channel_clip *clip) {
    const float half = 0.5f * clip->timeline.duration_seconds;
    const sqt_transform still = SQT_TRANSFORM_IDENTITY;
    stride s = {clip->timeline, {0, half}, {{0, LOCOMOTION_LEFT}, {half, LOCOMOTION_RIGHT}}, {still, still}};
    s.way[1].translation.z = clip->authored_speed * clip->timeline.duration_seconds;
    return s;
}

/// The steps between two positions of the marks, by the clip that leads.
static void collect_steps(locomotion_state *s, const stride *leader, double from, double to, double now) {
    const sqt_sync sync = {leader->marks, 2, 0};
    const sqt_event_track track = {leader->events, 2};
    double last = sqt_sync_seconds(&sync, &leader->timeline, from);
    sqt_event fired[8];
    uint32_t count = 0;
    if (sqt_event_collect(fired, &count, &track, &leader->timeline, 8, &last,
                          sqt_sync_seconds(&sync, &leader->timeline, to)) != SQT_OK) {
        return;
    }
    for (uint32_t i = 0; i < count && s->step_count < LOCOMOTION_MAX_STEPS; ++i) {
        const locomotion_step step = {now, fired[i].id};
        s->steps[s->step_count++] = step;
    }
}

static bool locomotion_frame(sqt_pose_block *pose, sqt_transform *placement, const asset *character, void *state,
                             double now) {
    locomotion_state *const s = state;
    const stride strides[2] = {stride_of(demo_clip(character, DEMO_WALK)), stride_of(demo_clip(character, DEMO_RUN))};
    const sqt_sync syncs[2] = {{strides[0].marks, 2, 0}, {strides[1].marks, 2, 0}};

    // How much of each clip gives the speed asked for.
    float speeds[CLIPS], weights[CLIPS];
    for (uint32_t k = 0; k < CLIPS; ++k) speeds[k] = demo_clip(character, clips[k])->authored_speed;
    const float wanted = locomotion_wanted_speed(now);
    sqt_blend_space_linear(weights, speeds, CLIPS, wanted);

    // Walk and run go on together along their marks, however many seconds each of them takes for it, and as fast as the
    // blend has to be played to travel at the speed asked for.
    const double before = s->position;
    const sqt_sync_member members[2] = {{&syncs[0], &strides[0].timeline, weights[1]},
                                        {&syncs[1], &strides[1].timeline, weights[2]}};
    const float own_speed = (weights[1] + weights[2]) * sqt_sync_speed(members, speeds + 1, 2, s->position);
    const double dt = (now - s->last) * sqt_clock_rate(own_speed, wanted);
    if (sqt_sync_advance(&s->position, members, 2, dt) != SQT_OK) return false;
    s->last = now;

    // Poses, and how far each clip went.
    sqt_pose_block poses[CLIPS][BLOCKS];
    sqt_transform deltas[CLIPS] = {SQT_TRANSFORM_IDENTITY}, delta;
    demo_sample(poses[0], character, DEMO_IDLE, now);
    for (uint32_t k = 0; k < 2; ++k) {
        const sqt_root_motion motion = {strides[k].timeline, 2, strides[k].way};
        double from = sqt_sync_seconds(&syncs[k], &strides[k].timeline, before);
        const double to = sqt_sync_seconds(&syncs[k], &strides[k].timeline, s->position);
        demo_sample(poses[k + 1], character, clips[k + 1], to);
        if (sqt_root_motion_delta(&deltas[k + 1], &motion, &from, to) != SQT_OK) return false;
    }
    collect_steps(s, &strides[weights[2] > weights[1]], before, s->position, now);

    // The same weights blend both.
    sqt_blend_input inputs[CLIPS] = {{0}};
    for (uint32_t k = 0; k < CLIPS; ++k) {
        inputs[k].pose = poses[k];
        inputs[k].weight = weights[k];
    }
    if (sqt_root_motion_blend(&delta, deltas, weights, CLIPS) != SQT_OK) return false;
    if (sqt_root_motion_move(&s->place, delta) != SQT_OK) return false;
    *placement = sqt_transform_from_root_place(&s->place);
    return sqt_blend_many(pose, &character->skeleton, inputs, CLIPS, 0, SQT_NLERP) == SQT_OK;
}

const demo demo_locomotion = {"locomotion", 7.5, sizeof(locomotion_state), locomotion_start, locomotion_frame};
