// What the fuzz targets share: numbers and arrays from the bytes of an input, heap blocks of exactly the size that is
// asked for, so that AddressSanitizer sees any byte too far, and the checks of what the headers promise.
//
// An input that has run out goes on with zeros, and zeros always mean the harmless choice: the empty input is a valid
// skeleton, clip, mesh or skin, and every byte more takes it further away from that.
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "sqt/sqt.h"

/// Magnitude up to which base.h promises finite results.
#define FUZZ_LARGEST 1e15f

typedef struct fuzz_input {
    const uint8_t *data;
    size_t bytes;  ///< left
    void **blocks; ///< [block_capacity] heap memory, freed by fuzz_end
    size_t block_count, block_capacity;
    uint32_t random; ///< state of fuzz_random
} fuzz_input;

/// The entry point of every target, called by libFuzzer or by fuzz_replay.c.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/// Stops with a message unless a promise holds.
#define FUZZ_REQUIRE(condition) fuzz_require((condition), #condition, __FILE__, __LINE__)
void fuzz_require(bool holds, const char *what, const char *file, int line);

fuzz_input fuzz_begin(const uint8_t *data, size_t bytes);
void fuzz_end(fuzz_input *in);

/// An uninitialised heap block of exactly so many bytes, filled with 0xFF; bytes 0 is a block of none.
void *fuzz_block(fuzz_input *in, size_t bytes);
#define FUZZ_ARRAY(in, type, count) ((type *)fuzz_block((in), (size_t)(count) * sizeof(type)))

/// The same with `shift` bytes in front, so that the array is not aligned; its end is the end of the block.
void *fuzz_shifted_block(fuzz_input *in, size_t bytes, size_t shift);

uint8_t fuzz_u8(fuzz_input *in);
uint16_t fuzz_u16(fuzz_input *in);
uint32_t fuzz_u32(fuzz_input *in);

/// Below a limit of 1 or more.
uint32_t fuzz_below(fuzz_input *in, uint32_t limit);

/// True once in 16 of all bytes: the road to what is rare or wrong.
bool fuzz_rarely(fuzz_input *in);

/// A count up to `usual`, now and then up to `most`.
uint32_t fuzz_count(fuzz_input *in, uint32_t usual, uint32_t most);

/// Any float: small ones, the edges of the format and of the promises, NaN, infinity, any bits.
float fuzz_float(fuzz_input *in);

/// Any double, likewise.
double fuzz_double(fuzz_input *in);

/// Random numbers that fill large arrays from a few bytes of the input (fuzz_seed).
void fuzz_seed(fuzz_input *in);
uint32_t fuzz_random(fuzz_input *in);

/// How fuzz_fill makes numbers.
enum { FUZZ_SMALL, FUZZ_EXTREME, FUZZ_FLAT, FUZZ_KINDS };

/// FUZZ_SMALL: -4..4; FUZZ_EXTREME: 0 or of any magnitude from 1e-45 to 1e15; FUZZ_FLAT: -1, 0 or 1.
float fuzz_random_float(fuzz_input *in, uint32_t kind);

/// Poses with unit rotations (some of them opposite, some equal), the lanes behind the last joint NaN.
void fuzz_fill_pose(fuzz_input *in, sqt_pose_block *pose, uint32_t joint_count, uint32_t kind);

/// Changes up to four values of an array to what the input says.
void fuzz_patch_floats(fuzz_input *in, float *values, size_t count);
void fuzz_patch_u16(fuzz_input *in, uint16_t *values, size_t count);
void fuzz_patch_u32(fuzz_input *in, uint32_t *values, size_t count);

/// Caps the instruction sets where that changes the cap: each call asks the processor, which takes longer than most
/// inputs. Each input starts with the best of them.
void fuzz_set_isa(uint32_t isa);

/// Caps the instruction sets now and then, as the input says.
void fuzz_cap_isa(fuzz_input *in);

/// A valid skeleton of up to 40 joints (now and then 140), in arrays of their own; false where the input's joints are
/// refused.
bool fuzz_skeleton(fuzz_input *in, sqt_skeleton *skeleton);

/// A level of detail of it.
sqt_skeleton fuzz_level_of_detail(fuzz_input *in, const sqt_skeleton *skeleton);

/// `count` joints with parents below themselves unless the input says otherwise, names from a few, any rest poses.
sqt_joint *fuzz_joints(fuzz_input *in, uint32_t count, bool hostile);

/// Ascending joints up to `joint_count`, now and then not.
uint16_t *fuzz_joint_list(fuzz_input *in, uint32_t count, uint32_t joint_count);

/// A base pose: none, whole or listed.
sqt_base_pose fuzz_base_pose(fuzz_input *in, const sqt_skeleton *skeleton);

/// A time: within the duration, at its ends, beyond them, tiny, huge.
double fuzz_seconds(fuzz_input *in, float duration_seconds);

bool fuzz_is_finite(const float *values, size_t count);

/// The largest magnitude; NaN and infinity are infinite.
double fuzz_magnitude(const float *values, size_t count);

/// The same over every number of a pose's joints.
double fuzz_pose_magnitude(const sqt_pose_block *pose, uint32_t joint_count);

/// What every function that writes a whole pose promises: rotations of length 1 within the tolerance, identity behind
/// the last joint and, where `is_bounded`, nothing that is not finite.
void fuzz_check_pose(const sqt_pose_block *pose, uint32_t joint_count, double tolerance, bool is_bounded);

/// Runs a pose through the rest of a frame: both kinds of global poses and back, subtree updates, blends, masks.
///
/// @param tolerance of rotation lengths, as for fuzz_check_pose.
void fuzz_play_pose(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_pose_block *pose, double tolerance);

#endif
