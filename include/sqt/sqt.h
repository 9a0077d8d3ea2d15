/// @file sqt.h
/// All of sqt, in the order in which a frame calls it.
///
///     sqt_clip_sample(walk, &skeleton, &walk_clip, seconds, SQT_NLERP);            // clip.h, channel.h
///     sqt_clip_sample(run, &skeleton, &run_clip, seconds, SQT_NLERP);
///     sqt_blend_pair(walk, &skeleton, walk, run, NULL, 0.3f, SQT_NLERP);           // blend.h
///     sqt_global_from_local(global, &skeleton, walk, NULL);                        // global.h
///     sqt_skin_palette(palette, &skeleton, &skin, global, NULL);                   // skin.h
///     sqt_skin_vertices(&skinned, &mesh, palette, skin.joint_count, 0, mesh.vertex_count, 0);
#ifndef SQT_SQT_H
#define SQT_SQT_H

#include "base.h"
#include "transform.h"
#include "pose.h"
#include "skeleton.h"
#include "timeline.h"
#include "clock.h"
#include "sync.h"
#include "event.h"
#include "clip.h"
#include "uniform_clip.h"
#include "channel.h"
#include "track.h"
#include "root_motion.h"
#include "blend_space.h"
#include "locomotion.h"
#include "mask.h"
#include "blend.h"
#include "layer.h"
#include "ease.h"
#include "transition.h"
#include "inertial.h"
#include "global.h"
#include "core_pose.h"
#include "mesh.h"
#include "skin.h"

#endif
