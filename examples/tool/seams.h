// Which clips of an asset may follow which without a blend: where each ends and starts, and how fast.
#ifndef SEAMS_H
#define SEAMS_H

#include "asset.h"

/// The end of one clip against the start of another, or of the same.
typedef struct seam {
    uint32_t from, to;          ///< clips
    sqt_core_distance distance; ///< of all joints in model space
    float velocity_limit;       ///< 20% of the size a second, or 1.25 times the largest change inside either clip
    bool joins;                 ///< no joint is further away than the limit, and none changes its velocity more
} seam;

typedef struct seams {
    seam *list;           ///< each clip with each, additive ones left out
    uint32_t count;       ///< a square
    float position_limit; ///< 1% of the size of the rest pose: the diagonal of the box around its joints
} seams;

/// Velocities are one-sided differences, (3 p(0) - 4 p(h) + p(2 h)) / -2 h, over steps h from one key to the next, 1/60,
/// 1/120 and 1/240 s (or half of a shorter clip); of the four distances the least counts. Changes of velocity inside a
/// clip are those from key to key: a coarsely keyed loop is as rough at its seam as elsewhere. False where memory runs
/// out.
bool seams_collect(seams *s, asset *a);

#endif
