// Time and what goes with it: clocks, clips in step, events, tracks, locators, root motion.
#include <math.h>
#include <string.h>

#include "fuzz_input.h"

enum { MOST_MARKS = 6, MOST_EVENTS = 6, STEPS = 6, ROOM = 64 };

static sqt_timeline any_timeline(fuzz_input *in) {
    sqt_timeline timeline = {fabsf(fuzz_float(in)), fuzz_below(in, 3)};
    if (fuzz_rarely(in)) timeline.duration_seconds = fuzz_float(in);
    if (fuzz_rarely(in)) timeline.loop = fuzz_u32(in);
    return timeline;
}

/// Ascending within a duration, unless the input says otherwise.
static float *any_times(fuzz_input *in, uint32_t count, float duration_seconds) {
    float *const times = FUZZ_ARRAY(in, float, count);
    for (uint32_t i = 0; i < count; ++i) {
        const float part = ((float)i + (float)fuzz_u8(in) / 256.0f) / (float)count;
        times[i] = duration_seconds * part;
    }
    if (fuzz_rarely(in)) fuzz_patch_floats(in, times, count);
    return times;
}

static double bounded_seconds(fuzz_input *in, const sqt_timeline *timeline) {
    const double seconds = fuzz_seconds(in, timeline->duration_seconds);
    return fabs(seconds) <= 1e15 ? seconds : fmod(seconds, 1e15);
}

// ---- Clocks

static void play_clock(fuzz_input *in) {
    const sqt_timeline timeline = any_timeline(in);
    const double duration = (double)timeline.duration_seconds;
    sqt_clock clock = {0};
    const double start = bounded_seconds(in, &timeline), rate = fuzz_double(in);
    if (sqt_clock_start(&clock, &timeline, start, rate, fuzz_below(in, 5))) return;
    for (uint32_t i = 0; i < STEPS; ++i) {
        const double now = bounded_seconds(in, &timeline), local = sqt_clock_local(&clock, &timeline, now);
        const sqt_clock before = clock;
        FUZZ_REQUIRE(isfinite(local));
        if (clock.loop_count > 0) {
            const double loops = timeline.loop == SQT_LOOP_CLAMP ? 1.0 : (double)clock.loop_count;
            const double period = duration * (timeline.loop == SQT_LOOP_PING_PONG ? 2.0 : 1.0);
            FUZZ_REQUIRE(local >= 0.0 && local <= loops * period);
        }
        if (sqt_clock_done(&clock, &timeline, now)) FUZZ_REQUIRE(local == sqt_clock_local(&clock, &timeline, now));
        const double number = fuzz_double(in);
        const sqt_result result = fuzz_u8(in) & 1u ? sqt_clock_set_rate(&clock, &timeline, now, number)
                                                   : sqt_clock_seek(&clock, &timeline, now, number);
        if (result) FUZZ_REQUIRE(memcmp(&before, &clock, sizeof clock) == 0);
    }
    double seconds = 0.0;
    for (uint32_t i = 0; i < STEPS; ++i) {
        int64_t loops = 0;
        const double dt = bounded_seconds(in, &timeline);
        if (timeline.duration_seconds > 1e15f) return;
        FUZZ_REQUIRE(sqt_clock_step(&seconds, &loops, &timeline, dt) == SQT_OK);
        const double most = duration * (timeline.loop == SQT_LOOP_PING_PONG ? 2.0 : 1.0);
        FUZZ_REQUIRE(seconds >= 0.0 && seconds <= most);
        FUZZ_REQUIRE(timeline.loop == SQT_LOOP_CLAMP || duration == 0.0 || seconds < most);
        FUZZ_REQUIRE(timeline.loop != SQT_LOOP_CLAMP || loops == 0);
    }
}

// ---- Marks

typedef struct marked {
    sqt_timeline timeline;
    sqt_sync sync;
} marked;

static bool any_marked(fuzz_input *in, marked *m) {
    m->timeline = any_timeline(in);
    m->sync.mark_count = fuzz_u8(in) % MOST_MARKS;
    m->sync.marks = any_times(in, m->sync.mark_count, m->timeline.duration_seconds);
    m->sync.first = fuzz_rarely(in) ? fuzz_u32(in) : fuzz_u8(in) % 4;
    sqt_fault fault = {0};
    if (sqt_sync_validate(&m->sync, &m->timeline, &fault) == SQT_OK) return true;
    FUZZ_REQUIRE(fault.field != NULL);
    return false;
}

