// WebAssembly SIMD (-msimd128).
#include "isa.h"

#include "kernels.h"

#if defined(__wasm_simd128__)

#include <string.h>
#include <wasm_simd128.h>

#define FN SQT_ALWAYS_INLINE
#define KERNEL static

enum { LANES = 4 };
typedef v128_t vf;
typedef v128_t vm;

FN vf vf_set1(float x) { return wasm_f32x4_splat(x); }
FN vf vf_load(const float *p) { return wasm_v128_load(p); }
FN void vf_store(float *p, vf a) { wasm_v128_store(p, a); }
FN vf vf_add(vf a, vf b) { return wasm_f32x4_add(a, b); }
FN vf vf_sub(vf a, vf b) { return wasm_f32x4_sub(a, b); }
FN vf vf_mul(vf a, vf b) { return wasm_f32x4_mul(a, b); }
FN vf vf_div(vf a, vf b) { return wasm_f32x4_div(a, b); }
FN vf vf_sqrt(vf a) { return wasm_f32x4_sqrt(a); }
FN vm vf_less(vf a, vf b) { return wasm_f32x4_lt(a, b); }
FN vm vf_equal(vf a, vf b) { return wasm_f32x4_eq(a, b); }
FN vf vf_select(vm m, vf a, vf b) { return wasm_v128_bitselect(a, b, m); }
FN vf vf_max(vf a, vf b) { return wasm_v128_bitselect(a, b, wasm_f32x4_gt(a, b)); }
FN vf vf_abs(vf a) { return wasm_f32x4_abs(a); }
FN vf vf_xorsign(vf a, vf s) { return wasm_v128_xor(a, wasm_v128_and(s, wasm_f32x4_splat(-0.0f))); }

typedef v128_t v4;

FN v4 v4_load(const float *p) { return wasm_v128_load(p); }
FN void v4_store(float *p, v4 a) { wasm_v128_store(p, a); }
FN v4 v4_set1(float x) { return wasm_f32x4_splat(x); }
FN v4 v4_add(v4 a, v4 b) { return wasm_f32x4_add(a, b); }
FN v4 v4_mul(v4 a, v4 b) { return wasm_f32x4_mul(a, b); }

typedef struct v4_four {
    v4 a, b, c, d;
} v4_four;

FN v4_four v4_transpose(v4 a, v4 b, v4 c, v4 d) {
    const v4 ac_low = wasm_i32x4_shuffle(a, c, 0, 4, 1, 5), ac_high = wasm_i32x4_shuffle(a, c, 2, 6, 3, 7);
    const v4 bd_low = wasm_i32x4_shuffle(b, d, 0, 4, 1, 5), bd_high = wasm_i32x4_shuffle(b, d, 2, 6, 3, 7);
    const v4_four r = {wasm_i32x4_shuffle(ac_low, bd_low, 0, 4, 1, 5), wasm_i32x4_shuffle(ac_low, bd_low, 2, 6, 3, 7),
                       wasm_i32x4_shuffle(ac_high, bd_high, 0, 4, 1, 5),
                       wasm_i32x4_shuffle(ac_high, bd_high, 2, 6, 3, 7)};
    return r;
}

#include "matrix_v4.inl"

#include "kernels.inl"

const sqt_kernels *sqt_kernels_wasm(void) { return &table; }

#else

const sqt_kernels *sqt_kernels_wasm(void) { return NULL; }

#endif
