// Comparison of two documents of the form that `sqt eval` writes, with the tolerances that the tool promises against
// a double-precision evaluation.
#ifndef EVAL_COMPARE_H
#define EVAL_COMPARE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/// How many numbers (structure: members) were compared.
typedef struct eval_counts {
    uint64_t structure; ///< names, indices, counts, durations, times, inverse bind matrices
    uint64_t local;     ///< numbers of local transforms of nodes that are not given as a matrix
    uint64_t world, skin, position, normal;
} eval_counts;

void eval_counts_add(eval_counts *sum, const eval_counts *counts);
void eval_counts_print(const char *title, const eval_counts *counts);

/// Reads a document of JSON; NULL, with a message, where it is none.
cJSON *eval_parse(const char *text, const char *what);

/// Reads the JSON of a .gltf or .glb file; NULL, with a message, where it is none.
cJSON *eval_read_gltf(const char *path);

/// Compares everything but the samples: file, nodes, skins, prims. False, with a message, where they differ.
bool eval_compare_structure(const cJSON *actual, const cJSON *expected, eval_counts *counts);

/// Compares index, name, duration and every sample of the one clip in `actual` with the expected one.
///
/// @param expected the whole document, whose prims say which vertices are listed.
/// @param gltf     the file's own JSON: local transforms are compared for the nodes that it does not give as a matrix,
///                 whose decomposition is a matter of choice.
bool eval_compare_clip(const cJSON *actual, const cJSON *expected, const cJSON *expected_clip, const cJSON *gltf,
                       eval_counts *counts);

/// Compares the rest poses of two documents.
bool eval_compare_rest(const cJSON *actual, const cJSON *expected, const cJSON *gltf, eval_counts *counts);

#endif
