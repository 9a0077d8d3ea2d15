/// @file cglm.h
/// Optional: to and from the types of cglm, for those who use it. sqt.h does not include this header, and this header
/// does not include cglm.
///
/// Never cast between the two. cglm aligns its vec4 and versor to 16 bytes and its mat4 to 16 or, with -mavx, 32; sqt's
/// structs have the alignment of float. These functions copy, and their parameters are cglm's types without the
/// alignment, so they are right whatever cglm was built with, here or in the file that the value comes from. The numbers
/// are the same in the same order: mat4 is column-major, versor is x, y, z, w (since cglm 0.4.0; before it was w, x, y,
/// z).
///
/// Where floats are asked for, no conversion is needed: sqt_mat4 is 16 floats in the order of OpenGL and Vulkan, and a
/// palette goes to the GPU as it is.
#ifndef SQT_CGLM_H
#define SQT_CGLM_H

#include <string.h>

#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/// @param v a vec3.
static inline sqt_vec3 sqt_vec3_from_cglm(const float v[3]) {
    sqt_vec3 r;
    memcpy(&r, v, sizeof r);
    return r;
}

/// @param q a versor. It is not normalised.
static inline sqt_quat sqt_quat_from_cglm(const float q[4]) {
    sqt_quat r;
    memcpy(&r, q, sizeof r);
    return r;
}

/// @param m a mat4. It is not const because the parameters of cglm are not: a mat4 does not convert to a const mat4 in
///          C.
static inline sqt_mat4 sqt_mat4_from_cglm(float m[4][4]) {
    sqt_mat4 r;
    memcpy(&r, m, sizeof r);
    return r;
}

/// @param out a vec3.
static inline void sqt_cglm_from_vec3(float out[3], sqt_vec3 v) { memcpy(out, &v, sizeof v); }

/// @param out a versor.
static inline void sqt_cglm_from_quat(float out[4], sqt_quat q) { memcpy(out, &q, sizeof q); }

/// @param out a mat4.
static inline void sqt_cglm_from_mat4(float out[4][4], sqt_mat4 m) { memcpy(out, &m, sizeof m); }

#ifdef __cplusplus
}
#endif

#endif
