// The skinning kernels of AVX-512 with fused multiply-add, for SQT_FUSED.
#include "isa.h"

#define SQT_FUSED_KERNELS
#include "kernels_avx512.c"
