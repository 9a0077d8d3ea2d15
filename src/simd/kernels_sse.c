// SSE2: part of every x86-64 processor.
#include "isa.h"

#include "kernels.h"

#if defined(SQT_X86)

#include <emmintrin.h>
#include <string.h>

#define FN SQT_ALWAYS_INLINE SQT_TARGET("sse2")
#define KERNEL static SQT_TARGET("sse2")

enum { LANES = 4 };
typedef __m128 vf;
typedef __m128 vm;

FN vf vf_set1(float x) { return _mm_set1_ps(x); }
FN vf vf_load(const float *p) { return _mm_loadu_ps(p); }
FN void vf_store(float *p, vf a) { _mm_storeu_ps(p, a); }
FN vf vf_add(vf a, vf b) { return _mm_add_ps(a, b); }
FN vf vf_sub(vf a, vf b) { return _mm_sub_ps(a, b); }
FN vf vf_mul(vf a, vf b) { return _mm_mul_ps(a, b); }
FN vf vf_div(vf a, vf b) { return _mm_div_ps(a, b); }
FN vf vf_sqrt(vf a) { return _mm_sqrt_ps(a); }
FN vf vf_max(vf a, vf b) { return _mm_max_ps(a, b); }
FN vf vf_abs(vf a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
FN vf vf_xorsign(vf a, vf s) { return _mm_xor_ps(a, _mm_and_ps(s, _mm_set1_ps(-0.0f))); }
FN vm vf_less(vf a, vf b) { return _mm_cmplt_ps(a, b); }
FN vm vf_equal(vf a, vf b) { return _mm_cmpeq_ps(a, b); }
FN vf vf_select(vm m, vf a, vf b) { return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)); }

#include "v4_x86.inl"

#include "matrix_v4.inl"

#include "kernels.inl"

const sqt_kernels *sqt_kernels_sse(void) { return &table; }

#else

const sqt_kernels *sqt_kernels_sse(void) { return NULL; }

#endif
