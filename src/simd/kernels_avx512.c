// AVX-512 F, BW, DQ and VL. Fused multiply-add is part of F; only kernels_avx512_fused.c, which compiles this file, uses
// it.
#include "isa.h"

#include "kernels.h"

#if defined(SQT_X86)

#include <immintrin.h>
#include <string.h>

#if !defined(SQT_FUSED_KERNELS)
#define SKIN_FUSED sqt_skin_avx512_fused
#endif
#define FN SQT_ALWAYS_INLINE SQT_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define KERNEL static SQT_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

enum { LANES = 16 };
enum { BROADCAST_COSTS = 0 };   // that a float in memory fills a vector before it is used
enum { MATRIX_ALIGNMENT = 64 }; // with which matrices are read at full speed
typedef __m512 vf;
typedef __mmask16 vm;

FN vf vf_set1(float x) { return _mm512_set1_ps(x); }
FN vf vf_load(const float *p) { return _mm512_loadu_ps(p); }

/// The first `count` of LANES floats, 1 or more but not all, and 0 behind.
FN vf vf_load_first(const float *p, uint32_t count) {
    return _mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1u), p);
}

FN void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
FN vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
FN vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
FN vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
#if defined(SQT_FUSED_KERNELS)
FN vf vf_madd(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
#else
FN vf vf_madd(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
#endif
FN vf vf_div(vf a, vf b) { return _mm512_div_ps(a, b); }
FN vf vf_sqrt(vf a) { return _mm512_sqrt_ps(a); }
FN vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }
FN vf vf_abs(vf a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a); }
FN vf vf_xorsign(vf a, vf s) { return _mm512_xor_ps(a, _mm512_and_ps(s, _mm512_set1_ps(-0.0f))); }
FN vm vf_less(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
FN vm vf_equal(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
FN vm vf_not_equal(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ); }
FN vf vf_select(vm m, vf a, vf b) { return _mm512_mask_blend_ps(m, b, a); }
FN vf vf_zero_where(vm m, vf a) { return _mm512_mask_mov_ps(a, m, _mm512_setzero_ps()); }
FN vm vm_or(vm a, vm b) { return (vm)(a | b); }
FN vm vm_and_not(vm a, vm b) { return (vm)(a & ~b); }
FN bool vm_any(vm m) { return m != 0; }
FN bool vm_all(vm m) { return m == 0xFFFF; }

FN vf vf_flip(vm m, vf a) { return _mm512_mask_xor_ps(a, m, a, _mm512_set1_ps(-0.0f)); }

/// LANES vectors of three floats, from and to memory without gaps, of any alignment.
FN void vf_load3(vf *x, vf *y, vf *z, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const __m512i x01 = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    const __m512i x2 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
    const __m512i y01 = _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
    const __m512i y2 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
    const __m512i z01 = _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    const __m512i z2 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
    const vf a = vf_load(p), b = vf_load(p + 16), c = vf_load(p + 32);
    *x = _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, x01, b), x2, c);
    *y = _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, y01, b), y2, c);
    *z = _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, z01, b), z2, c);
}

FN void vf_store3(char *to, vf x, vf y, vf z) {
    float *const p = (float *)(void *)to;
    const __m512i a_xy = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const __m512i a_z = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    const __m512i b_xy = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const __m512i b_z = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    const __m512i c_xy = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    const __m512i c_z = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
    vf_store(p, _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, a_xy, y), a_z, z));
    vf_store(p + 16, _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, b_xy, y), b_z, z));
    vf_store(p + 32, _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, c_xy, y), c_z, z));
}

// A matrix in one register.
typedef __m512 m4;

FN void m4_store(float *p, m4 a) { _mm512_storeu_ps(p, a); }
FN m4 m4_load(const float *p) { return _mm512_loadu_ps(p); }
FN m4 m4_zero(void) { return _mm512_setzero_ps(); }
FN m4 m4_scaled(const float *p, float w) { return _mm512_mul_ps(_mm512_loadu_ps(p), _mm512_set1_ps(w)); }
FN m4 m4_madd(const float *p, float w, m4 a) { return vf_madd(_mm512_loadu_ps(p), _mm512_set1_ps(w), a); }

FN void m4_store_rows(float *p, m4 a) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512 rows = _mm512_permutexvar_ps(order, a);
    _mm256_storeu_ps(p, _mm512_castps512_ps256(rows));
    _mm_storeu_ps(p + 8, _mm512_extractf32x4_ps(rows, 2));
}

