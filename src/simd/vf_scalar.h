// The scalar vocabulary: one lane. It defines what every other set's functions of these names mean.
#ifndef SQT_SRC_VF_SCALAR_H
#define SQT_SRC_VF_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "isa.h"

#define FN SQT_ALWAYS_INLINE
#define KERNEL static

enum { LANES = 1 };
typedef float vf; // LANES floats
typedef bool vm;  // LANES truth values

FN vf vf_set1(float x) { return x; }
FN vf vf_load(const float *p) { return *p; }
FN void vf_store(float *p, vf a) { *p = a; }
FN vf vf_add(vf a, vf b) { return a + b; }
FN vf vf_sub(vf a, vf b) { return a - b; }
FN vf vf_mul(vf a, vf b) { return a * b; }
FN vf vf_div(vf a, vf b) { return a / b; }
FN vf vf_sqrt(vf a) { return sqrtf(a); }
FN vf vf_max(vf a, vf b) { return a > b ? a : b; } // b where either is NaN, as maxps
FN vm vf_less(vf a, vf b) { return a < b; }
FN vm vf_equal(vf a, vf b) { return a == b; }
FN vf vf_select(vm m, vf a, vf b) { return m ? a : b; } // a where m

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

/// Three rows of the matrix with these columns.
FN void v4_store_rows(float *p, v4 c0, v4 c1, v4 c2, v4 c3) {
    for (int row = 0; row < 3; ++row) {
        p[4 * row] = c0.e[row];
        p[4 * row + 1] = c1.e[row];
        p[4 * row + 2] = c2.e[row];
        p[4 * row + 3] = c3.e[row];
    }
}

/// Lane i of (x, y, z, w) to the four floats at p + 16 i: a column of LANES matrices.
FN void vf_store_columns(float *p, vf x, vf y, vf z, vf w) {
    p[0] = x;
    p[1] = y;
    p[2] = z;
    p[3] = w;
}

/// The other way: the first three floats of a column of LANES matrices.
FN void vf_load_columns(const float *p, vf *x, vf *y, vf *z) {
    *x = p[0];
    *y = p[1];
    *z = p[2];
}

#endif
