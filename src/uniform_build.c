// Making clips of 16 bits out of float clips.
#include "simd/isa.h"

#include "sqt/uniform_clip.h"

#include <math.h>

#include "fault.h"
#include "uniform_row.h"

enum { COMPONENTS = 10, ALIGNMENT = 64 };

static double larger(double a, double b) { return a > b ? a : b; }

/// Rows of samples: a cyclic clip has its first once more.
static uint64_t row_count(uint32_t sample_count, uint32_t flags) {
    return (uint64_t)sample_count + (flags & SQT_CLIP_CYCLIC ? 1 : 0);
}

// ---- The range of each track

/// What a joint's ten components are over all samples, rotations in one hemisphere from sample to sample.
typedef struct joint_range {
    float first[COMPONENTS];
    double low[COMPONENTS], high[COMPONENTS];
} joint_range;

/// The components of a joint in row `row`; `previous` (NULL for the first) says in which hemisphere.
static void load_joint(float components[COMPONENTS], const sqt_clip *clip, uint64_t row, uint32_t lane,
                       const float *previous) {
    const uint32_t sample = (uint32_t)(row == clip->sample_count ? 0 : row);
    const sqt_pose_block *const pose = clip->samples + (size_t)SQT_POSE_BLOCKS(clip->joint_count) * sample;
    const float *const at = (const float *)(pose + lane / SQT_POSE_LANES) + lane % SQT_POSE_LANES;
    for (uint32_t i = 0; i < COMPONENTS; ++i) components[i] = at[i * SQT_POSE_LANES];
    sqt_snap(components, COMPONENTS);
    double dot = 0.0;
    for (uint32_t i = 0; previous && i < 4; ++i) dot += (double)previous[i] * (double)components[i];
    for (uint32_t i = 0; dot < 0.0 && i < 4; ++i) components[i] = 0.0f - components[i];
}

static void find_range(joint_range *range, const sqt_clip *clip, uint32_t lane) {
    float current[COMPONENTS], previous[COMPONENTS];
    load_joint(range->first, clip, 0, lane, NULL);
    memcpy(previous, range->first, sizeof previous);
    for (uint32_t i = 0; i < COMPONENTS; ++i) range->low[i] = range->high[i] = (double)range->first[i];
    for (uint64_t row = 1; row < row_count(clip->sample_count, clip->flags); ++row) {
        load_joint(current, clip, row, lane, previous);
        for (uint32_t i = 0; i < COMPONENTS; ++i) {
            const double x = (double)current[i];
            if (x < range->low[i]) range->low[i] = x;
            if (x > range->high[i]) range->high[i] = x;
        }
        memcpy(previous, current, sizeof previous);
    }
}

static double half_range(const joint_range *range, uint32_t component) {
    return 0.5 * (range->high[component] - range->low[component]);
}

/// The largest of a kind's components.
static double largest_half_range(const joint_range *range, uint32_t kind) {
    double largest = 0.0;
    for (uint32_t i = 0; i < sqt_uniform_components(kind); ++i) {
        const double half = half_range(range, sqt_uniform_first_component(kind) + i);
        if (half > largest) largest = half;
    }
    return largest;
}

/// How far a kind's numbers may be from their middle without moving.
typedef struct stillness {
    double ratio, translation;
} stillness;

static stillness find_stillness(const sqt_clip *clip, float still_ratio) {
    const double ratio = larger((double)still_ratio, 1e-7);
    float largest = 0.0f;
    for (uint32_t sample = 0; sample < clip->sample_count; ++sample) {
        const sqt_pose_block *const pose = clip->samples + (size_t)SQT_POSE_BLOCKS(clip->joint_count) * sample;
        for (uint32_t lane = 0; lane < clip->joint_count; ++lane) {
            const sqt_vec3 t = sqt_pose_get(pose, lane).translation;
            if (fabsf(t.x) > largest) largest = fabsf(t.x);
            if (fabsf(t.y) > largest) largest = fabsf(t.y);
            if (fabsf(t.z) > largest) largest = fabsf(t.z);
        }
    }
    const stillness still = {ratio, ratio * (double)largest};
    return still;
}

static bool track_moves(const joint_range *range, uint32_t kind, stillness still) {
    return largest_half_range(range, kind) > (kind == SQT_TRACK_TRANSLATION ? still.translation : still.ratio);
}

