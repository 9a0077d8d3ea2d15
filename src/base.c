#include "simd/isa.h"

#include "sqt/base.h"

const char *sqt_result_string(sqt_result result) {
    switch (result) {
    case SQT_OK:
        return "ok";
    case SQT_ERROR_NULL:
        return "null pointer";
    case SQT_ERROR_COUNT:
        return "count or index out of range";
    case SQT_ERROR_NUMBER:
        return "number not finite or out of range";
    case SQT_ERROR_ORDER:
        return "out of order";
    case SQT_ERROR_RIG:
        return "made for another skeleton";
    case SQT_ERROR_SPACE:
        return "not enough memory given";
    case SQT_ERROR_FLAG:
        return "unknown flag";
    case SQT_ERROR_NOT_FOUND:
        return "not found";
    }
    return "unknown result";
}

uint32_t sqt_hash(const char *name) {
    uint32_t hash = 0x811C9DC5u;
    if (!name) return hash;
    for (; *name; ++name) hash = (hash ^ (uint8_t)*name) * 0x01000193u;
    return hash;
}

void sqt_snap(float *values, size_t value_count) {
    if (!values) return;
    for (size_t i = 0; i < value_count; ++i) {
        if (values[i] > -1e-30f && values[i] < 1e-30f) values[i] = 0.0f;
    }
}

const char *sqt_isa_name(uint32_t isa) {
    switch (isa) {
    case SQT_ISA_SCALAR:
        return "scalar";
    case SQT_ISA_SSE:
        return "sse";
    case SQT_ISA_AVX2:
        return "avx2";
    case SQT_ISA_AVX512:
        return "avx512";
    case SQT_ISA_NEON:
        return "neon";
    case SQT_ISA_WASM:
        return "wasm";
    default:
        return "unknown";
    }
}