static void play_sync(fuzz_input *in) {
    marked clips[2];
    if (!any_marked(in, &clips[0]) || !any_marked(in, &clips[1])) return;
    const double duration = (double)clips[0].timeline.duration_seconds;
    double last_seconds = -INFINITY, last_position = -INFINITY;
    for (uint32_t i = 0; i < STEPS; ++i) {
        const double seconds = bounded_seconds(in, &clips[0].timeline);
        if (fabs(seconds) > duration * 0x1p29) continue;
        const double position = sqt_sync_position(&clips[0].sync, &clips[0].timeline, seconds);
        FUZZ_REQUIRE(isfinite(position));
        FUZZ_REQUIRE(seconds < last_seconds || position >= last_position);
        FUZZ_REQUIRE(seconds > last_seconds || position <= last_position);
        FUZZ_REQUIRE(isfinite(sqt_sync_seconds(&clips[1].sync, &clips[1].timeline, position)));
        last_seconds = seconds, last_position = position;
    }
    const sqt_sync_member members[] = {{&clips[0].sync, &clips[0].timeline, fuzz_float(in)},
                                       {&clips[1].sync, &clips[1].timeline, (float)fuzz_u8(in) / 64.0f}};
    double position = fuzz_double(in);
    for (uint32_t i = 0; i < 2; ++i) {
        const double before = position, dt = fuzz_seconds(in, clips[0].timeline.duration_seconds);
        if (sqt_sync_advance(&position, members, 2, dt)) {
            FUZZ_REQUIRE(memcmp(&position, &before, sizeof before) == 0);
        } else {
            FUZZ_REQUIRE(isfinite(position) && (dt >= 0.0 ? position >= before : position <= before));
        }
    }
}

// ---- Events

/// Each once at any cut: a step in one fires as many as in two, forwards and backwards.
static void play_events(fuzz_input *in) {
    const sqt_timeline timeline = any_timeline(in);
    const uint32_t count = fuzz_u8(in) % MOST_EVENTS;
    const float *const times = any_times(in, count, timeline.duration_seconds);
    sqt_event *const events = FUZZ_ARRAY(in, sqt_event, count);
    for (uint32_t i = 0; i < count; ++i)
        events[i] = (sqt_event){fuzz_u8(in) < 16 ? timeline.duration_seconds : times[i], i};
    const sqt_event_track track = {events, count};
    sqt_fault fault = {0};
    if (sqt_event_validate(&track, &timeline, &fault)) {
        FUZZ_REQUIRE(fault.field != NULL);
        return;
    }
    double last = 0.0;
    for (uint32_t i = 0; i < STEPS; ++i) {
        const double to = fuzz_seconds(in, timeline.duration_seconds);
        const double middle = last + (to - last) * ((double)fuzz_u8(in) / 255.0);
        const uint32_t room = fuzz_below(in, ROOM);
        sqt_event *const fired = FUZZ_ARRAY(in, sqt_event, room), *const parts = FUZZ_ARRAY(in, sqt_event, room);
        uint32_t all = 0, first = 0, second = 0;
        double whole = last, part = last;
        const sqt_result result = sqt_event_collect(fired, &all, &track, &timeline, room, &whole, to);
        if (result) {
            FUZZ_REQUIRE(whole == last);
            FUZZ_REQUIRE(result != SQT_ERROR_SPACE || all > room);
            if (result == SQT_ERROR_SPACE) last = to;
            continue;
        }
        FUZZ_REQUIRE(all <= room && whole == to);
        if (!isfinite(middle) || (middle - last) * (to - middle) < 0.0) continue;
        FUZZ_REQUIRE(sqt_event_collect(parts, &first, &track, &timeline, room, &part, middle) == SQT_OK);
        FUZZ_REQUIRE(sqt_event_collect(parts, &second, &track, &timeline, room, &part, to) == SQT_OK);
        FUZZ_REQUIRE(all == first + second);
        last = to;
    }
}

// ---- Tracks

