#include "simd/isa.h"

#include "sqt/uniform_clip.h"

#include <float.h>
#include <math.h>

#include "affine.h"
#include "base_pose.h"
#include "fault.h"
#include "pose_lanes.h"
#include "quat.h"
#include "simd/kernels.h"
#include "sqt/blend.h"
#include "uniform_row.h"

enum { CLIP_FLAGS = SQT_CLIP_CYCLIC | SQT_CLIP_DIFFERENCE, COMPONENTS = 10, ALIGNMENT = 64 };

/// One step of a track that spans -1..1 in samples: the range of v.
static const double whole_range = (double)SQT_UNIFORM_ONE * SQT_UNIFORM_ONE;

static const uint32_t all_kinds[SQT_UNIFORM_KINDS] = {SQT_TRACK_ROTATION, SQT_TRACK_TRANSLATION, SQT_TRACK_SCALE};

/// Place of a kind's components among the ten of a joint.
static uint32_t first_component(uint32_t kind) {
    return kind == SQT_TRACK_ROTATION ? 0 : kind == SQT_TRACK_TRANSLATION ? 4 : 7;
}

static uint32_t interval_count(uint32_t sample_count, uint32_t flags) {
    return flags & SQT_CLIP_CYCLIC || sample_count == 0 ? sample_count : sample_count - 1;
}

/// Rows of samples: a cyclic clip has its first once more.
static uint64_t row_count(uint32_t sample_count, uint32_t flags) {
    return (uint64_t)sample_count + (flags & SQT_CLIP_CYCLIC ? 1 : 0);
}

static double larger(double a, double b) { return a > b ? a : b; }

static uint32_t lanes_used(uint32_t joint_count, uint32_t block) {
    const uint32_t left = joint_count - block * SQT_POSE_LANES;
    return left < SQT_POSE_LANES ? left : SQT_POSE_LANES;
}