FN m4 m4_product(const float *p, const float *l) {
    const __m512 p0 = _mm512_broadcast_f32x4(_mm_loadu_ps(p)), p1 = _mm512_broadcast_f32x4(_mm_loadu_ps(p + 4));
    const __m512 p2 = _mm512_broadcast_f32x4(_mm_loadu_ps(p + 8)), columns = _mm512_loadu_ps(l);
    const __m512 zero = _mm512_broadcast_f32x4(_mm_setr_ps(-0.0f, -0.0f, -0.0f, 0.0f));
    const __m512 e = _mm512_mask_loadu_ps(zero, 0xF000, p); // the last column of p
    const __m512 a = _mm512_mul_ps(p0, _mm512_permute_ps(columns, 0x00));
    const __m512 b = _mm512_mul_ps(p1, _mm512_permute_ps(columns, 0x55));
    const __m512 c = _mm512_mul_ps(p2, _mm512_permute_ps(columns, 0xAA));
    return _mm512_add_ps(_mm512_add_ps(_mm512_add_ps(a, b), c), e);
}

// Four 4x4 transposes side by side, one in each quarter.
typedef struct vf_four {
    vf a, b, c, d;
} vf_four;

FN vf_four vf_transpose(vf a, vf b, vf c, vf d) {
    const vf ab_low = _mm512_shuffle_ps(a, b, 0x44), ab_high = _mm512_shuffle_ps(a, b, 0xEE);
    const vf cd_low = _mm512_shuffle_ps(c, d, 0x44), cd_high = _mm512_shuffle_ps(c, d, 0xEE);
    const vf_four r = {_mm512_shuffle_ps(ab_low, cd_low, 0x88), _mm512_shuffle_ps(ab_low, cd_low, 0xDD),
                       _mm512_shuffle_ps(ab_high, cd_high, 0x88), _mm512_shuffle_ps(ab_high, cd_high, 0xDD)};
    return r;
}

/// Four floats from each of LANES / 4 addresses: quarter q from p[4 * q] + offset.
FN vf vf_load_quarters(const float *const *p, size_t offset) {
    const __m256 low =
        _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[0] + offset)), _mm_loadu_ps(p[4] + offset), 1);
    const __m256 high =
        _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[8] + offset)), _mm_loadu_ps(p[12] + offset), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

FN void vf_store_quarters(float *const *p, size_t offset, vf a) {
    _mm_storeu_ps(p[0] + offset, _mm512_castps512_ps128(a));
    _mm_storeu_ps(p[4] + offset, _mm512_extractf32x4_ps(a, 1));
    _mm_storeu_ps(p[8] + offset, _mm512_extractf32x4_ps(a, 2));
    _mm_storeu_ps(p[12] + offset, _mm512_extractf32x4_ps(a, 3));
}

/// The same for the quarters: quarter i of a, b, c, d.
FN vf_four vf_transpose_quarters(vf a, vf b, vf c, vf d) {
    const vf ab_low = _mm512_shuffle_f32x4(a, b, 0x44), ab_high = _mm512_shuffle_f32x4(a, b, 0xEE);
    const vf cd_low = _mm512_shuffle_f32x4(c, d, 0x44), cd_high = _mm512_shuffle_f32x4(c, d, 0xEE);
    const vf_four r = {_mm512_shuffle_f32x4(ab_low, cd_low, 0x88), _mm512_shuffle_f32x4(ab_low, cd_low, 0xDD),
                       _mm512_shuffle_f32x4(ab_high, cd_high, 0x88), _mm512_shuffle_f32x4(ab_high, cd_high, 0xDD)};
    return r;
}

/// The matrices i, i + 4, i + 8, i + 12 from their columns, one a quarter: whole cache lines, if they are aligned.
FN void m4_store_quarters(float *const *to, size_t at, vf c0, vf c1, vf c2, vf c3) {
    const vf_four r = vf_transpose_quarters(c0, c1, c2, c3);
    _mm512_storeu_ps(to[0] + at, r.a);
    _mm512_storeu_ps(to[4] + at, r.b);
    _mm512_storeu_ps(to[8] + at, r.c);
    _mm512_storeu_ps(to[12] + at, r.d);
}

enum { COLUMNS = 4 }; // of LANES matrices that are stored at once

