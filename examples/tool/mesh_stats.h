// What can be counted in a skinned mesh: influences, sums of weights, which joints are used.
#ifndef MESH_STATS_H
#define MESH_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "sqt/mesh.h"

typedef struct mesh_stats {
    uint32_t influences_most;   ///< weights above 0 of one vertex, at most
    double influences_average;  ///< and on average
    uint32_t unweighted_count;  ///< vertices whose weights are all 0
    uint32_t unbalanced_count;  ///< other vertices whose weights do not sum to 1 within 1e-3
    double sum_least, sum_most; ///< of the weights of a vertex; 1 and 1 for an empty mesh
} mesh_stats;

/// @param used [mesh->palette_count] in and out: set where a vertex hangs on the joint; nothing is cleared.
/// @param mesh one that sqt_mesh_validate accepts.
mesh_stats mesh_stats_collect(bool *used, const sqt_mesh *mesh);

#endif