/// Rows keep their alignment where they hold blocks.
static uint64_t padded_row(uint64_t block_integers, uint64_t lone_integers) {
    const uint64_t sum = block_integers + lone_integers;
    return block_integers > 0 ? (sum + SQT_POSE_LANES - 1) / SQT_POSE_LANES * SQT_POSE_LANES : sum;
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
        const double half = half_range(range, first_component(kind) + i);
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
    plan->used = lanes_used(clip->joint_count, block);
    plan->kinds = 0;
    for (uint32_t lane = 0; lane < plan->used; ++lane) {
        find_range(plan->ranges + lane, clip, block * SQT_POSE_LANES + lane);
        plan->moving[lane] = 0;
        for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
            if (!track_moves(plan->ranges + lane, all_kinds[k], still)) continue;
            plan->moving[lane] |= all_kinds[k];
            ++moving_count[k];
        }
    }
    for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
        if (moving_count[k] > 0 && 4 * moving_count[k] >= plan->used) plan->kinds |= all_kinds[k];
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
            if (!(lone_kinds(plan, lane) & all_kinds[k])) continue;
            ++layout->lone_count;
            *lone_integers += sqt_uniform_components(all_kinds[k]);
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
    layout.row_length = padded_row(layout.block_integers, lone_integers);
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
    const uint32_t first = first_component(kind), count = sqt_uniform_components(kind);
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
    const uint32_t first = first_component(kind), count = sqt_uniform_components(kind);
    const bool rotation = kind == SQT_TRACK_ROTATION;
    double middle[4];
    find_middle(middle, range, kind);
    memset(steps, 0, 4 * sizeof *steps);
    offsets[3] = 0.0f;
    for (uint32_t i = 0; i < count; ++i) offsets[i] = snapped(middle[i]);
    if (rotation) steps[0] = 1.0f;
    if (!moves) return;
    if (rotation) steps[0] = (float)(largest_half_range(range, kind) / whole_range);
    for (uint32_t i = 0; i < count; ++i) {
        if (!rotation) steps[i] = snapped(half_range(range, first + i) / whole_range);
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
                quantize(current[first_component(kind) + i], offsets[i], steps[rotation ? 0 : i], rotation);
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
            const uint32_t kind = all_kinds[k], joint = block * SQT_POSE_LANES + lane;
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
            if (plan.kinds & all_kinds[k]) {
                write_block_kind(&to, clip, block, &plan, all_kinds[k]);
            } else {
                write_constant_kind(&to, &plan, all_kinds[k]);
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

// ---- Validation

static sqt_result validate_counts(const sqt_uniform_clip *uniform, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (uniform->sample_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "sample_count", 0, 0);
    if (uniform->joint_count > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    if (uniform->joints) {
        return sqt_joint_list_validate(uniform->joints, uniform->joint_count, sqt_rig_joint_count(skeleton), "joints",
                                       fault);
    }
    if (uniform->joint_count < skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    return SQT_OK;
}

/// True where offset + v step, v as large as it can be, is a number that rotations and vectors can be made of.
static bool fits(float offset, float step, bool rotation) {
    if (!sqt_finite(offset) || !sqt_finite(step)) return false;
    if (rotation) return fabsf(offset) <= 1e18f && step >= 0.0f && step <= 1.0f;
    return fabs((double)offset) + fabs((double)step) * 1.0001 * whole_range <= (double)FLT_MAX;
}

/// Rows of offsets and steps, or constants, of one kind; `at` is the place of the first. Moves it on.
static sqt_result validate_kind(const sqt_uniform_clip *uniform, uint32_t kind, bool stored, uint32_t *at,
                                sqt_fault *fault) {
    const bool rotation = kind == SQT_TRACK_ROTATION;
    const uint32_t count = sqt_uniform_components(kind), first = *at;
    const float *const values = uniform->block_values + first;
    for (uint32_t lane = 0; lane < SQT_POSE_LANES; ++lane) {
        double square = 0.0;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t place = i * SQT_POSE_LANES + lane;
            const float step = stored ? values[(rotation ? count : count + i) * SQT_POSE_LANES + lane] : 0.0f;
            square += (double)values[place] * (double)values[place];
            if (!fits(values[place], step, rotation)) {
                return sqt_fail(fault, SQT_ERROR_NUMBER, "block_values", first + place, 0);
            }
        }
        if (rotation && !stored && !(square >= 0.999 * 0.999 && square <= 1.001 * 1.001)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "block_values", first + lane, 0);
        }
    }
    *at += (count + (!stored ? 0u : rotation ? 1u : 3u)) * SQT_POSE_LANES;
    return SQT_OK;
}

static sqt_result validate_blocks(const sqt_uniform_clip *uniform, sqt_fault *fault) {
    uint64_t value_count = 0;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        if (uniform->block_kinds[block] > 7) return sqt_fail(fault, SQT_ERROR_FLAG, "block_kinds", block, 0);
        value_count += (uint64_t)sqt_uniform_block_value_rows(uniform->block_kinds[block]) * SQT_POSE_LANES;
    }
    if (value_count != uniform->block_value_count) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "block_value_count", 0, 0);
    }
    uint32_t at = 0;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
            const bool stored = (uniform->block_kinds[block] & all_kinds[k]) != 0;
            const sqt_result result = validate_kind(uniform, all_kinds[k], stored, &at, fault);
            if (result) return result;
        }
    }
    return SQT_OK;
}

static sqt_result validate_lone(const sqt_uniform_clip *uniform, uint32_t index, sqt_fault *fault) {
    const sqt_lone_track *const track = uniform->lone_tracks + index;
    const bool rotation = track->kind == SQT_TRACK_ROTATION;
    if (!rotation && track->kind != SQT_TRACK_TRANSLATION && track->kind != SQT_TRACK_SCALE) {
        return sqt_fail(fault, SQT_ERROR_FLAG, "lone_tracks.kind", index, 0);
    }
    if (track->lane >= uniform->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "lone_tracks.lane", index, 0);
    const bool ascends =
        index == 0 || track[-1].lane < track->lane || (track[-1].lane == track->lane && track[-1].kind < track->kind);
    if (!ascends || uniform->block_kinds[track->lane / SQT_POSE_LANES] & track->kind) {
        return sqt_fail(fault, SQT_ERROR_ORDER, "lone_tracks.lane", index, 0);
    }
    for (uint32_t i = 0; i < sqt_uniform_components(track->kind); ++i) {
        if (!fits(track->offset[i], track->step[rotation ? 0 : i], rotation)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "lone_tracks", index, i);
        }
    }
    return SQT_OK;
}

