// Which set of kernels runs: what the build has, the CPU can do and the operating system saves, below the cap.
#include "isa.h"

#include "kernels.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static volatile long chosen;
static uint32_t load_chosen(void) { return (uint32_t)chosen; }
static void store_chosen(uint32_t set) { _InterlockedExchange(&chosen, (long)set); }
#else
#include <stdatomic.h>
static _Atomic uint32_t chosen; // 0: not yet, else set + 1. Racing first calls store the same value.
static uint32_t load_chosen(void) { return atomic_load_explicit(&chosen, memory_order_relaxed); }
static void store_chosen(uint32_t set) { atomic_store_explicit(&chosen, set, memory_order_relaxed); }
#endif

#if defined(SQT_X86)

#if !defined(_MSC_VER) || defined(__clang__)
#include <cpuid.h>
#endif

typedef struct cpu_leaf {
    uint32_t eax, ebx, ecx, edx;
} cpu_leaf;

static cpu_leaf read_cpuid(uint32_t leaf) {
    cpu_leaf r = {0, 0, 0, 0};
#if defined(_MSC_VER) && !defined(__clang__)
    int regs[4];
    __cpuid(regs, 0);
    if ((uint32_t)regs[0] >= leaf) {
        __cpuidex(regs, (int)leaf, 0);
        r.eax = (uint32_t)regs[0];
        r.ebx = (uint32_t)regs[1];
        r.ecx = (uint32_t)regs[2];
        r.edx = (uint32_t)regs[3];
    }
#else
    __get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx); // leaves zeros where the leaf does not exist
#endif
    return r;
}

/// The register states that the operating system saves: bits of XCR0.
static uint32_t saved_states(void) {
#if defined(_MSC_VER) && !defined(__clang__)
    return (uint32_t)_xgetbv(0);
#else
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
#endif
}

static bool cpu_has(uint32_t isa) {
    if (isa == SQT_ISA_SSE) return (read_cpuid(1).edx >> 26) & 1u; // SSE2
    const uint32_t osxsave_avx_fma = 3u << 27 | 1u << 12;          // every CPU with AVX2 has FMA, or is not worth a set
    if ((read_cpuid(1).ecx & osxsave_avx_fma) != osxsave_avx_fma) return false;
    const uint32_t states = saved_states(), ymm = 0x6u, zmm = 0xE6u;
    const uint32_t features = read_cpuid(7).ebx;
    const uint32_t avx2 = 1u << 5, avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; // F, DQ, BW, VL
    if (isa == SQT_ISA_AVX2) return (states & ymm) == ymm && (features & avx2);
    return (states & zmm) == zmm && (features & avx2) && (features & avx512) == avx512;
}

#else

static bool cpu_has(uint32_t isa) {
    (void)isa; // the build's own target: part of every processor that can run it
    return true;
}

#endif

const sqt_kernels *sqt_kernels_of(uint32_t isa) {
    const sqt_kernels *kernels = NULL;
    switch (isa) {
    case SQT_ISA_SCALAR:
        return sqt_kernels_scalar();
    case SQT_ISA_SSE:
        kernels = sqt_kernels_sse();
        break;
    case SQT_ISA_AVX2:
        kernels = sqt_kernels_avx2();
        break;
    case SQT_ISA_AVX512:
        kernels = sqt_kernels_avx512();
        break;
    case SQT_ISA_NEON:
        kernels = sqt_kernels_neon();
        break;
    case SQT_ISA_WASM:
        kernels = sqt_kernels_wasm();
        break;
    default:
        return NULL;
    }
    return kernels && cpu_has(isa) ? kernels : NULL;
}

bool sqt_isa_available(uint32_t isa) { return sqt_kernels_of(isa) != NULL; }

uint32_t sqt_isa_cap(uint32_t isa) {
    // The sets of other architectures are never available, so one order serves all families; but a cap from another
    // family must not leave this one's sets.
    const bool x86 = isa <= SQT_ISA_AVX512;
    uint32_t set = SQT_ISA_SCALAR;
    for (uint32_t s = SQT_ISA_SSE; s < SQT_ISA_COUNT; ++s) {
        const bool allowed = isa == SQT_ISA_BEST || s == isa || (x86 && s <= isa);
        if (allowed && sqt_isa_available(s)) set = s;
    }
    store_chosen(set + 1);
    return set;
}

uint32_t sqt_isa_current(void) {
    const uint32_t stored = load_chosen();
    return stored ? stored - 1 : sqt_isa_cap(SQT_ISA_BEST);
}

const sqt_kernels *sqt_kernels_current(void) {
    switch (sqt_isa_current()) {
    case SQT_ISA_SSE:
        return sqt_kernels_sse();
    case SQT_ISA_AVX2:
        return sqt_kernels_avx2();
    case SQT_ISA_AVX512:
        return sqt_kernels_avx512();
    case SQT_ISA_NEON:
        return sqt_kernels_neon();
    case SQT_ISA_WASM:
        return sqt_kernels_wasm();
    default:
        return sqt_kernels_scalar();
    }
}
