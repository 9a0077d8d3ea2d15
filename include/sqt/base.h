/// @file base.h
/// Results, faults, flags, hashing, instruction sets: what every other header of sqt builds on.
///
/// These rules hold for every function of the library, and the other headers do not repeat them:
///
/// - Memory: sqt allocates nothing and keeps nothing. Views (sqt_skeleton, sqt_clip, ...) point into memory of the
///   caller, which must stay valid while the view is used. Nothing outside the named buffers is read or written.
/// - Alignment: a float buffer needs the alignment of float, no more. 64-byte alignment can be faster, never different.
/// - Aliasing: an output may be exactly an input of the same type (in place) unless the function says otherwise;
///   buffers that overlap in any other way are not allowed.
/// - Errors: the O(1) checks named at each function are always made; a function that returns an error has written
///   nothing, unless it says otherwise. Checks of whole arrays live in the `_validate` functions: run them once, after
///   loading.
/// - Numbers: every finite input has a defined result. Up to a magnitude of 1e15, as long as no product on the way
///   passes 1e30, the result is finite and rotations come out of unit length. NaN and infinity inside arrays are for
///   `_validate` to reject; they never cause a wild access.
/// - Threads: every function may run on any number of threads at once, as long as their outputs are distinct.
/// - Bits: the same input, of magnitudes up to 1e15, gives the same bits on every instruction set, compiler and
///   optimisation level, for one value of SQT_NUMERICS_VERSION.
/// - Quaternions are x, y, z, w; `a * b` applies b first; q and -q are one rotation, and mixing takes the shorter arc.
/// - Matrices are column-major for column vectors: m[12], m[13], m[14] are the translation, as in OpenGL, glTF and
///   cglm. The same 16 floats read as a row-major matrix for row vectors (Direct3D) are the same transform.
/// - Angles are radians, times are seconds, lengths are in the asset's own unit.
#ifndef SQT_BASE_H
#define SQT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SQT_VERSION_MAJOR 0
#define SQT_VERSION_MINOR 1
#define SQT_VERSION_PATCH 0

/// Changes whenever the bits of any result change. Replays and lock-step sessions store it.
#define SQT_NUMERICS_VERSION 1

/// The largest number of joints of a skeleton; their indices are 0..65534.
#define SQT_MAX_JOINTS 65535u

/// "No parent", "not found": as uint16_t in arrays, as uint32_t in arguments and returns.
#define SQT_NO_JOINT 0xFFFFu

#if defined(__GNUC__)
#define SQT_NODISCARD __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define SQT_NODISCARD _Check_return_
#else
#define SQT_NODISCARD
#endif

/// What a call came to. The values are fixed; new ones are added at the end.
typedef enum sqt_result {
    SQT_OK = 0,
    SQT_ERROR_NULL = 1,      ///< a required pointer is NULL
    SQT_ERROR_COUNT = 2,     ///< a count, range or index is outside its bounds
    SQT_ERROR_NUMBER = 3,    ///< a number is NaN, infinite or outside its range, or a quaternion is zero
    SQT_ERROR_ORDER = 4,     ///< parents after children, a cycle, times or joints that descend
    SQT_ERROR_RIG = 5,       ///< made for another skeleton: the rig hashes differ
    SQT_ERROR_SPACE = 6,     ///< the memory or capacity given is too small
    SQT_ERROR_FLAG = 7,      ///< a flag or an enumerator that this function does not know
    SQT_ERROR_NOT_FOUND = 8, ///< a name that is not there
} sqt_result;

/// Says what is wrong and where, for tools and logs. Always an optional last argument: NULL is allowed. A call that
/// fails writes all three members (`field` is then never NULL); a call that succeeds writes none.
typedef struct sqt_fault {
    const char *field; ///< the member or argument at fault, such as "times"; a string constant
    uint32_t index;    ///< which joint, channel, vertex or name; 0 where there is only one
    uint32_t element;  ///< which key, influence or component within it; 0 where there is only one
} sqt_fault;

/// One flag space for the library. A function names the flags that it knows; any other bit is SQT_ERROR_FLAG.
enum {
    SQT_NLERP = 0,         ///< rotations mix linearly, then are normalised: fast, commutative, speed varies a little
    SQT_SLERP = 1,         ///< rotations mix along the arc at constant speed
    SQT_PLAIN_NORMALS = 4, ///< skinning: normals by the matrix itself; right only without non-uniform scale
    SQT_FUSED = 8,         ///< skinning: fused multiply-add, up to 10% faster; sets without it differ by rounding
    SQT_RAW_NORMALS = 16,  ///< skinning: normals and tangents keep the length that the matrix gives them
    SQT_SCALE_DIFFERENCE = 128, ///< additive: scale as a difference, 1 + pose - reference, not as a ratio
    SQT_MESH_SPACE = 256,       ///< additive: rotations differ in the space of the mesh, not in that of their parent
};

/// The instruction sets that kernels exist for. Which one runs changes the speed, never a bit of the result.
enum {
    SQT_ISA_SCALAR = 0, ///< plain C, everywhere
    SQT_ISA_SSE = 1,    ///< x86 with SSE2
    SQT_ISA_AVX2 = 2,   ///< x86 with AVX2
    SQT_ISA_AVX512 = 3, ///< x86 with AVX-512 F, BW, DQ, VL
    SQT_ISA_NEON = 4,   ///< 64-bit ARM
    SQT_ISA_WASM = 5,   ///< WebAssembly SIMD
    SQT_ISA_COUNT = 6,
    SQT_ISA_BEST = 0xFF ///< for sqt_isa_cap: no cap
};

/// A short English name of a result, such as "null pointer". Never NULL; "unknown result" for other values.
const char *sqt_result_string(sqt_result result);

/// FNV-1a, 32 bits, of the bytes of a name; 0x811C9DC5 for "" and for NULL.
/// Source: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm" (RFC 9923).
uint32_t sqt_hash(const char *name);

/// Sets every value whose magnitude is below 1e-30 (denormals with them) to +0, so that a flush-to-zero mode cannot
/// change a result and denormals cannot slow a blend. Loaders call it on what they read; sqt's own builders do.
///
/// @param values [value_count] in and out. NaN stays NaN. NULL does nothing.
void sqt_snap(float *values, size_t value_count);

/// True where this build has kernels for the set and this CPU and its operating system can run them.
bool sqt_isa_available(uint32_t isa);

/// "scalar", "sse", "avx2", "avx512", "neon", "wasm"; "unknown" for other values. Never NULL.
const char *sqt_isa_name(uint32_t isa);

/// Limits the kernels to a set, for tests and bug reports: from now on, in every thread, the best available set of the
/// same family that is not above `isa` is used.
///
/// @param isa SQT_ISA_...; SQT_ISA_BEST lifts the limit. A set of another architecture leaves scalar.
/// @return the set now used. Without any call the best available set is used.
uint32_t sqt_isa_cap(uint32_t isa);

/// The set now used.
uint32_t sqt_isa_current(void);

#ifdef __cplusplus
}
#endif

#endif
