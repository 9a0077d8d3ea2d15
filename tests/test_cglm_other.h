// The other side of test_cglm_header.c: the same header in a file that is compiled without -mavx, where cglm's mat4 has
// another alignment.
#ifndef TEST_CGLM_OTHER_H
#define TEST_CGLM_OTHER_H

#include <sqt/transform.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a struct of both libraries' types looks like there.
typedef struct other_layout {
    size_t mat4_alignment, sqt_mat4_alignment;
    size_t sqt_struct_bytes; ///< of a char, a sqt_mat4, a sqt_vec3, a sqt_quat
} other_layout;

other_layout other_side_layout(void);

/// Through that side's cglm types and back.
sqt_vec3 other_side_vec3(sqt_vec3 v);
sqt_quat other_side_quat(sqt_quat q);
sqt_mat4 other_side_mat4(sqt_mat4 m);

/// Reads a mat4 of the caller, and writes one: 16 floats of any alignment.
sqt_mat4 other_side_read(float (*m)[4]);
void other_side_write(float (*out)[4], sqt_mat4 m);

#ifdef __cplusplus
}
#endif

#endif
