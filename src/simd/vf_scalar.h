// The scalar vocabulary: one lane. It defines what every other set's functions of these names mean.
#ifndef SQT_SRC_VF_SCALAR_H
#define SQT_SRC_VF_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../uniform_row.h"
#include "isa.h"

#define FN SQT_ALWAYS_INLINE
#define KERNEL static

enum { LANES = 1 };
enum { BROADCAST_COSTS = 0 };  // that a float in memory fills a vector before it is used
enum { MATRIX_ALIGNMENT = 4 }; // with which matrices are read at full speed
typedef float vf;              // LANES floats
typedef bool vm;               // LANES truth values

FN vf vf_set1(float x) { return x; }
FN vf vf_load(const float *p) { return *p; }

/// The first `count` of LANES floats, 1 or more but not all, and 0 behind.
FN vf vf_load_first(const float *p, uint32_t count) { return count ? *p : 0.0f; }

FN void vf_store(float *p, vf a) { *p = a; }
FN vf vf_add(vf a, vf b) { return a + b; }
FN vf vf_sub(vf a, vf b) { return a - b; }
FN vf vf_mul(vf a, vf b) { return a * b; }
FN vf vf_madd(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); } // fused where SQT_FUSED_KERNELS says so
FN vf vf_div(vf a, vf b) { return a / b; }
FN vf vf_sqrt(vf a) { return sqrtf(a); }
FN vf vf_max(vf a, vf b) { return a > b ? a : b; } // b where either is NaN, as maxps
FN vm vf_less(vf a, vf b) { return a < b; }
FN vm vf_equal(vf a, vf b) { return a == b; }
FN vm vf_not_equal(vf a, vf b) { return a != b; }       // true where either is NaN
FN vf vf_select(vm m, vf a, vf b) { return m ? a : b; } // a where m
FN vf vf_zero_where(vm m, vf a) { return m ? 0.0f : a; }
FN vm vm_or(vm a, vm b) { return a || b; }
FN vm vm_and_not(vm a, vm b) { return a && !b; }
FN bool vm_any(vm m) { return m; }
FN bool vm_all(vm m) { return m; }

FN vf vf_abs(vf a) {
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= 0x7FFFFFFFu;
    memcpy(&a, &bits, sizeof bits);
    return a;
}

/// a with its sign flipped where s has the sign bit.
FN vf vf_xorsign(vf a, vf s) {
    uint32_t bits, sign;
    memcpy(&bits, &a, sizeof bits);
    memcpy(&sign, &s, sizeof sign);
    bits ^= sign & 0x80000000u;
    memcpy(&a, &bits, sizeof bits);
    return a;
}

/// a with its sign flipped where m.
FN vf vf_flip(vm m, vf a) { return vf_xorsign(a, m ? -0.0f : 0.0f); }

/// LANES vectors of three floats, from and to memory without gaps, of any alignment.
FN void vf_load3(vf *x, vf *y, vf *z, const char *p) {
    float v[3];
    memcpy(v, p, sizeof v);
    *x = v[0];
    *y = v[1];
    *z = v[2];
}

FN void vf_store3(char *p, vf x, vf y, vf z) {
    const float v[3] = {x, y, z};
    memcpy(p, v, sizeof v);
}

/// LANES vectors of four floats; the last component passes bit by bit.
FN void vf_load4(vf *x, vf *y, vf *z, vf *w, const char *p) {
    vf_load3(x, y, z, p);
    memcpy(w, p + 3 * sizeof *w, sizeof *w);
}

FN void vf_store4(char *p, vf x, vf y, vf z, vf w) {
    vf_store3(p, x, y, z);
    memcpy(p + 3 * sizeof w, &w, sizeof w);
}

/// LANES unsigned integers of 8 or 16 bits, of any alignment.
FN vf vf_load_u8(const char *p) { return (float)(uint8_t)*p; }

FN vf vf_load_u16(const char *p) {
    uint16_t x;
    memcpy(&x, p, sizeof x);
    return (float)x;
}

// Sums of 16-bit integers, exact in 32 bits and then rounded to float.
typedef struct vs {
    int32_t a, b;
} vs;

FN vs vs_shares(uint32_t share) {
    const vs r = {32767 - (int32_t)share, (int32_t)share};
    return r;
}

/// a (32767 - share) + b share for the LANES integers of `lane`, a multiple of LANES, in two rows of 16 that lie in the
/// order 0-3, 8-11, 4-7, 12-15.
FN vf vs_mix(const int16_t *a, const int16_t *b, uint32_t lane, vs shares) {
    const uint32_t place = sqt_uniform_place(lane);
    return (float)(a[place] * shares.a + b[place] * shares.b);
}

// Four lanes: a matrix column. The w of a sum is computed like the rest, so that zeros get the same sign on every set.
typedef struct v4 {
    float e[4];
} v4;

FN v4 v4_load(const float *p) {
    v4 r;
    memcpy(r.e, p, sizeof r.e);
    return r;
}

FN void v4_store(float *p, v4 a) { memcpy(p, a.e, sizeof a.e); }

FN v4 v4_set1(float x) {
    const v4 r = {{x, x, x, x}};
    return r;
}

FN v4 v4_add(v4 a, v4 b) {
    const v4 r = {{a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2], a.e[3] + b.e[3]}};
    return r;
}

FN v4 v4_mul(v4 a, v4 b) {
    const v4 r = {{a.e[0] * b.e[0], a.e[1] * b.e[1], a.e[2] * b.e[2], a.e[3] * b.e[3]}};
    return r;
}

FN v4 v4_madd(v4 a, v4 b, v4 c) { return v4_add(v4_mul(a, b), c); }

typedef struct v4_four {
    v4 a, b, c, d;
} v4_four;

FN v4_four v4_transpose(v4 a, v4 b, v4 c, v4 d) {
    const v4_four r = {{{a.e[0], b.e[0], c.e[0], d.e[0]}},
                       {{a.e[1], b.e[1], c.e[1], d.e[1]}},
                       {{a.e[2], b.e[2], c.e[2], d.e[2]}},
                       {{a.e[3], b.e[3], c.e[3], d.e[3]}}};
    return r;
}

#define SQT_SCALAR_LANES
#include "matrix_v4.inl"

enum { COLUMNS = 4 }; // of LANES matrices that are stored at once

/// COLUMNS columns of LANES matrices, one a lane, to `at` floats behind each of LANES addresses. The last of the four
/// rows is 0; in the last column of a matrix, 1.
FN void m4_scatter(float *const *to, size_t at, const vf *c, bool last) {
    float *const p = to[0] + at;
    p[0] = c[0], p[1] = c[1], p[2] = c[2], p[3] = 0.0f;
    p[4] = c[3], p[5] = c[4], p[6] = c[5], p[7] = 0.0f;
    p[8] = c[6], p[9] = c[7], p[10] = c[8], p[11] = 0.0f;
    p[12] = c[9], p[13] = c[10], p[14] = c[11], p[15] = last ? 1.0f : 0.0f;
}

/// GROUP matrices transposed in registers, and LANES of them, one a lane, as columns of three.
enum { GROUP = 1 };

typedef m4 m4_group;

FN m4_group m4_transpose(const m4 *m) { return *m; }

FN void m4_join(vf rows[12], const m4_group *g) {
    float p[16];
    m4_store(p, *g);
    for (int i = 0; i < 12; ++i) rows[i] = p[i / 3 * 4 + i % 3];
}

#endif
