// AVX2, without FMA: fused multiply-add gives other bits. kernels_avx2_fused.c compiles this file with it.
#include "isa.h"

#include "kernels.h"

#if defined(SQT_X86)

#include <immintrin.h>
#include <string.h>

#if defined(SQT_FUSED_KERNELS)
#define SETS "avx2,fma"
#else
#define SETS "avx2"
#define SKIN_FUSED sqt_skin_avx2_fused
#endif
#define FN SQT_ALWAYS_INLINE SQT_TARGET(SETS)
#define KERNEL static SQT_TARGET(SETS)

enum { LANES = 8 };
enum { BROADCAST_COSTS = 1 };   // that a float in memory fills a vector before it is used
enum { MATRIX_ALIGNMENT = 32 }; // with which matrices are read at full speed
typedef __m256 vf;
typedef __m256 vm;

FN vf vf_set1(float x) { return _mm256_set1_ps(x); }
FN vf vf_load(const float *p) { return _mm256_loadu_ps(p); }

/// The first `count` of LANES floats, 1 or more but not all, and 0 behind.
FN vf vf_load_first(const float *p, uint32_t count) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_maskload_ps(p, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lanes));
}

FN void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
FN vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
FN vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
FN vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
#if defined(SQT_FUSED_KERNELS)
FN vf vf_madd(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
#else
FN vf vf_madd(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
#endif
FN vf vf_div(vf a, vf b) { return _mm256_div_ps(a, b); }
FN vf vf_sqrt(vf a) { return _mm256_sqrt_ps(a); }
FN vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
FN vf vf_abs(vf a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
FN vf vf_xorsign(vf a, vf s) { return _mm256_xor_ps(a, _mm256_and_ps(s, _mm256_set1_ps(-0.0f))); }
FN vm vf_less(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
FN vm vf_equal(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
FN vm vf_not_equal(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_NEQ_UQ); }
FN vf vf_select(vm m, vf a, vf b) { return _mm256_blendv_ps(b, a, m); }
FN vf vf_zero_where(vm m, vf a) { return _mm256_andnot_ps(m, a); }
FN vm vm_or(vm a, vm b) { return _mm256_or_ps(a, b); }
FN vm vm_and_not(vm a, vm b) { return _mm256_andnot_ps(b, a); }
FN bool vm_any(vm m) { return _mm256_movemask_ps(m) != 0; }
FN bool vm_all(vm m) { return _mm256_movemask_ps(m) == 0xFF; }

FN vf vf_flip(vm m, vf a) { return _mm256_xor_ps(a, _mm256_and_ps(m, _mm256_set1_ps(-0.0f))); }

FN vf vf_load_pair(const float *low, const float *high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

FN void vf_store_pair(float *low, float *high, vf a) {
    _mm_storeu_ps(low, _mm256_castps256_ps128(a));
    _mm_storeu_ps(high, _mm256_extractf128_ps(a, 1));
}

/// LANES vectors of three floats, from and to memory without gaps, of any alignment. Four in each half.
FN void vf_load3(vf *x, vf *y, vf *z, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const vf a = vf_load_pair(p, p + 12), b = vf_load_pair(p + 4, p + 16), c = vf_load_pair(p + 8, p + 20);
    const vf xy = _mm256_shuffle_ps(b, c, 0x9E), yz = _mm256_shuffle_ps(a, b, 0x49); // xyzx yzxy zxyz
    *x = _mm256_shuffle_ps(a, xy, 0x8C);
    *y = _mm256_shuffle_ps(yz, xy, 0xD8);
    *z = _mm256_shuffle_ps(yz, c, 0xCD);
}

FN void vf_store3(char *to, vf x, vf y, vf z) {
    float *const p = (float *)(void *)to;
    const vf xy = _mm256_shuffle_ps(x, y, 0x88), yz = _mm256_shuffle_ps(y, z, 0xDD), zx = _mm256_shuffle_ps(z, x, 0xD8);
    vf_store_pair(p, p + 12, _mm256_shuffle_ps(xy, zx, 0x88));
    vf_store_pair(p + 4, p + 16, _mm256_shuffle_ps(yz, xy, 0xD8));
    vf_store_pair(p + 8, p + 20, _mm256_shuffle_ps(zx, yz, 0xDD));
}

// A matrix in two registers: two columns each.
typedef struct m4 {
    __m256 c01, c23;
} m4;

FN void m4_store(float *p, m4 a) {
    _mm256_storeu_ps(p, a.c01);
    _mm256_storeu_ps(p + 8, a.c23);
}

FN m4 m4_load(const float *p) {
    const m4 r = {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
    return r;
}

FN void m4_store_rows(float *p, m4 a) {
    const __m256 low = _mm256_unpacklo_ps(a.c01, a.c23), high = _mm256_unpackhi_ps(a.c01, a.c23);
    const __m128 low0 = _mm256_castps256_ps128(low), low1 = _mm256_extractf128_ps(low, 1);
    _mm_storeu_ps(p, _mm_unpacklo_ps(low0, low1));
    _mm_storeu_ps(p + 4, _mm_unpackhi_ps(low0, low1));
    _mm_storeu_ps(p + 8, _mm_unpacklo_ps(_mm256_castps256_ps128(high), _mm256_extractf128_ps(high, 1)));
}

FN __m256 m4_combine(__m256 p0, __m256 p1, __m256 p2, __m256 l, __m256 e) {
    const __m256 a = _mm256_mul_ps(p0, _mm256_permute_ps(l, 0x00)), b = _mm256_mul_ps(p1, _mm256_permute_ps(l, 0x55));
    const __m256 c = _mm256_mul_ps(p2, _mm256_permute_ps(l, 0xAA));
    return _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(a, b), c), e);
}

FN m4 m4_product(const float *p, const float *l) {
    const __m256 p0 = _mm256_broadcast_ps((const __m128 *)p), p1 = _mm256_broadcast_ps((const __m128 *)(p + 4));
    const __m256 p2 = _mm256_broadcast_ps((const __m128 *)(p + 8));
    const __m256 zero = _mm256_setr_ps(-0.0f, -0.0f, -0.0f, 0.0f, -0.0f, -0.0f, -0.0f, 0.0f);
    const __m256 e = _mm256_blend_ps(zero, _mm256_loadu_ps(p + 8), 0xF0);
    const m4 r = {m4_combine(p0, p1, p2, _mm256_loadu_ps(l), zero), m4_combine(p0, p1, p2, _mm256_loadu_ps(l + 8), e)};
    return r;
}

FN m4 m4_zero(void) {
    const m4 r = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    return r;
}

FN m4 m4_scaled(const float *p, float w) {
    const __m256 s = _mm256_set1_ps(w);
    const m4 r = {_mm256_mul_ps(_mm256_loadu_ps(p), s), _mm256_mul_ps(_mm256_loadu_ps(p + 8), s)};
    return r;
}

/// p * w + a.
FN m4 m4_madd(const float *p, float w, m4 a) {
    const __m256 s = _mm256_set1_ps(w);
    const m4 r = {vf_madd(_mm256_loadu_ps(p), s, a.c01), vf_madd(_mm256_loadu_ps(p + 8), s, a.c23)};
    return r;
}

// Two 4x4 transposes side by side, one in each half.
typedef struct vf_four {
    vf a, b, c, d;
} vf_four;

FN vf_four vf_transpose(vf a, vf b, vf c, vf d) {
    const vf ab_low = _mm256_shuffle_ps(a, b, 0x44), ab_high = _mm256_shuffle_ps(a, b, 0xEE);
    const vf cd_low = _mm256_shuffle_ps(c, d, 0x44), cd_high = _mm256_shuffle_ps(c, d, 0xEE);
    const vf_four r = {_mm256_shuffle_ps(ab_low, cd_low, 0x88), _mm256_shuffle_ps(ab_low, cd_low, 0xDD),
                       _mm256_shuffle_ps(ab_high, cd_high, 0x88), _mm256_shuffle_ps(ab_high, cd_high, 0xDD)};
    return r;
}

/// Four floats from each of LANES / 4 addresses: quarter q from p[4 * q] + offset.
FN vf vf_load_quarters(const float *const *p, size_t offset) { return vf_load_pair(p[0] + offset, p[4] + offset); }
FN void vf_store_quarters(float *const *p, size_t offset, vf a) { vf_store_pair(p[0] + offset, p[4] + offset, a); }

/// One half of two columns next to each other: of matrix i, then of matrix i + 4.
FN void m4_store_halves(float *const *to, size_t at, vf a, vf b) {
    _mm256_storeu_ps(to[0] + at, _mm256_permute2f128_ps(a, b, 0x20));
    _mm256_storeu_ps(to[4] + at, _mm256_permute2f128_ps(a, b, 0x31));
}

enum { COLUMNS = 2 }; // of LANES matrices that are stored at once

FN void m4_scatter(float *const *to, size_t at, const vf *columns, bool last) {
    const vf zero = vf_set1(0.0f);
    const vf_four a = vf_transpose(columns[0], columns[1], columns[2], zero);
    const vf_four b = vf_transpose(columns[3], columns[4], columns[5], last ? vf_set1(1.0f) : zero);
    m4_store_halves(to, at, a.a, b.a);
    m4_store_halves(to + 1, at, a.b, b.b);
    m4_store_halves(to + 2, at, a.c, b.c);
    m4_store_halves(to + 3, at, a.d, b.d);
}

FN void vf_splat3(vf out[3], const float *p) { out[0] = vf_set1(p[0]), out[1] = vf_set1(p[1]), out[2] = vf_set1(p[2]); }

/// Four matrices transposed, columns in pairs as they lie, and LANES of them, one a lane, as columns of three.
enum { GROUP = 4 };

typedef struct m4_group {
    vf_four c01, c23;
} m4_group;

FN m4_group m4_transpose(const m4 *m) {
    const m4_group r = {vf_transpose(m[0].c01, m[1].c01, m[2].c01, m[3].c01),
                        vf_transpose(m[0].c23, m[1].c23, m[2].c23, m[3].c23)};
    return r;
}

FN void m4_join(vf rows[12], const m4_group *g) {
    rows[0] = _mm256_permute2f128_ps(g[0].c01.a, g[1].c01.a, 0x20);
    rows[1] = _mm256_permute2f128_ps(g[0].c01.b, g[1].c01.b, 0x20);
    rows[2] = _mm256_permute2f128_ps(g[0].c01.c, g[1].c01.c, 0x20);
    rows[3] = _mm256_permute2f128_ps(g[0].c01.a, g[1].c01.a, 0x31);
    rows[4] = _mm256_permute2f128_ps(g[0].c01.b, g[1].c01.b, 0x31);
    rows[5] = _mm256_permute2f128_ps(g[0].c01.c, g[1].c01.c, 0x31);
    rows[6] = _mm256_permute2f128_ps(g[0].c23.a, g[1].c23.a, 0x20);
    rows[7] = _mm256_permute2f128_ps(g[0].c23.b, g[1].c23.b, 0x20);
    rows[8] = _mm256_permute2f128_ps(g[0].c23.c, g[1].c23.c, 0x20);
    rows[9] = _mm256_permute2f128_ps(g[0].c23.a, g[1].c23.a, 0x31);
    rows[10] = _mm256_permute2f128_ps(g[0].c23.b, g[1].c23.b, 0x31);
    rows[11] = _mm256_permute2f128_ps(g[0].c23.c, g[1].c23.c, 0x31);
}

/// LANES vectors of four floats.
FN void vf_load4(vf *x, vf *y, vf *z, vf *w, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const vf_four r = vf_transpose(vf_load_pair(p, p + 16), vf_load_pair(p + 4, p + 20), vf_load_pair(p + 8, p + 24),
                                   vf_load_pair(p + 12, p + 28));
    *x = r.a, *y = r.b, *z = r.c, *w = r.d;
}

FN void vf_store4(char *to, vf x, vf y, vf z, vf w) {
    float *const p = (float *)(void *)to;
    const vf_four r = vf_transpose(x, y, z, w);
    vf_store_pair(p, p + 16, r.a);
    vf_store_pair(p + 4, p + 20, r.b);
    vf_store_pair(p + 8, p + 24, r.c);
    vf_store_pair(p + 12, p + 28, r.d);
}

/// LANES unsigned integers of 8 or 16 bits, of any alignment.
FN vf vf_load_u8(const char *p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}

FN vf vf_load_u16(const char *p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}

typedef __m256i vs;

FN vs vs_shares(uint32_t share) { return _mm256_set1_epi32((int)(share << 16 | (32767u - share))); }

FN vf vs_mix(const int16_t *a, const int16_t *b, uint32_t lane, vs shares) {
    const __m256i ra = _mm256_loadu_si256((const __m256i *)(const void *)a);
    const __m256i rb = _mm256_loadu_si256((const __m256i *)(const void *)b);
    const __m256i pairs = lane == 0 ? _mm256_unpacklo_epi16(ra, rb) : _mm256_unpackhi_epi16(ra, rb);
    return _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, shares));
}

#include "kernels.inl"

#if defined(SQT_FUSED_KERNELS)
void sqt_skin_avx2_fused(const sqt_skin_job *job, uint32_t first, uint32_t count) { skin(job, first, count); }
#else
const sqt_kernels *sqt_kernels_avx2(void) { return &table; }
#endif

#elif !defined(SQT_FUSED_KERNELS)

const sqt_kernels *sqt_kernels_avx2(void) { return NULL; }

#endif
