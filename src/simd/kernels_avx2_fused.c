// The skinning kernels of AVX2 with fused multiply-add, for SQT_FUSED.
#include "isa.h"

#define SQT_FUSED_KERNELS
#include "kernels_avx2.c"