/// Integers of a row before the lone tracks'.
static size_t block_integers(const sqt_uniform_clip *uniform) {
    size_t rows = 0;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        rows += sqt_uniform_block_rows(uniform->block_kinds[block]);
    }
    return rows * SQT_POSE_LANES;
}

static sqt_result validate_lone_tracks(const sqt_uniform_clip *uniform, sqt_fault *fault) {
    if (uniform->lone_track_count > (uint64_t)uniform->joint_count * SQT_UNIFORM_KINDS) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "lone_track_count", 0, 0);
    }
    uint64_t lone_integers = 0;
    for (uint32_t i = 0; i < uniform->lone_track_count; ++i) {
        const sqt_result result = validate_lone(uniform, i, fault);
        if (result) return result;
        lone_integers += sqt_uniform_components(uniform->lone_tracks[i].kind);
    }
    if (uniform->lone_first != block_integers(uniform)) return sqt_fail(fault, SQT_ERROR_COUNT, "lone_first", 0, 0);
    const bool fits_row = uniform->row_length == padded_row(block_integers(uniform), lone_integers);
    return fits_row ? SQT_OK : sqt_fail(fault, SQT_ERROR_COUNT, "row_length", 0, 0);
}

sqt_result sqt_uniform_clip_validate(const sqt_uniform_clip *uniform, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (!uniform) return sqt_fail(fault, SQT_ERROR_NULL, "uniform", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (!uniform->block_kinds) return sqt_fail(fault, SQT_ERROR_NULL, "block_kinds", 0, 0);
    if (!uniform->block_values) return sqt_fail(fault, SQT_ERROR_NULL, "block_values", 0, 0);
    if (!uniform->lone_tracks && uniform->lone_track_count > 0) {
        return sqt_fail(fault, SQT_ERROR_NULL, "lone_tracks", 0, 0);
    }
    if (!uniform->samples) return sqt_fail(fault, SQT_ERROR_NULL, "samples", 0, 0);
    if (uniform->flags & ~(uint32_t)CLIP_FLAGS) return sqt_fail(fault, SQT_ERROR_FLAG, "flags", 0, 0);
    sqt_result result =
        sqt_play_validate(skeleton, &uniform->timeline, uniform->authored_speed, uniform->rig_hash, fault);
    if (result == SQT_OK) result = validate_counts(uniform, skeleton, fault);
    if (result == SQT_OK) result = sqt_base_pose_validate(skeleton, &uniform->base, fault);
    if (result == SQT_OK) result = validate_blocks(uniform, fault);
    if (result == SQT_OK) result = validate_lone_tracks(uniform, fault);
    return result;
}

// ---- Sampling

static sqt_uniform_job find_job(const sqt_uniform_clip *uniform, double seconds) {
    const uint32_t intervals = interval_count(uniform->sample_count, uniform->flags);
    const sqt_moment at = sqt_play_moment(&uniform->timeline, intervals, seconds);
    const int16_t *const a = uniform->samples + (size_t)uniform->row_length * at.index;
    const int16_t *const b = at.index < intervals ? a + uniform->row_length : a; // a clip of one sample has no other
    const sqt_uniform_job job = {
        uniform->block_kinds, uniform->block_values, a, b, (uint32_t)(at.u * SQT_UNIFORM_ONE + 0.5f), at.u};
    return job;
}

/// offset + v of a lone track.
static float lone_mix(const sqt_lone_track *track, uint32_t i, const int16_t *a, const int16_t *b, uint32_t share) {
    const int32_t wb = (int32_t)share, wa = SQT_UNIFORM_ONE - wb;
    return (float)(a[i] * wa + b[i] * wb) + track->offset[i];
}

static sqt_quat lone_rotation(const sqt_lone_track *track, const int16_t *a, const int16_t *b, uint32_t share) {
    const sqt_quat q = {lone_mix(track, 0, a, b, share), lone_mix(track, 1, a, b, share),
                        lone_mix(track, 2, a, b, share), lone_mix(track, 3, a, b, share)};
    const float square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
    const bool tiny = square < 1e-30f;
    const float k = 1.0f / sqrtf(tiny ? 1.0f : square);
    const sqt_quat unit = {q.x * k, q.y * k, q.z * k, (tiny ? 1.0f : q.w) * k};
    return unit;
}

static void sample_lone_track(sqt_pose_block *pose, uint32_t joint, const sqt_lone_track *track, const int16_t *a,
                              const int16_t *b, const sqt_uniform_job *job, bool slerp) {
    sqt_pose_block *const block = pose + joint / SQT_POSE_LANES;
    const uint32_t lane = joint % SQT_POSE_LANES;
    if (track->kind == SQT_TRACK_ROTATION) {
        const sqt_quat q =
            slerp ? sqt_quat_slerp(lone_rotation(track, a, b, 0), lone_rotation(track, a, b, SQT_UNIFORM_ONE), job->t)
                  : lone_rotation(track, a, b, job->share);
        block->rx[lane] = q.x, block->ry[lane] = q.y, block->rz[lane] = q.z, block->rw[lane] = q.w;
        return;
    }
    const int32_t wb = (int32_t)job->share, wa = SQT_UNIFORM_ONE - wb;
    float *const rows = (float *)block + first_component(track->kind) * SQT_POSE_LANES + lane;
    for (uint32_t i = 0; i < 3; ++i) {
        rows[i * SQT_POSE_LANES] = track->offset[i] + (float)(a[i] * wa + b[i] * wb) * track->step[i];
    }
}

static void sample_lone_tracks(sqt_pose_block *pose, uint32_t joint_count, const sqt_uniform_clip *uniform,
                               const sqt_uniform_job *job, bool slerp) {
    const int16_t *a = job->a + uniform->lone_first, *b = job->b + uniform->lone_first;
    for (uint32_t i = 0; i < uniform->lone_track_count; ++i) {
        const sqt_lone_track *const track = uniform->lone_tracks + i;
        const uint32_t joint = uniform->joints ? uniform->joints[track->lane] : track->lane;
        if (joint >= joint_count) return; // ascending: a level of detail has none of the rest
        sample_lone_track(pose, joint, track, a, b, job, slerp);
        a += sqt_uniform_components(track->kind);
        b += sqt_uniform_components(track->kind);
    }
}

static void sample_listed(sqt_pose_block *pose, uint32_t joint_count, const sqt_uniform_clip *uniform,
                          const sqt_uniform_job *job, bool slerp) {
    sqt_uniform_job part = *job;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        const uint32_t lanes = lanes_used(uniform->joint_count, block), kinds = uniform->block_kinds[block];
        const uint16_t *const joints = uniform->joints + block * SQT_POSE_LANES;
        sqt_pose_block mixed;
        if (joints[0] >= joint_count) return;
        sqt_kernels_current()->uniform(&mixed, &part, lanes, slerp);
        for (uint32_t k = 0; k < lanes; ++k) {
            if (joints[k] < joint_count) sqt_pose_copy_joint(pose, joints[k], &mixed, k);
        }
        part.kinds += 1;
        part.values += sqt_uniform_block_value_rows(kinds) * SQT_POSE_LANES;
        part.a += sqt_uniform_block_rows(kinds) * SQT_POSE_LANES;
        part.b += sqt_uniform_block_rows(kinds) * SQT_POSE_LANES;
    }
}

