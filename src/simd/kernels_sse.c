// SSE2: part of every x86-64 processor.
#include "isa.h"

#include "kernels.h"

#if defined(SQT_X86)

#include <emmintrin.h>
#include <string.h>

#define FN SQT_ALWAYS_INLINE SQT_TARGET("sse2")
#define KERNEL static SQT_TARGET("sse2")

enum { LANES = 4 };
enum { BROADCAST_COSTS = 1 };  // that a float in memory fills a vector before it is used
enum { MATRIX_ALIGNMENT = 4 }; // with which matrices are read at full speed
typedef __m128 vf;
typedef __m128 vm;

FN vf vf_set1(float x) { return _mm_set1_ps(x); }
FN vf vf_load(const float *p) { return _mm_loadu_ps(p); }

/// The first `count` of LANES floats, 1 or more but not all, and 0 behind.
FN vf vf_load_first(const float *p, uint32_t count) {
    if (count == 1) return _mm_load_ss(p);
    const vf low = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return count == 2 ? low : _mm_movelh_ps(low, _mm_load_ss(p + 2));
}

FN void vf_store(float *p, vf a) { _mm_storeu_ps(p, a); }
FN vf vf_add(vf a, vf b) { return _mm_add_ps(a, b); }
FN vf vf_sub(vf a, vf b) { return _mm_sub_ps(a, b); }
FN vf vf_mul(vf a, vf b) { return _mm_mul_ps(a, b); }
FN vf vf_madd(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
FN vf vf_div(vf a, vf b) { return _mm_div_ps(a, b); }
FN vf vf_sqrt(vf a) { return _mm_sqrt_ps(a); }
FN vf vf_max(vf a, vf b) { return _mm_max_ps(a, b); }
FN vf vf_abs(vf a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
FN vf vf_xorsign(vf a, vf s) { return _mm_xor_ps(a, _mm_and_ps(s, _mm_set1_ps(-0.0f))); }
FN vm vf_less(vf a, vf b) { return _mm_cmplt_ps(a, b); }
FN vm vf_equal(vf a, vf b) { return _mm_cmpeq_ps(a, b); }
FN vm vf_not_equal(vf a, vf b) { return _mm_cmpneq_ps(a, b); }
FN vf vf_select(vm m, vf a, vf b) { return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)); }
FN vf vf_zero_where(vm m, vf a) { return _mm_andnot_ps(m, a); }
FN vm vm_or(vm a, vm b) { return _mm_or_ps(a, b); }
FN vm vm_and_not(vm a, vm b) { return _mm_andnot_ps(b, a); }
FN bool vm_any(vm m) { return _mm_movemask_ps(m) != 0; }
FN bool vm_all(vm m) { return _mm_movemask_ps(m) == 0xF; }

FN vf vf_flip(vm m, vf a) { return _mm_xor_ps(a, _mm_and_ps(m, _mm_set1_ps(-0.0f))); }

/// LANES vectors of three floats, from and to memory without gaps, of any alignment.
FN void vf_load3(vf *x, vf *y, vf *z, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const vf a = vf_load(p), b = vf_load(p + 4),
             c = vf_load(p + 8); // xyzx yzxy zxyz
    const vf xy = _mm_shuffle_ps(b, c, 0x9E), yz = _mm_shuffle_ps(a, b, 0x49);
    *x = _mm_shuffle_ps(a, xy, 0x8C);
    *y = _mm_shuffle_ps(yz, xy, 0xD8);
    *z = _mm_shuffle_ps(yz, c, 0xCD);
}

FN void vf_store3(char *to, vf x, vf y, vf z) {
    float *const p = (float *)(void *)to;
    const vf xy = _mm_shuffle_ps(x, y, 0x88), yz = _mm_shuffle_ps(y, z, 0xDD), zx = _mm_shuffle_ps(z, x, 0xD8);
    vf_store(p, _mm_shuffle_ps(xy, zx, 0x88));
    vf_store(p + 4, _mm_shuffle_ps(yz, xy, 0xD8));
    vf_store(p + 8, _mm_shuffle_ps(zx, yz, 0xDD));
}

/// LANES unsigned integers of 8 or 16 bits, of any alignment.
FN vf vf_load_u16(const char *p) {
    const __m128i x = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(x, _mm_setzero_si128()));
}

FN vf vf_load_u8(const char *p) {
    int32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    const __m128i x = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(x, _mm_setzero_si128()));
}

typedef __m128i vs;

FN vs vs_shares(uint32_t share) { return _mm_set1_epi32((int)(share << 16 | (32767u - share))); }

FN vf vs_mix(const int16_t *a, const int16_t *b, uint32_t lane, vs shares) {
    const uint32_t place = sqt_uniform_place(lane);
    const __m128i ra = _mm_loadl_epi64((const __m128i *)(const void *)(a + place));
    const __m128i rb = _mm_loadl_epi64((const __m128i *)(const void *)(b + place));
    return _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpacklo_epi16(ra, rb), shares));
}

#include "v4_x86.inl"

#include "matrix_v4.inl"

#include "kernels.inl"

const sqt_kernels *sqt_kernels_sse(void) { return &table; }

#else

const sqt_kernels *sqt_kernels_sse(void) { return NULL; }

#endif
