// Where the numbers of a uniform clip lie in its rows: what builds, checks and samples it agrees on.
#ifndef SQT_SRC_UNIFORM_ROW_H
#define SQT_SRC_UNIFORM_ROW_H

#include "sqt/uniform_clip.h"

enum { SQT_UNIFORM_ONE = 32767, SQT_UNIFORM_KINDS = 3 }; // the weight of a whole sample; the kinds of tracks

/// Rotations have 4 components, translations and scales 3.
static inline uint32_t sqt_uniform_components(uint32_t kind) { return kind == SQT_TRACK_ROTATION ? 4 : 3; }

/// Rows of 16 integers of a block.
static inline uint32_t sqt_uniform_block_rows(uint32_t kinds) {
    return (kinds & SQT_TRACK_ROTATION ? 4u : 0u) + (kinds & SQT_TRACK_TRANSLATION ? 3u : 0u) +
           (kinds & SQT_TRACK_SCALE ? 3u : 0u);
}

/// Rows of 16 floats of a block: constants, or offsets and steps.
static inline uint32_t sqt_uniform_block_value_rows(uint32_t kinds) {
    return (kinds & SQT_TRACK_ROTATION ? 5u : 4u) + (kinds & SQT_TRACK_TRANSLATION ? 6u : 3u) +
           (kinds & SQT_TRACK_SCALE ? 6u : 3u);
}

/// Where a lane lies in a row of 16 integers: 0-3, 8-11, 4-7, 12-15. So the low and the high halves of two such rows,
/// interleaved, are in order of lanes in registers of 4, 8 and 16 floats alike.
static inline uint32_t sqt_uniform_place(uint32_t lane) { return (lane & 3u) | (lane & 4u) << 1 | (lane & 8u) >> 1; }

/// One step of a track that spans -1..1 in samples: the range of v.
static const double sqt_uniform_range = (double)SQT_UNIFORM_ONE * SQT_UNIFORM_ONE;

static const uint32_t sqt_uniform_kinds[SQT_UNIFORM_KINDS] = {SQT_TRACK_ROTATION, SQT_TRACK_TRANSLATION,
                                                              SQT_TRACK_SCALE};

/// Place of a kind's components among the ten of a joint.
static inline uint32_t sqt_uniform_first_component(uint32_t kind) {
    return kind == SQT_TRACK_ROTATION ? 0 : kind == SQT_TRACK_TRANSLATION ? 4 : 7;
}

static inline uint32_t sqt_uniform_intervals(uint32_t sample_count, uint32_t flags) {
    return flags & SQT_CLIP_CYCLIC || sample_count == 0 ? sample_count : sample_count - 1;
}

/// Lanes of a block that hold joints.
static inline uint32_t sqt_uniform_lanes(uint32_t joint_count, uint32_t block) {
    const uint32_t left = joint_count - block * SQT_POSE_LANES;
    return left < SQT_POSE_LANES ? left : SQT_POSE_LANES;
}

/// Integers of a row: it keeps its alignment where it holds blocks.
static inline uint64_t sqt_uniform_row_length(uint64_t block_integers, uint64_t lone_integers) {
    const uint64_t sum = block_integers + lone_integers;
    return block_integers > 0 ? (sum + SQT_POSE_LANES - 1) / SQT_POSE_LANES * SQT_POSE_LANES : sum;
}

#endif
