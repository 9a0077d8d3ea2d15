// What the glTF target tells the mutator of fuzz_gltf_json.
#ifndef FUZZ_GLTF_H
#define FUZZ_GLTF_H

#include <stddef.h>
#include <stdint.h>

/// Called with each input that became an asset with clips and skinned primitives. NULL: nobody asks.
extern void (*fuzz_gltf_on_asset)(const uint8_t *data, size_t bytes);

#endif
