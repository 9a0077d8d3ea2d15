// Reads .gltf and .glb files into an asset. The file is not trusted: whatever it holds, the result is either an asset
// that every `_validate` function of sqt accepts, or one line that says what is wrong and where.
//
// The whole node tree of the file is the skeleton, whatever its scenes list; joints come parents first, and asset.nodes
// keeps the file's order. Rotations are normalised in double precision, in the rest pose and in keys (tangents are left
// as they are). Left out, with a warning where it matters: morph targets, meshes without a skin, images, materials,
// cameras, extensions that do not change geometry.
#ifndef GLTF_IMPORT_H
#define GLTF_IMPORT_H

#include "asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Files, and external buffers, larger than this are refused.
#define GLTF_MAX_FILE_BYTES ((size_t)1 << 30)

/// Reads a file. External buffers are looked for in its folder and below it, and nowhere else.
///
/// @param a     out, to be freed by asset_free; on failure zeroed.
/// @param error [error_bytes] out, on failure: one line that begins with the path. NULL: not wanted.
bool gltf_import(asset *a, const char *path, char *error, size_t error_bytes);

/// Reads a file's bytes from memory; the line of an error begins with "memory".
///
/// @param data   [bytes]; not kept.
/// @param folder where external buffers are; NULL: the file may have none.
bool gltf_import_memory(asset *a, const void *data, size_t bytes, const char *folder, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
