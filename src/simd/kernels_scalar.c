// Plain C: the reference of every other set.
#include "isa.h"

#include "vf_scalar.h"

#include "kernels.h"
#include "kernels.inl"

const sqt_kernels *sqt_kernels_scalar(void) { return &table; }
