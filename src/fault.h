// How the checks of the library report: one line a check.
#ifndef SQT_SRC_FAULT_H
#define SQT_SRC_FAULT_H

#include <string.h>

#include "sqt/base.h"

/// Fills an optional fault and returns the error, so that a check is `return sqt_fail(...)`.
static inline sqt_result sqt_fail(sqt_fault *fault, sqt_result result, const char *field, uint32_t index,
                                  uint32_t element) {
    if (fault) {
        fault->field = field;
        fault->index = index;
        fault->element = element;
    }
    return result;
}

/// By bits, so that no compiler flag can assume the answer.
static inline bool sqt_finite(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7F800000u) != 0x7F800000u;
}

static inline bool sqt_finite_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7FF0000000000000u) != 0x7FF0000000000000u;
}

#endif
