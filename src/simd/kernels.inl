// The kernels, in the vocabulary of the set that includes this file. They assume checked arguments.

#if defined(SQT_FUSED_KERNELS)

#include "kernel_skin.inl"

#else

#include "../pose_lanes.h"

#include "joint.inl"
#include "kernel_blend.inl"
#include "kernel_inertial.inl"
#include "kernel_global.inl"
#include "kernel_skin.inl"
#include "kernel_uniform.inl"

static const sqt_kernels table = {LANES,    blend,  blend_many,  blend_many_masked, difference,  add,  inertial,
                                  matrices, global, GLOBAL_MANY, palette,           palette_3x4, skin, uniform};

#endif