sqt_result sqt_uniform_clip_sample(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_uniform_clip *uniform,
                                   double seconds, uint32_t flags) {
    if (!pose || !skeleton || !uniform || !uniform->samples) return SQT_ERROR_NULL;
    if (!uniform->block_kinds || !uniform->block_values) return SQT_ERROR_NULL;
    if (!uniform->lone_tracks && uniform->lone_track_count > 0) return SQT_ERROR_NULL;
    if (flags & ~(uint32_t)SQT_SLERP || uniform->flags & ~(uint32_t)CLIP_FLAGS) return SQT_ERROR_FLAG;
    const sqt_result playable = sqt_play_check(skeleton, &uniform->timeline, uniform->rig_hash, seconds);
    if (playable) return playable;
    if (uniform->sample_count == 0 || uniform->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    const bool slerp = (flags & SQT_SLERP) != 0;
    if (uniform->joints) {
        const sqt_result based = sqt_base_pose_check(skeleton, &uniform->base, uniform->flags);
        if (based) return based;
    } else if (uniform->joint_count < skeleton->joint_count) {
        return SQT_ERROR_COUNT;
    }
    const sqt_uniform_job job = find_job(uniform, seconds);
    if (uniform->joints) {
        sqt_base_pose_fill(pose, skeleton, &uniform->base, uniform->flags);
        sample_listed(pose, skeleton->joint_count, uniform, &job, slerp);
    } else {
        sqt_kernels_current()->uniform(pose, &job, skeleton->joint_count, slerp);
    }
    sample_lone_tracks(pose, skeleton->joint_count, uniform, &job, slerp);
    return SQT_OK;
}

// ---- The error

/// Both clips' poses and global transforms.
typedef struct error_scratch {
    sqt_pose_block *poses[2];
    sqt_affine *globals[2];
} error_scratch;

size_t sqt_uniform_clip_error_bytes(const sqt_skeleton *skeleton) {
    if (!skeleton || skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return 0;
    const size_t joint_count = skeleton->joint_count;
    return 2 * (joint_count * sizeof(sqt_affine) + SQT_POSE_BLOCKS(joint_count) * sizeof(sqt_pose_block)) + ALIGNMENT -
           1;
}

static double distance(const double *a, const double *b) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(sqt_dot_double(d, d));
}

static void raise(float *largest, double value) {
    if (value > (double)*largest) *largest = (float)value;
}

/// The angle between two rotations: twice that of their quaternions, by its tangent, which small angles keep.
static double angle_between(sqt_quat a, sqt_quat b) {
    const sqt_quat d = sqt_quat_multiply(sqt_quat_conjugate(a), b);
    const double sine = sqrt((double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z);
    return 2.0 * (double)sqt_atan2((float)sine, fabsf(d.w));
}

static void compare_local(sqt_clip_error *error, sqt_transform a, sqt_transform b) {
    const double ta[3] = {(double)a.translation.x, (double)a.translation.y, (double)a.translation.z};
    const double tb[3] = {(double)b.translation.x, (double)b.translation.y, (double)b.translation.z};
    raise(&error->rotation_radians, angle_between(a.rotation, b.rotation));
    raise(&error->translation, distance(ta, tb));
    raise(&error->scale, fabs((double)a.scale.x - (double)b.scale.x));
    raise(&error->scale, fabs((double)a.scale.y - (double)b.scale.y));
    raise(&error->scale, fabs((double)a.scale.z - (double)b.scale.z));
}

/// The largest distance of a joint's origin and of the points on its axes.
static double compare_global(const sqt_affine *a, const sqt_affine *b, double shell_distance) {
    double largest = distance(a->m + 9, b->m + 9);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        double pa[3], pb[3];
        for (uint32_t i = 0; i < 3; ++i) {
            pa[i] = a->m[9 + i] + shell_distance * a->m[3 * axis + i];
            pb[i] = b->m[9 + i] + shell_distance * b->m[3 * axis + i];
        }
        largest = larger(largest, distance(pa, pb));
    }
    return largest;
}

static void compare_poses(sqt_clip_error *error, const sqt_skeleton *skeleton, const error_scratch *scratch,
                          double shell_distance, double seconds) {
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        sqt_transform local[2];
        for (uint32_t k = 0; k < 2; ++k) {
            local[k] = sqt_pose_get(scratch->poses[k], j);
            const sqt_affine affine = sqt_affine_from_transform(local[k]);
            scratch->globals[k][j] =
                parent == SQT_NO_JOINT ? affine : sqt_affine_multiply(scratch->globals[k][parent], affine);
        }
        compare_local(error, local[0], local[1]);
        const double far = compare_global(scratch->globals[0] + j, scratch->globals[1] + j, shell_distance);
        if (far > (double)error->distance) {
            error->joint = j;
            error->seconds = seconds;
        }
        raise(&error->distance, far);
    }
}