/// The tracks of a block: their ranges, which of them move, and the kinds that are stored for all lanes.
typedef struct block_plan {
    joint_range ranges[SQT_POSE_LANES];
    uint32_t moving[SQT_POSE_LANES];
    uint32_t used, kinds;
} block_plan;

static void plan_block(block_plan *plan, const sqt_clip *clip, stillness still, uint32_t block) {
    uint32_t moving_count[SQT_UNIFORM_KINDS] = {0, 0, 0};
    plan->used = sqt_uniform_lanes(clip->joint_count, block);
    plan->kinds = 0;
    for (uint32_t lane = 0; lane < plan->used; ++lane) {
        find_range(plan->ranges + lane, clip, block * SQT_POSE_LANES + lane);
        plan->moving[lane] = 0;
        for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
            if (!track_moves(plan->ranges + lane, sqt_uniform_kinds[k], still)) continue;
            plan->moving[lane] |= sqt_uniform_kinds[k];
            ++moving_count[k];
        }
    }
    for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
        if (moving_count[k] > 0 && 4 * moving_count[k] >= plan->used) plan->kinds |= sqt_uniform_kinds[k];
    }
}

/// Lone tracks of a lane, as bits.
static uint32_t lone_kinds(const block_plan *plan, uint32_t lane) { return plan->moving[lane] & ~plan->kinds; }

// ---- Building

/// How much of everything there is, and where it lies from the first address on that is a multiple of 64.
typedef struct uniform_layout {
    uint64_t value_count, lone_count, block_integers, row_length;
    uint64_t samples, lone_tracks, joints, kinds, bytes; ///< the values are at 0
} uniform_layout;

static void add_block(uniform_layout *layout, const block_plan *plan, uint64_t *lone_integers) {
    layout->value_count += (uint64_t)sqt_uniform_block_value_rows(plan->kinds) * SQT_POSE_LANES;
    layout->block_integers += (uint64_t)sqt_uniform_block_rows(plan->kinds) * SQT_POSE_LANES;
    for (uint32_t lane = 0; lane < plan->used; ++lane) {
        for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
            if (!(lone_kinds(plan, lane) & sqt_uniform_kinds[k])) continue;
            ++layout->lone_count;
            *lone_integers += sqt_uniform_components(sqt_uniform_kinds[k]);
        }
    }
}

static uniform_layout lay_out(const sqt_clip *clip, stillness still) {
    uniform_layout layout = {0};
    uint64_t lone_integers = 0;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(clip->joint_count); ++block) {
        block_plan plan;
        plan_block(&plan, clip, still, block);
        add_block(&layout, &plan, &lone_integers);
    }
    layout.row_length = sqt_uniform_row_length(layout.block_integers, lone_integers);
    layout.samples = layout.value_count * sizeof(float);
    const uint64_t sample_bytes = layout.row_length * row_count(clip->sample_count, clip->flags) * sizeof(int16_t);
    layout.lone_tracks = (layout.samples + sample_bytes + 3) / 4 * 4;
    layout.joints = layout.lone_tracks + layout.lone_count * sizeof(sqt_lone_track);
    layout.kinds = layout.joints + (clip->joints ? clip->joint_count * sizeof(uint16_t) : 0);
    layout.bytes = layout.kinds + SQT_POSE_BLOCKS(clip->joint_count) + ALIGNMENT - 1;
    return layout;
}

static bool is_ratio(float still_ratio) { return still_ratio >= 0.0f && still_ratio <= 1.0f; }

size_t sqt_uniform_clip_bytes(const sqt_clip *clip, float still_ratio) {
    if (!clip || !clip->samples || clip->sample_count == 0 || clip->joint_count > SQT_MAX_JOINTS) return 0;
    if (!is_ratio(still_ratio)) return 0;
    const uint64_t bytes = lay_out(clip, find_stillness(clip, still_ratio)).bytes;
    return bytes > SIZE_MAX / 2 ? 0 : (size_t)bytes;
}

static float snapped(double value) { return fabs(value) < 1e-30 ? 0.0f : (float)value; }

/// The middle of a kind's range: what a track that does not move stands for. The very numbers where there is one sample
/// of them.
static void find_middle(double middle[4], const joint_range *range, uint32_t kind) {
    const uint32_t first = sqt_uniform_first_component(kind), count = sqt_uniform_components(kind);
    double square = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        middle[i] = 0.5 * (range->low[first + i] + range->high[first + i]);
        square += middle[i] * middle[i];
    }
    if (kind != SQT_TRACK_ROTATION || largest_half_range(range, kind) == 0.0) return;
    for (uint32_t i = 0; i < count; ++i) middle[i] /= sqrt(square);
}

