// How far a sampled pose is from the motion that its clip was made from, in double precision: the samples of the
// motion, mixed by SLERP between two of them, as the asset's author saw it.
#ifndef BENCH_ERROR_H
#define BENCH_ERROR_H

#include "bench_rig.h"

/// The largest distance in model space, in metres, over all joints, of four points that move with a joint: its origin
/// and 10 cm along each axis, where a skin would be.
///
/// @param pose sampled at `seconds` of a clip made of this motion at 30 samples a second.
double bench_pose_error(const bench_rig *rig, uint32_t motion, double seconds, const sqt_pose_block *pose);

#endif
