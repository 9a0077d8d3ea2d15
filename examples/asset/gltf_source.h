// What is done to a glTF file's bytes before a parser may see them: the GLB container, JSON nesting, URIs, base64.
// Nothing here allocates. Every function takes bytes as they come and returns NULL or what is wrong with them.
#ifndef GLTF_SOURCE_H
#define GLTF_SOURCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gltf_span {
    const unsigned char *data;
    size_t size;
} gltf_span;

/// JSON nests no deeper than this: parsers that recurse have crashed on 20,000 brackets.
#define GLTF_MAX_NESTING 64u

/// Values in a JSON text: each takes a parser tens of bytes, whatever it takes in the file.
#define GLTF_MAX_VALUES (8u << 20)

/// Finds the JSON text and the binary chunk (size 0: none) of a .glb file; a file without its magic is all JSON.
/// Source: glTF 2.0, section 4.4 "Binary glTF Layout".
const char *gltf_split(gltf_span file, gltf_span *json, gltf_span *binary);

/// Refuses text that nests past GLTF_MAX_NESTING or holds more than GLTF_MAX_VALUES values. It does not check syntax.
const char *gltf_check_nesting(gltf_span json);

/// Turns the URI of an external file into a relative path: percent-decoded, no scheme, below the file's own folder.
///
/// @param path [strlen(uri) + 1] out.
const char *gltf_path_from_uri(char *path, const char *uri);

/// Finds the base64 text of a data URI.
/// Source: RFC 2397.
const char *gltf_data_uri(gltf_span *base64, const char *uri, size_t uri_length);

/// Decodes base64 with or without padding.
///
/// @param bytes [base64.size / 4 * 3 + 3] out.
/// @param size  out: bytes written.
/// Source: RFC 4648, section 4.
const char *gltf_decode_base64(unsigned char *bytes, size_t *size, gltf_span base64);

#ifdef __cplusplus
}
#endif

#endif
