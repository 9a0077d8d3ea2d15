// Random valid glTF files: every layout that the format allows for skeletons, skins, clips and skinned meshes, with
// nothing in them whose value is a matter of choice.
#ifndef GLTF_RANDOM_H
#define GLTF_RANDOM_H

#include <stdint.h>

enum { GLTF_RANDOM_MAX_CLIPS = 3, GLTF_RANDOM_MAX_TIMES = 8 };

/// What a made file holds.
typedef struct gltf_random {
    char path[1024];
    uint32_t node_count, clip_count, skin_count;
    uint32_t time_counts[GLTF_RANDOM_MAX_CLIPS]; ///< instants worth a look in a clip
    float times[GLTF_RANDOM_MAX_CLIPS][GLTF_RANDOM_MAX_TIMES];
} gltf_random;

/// Writes the file of a seed into a folder: NUMBER.gltf or NUMBER.glb, perhaps with .bin files beside it.
///
/// @param seed the same seed gives the same bytes on every machine; not 0.
void gltf_random_write(gltf_random *made, const char *folder, uint64_t seed);

/// Removes what gltf_random_write wrote.
void gltf_random_remove(const gltf_random *made);

#endif
