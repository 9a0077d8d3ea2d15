// AVX-512 F, BW, DQ and VL.
#include "isa.h"

#include "kernels.h"

#if defined(SQT_X86)

#include <immintrin.h>
#include <string.h>

#define FN SQT_ALWAYS_INLINE SQT_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define KERNEL static SQT_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

enum { LANES = 16 };
typedef __m512 vf;
typedef __mmask16 vm;

FN vf vf_set1(float x) { return _mm512_set1_ps(x); }
FN vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
FN void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
FN vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
FN vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
FN vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
FN vf vf_div(vf a, vf b) { return _mm512_div_ps(a, b); }
FN vf vf_sqrt(vf a) { return _mm512_sqrt_ps(a); }
FN vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }
FN vf vf_abs(vf a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a); }
FN vf vf_xorsign(vf a, vf s) { return _mm512_xor_ps(a, _mm512_and_ps(s, _mm512_set1_ps(-0.0f))); }
FN vm vf_less(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
FN vm vf_equal(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
FN vf vf_select(vm m, vf a, vf b) { return _mm512_mask_blend_ps(m, b, a); }

#include "v4_x86.inl"

FN void vf_store_columns(float *p, vf x, vf y, vf z, vf w) {
    v4_store_columns(p, _mm512_castps512_ps128(x), _mm512_castps512_ps128(y), _mm512_castps512_ps128(z),
                     _mm512_castps512_ps128(w));
    v4_store_columns(p + 64, _mm512_extractf32x4_ps(x, 1), _mm512_extractf32x4_ps(y, 1), _mm512_extractf32x4_ps(z, 1),
                     _mm512_extractf32x4_ps(w, 1));
    v4_store_columns(p + 128, _mm512_extractf32x4_ps(x, 2), _mm512_extractf32x4_ps(y, 2), _mm512_extractf32x4_ps(z, 2),
                     _mm512_extractf32x4_ps(w, 2));
    v4_store_columns(p + 192, _mm512_extractf32x4_ps(x, 3), _mm512_extractf32x4_ps(y, 3), _mm512_extractf32x4_ps(z, 3),
                     _mm512_extractf32x4_ps(w, 3));
}

FN vf vf_join(v4 a, v4 b, v4 c, v4 d) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_set_m128(b, a)), _mm256_set_m128(d, c), 1);
}

FN void vf_load_columns(const float *p, vf *x, vf *y, vf *z) {
    const v4_four a = v4_load_columns(p), b = v4_load_columns(p + 64);
    const v4_four c = v4_load_columns(p + 128), d = v4_load_columns(p + 192);
    *x = vf_join(a.a, b.a, c.a, d.a);
    *y = vf_join(a.b, b.b, c.b, d.b);
    *z = vf_join(a.c, b.c, c.c, d.c);
}

#include "kernels.inl"

const sqt_kernels *sqt_kernels_avx512(void) { return &table; }

#else

const sqt_kernels *sqt_kernels_avx512(void) { return NULL; }

#endif
