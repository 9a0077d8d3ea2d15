// The kernels: what each instruction set supplies, and how one is chosen. The public functions check their arguments
// and call through this table; every set gives the same bits (kernels.inl says how).
#ifndef SQT_SRC_KERNELS_H
#define SQT_SRC_KERNELS_H

#include "sqt/pose.h"

typedef struct sqt_kernels {
    /// out = mix(a, b) a joint, w = weight (* mask[joint]): (1 - w) a + w b, rotations by nlerp or slerp. Lanes behind
    /// the last joint become identity. Sampling is this kernel between two rows of samples. out may be a or b.
    void (*blend)(sqt_pose_block *out, const sqt_pose_block *a, const sqt_pose_block *b, const float *mask,
                  float weight, uint32_t joint_count, bool slerp);
} sqt_kernels;

/// The kernels in use: chosen on first use, one relaxed atomic load after that.
const sqt_kernels *sqt_kernels_current(void);

/// The kernels of one set, whether or not it is the current one; NULL where this build or CPU does not have it.
const sqt_kernels *sqt_kernels_of(uint32_t isa);

#endif
