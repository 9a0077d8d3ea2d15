// The skinning kernels of NEON with fused multiply-add, for SQT_FUSED.
#include "isa.h"

#define SQT_FUSED_KERNELS
#include "kernels_neon.c"