FN void m4_scatter(float *const *to, size_t at, const vf *columns, bool last) {
    (void)last; // always
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f);
    const vf_four c0 = vf_transpose(columns[0], columns[1], columns[2], zero);
    const vf_four c1 = vf_transpose(columns[3], columns[4], columns[5], zero);
    const vf_four c2 = vf_transpose(columns[6], columns[7], columns[8], zero);
    const vf_four c3 = vf_transpose(columns[9], columns[10], columns[11], one);
    m4_store_quarters(to, at, c0.a, c1.a, c2.a, c3.a);
    m4_store_quarters(to + 1, at, c0.b, c1.b, c2.b, c3.b);
    m4_store_quarters(to + 2, at, c0.c, c1.c, c2.c, c3.c);
    m4_store_quarters(to + 3, at, c0.d, c1.d, c2.d, c3.d);
}

FN void vf_splat3(vf out[3], const float *p) { out[0] = vf_set1(p[0]), out[1] = vf_set1(p[1]), out[2] = vf_set1(p[2]); }

/// Four matrices transposed, a column in each quarter, and LANES of them, one a lane, as columns of three.
enum { GROUP = 4 };

typedef vf_four m4_group;

FN m4_group m4_transpose(const m4 *m) { return vf_transpose(m[0], m[1], m[2], m[3]); }

FN void m4_join(vf rows[12], const m4_group *g) {
    const vf_four x = vf_transpose_quarters(g[0].a, g[1].a, g[2].a, g[3].a);
    const vf_four y = vf_transpose_quarters(g[0].b, g[1].b, g[2].b, g[3].b);
    const vf_four z = vf_transpose_quarters(g[0].c, g[1].c, g[2].c, g[3].c);
    rows[0] = x.a, rows[1] = y.a, rows[2] = z.a, rows[3] = x.b, rows[4] = y.b, rows[5] = z.b;
    rows[6] = x.c, rows[7] = y.c, rows[8] = z.c, rows[9] = x.d, rows[10] = y.d, rows[11] = z.d;
}

/// Between the order of the lanes and that of four 4x4 transposes of rows that lie one after another.
FN vf vf_permute_quads(vf a) {
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), a);
}

/// LANES vectors of four floats.
FN void vf_load4(vf *x, vf *y, vf *z, vf *w, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const vf_four r = vf_transpose(vf_load(p), vf_load(p + 16), vf_load(p + 32), vf_load(p + 48));
    *x = vf_permute_quads(r.a), *y = vf_permute_quads(r.b), *z = vf_permute_quads(r.c), *w = vf_permute_quads(r.d);
}

FN void vf_store4(char *to, vf x, vf y, vf z, vf w) {
    float *const p = (float *)(void *)to;
    const vf_four r = vf_transpose(vf_permute_quads(x), vf_permute_quads(y), vf_permute_quads(z), vf_permute_quads(w));
    vf_store(p, r.a);
    vf_store(p + 16, r.b);
    vf_store(p + 32, r.c);
    vf_store(p + 48, r.d);
}

/// LANES unsigned integers of 8 or 16 bits, of any alignment.
FN vf vf_load_u8(const char *p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}

FN vf vf_load_u16(const char *p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p)));
}

typedef __m512i vs;

FN vs vs_shares(uint32_t share) { return _mm512_set1_epi32((int)(share << 16 | (32767u - share))); }

FN vf vs_mix(const int16_t *a, const int16_t *b, uint32_t lane, vs shares) {
    (void)lane; // 0
    const __m256i ra = _mm256_loadu_si256((const __m256i *)(const void *)a);
    const __m256i rb = _mm256_loadu_si256((const __m256i *)(const void *)b);
    const __m512i low = _mm512_castsi256_si512(_mm256_unpacklo_epi16(ra, rb));
    const __m512i pairs = _mm512_inserti64x4(low, _mm256_unpackhi_epi16(ra, rb), 1);
    return _mm512_cvtepi32_ps(_mm512_madd_epi16(pairs, shares));
}

#include "kernels.inl"

#if defined(SQT_FUSED_KERNELS)
void sqt_skin_avx512_fused(const sqt_skin_job *job, uint32_t first, uint32_t count) { skin(job, first, count); }
#else
const sqt_kernels *sqt_kernels_avx512(void) { return &table; }
#endif

#elif !defined(SQT_FUSED_KERNELS)

const sqt_kernels *sqt_kernels_avx512(void) { return NULL; }

#endif