static void play_ids(fuzz_input *in) {
    const sqt_timeline timeline = any_timeline(in);
    sqt_id_track track = {NULL, NULL, fuzz_u8(in) % MOST_MARKS};
    track.times = any_times(in, track.key_count, timeline.duration_seconds);
    uint32_t *const ids = FUZZ_ARRAY(in, uint32_t, track.key_count);
    for (uint32_t k = 0; k < track.key_count; ++k) ids[k] = k;
    track.ids = ids;
    if (sqt_track_id_validate(&track, NULL)) return;
    for (uint32_t i = 0; i < STEPS; ++i) {
        const double seconds = fuzz_seconds(in, timeline.duration_seconds);
        uint32_t id = UINT32_MAX;
        if (sqt_track_id(&id, &track, &timeline, seconds)) continue;
        const double local = sqt_timeline_wrap(&timeline, seconds);
        FUZZ_REQUIRE(id < track.key_count && (id == 0 || (double)track.times[id] <= local));
        FUZZ_REQUIRE(id + 1 == track.key_count || (double)track.times[id + 1] > local);
    }
}

static void play_locator(fuzz_input *in) {
    static const uint32_t sizes[] = {4, 3, 3, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1};
    const sqt_timeline timeline = any_timeline(in);
    sqt_channel *const channels = FUZZ_ARRAY(in, sqt_channel, 3);
    sqt_locator locator = {channels, fuzz_u8(in) % 4, SQT_TRANSFORM_IDENTITY, SQT_NO_JOINT};
    for (uint32_t c = 0; c < locator.channel_count; ++c) {
        const uint32_t keys = fuzz_u8(in) % 4 + 1, target = fuzz_u8(in) % (sizeof sizes / sizeof *sizes);
        const uint32_t interpolation = fuzz_u8(in) % 3, size = sizes[target];
        const uint32_t numbers = keys * size * (interpolation == SQT_CUBIC ? 3 : 1);
        float *const values = FUZZ_ARRAY(in, float, numbers);
        for (uint32_t i = 0; i < numbers; ++i) values[i] = target == SQT_TARGET_ROTATION && i % 4 == 3 ? 1.0f : 0.0f;
        fuzz_patch_floats(in, values, numbers);
        memset(channels + c, 0, sizeof *channels);
        channels[c].curve = (sqt_curve){any_times(in, keys, timeline.duration_seconds), values, keys, (uint16_t)size,
                                        (uint16_t)interpolation};
        channels[c].target = (uint8_t)target;
        if (fuzz_rarely(in)) channels[c].joint = fuzz_u8(in);
    }
    if (fuzz_rarely(in)) fuzz_patch_floats(in, &locator.rest.rotation.x, sizeof locator.rest / sizeof(float));
    if (sqt_locator_validate(NULL, &locator, NULL)) return;
    for (uint32_t i = 0; i < 3; ++i) {
        sqt_transform transform;
        sqt_mat4 matrix;
        if (sqt_locator_sample(&transform, &locator, &timeline, NULL, fuzz_seconds(in, timeline.duration_seconds)))
            return;
        const sqt_quat q = transform.rotation;
        FUZZ_REQUIRE(fabs((double)(q.x * q.x + q.y * q.y) + (double)(q.z * q.z + q.w * q.w) - 1.0) <= 3e-3);
        FUZZ_REQUIRE(sqt_locator_global(&matrix, NULL, &locator, transform, NULL) == SQT_OK);
    }
}

// ---- Root motion

static void check_delta(const sqt_transform *delta) {
    const double x = (double)delta->rotation.x, y = (double)delta->rotation.y, z = (double)delta->rotation.z;
    const double w = (double)delta->rotation.w;
    FUZZ_REQUIRE(fuzz_is_finite(&delta->rotation.x, sizeof *delta / sizeof(float)));
    FUZZ_REQUIRE(fabs(x * x + y * y + z * z + w * w - 1.0) <= 1e-5);
    FUZZ_REQUIRE(delta->scale.x == 1.0f && delta->scale.y == 1.0f && delta->scale.z == 1.0f);
}

