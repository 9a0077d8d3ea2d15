// The jobs of poses: sampling, blending, global poses, palettes, whole characters.
#ifndef BENCH_POSE_H
#define BENCH_POSE_H

#include "bench_case.h"

void bench_pose(bench *b);

#endif
