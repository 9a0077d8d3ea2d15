// An asset in memory, as the tool and the examples use it: a skeleton, key-framed clips, skins and skinned meshes in
// sqt's own views. Two makers fill it: the glTF importer (gltf_import.h) and the embedded character (character.h).
#ifndef ASSET_H
#define ASSET_H

#include "sqt/sqt.h"

#if defined(__GNUC__)
#define ASSET_PRINTF(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define ASSET_PRINTF(text, arguments)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// A node as its source lists it. Every node is a joint of the skeleton, which keeps parents first.
typedef struct asset_node {
    const char *name; ///< NULL where the source has none
    uint32_t parent;  ///< node, in the source's order; SQT_NO_JOINT: a root
    uint16_t joint;   ///< the node's joint in asset.skeleton
} asset_node;

typedef struct asset_clip {
    const char *name; ///< NULL where the source has none
    sqt_channel_clip clip;
} asset_clip;

typedef struct asset_skin {
    const char *name;      ///< NULL where the source has none
    const uint32_t *nodes; ///< [skin.joint_count] the node of each palette entry
    bool has_inverse_bind; ///< whether the source gave matrices (else identity)
    sqt_skin skin;
} asset_skin;

/// A skinned primitive: triangles of one mesh on one skin.
typedef struct asset_prim {
    uint32_t node, mesh, primitive, skin; ///< indices of the source
    uint32_t joint_set_count;             ///< groups of four influences in the source
    uint32_t morph_target_count;          ///< of the source; their displacements are not loaded
    sqt_mesh geometry;                    ///< joint indices index the skin
    const uint32_t *indices;              ///< [index_count] triangles, below geometry.vertex_count
    uint32_t index_count;                 ///< a multiple of 3; 0 where the source draws no triangles
    const char *mesh_name;                ///< NULL where the source has none
} asset_prim;

/// Everything points into memory of the asset, freed as one by asset_free.
typedef struct asset {
    const char *file; ///< name of the source without folders
    sqt_skeleton skeleton;
    asset_node *nodes;
    asset_clip *clips;
    asset_skin *skins;
    asset_prim *prims;
    char **warnings; ///< anything odd that the maker met: one line each
    uint32_t node_count, clip_count, skin_count, prim_count, warning_count;
    void *memory; ///< the maker's list of allocations (asset_alloc)
} asset;

/// Zeroed memory that lives as long as the asset. NULL when none is left, or where count * size overflows. count or
/// size 0 gives a valid pointer.
void *asset_alloc(asset *a, size_t count, size_t size);

/// A copy of a string that lives as long as the asset. NULL for NULL, or when no memory is left.
const char *asset_copy_string(asset *a, const char *string);

/// Warnings kept by an asset; further ones are dropped.
#define ASSET_MAX_WARNINGS 256u

/// Adds a warning, printf-style: one line without control characters.
ASSET_PRINTF(2, 3) void asset_warn(asset *a, const char *format, ...);

/// Replaces control characters by '?', so that text from a file stays on its line of a message.
void asset_one_line(char *text);

/// Frees everything that asset_alloc gave and zeroes the asset.
void asset_free(asset *a);

#ifdef __cplusplus
}
#endif

#endif
