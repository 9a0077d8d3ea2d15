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

#endif
