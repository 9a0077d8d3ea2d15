// NEON on 64-bit ARM: part of every such processor. (32-bit NEON flushes denormals and has no division: not for it.)
#include "isa.h"

#include "kernels.h"

#if defined(SQT_ARM64)

#include <arm_neon.h>
#include <string.h>

#if !defined(SQT_FUSED_KERNELS)
#define SKIN_FUSED sqt_skin_neon_fused
#endif
#define FN SQT_ALWAYS_INLINE
#define KERNEL static

enum { LANES = 4 };
enum { BROADCAST_COSTS = 0 };  // that a float in memory fills a vector before it is used
enum { MATRIX_ALIGNMENT = 4 }; // with which matrices are read at full speed
typedef float32x4_t vf;
typedef uint32x4_t vm;

FN vf vf_set1(float x) { return vdupq_n_f32(x); }
FN vf vf_load(const float *p) { return vld1q_f32(p); }

/// The first `count` of LANES floats, 1 or more but not all, and 0 behind.
FN vf vf_load_first(const float *p, uint32_t count) {
    const float32x2_t zero = vdup_n_f32(0.0f);
    if (count == 1) return vcombine_f32(vld1_lane_f32(p, zero, 0), zero);
    return vcombine_f32(vld1_f32(p), count == 2 ? zero : vld1_lane_f32(p + 2, zero, 0));
}

FN void vf_store(float *p, vf a) { vst1q_f32(p, a); }
FN vf vf_add(vf a, vf b) { return vaddq_f32(a, b); }
FN vf vf_sub(vf a, vf b) { return vsubq_f32(a, b); }
FN vf vf_mul(vf a, vf b) { return vmulq_f32(a, b); }
#if defined(SQT_FUSED_KERNELS)
FN vf vf_madd(vf a, vf b, vf c) { return vfmaq_f32(c, a, b); }
#else
FN vf vf_madd(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
#endif
FN vf vf_div(vf a, vf b) { return vdivq_f32(a, b); }
FN vf vf_sqrt(vf a) { return vsqrtq_f32(a); }
FN vm vf_less(vf a, vf b) { return vcltq_f32(a, b); }
FN vm vf_equal(vf a, vf b) { return vceqq_f32(a, b); }
FN vm vf_not_equal(vf a, vf b) { return vmvnq_u32(vceqq_f32(a, b)); }
FN vf vf_select(vm m, vf a, vf b) { return vbslq_f32(m, a, b); }
FN vf vf_zero_where(vm m, vf a) { return vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(a), m)); }
FN vm vm_or(vm a, vm b) { return vorrq_u32(a, b); }
FN vm vm_and_not(vm a, vm b) { return vbicq_u32(a, b); }
FN bool vm_any(vm m) { return vmaxvq_u32(m) != 0; }
FN bool vm_all(vm m) { return vminvq_u32(m) != 0; }
FN vf vf_max(vf a, vf b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
FN vf vf_abs(vf a) { return vabsq_f32(a); }

FN vf vf_xorsign(vf a, vf s) {
    const uint32x4_t sign = vandq_u32(vreinterpretq_u32_f32(s), vdupq_n_u32(0x80000000u));
    return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), sign));
}

FN vf vf_flip(vm m, vf a) {
    return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), vandq_u32(m, vdupq_n_u32(0x80000000u))));
}

/// LANES vectors of three floats, from and to memory without gaps, of any alignment.
FN void vf_load3(vf *x, vf *y, vf *z, const char *from) {
    const float *const p = (const float *)(const void *)from;
    const float32x4x3_t r = vld3q_f32(p);
    *x = r.val[0];
    *y = r.val[1];
    *z = r.val[2];
}

FN void vf_store3(char *to, vf x, vf y, vf z) {
    float *const p = (float *)(void *)to;
    const float32x4x3_t r = {{x, y, z}};
    vst3q_f32(p, r);
}

/// LANES unsigned integers of 8 or 16 bits, of any alignment.
FN vf vf_load_u16(const char *p) {
    uint64_t bits;
    memcpy(&bits, p, sizeof bits);
    return vcvtq_f32_u32(vmovl_u16(vcreate_u16(bits)));
}

FN vf vf_load_u8(const char *p) {
    uint32_t bits;
    memcpy(&bits, p, sizeof bits);
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(bits)))));
}

typedef struct vs {
    int16_t a, b;
} vs;

FN vs vs_shares(uint32_t share) {
    const vs r = {(int16_t)(32767 - (int32_t)share), (int16_t)share};
    return r;
}

FN vf vs_mix(const int16_t *a, const int16_t *b, uint32_t lane, vs shares) {
    const uint32_t place = sqt_uniform_place(lane);
    return vcvtq_f32_s32(vmlal_n_s16(vmull_n_s16(vld1_s16(a + place), shares.a), vld1_s16(b + place), shares.b));
}

typedef float32x4_t v4;

FN v4 v4_load(const float *p) { return vld1q_f32(p); }
FN void v4_store(float *p, v4 a) { vst1q_f32(p, a); }
FN v4 v4_set1(float x) { return vdupq_n_f32(x); }
FN v4 v4_add(v4 a, v4 b) { return vaddq_f32(a, b); }
FN v4 v4_mul(v4 a, v4 b) { return vmulq_f32(a, b); }
FN v4 v4_madd(v4 a, v4 b, v4 c) { return vf_madd(a, b, c); }

typedef struct v4_four {
    v4 a, b, c, d;
} v4_four;

FN v4_four v4_transpose(v4 a, v4 b, v4 c, v4 d) {
    const float32x4x2_t ac = vzipq_f32(a, c), bd = vzipq_f32(b, d);
    const float32x4x2_t low = vzipq_f32(ac.val[0], bd.val[0]), high = vzipq_f32(ac.val[1], bd.val[1]);
    const v4_four r = {low.val[0], low.val[1], high.val[0], high.val[1]};
    return r;
}

/// One lane in all four.
FN v4 v4_x(v4 a) { return vdupq_laneq_f32(a, 0); }
FN v4 v4_y(v4 a) { return vdupq_laneq_f32(a, 1); }
FN v4 v4_z(v4 a) { return vdupq_laneq_f32(a, 2); }
FN v4 v4_w(v4 a) { return vdupq_laneq_f32(a, 3); }

/// a with the w of b, bit by bit.
FN v4 v4_with_w(v4 a, v4 b) { return vcopyq_laneq_f32(a, 3, b, 3); }

/// The first three lanes of four vectors without gaps.
FN void v4_store3(char *to, v4 a, v4 b, v4 c, v4 d) {
    float *const p = (float *)(void *)to;
    v4_store(p, vcopyq_laneq_f32(a, 3, b, 0));
    v4_store(p + 4, vextq_f32(vextq_f32(b, b, 3), c, 2)); // b.yz, c.xy
    v4_store(p + 8, vextq_f32(vdupq_laneq_f32(c, 2), vextq_f32(d, d, 0), 3));
}

#include "matrix_v4.inl"

#include "kernels.inl"

#if defined(SQT_FUSED_KERNELS)
void sqt_skin_neon_fused(const sqt_skin_job *job, uint32_t first, uint32_t count) { skin(job, first, count); }
#else
const sqt_kernels *sqt_kernels_neon(void) { return &table; }
#endif

#elif !defined(SQT_FUSED_KERNELS)

const sqt_kernels *sqt_kernels_neon(void) { return NULL; }

#endif
