// Mixing rotations when the arc has been chosen already: for evaluators that decide it in double precision.
#ifndef SQT_SRC_QUAT_H
#define SQT_SRC_QUAT_H

#include "sqt/transform.h"

/// SLERP from a to b as given, without turning b to the shorter arc: sqt_quat_slerp does that first. Unit result.
sqt_quat sqt_quat_slerp_aligned(sqt_quat a, sqt_quat b, float t);

#endif
