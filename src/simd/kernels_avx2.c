// AVX2, without FMA: fused multiply-add gives other bits.
#include "isa.h"

#include "kernels.h"

#if defined(SQT_X86)

#include <immintrin.h>
#include <string.h>

#define FN SQT_ALWAYS_INLINE SQT_TARGET("avx2")
#define KERNEL static SQT_TARGET("avx2")

enum { LANES = 8 };
typedef __m256 vf;
typedef __m256 vm;

FN vf vf_set1(float x) { return _mm256_set1_ps(x); }
FN vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
FN void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
FN vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
FN vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
FN vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
FN vf vf_div(vf a, vf b) { return _mm256_div_ps(a, b); }
FN vf vf_sqrt(vf a) { return _mm256_sqrt_ps(a); }
FN vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
FN vf vf_abs(vf a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
FN vf vf_xorsign(vf a, vf s) { return _mm256_xor_ps(a, _mm256_and_ps(s, _mm256_set1_ps(-0.0f))); }
FN vm vf_less(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
FN vm vf_equal(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
FN vf vf_select(vm m, vf a, vf b) { return _mm256_blendv_ps(b, a, m); }

#include "v4_x86.inl"

FN void vf_store_columns(float *p, vf x, vf y, vf z, vf w) {
    v4_store_columns(p, _mm256_castps256_ps128(x), _mm256_castps256_ps128(y), _mm256_castps256_ps128(z),
                     _mm256_castps256_ps128(w));
    v4_store_columns(p + 64, _mm256_extractf128_ps(x, 1), _mm256_extractf128_ps(y, 1), _mm256_extractf128_ps(z, 1),
                     _mm256_extractf128_ps(w, 1));
}

FN void vf_load_columns(const float *p, vf *x, vf *y, vf *z) {
    const v4_four a = v4_load_columns(p), b = v4_load_columns(p + 64);
    *x = _mm256_set_m128(b.a, a.a);
    *y = _mm256_set_m128(b.b, a.b);
    *z = _mm256_set_m128(b.c, a.c);
}

#include "kernels.inl"

const sqt_kernels *sqt_kernels_avx2(void) { return &table; }

#else

const sqt_kernels *sqt_kernels_avx2(void) { return NULL; }

#endif