/// Offsets and steps of a track that spans `range`. Where it does not move, samples of 0 stand for its middle.
static void fit_track(float offsets[4], float steps[4], const joint_range *range, uint32_t kind, bool moves) {
    const uint32_t first = sqt_uniform_first_component(kind), count = sqt_uniform_components(kind);
    const bool rotation = kind == SQT_TRACK_ROTATION;
    double middle[4];
    find_middle(middle, range, kind);
    memset(steps, 0, 4 * sizeof *steps);
    offsets[3] = 0.0f;
    for (uint32_t i = 0; i < count; ++i) offsets[i] = snapped(middle[i]);
    if (rotation) steps[0] = 1.0f;
    if (!moves) return;
    if (rotation) steps[0] = (float)(largest_half_range(range, kind) / sqt_uniform_range);
    for (uint32_t i = 0; i < count; ++i) {
        if (!rotation) steps[i] = snapped(half_range(range, first + i) / sqt_uniform_range);
        if (rotation) offsets[i] = snapped(0.5 * (range->low[first + i] + range->high[first + i]) / (double)steps[0]);
    }
}

/// The integer that comes nearest to a value.
static int16_t quantize(float value, float offset, float step, bool rotation) {
    if (step == 0.0f) return 0;
    const double steps =
        rotation ? (double)value / (double)step - (double)offset : ((double)value - (double)offset) / (double)step;
    const double nearest = floor(steps / SQT_UNIFORM_ONE + 0.5);
    const double one = SQT_UNIFORM_ONE;
    return (int16_t)(nearest > one ? one : nearest < -one ? -one : nearest);
}

/// Where the integers of a track lie: component i of row r at samples[r * row_length + i * spacing].
typedef struct track_place {
    int16_t *samples;
    uint32_t spacing;
} track_place;

static void write_track(track_place to, const sqt_clip *clip, uint32_t lane, uint32_t kind, const float offsets[4],
                        const float steps[4], uint64_t row_length) {
    const bool rotation = kind == SQT_TRACK_ROTATION;
    float current[COMPONENTS], previous[COMPONENTS];
    for (uint64_t row = 0; row < row_count(clip->sample_count, clip->flags); ++row) {
        load_joint(current, clip, row, lane, row > 0 ? previous : NULL);
        for (uint32_t i = 0; i < sqt_uniform_components(kind); ++i) {
            to.samples[row * row_length + (size_t)i * to.spacing] =
                quantize(current[sqt_uniform_first_component(kind) + i], offsets[i], steps[rotation ? 0 : i], rotation);
        }
        memcpy(previous, current, sizeof previous);
    }
}

/// Where the builder writes next.
typedef struct uniform_cursor {
    float *values;
    int16_t *samples, *lone_samples; ///< in the first row
    sqt_lone_track *lone;
    uint64_t row_length;
} uniform_cursor;

/// What the lanes behind the last joint are.
static const joint_range identity_range = {
    {0, 0, 0, 1, 0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 0, 0, 0, 1, 1, 1}};

/// A kind whose 16 lanes are all in the samples.
static void write_block_kind(uniform_cursor *to, const sqt_clip *clip, uint32_t block, const block_plan *plan,
                             uint32_t kind) {
    const uint32_t count = sqt_uniform_components(kind), step_rows = kind == SQT_TRACK_ROTATION ? 1 : 3;
    for (uint32_t lane = 0; lane < SQT_POSE_LANES; ++lane) {
        const bool moves = lane < plan->used && plan->moving[lane] & kind;
        float offsets[4], steps[4];
        fit_track(offsets, steps, lane < plan->used ? plan->ranges + lane : &identity_range, kind, moves);
        for (uint32_t i = 0; i < count; ++i) to->values[i * SQT_POSE_LANES + lane] = offsets[i];
        for (uint32_t i = 0; i < step_rows; ++i) to->values[(count + i) * SQT_POSE_LANES + lane] = steps[i];
        const track_place place = {to->samples + sqt_uniform_place(lane), SQT_POSE_LANES};
        if (moves) write_track(place, clip, block * SQT_POSE_LANES + lane, kind, offsets, steps, to->row_length);
    }
    to->values += (count + step_rows) * SQT_POSE_LANES;
    to->samples += (size_t)count * SQT_POSE_LANES;
}