static void play_motion(fuzz_input *in, const sqt_root_motion *motion) {
    double last = 0.0;
    sqt_transform deltas[STEPS];
    float weights[STEPS];
    sqt_root_place place = SQT_ROOT_PLACE_IDENTITY;
    for (uint32_t i = 0; i < STEPS; ++i) {
        const double before = last, to = fuzz_seconds(in, motion->timeline.duration_seconds);
        weights[i] = (float)fuzz_u8(in);
        deltas[i] = (sqt_transform)SQT_TRANSFORM_IDENTITY;
        if (sqt_root_motion_delta(&deltas[i], motion, &last, to)) {
            FUZZ_REQUIRE(last == before);
            continue;
        }
        check_delta(&deltas[i]);
        FUZZ_REQUIRE(last == to && sqt_root_motion_move(&place, deltas[i]) == SQT_OK);
    }
    sqt_transform mixed;
    FUZZ_REQUIRE(sqt_root_motion_blend(&mixed, deltas, weights, STEPS) == SQT_OK);
    check_delta(&mixed);
}

static void play_root(fuzz_input *in) {
    sqt_skeleton skeleton;
    if (!fuzz_skeleton(in, &skeleton)) return;
    sqt_clip clip = {
        .timeline = any_timeline(in), .sample_count = fuzz_u8(in) % 4 + 1, .joint_count = skeleton.joint_count};
    if (fuzz_u8(in) & 1u) clip.flags = SQT_CLIP_CYCLIC;
    const size_t blocks = SQT_POSE_BLOCKS(clip.joint_count);
    sqt_pose_block *const samples = FUZZ_ARRAY(in, sqt_pose_block, blocks * clip.sample_count);
    const uint32_t kind = fuzz_u8(in) & 1u ? FUZZ_FLAT : FUZZ_SMALL;
    fuzz_seed(in);
    for (uint32_t i = 0; i < clip.sample_count; ++i) fuzz_fill_pose(in, samples + blocks * i, clip.joint_count, kind);
    clip.samples = samples;
    if (sqt_clip_validate(&clip, &skeleton, NULL)) return;
    const sqt_root_motion_source source = {fuzz_below(in, skeleton.joint_count),
                                           (uint32_t)fuzz_u8(in) << 20 & 0x1F00000u,
                                           {fuzz_float(in), fuzz_float(in), 1.0f},
                                           NULL};
    const uint32_t motion_count = clip.sample_count + (clip.flags != 0);
    sqt_transform *const motion_samples = FUZZ_ARRAY(in, sqt_transform, motion_count);
    sqt_pose_block *const rest = FUZZ_ARRAY(in, sqt_pose_block, blocks * clip.sample_count);
    sqt_pose_block *const scratch = FUZZ_ARRAY(in, sqt_pose_block, blocks);
    sqt_root_motion motion;
    sqt_clip remainder;
    if (sqt_root_motion_extract(&motion, motion_samples, &remainder, rest, &skeleton, &clip, &source, scratch, NULL))
        return;
    FUZZ_REQUIRE(motion.sample_count == motion_count);
    double largest = fuzz_pose_magnitude(skeleton.rest, skeleton.joint_count);
    if (largest > 1e3) return; // chains of scales overflow
    sqt_fault fault = {0};
    if (kind != FUZZ_SMALL || skeleton.joint_count < 20) {
        FUZZ_REQUIRE(sqt_root_motion_validate(&motion, &fault) == SQT_OK);
        FUZZ_REQUIRE(sqt_clip_validate(&remainder, &skeleton, &fault) == SQT_OK);
        play_motion(in, &motion);
    }
}

static void play_given_motion(fuzz_input *in) {
    sqt_root_motion motion = {any_timeline(in), fuzz_u8(in) % 4 + 1, NULL};
    sqt_pose_block pose;
    fuzz_seed(in);
    fuzz_fill_pose(in, &pose, 16, fuzz_u8(in) & 1u ? FUZZ_SMALL : FUZZ_FLAT);
    sqt_transform *const samples = FUZZ_ARRAY(in, sqt_transform, motion.sample_count);
    for (uint32_t i = 0; i < motion.sample_count; ++i) samples[i] = sqt_pose_get(&pose, i);
    if (fuzz_rarely(in)) fuzz_patch_floats(in, &samples[0].rotation.x, 4);
    motion.samples = samples;
    if (sqt_root_motion_validate(&motion, NULL) == SQT_OK) play_motion(in, &motion);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    static void (*const plays[])(fuzz_input *) = {play_clock, play_sync,    play_events,      play_ids,
                                                  play_root,  play_locator, play_given_motion};
    fuzz_input in = fuzz_begin(data, bytes);
    plays[fuzz_u8(&in) % (sizeof plays / sizeof *plays)](&in);
    fuzz_end(&in);
    return 0;
}
