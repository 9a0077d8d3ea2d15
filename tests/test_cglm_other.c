#include "test_cglm_other.h"

#include <cglm/types.h>
#include <sqt/cglm.h>

typedef struct sqt_types {
    char first;
    sqt_mat4 m;
    sqt_vec3 v;
    sqt_quat q;
} sqt_types;

other_layout other_side_layout(void) {
    const other_layout layout = {_Alignof(mat4), _Alignof(sqt_mat4), sizeof(sqt_types)};
    return layout;
}

sqt_vec3 other_side_vec3(sqt_vec3 v) {
    vec3 c;
    sqt_cglm_from_vec3(c, v);
    return sqt_vec3_from_cglm(c);
}

sqt_quat other_side_quat(sqt_quat q) {
    versor c;
    sqt_cglm_from_quat(c, q);
    return sqt_quat_from_cglm(c);
}

sqt_mat4 other_side_mat4(sqt_mat4 m) {
    mat4 c;
    sqt_cglm_from_mat4(c, m);
    return sqt_mat4_from_cglm(c);
}

sqt_mat4 other_side_read(float (*m)[4]) { return sqt_mat4_from_cglm(m); }

void other_side_write(float (*out)[4], sqt_mat4 m) { sqt_cglm_from_mat4(out, m); }