/// A kind of which the samples hold nothing.
static void write_constant_kind(uniform_cursor *to, const block_plan *plan, uint32_t kind) {
    const uint32_t count = sqt_uniform_components(kind);
    for (uint32_t lane = 0; lane < SQT_POSE_LANES; ++lane) {
        float offsets[4], steps[4];
        fit_track(offsets, steps, lane < plan->used ? plan->ranges + lane : &identity_range, kind, false);
        for (uint32_t i = 0; i < count; ++i) to->values[i * SQT_POSE_LANES + lane] = offsets[i];
    }
    to->values += count * SQT_POSE_LANES;
}

static void write_lone_tracks(uniform_cursor *to, const sqt_clip *clip, uint32_t block, const block_plan *plan) {
    for (uint32_t lane = 0; lane < plan->used; ++lane) {
        for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
            const uint32_t kind = sqt_uniform_kinds[k], joint = block * SQT_POSE_LANES + lane;
            if (!(lone_kinds(plan, lane) & kind)) continue;
            sqt_lone_track *const track = to->lone++;
            track->lane = (uint16_t)joint;
            track->kind = (uint16_t)kind;
            fit_track(track->offset, track->step, plan->ranges + lane, kind, true);
            const track_place place = {to->lone_samples, 1};
            write_track(place, clip, joint, kind, track->offset, track->step, to->row_length);
            to->lone_samples += sqt_uniform_components(kind);
        }
    }
}

sqt_result sqt_uniform_clip_build(sqt_uniform_clip *uniform, const sqt_skeleton *skeleton, const sqt_clip *clip,
                                  float still_ratio, void *memory, size_t memory_bytes, sqt_fault *fault) {
    if (!uniform) return sqt_fail(fault, SQT_ERROR_NULL, "uniform", 0, 0);
    const sqt_result sound = sqt_clip_validate(clip, skeleton, fault);
    if (sound) return sound;
    if (!memory) return sqt_fail(fault, SQT_ERROR_NULL, "memory", 0, 0);
    if (!is_ratio(still_ratio)) return sqt_fail(fault, SQT_ERROR_NUMBER, "still_ratio", 0, 0);
    const stillness still = find_stillness(clip, still_ratio);
    const uniform_layout at = lay_out(clip, still);
    if (memory_bytes < at.bytes) return sqt_fail(fault, SQT_ERROR_SPACE, "memory_bytes", 0, 0);
    char *const base = (char *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    memset(base, 0, (size_t)at.bytes - (ALIGNMENT - 1));
    int16_t *const samples = (int16_t *)(base + at.samples);
    uint8_t *const kinds = (uint8_t *)(base + at.kinds);
    uint16_t *const joints = clip->joints ? (uint16_t *)(base + at.joints) : NULL;
    uniform_cursor to = {(float *)base, samples, samples + at.block_integers, (sqt_lone_track *)(base + at.lone_tracks),
                         at.row_length};
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(clip->joint_count); ++block) {
        block_plan plan;
        plan_block(&plan, clip, still, block);
        kinds[block] = (uint8_t)plan.kinds;
        for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
            if (plan.kinds & sqt_uniform_kinds[k]) {
                write_block_kind(&to, clip, block, &plan, sqt_uniform_kinds[k]);
            } else {
                write_constant_kind(&to, &plan, sqt_uniform_kinds[k]);
            }
        }
        write_lone_tracks(&to, clip, block, &plan);
    }
    if (joints) memcpy(joints, clip->joints, clip->joint_count * sizeof *joints);
    const sqt_uniform_clip made = {clip->timeline,
                                   clip->authored_speed,
                                   clip->flags,
                                   clip->rig_hash,
                                   clip->sample_count,
                                   clip->joint_count,
                                   joints,
                                   clip->base,
                                   (uint32_t)at.value_count,
                                   (uint32_t)at.lone_count,
                                   (uint32_t)at.row_length,
                                   (uint32_t)at.block_integers,
                                   kinds,
                                   (const float *)base,
                                   (const sqt_lone_track *)(base + at.lone_tracks),
                                   samples};
    *uniform = made;
    return SQT_OK;
}
