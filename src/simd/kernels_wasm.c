// WebAssembly SIMD (-msimd128).
#include "isa.h"

#include "kernels.h"

#if defined(__wasm_simd128__)

#include <string.h>
#include <wasm_simd128.h>

#define FN SQT_ALWAYS_INLINE
#define KERNEL static

enum { LANES = 4 };
enum { BROADCAST_COSTS = 1 };  // that a float in memory fills a vector before it is used
enum { MATRIX_ALIGNMENT = 4 }; // with which matrices are read at full speed
typedef v128_t vf;
typedef v128_t vm;

FN vf vf_set1(float x) { return wasm_f32x4_splat(x); }
FN vf vf_load(const float *p) { return wasm_v128_load(p); }

/// The first `count` of LANES floats, 1 or more but not all, and 0 behind.
FN vf vf_load_first(const float *p, uint32_t count) {
    if (count == 1) return wasm_v128_load32_zero(p);
    const v128_t low = wasm_v128_load64_zero(p);
    return count == 2 ? low : wasm_v128_load32_lane(p + 2, low, 2);
}

FN void vf_store(float *p, vf a) { wasm_v128_store(p, a); }
FN vf vf_add(vf a, vf b) { return wasm_f32x4_add(a, b); }
FN vf vf_sub(vf a, vf b) { return wasm_f32x4_sub(a, b); }
FN vf vf_mul(vf a, vf b) { return wasm_f32x4_mul(a, b); }
FN vf vf_madd(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
FN vf vf_div(vf a, vf b) { return wasm_f32x4_div(a, b); }
FN vf vf_sqrt(vf a) { return wasm_f32x4_sqrt(a); }
FN vm vf_less(vf a, vf b) { return wasm_f32x4_lt(a, b); }
FN vm vf_equal(vf a, vf b) { return wasm_f32x4_eq(a, b); }
FN vm vf_not_equal(vf a, vf b) { return wasm_f32x4_ne(a, b); }
FN vf vf_select(vm m, vf a, vf b) { return wasm_v128_bitselect(a, b, m); }
FN vf vf_zero_where(vm m, vf a) { return wasm_v128_andnot(a, m); }
FN vm vm_or(vm a, vm b) { return wasm_v128_or(a, b); }
FN vm vm_and_not(vm a, vm b) { return wasm_v128_andnot(a, b); }
FN bool vm_any(vm m) { return wasm_v128_any_true(m); }
FN bool vm_all(vm m) { return wasm_i32x4_all_true(m); }
FN vf vf_max(vf a, vf b) { return wasm_v128_bitselect(a, b, wasm_f32x4_gt(a, b)); }
FN vf vf_abs(vf a) { return wasm_f32x4_abs(a); }
FN vf vf_xorsign(vf a, vf s) { return wasm_v128_xor(a, wasm_v128_and(s, wasm_f32x4_splat(-0.0f))); }

FN vf vf_flip(vm m, vf a) { return wasm_v128_xor(a, wasm_v128_and(m, wasm_f32x4_splat(-0.0f))); }

/// LANES vectors of three floats, from and to memory without gaps, of any alignment.
FN void vf_load3(vf *x, vf *y, vf *z, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const vf a = vf_load(p), b = vf_load(p + 4),
             c = vf_load(p + 8); // xyzx yzxy zxyz
    const vf xy = wasm_i32x4_shuffle(b, c, 2, 3, 5, 6), yz = wasm_i32x4_shuffle(a, b, 1, 2, 4, 5);
    *x = wasm_i32x4_shuffle(a, xy, 0, 3, 4, 6);
    *y = wasm_i32x4_shuffle(yz, xy, 0, 2, 5, 7);
    *z = wasm_i32x4_shuffle(yz, c, 1, 3, 4, 7);
}

FN void vf_store3(char *to, vf x, vf y, vf z) {
    float *const p = (float *)(void *)to;
    const vf xy = wasm_i32x4_shuffle(x, y, 0, 2, 4, 6), yz = wasm_i32x4_shuffle(y, z, 1, 3, 5, 7);
    const vf zx = wasm_i32x4_shuffle(z, x, 0, 2, 5, 7);
    vf_store(p, wasm_i32x4_shuffle(xy, zx, 0, 2, 4, 6));
    vf_store(p + 4, wasm_i32x4_shuffle(yz, xy, 0, 2, 5, 7));
    vf_store(p + 8, wasm_i32x4_shuffle(zx, yz, 1, 3, 5, 7));
}

/// LANES unsigned integers of 8 or 16 bits, of any alignment.
FN vf vf_load_u16(const char *p) { return wasm_f32x4_convert_i32x4(wasm_u32x4_load16x4(p)); }

FN vf vf_load_u8(const char *p) {
    const v128_t x = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p));
    return wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(x));
}

typedef v128_t vs;

FN vs vs_shares(uint32_t share) { return wasm_i32x4_splat((int32_t)(share << 16 | (32767u - share))); }

FN vf vs_mix(const int16_t *a, const int16_t *b, uint32_t lane, vs shares) {
    const uint32_t place = sqt_uniform_place(lane);
    const v128_t ra = wasm_v128_load64_zero(a + place), rb = wasm_v128_load64_zero(b + place);
    const v128_t pairs = wasm_i16x8_shuffle(ra, rb, 0, 8, 1, 9, 2, 10, 3, 11);
    return wasm_f32x4_convert_i32x4(wasm_i32x4_dot_i16x8(pairs, shares));
}

typedef v128_t v4;

FN v4 v4_load(const float *p) { return wasm_v128_load(p); }
FN void v4_store(float *p, v4 a) { wasm_v128_store(p, a); }
FN v4 v4_set1(float x) { return wasm_f32x4_splat(x); }
FN v4 v4_add(v4 a, v4 b) { return wasm_f32x4_add(a, b); }
FN v4 v4_mul(v4 a, v4 b) { return wasm_f32x4_mul(a, b); }
FN v4 v4_madd(v4 a, v4 b, v4 c) { return vf_madd(a, b, c); }

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

/// One lane in all four.
FN v4 v4_x(v4 a) { return wasm_i32x4_shuffle(a, a, 0, 0, 0, 0); }
FN v4 v4_y(v4 a) { return wasm_i32x4_shuffle(a, a, 1, 1, 1, 1); }
FN v4 v4_z(v4 a) { return wasm_i32x4_shuffle(a, a, 2, 2, 2, 2); }
FN v4 v4_w(v4 a) { return wasm_i32x4_shuffle(a, a, 3, 3, 3, 3); }

/// a with the w of b, bit by bit.
FN v4 v4_with_w(v4 a, v4 b) { return wasm_i32x4_shuffle(a, b, 0, 1, 2, 7); }

/// The first three lanes of four vectors without gaps.
FN void v4_store3(char *to, v4 a, v4 b, v4 c, v4 d) {
    float *const p = (float *)(void *)to;
    v4_store(p, wasm_i32x4_shuffle(a, b, 0, 1, 2, 4));
    v4_store(p + 4, wasm_i32x4_shuffle(b, c, 1, 2, 4, 5));
    v4_store(p + 8, wasm_i32x4_shuffle(c, d, 2, 4, 5, 6));
}

#include "matrix_v4.inl"

#include "kernels.inl"

const sqt_kernels *sqt_kernels_wasm(void) { return &table; }

#else

const sqt_kernels *sqt_kernels_wasm(void) { return NULL; }

#endif
