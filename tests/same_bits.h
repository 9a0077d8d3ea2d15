// The same-bits test: every stage of a frame over whole clips, hashed, with every instruction set, with denormals and
// without. A plain program: no test framework, no glTF, no mathematics but sqt's, so that it runs wherever sqt does.
//
// same_bits.c        what is run and compared, and the modes
// same_bits_input.c  what the stages read, made of an asset once
// same_bits_stages.c the stages: a new one is a function and a line of the table
// same_bits_raw.c    assets as raw numbers in a file, so that every build reads the same floats
// same_bits_import.c writes such files of glTF files; built where the importer is
// same_bits_golden.h the hashes of the embedded character, written by `same_bits --golden`
// same_bits.sh       builds and runs all of it with other compilers, flags and machines
//
// Its own arithmetic never adds to a product, so that no flag can fuse it.
#ifndef SAME_BITS_H
#define SAME_BITS_H

#include <stdio.h>

#include "asset.h"

// ---- Hashes

/// FNV-1a over 32-bit words, folded.
typedef struct digest {
    uint64_t hash, bytes;
    uint64_t nan_count;     ///< NaNs met; every one is hashed as the same word, whatever its sign and payload
    uint32_t failure_count; ///< calls that should have succeeded
    FILE *dump;             ///< where the words go as well; NULL: nowhere
} digest;

void digest_floats(digest *to, const void *floats, size_t bytes);
void digest_expect(digest *to, sqt_result result);

// ---- Inputs

enum {
    SAME_BITS_AS_STORED,  ///< the keys of a clip
    SAME_BITS_AS_STEPS,   ///< held
    SAME_BITS_AS_LINES,   ///< linear
    SAME_BITS_AS_SPLINES, ///< cubic, the neighbouring keys as tangents
    SAME_BITS_AS_ANGLES,  ///< x, y and z of rotations as Euler angles, linear
    SAME_BITS_REREAD_COUNT
};

/// Characters that go together: more than the lanes of any set.
enum { SAME_BITS_CROWD = 21 };

/// A moment of a clip.
typedef struct same_bits_frame {
    uint32_t clip;
    double seconds;
} same_bits_frame;

/// A mesh in the order in which skinning is fastest.
typedef struct same_bits_grouped {
    sqt_mesh mesh;
    sqt_mesh_groups groups;
} same_bits_grouped;

/// What the stages read. All of it is made by the scalar kernels, so that a stage that differs differs by itself.
typedef struct same_bits_input {
    asset *a;
    uint32_t block_count; ///< of a pose
    uint32_t extreme_count;

    const sqt_channel_clip *reread[SAME_BITS_REREAD_COUNT]; ///< [a->clip_count] each
    sqt_clip *baked;                                        ///< [a->clip_count] every joint
    sqt_clip *listed;                                       ///< [a->clip_count] every third joint
    sqt_uniform_clip *uniform, *uniform_listed;             ///< [a->clip_count] the same in 16 bits

    same_bits_frame *frames; ///< [frame_count] through every clip, and beyond both of its ends
    uint32_t frame_count;
    uint32_t pose_count;   ///< frame_count; 1, the rest pose, where there are no clips
    sqt_pose_block *poses; ///< [pose_count][block_count]
    float *mask;           ///< [joint_count]
    sqt_mat4 *globals;     ///< [pose_count][joint_count]

    uint32_t skinned_count;     ///< poses in which meshes are skinned
    uint32_t palette_count;     ///< skin matrices of all skins together
    sqt_mat4 *palettes;         ///< [skinned_count][palette_count] skin after skin
    uint32_t *palette_offsets;  ///< [a->skin_count] where the skin's begin
    same_bits_grouped *grouped; ///< [a->prim_count]

    sqt_pose_block *extreme_poses; ///< [extreme_count][block_count] finite numbers of every magnitude
    sqt_mat4 *extreme_matrices;    ///< [extreme_count][palette_count] affine

    // Written by the stages.
    sqt_pose_block *pose, *samples;
    sqt_mat4 *matrices;
    sqt_mat4 *crowd;      ///< [SAME_BITS_CROWD][joint_count]
    sqt_mat4 *palettes_4; ///< [SAME_BITS_CROWD][palette_count], and 3x4
    sqt_mat3x4 *palettes_3;
    void *many_memory;
    size_t many_bytes;
    sqt_mat3x4 *rows;
    sqt_transform *transforms;
    sqt_inertial_block *offsets;
    float *positions, *normals, *tangents;
    uint32_t *cursors;
} same_bits_input;

/// Fills `in` from an asset, in memory of the asset. Ends the program where memory runs out or a call fails.
void same_bits_prepare(same_bits_input *in, asset *a);

// ---- Raw files

/// False, with a line on stderr, where the file cannot be written.
bool same_bits_write(asset *a, const char *path);

/// False, with a line on stderr, where the file cannot be read or holds no asset. Free it with asset_free.
bool same_bits_read(asset *a, const char *path);

// ---- Stages

typedef struct same_bits_stage {
    const char *name;
    void (*run)(digest *to, const same_bits_input *in);
    bool
        extreme; ///< denormals matter, and numbers may overflow: flush-to-zero and NaN are allowed to make a difference
} same_bits_stage;

/// In the order of a frame, ended by a stage without name.
extern const same_bits_stage same_bits_stages[];

#endif