/// Parts of an interval. Near its ends, where the error of one sample counts whole, the time is rounded to w by half of
/// 1/32767 down and up: in between, linear quantities are no worse. The middle is where rotations bend.
enum { MOMENTS = 6 };
static const double moments[MOMENTS] = {0.0, 0.49 / 32767.0,       0.51 / 32767.0,
                                        0.5, 1.0 - 0.51 / 32767.0, 1.0 - 0.49 / 32767.0};

/// Both clips' poses at an instant, on the rest pose where they are differences.
static sqt_result sample_both(const error_scratch *scratch, const sqt_skeleton *skeleton, const sqt_clip *clip,
                              const sqt_uniform_clip *uniform, double seconds, uint32_t flags) {
    sqt_result result = sqt_clip_sample(scratch->poses[0], skeleton, clip, seconds, flags);
    if (result == SQT_OK) result = sqt_uniform_clip_sample(scratch->poses[1], skeleton, uniform, seconds, flags);
    for (uint32_t k = 0; k < 2 && result == SQT_OK && clip->flags & SQT_CLIP_DIFFERENCE; ++k) {
        result = sqt_blend_add(scratch->poses[k], skeleton, skeleton->rest, scratch->poses[k], NULL, 1.0f, 0);
    }
    return result;
}

sqt_result sqt_uniform_clip_error(sqt_clip_error *error, const sqt_skeleton *skeleton, const sqt_clip *clip,
                                  const sqt_uniform_clip *uniform, float shell_distance, uint32_t flags, void *memory,
                                  size_t memory_bytes) {
    if (!error || !skeleton || !skeleton->parents || !clip || !uniform || !memory) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (clip->sample_count != uniform->sample_count || clip->flags != uniform->flags) return SQT_ERROR_COUNT;
    if (!sqt_finite(shell_distance) || shell_distance < 0.0f) return SQT_ERROR_NUMBER;
    if (memory_bytes < sqt_uniform_clip_error_bytes(skeleton)) return SQT_ERROR_SPACE;
    char *const base = (char *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    const size_t blocks = SQT_POSE_BLOCKS(skeleton->joint_count);
    sqt_pose_block *const poses = (sqt_pose_block *)base;
    sqt_affine *const globals = (sqt_affine *)(poses + 2 * blocks);
    const error_scratch scratch = {{poses, poses + blocks}, {globals, globals + skeleton->joint_count}};
    // Clamped, so that the last instant is not the first.
    sqt_clip exact = *clip;
    sqt_uniform_clip lossy = *uniform;
    exact.timeline.loop = lossy.timeline.loop = SQT_LOOP_CLAMP;
    const uint32_t intervals = interval_count(clip->sample_count, clip->flags);
    sqt_clip_error found = {0};
    for (uint64_t i = 0; i <= MOMENTS * (uint64_t)intervals; ++i) {
        const uint32_t index = (uint32_t)(i / MOMENTS);
        const double u = moments[i % MOMENTS];
        const double from = sqt_clip_sample_seconds(&exact, index), to = sqt_clip_sample_seconds(&exact, index + 1);
        const double seconds = u == 0.0 ? from : from + (to - from) * u;
        const sqt_result result = sample_both(&scratch, skeleton, &exact, &lossy, seconds, flags);
        if (result) return result;
        compare_poses(&found, skeleton, &scratch, (double)shell_distance, seconds);
    }
    *error = found;
    return SQT_OK;
}
