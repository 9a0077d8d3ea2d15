// Included before anything else in every source of the library: numerics that no flag can change, and how functions are
// compiled for one instruction set without per-file flags.
#ifndef SQT_SRC_ISA_H
#define SQT_SRC_ISA_H

// No contraction of a * b + c, which would give other bits: clang fuses within an expression, gcc's gnu modes fuse even
// separate intrinsics. The build sets -ffp-contract=off as well; these lines serve those who copy the files.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#if defined(__FAST_MATH__)
#error "sqt gives the same bits everywhere: build it without -ffast-math"
#endif
#if defined(__i386__) && !defined(__SSE2_MATH__) // not FLT_EVAL_METHOD: it is 16 under gnu11 with AVX512-FP16
#error "32-bit x86: add -msse2 -mfpmath=sse"
#endif

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#define SQT_X86 1
#endif
#if (defined(__aarch64__) && defined(__ARM_NEON)) || defined(_M_ARM64)
#define SQT_ARM64 1
#endif

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 16") // -O2 does not unroll loops over vectors by itself
#else
#define UNROLL
#endif

#if defined(__GNUC__)
#define SQT_TARGET(sets) __attribute__((target(sets)))
#define SQT_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define SQT_TARGET(sets)
#define SQT_ALWAYS_INLINE static __forceinline
#endif

#endif
