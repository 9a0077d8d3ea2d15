#include "simd/isa.h"

#include "sqt/sync.h"

#include "timeline_loop.h"

sqt_result sqt_sync_validate(const sqt_sync *sync, const sqt_timeline *timeline, sqt_fault *fault) {
    if (!sync) return sqt_fail(fault, SQT_ERROR_NULL, "sync", 0, 0);
    const sqt_result result = sqt_timeline_validate(timeline, fault);
    if (result) return result;
    if (!(timeline->duration_seconds > 0.0f)) return sqt_fail(fault, SQT_ERROR_NUMBER, "duration_seconds", 0, 0);
    if (sync->mark_count > 0 && !sync->marks) return sqt_fail(fault, SQT_ERROR_NULL, "marks", 0, 0);
    for (uint32_t i = 0; i < sync->mark_count; ++i) {
        const float mark = sync->marks[i];
        if (!(mark >= 0.0f && mark < timeline->duration_seconds)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "marks", 0, i);
        }
        if (i > 0 && mark <= sync->marks[i - 1]) return sqt_fail(fault, SQT_ERROR_ORDER, "marks", 0, i);
    }
    return SQT_OK;
}

/// The marks of a clip, one where it has none of its own.
typedef struct mark_row {
    const float *marks;
    uint32_t count;
    double duration, first;
} mark_row;

static bool find_row(mark_row *row, const sqt_sync *sync, const sqt_timeline *timeline) {
    static const float start = 0.0f;
    if (!sync || sqt_timeline_validate(timeline, NULL)) return false;
    const bool has_marks = sync->marks && sync->mark_count > 0;
    row->marks = has_marks ? sync->marks : &start;
    row->count = has_marks ? sync->mark_count : 1;
    row->duration = (double)timeline->duration_seconds;
    row->first = (double)sync->first;
    return row->duration > 0.0;
}

/// From one mark to the next; mark -1 is the last of the loop before, and the last leads over the seam.
typedef struct mark_interval {
    double start, length;
} mark_interval;

static mark_interval find_interval(const mark_row *row, int64_t mark) {
    const int64_t last = (int64_t)row->count - 1;
    const double start = mark < 0 ? (double)row->marks[last] - row->duration : (double)row->marks[mark];
    const double end = mark < last ? (double)row->marks[mark + 1] : (double)row->marks[0] + row->duration;
    const mark_interval interval = {start, end - start};
    return interval;
}

/// The last mark at or before a time within the loop; -1 before the first.
static int64_t find_mark(const mark_row *row, double local_seconds) {
    int64_t low = -1, high = row->count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if ((double)row->marks[middle] <= local_seconds) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double sqt_sync_position(const sqt_sync *sync, const sqt_timeline *timeline, double seconds) {
    mark_row row;
    if (!find_row(&row, sync, timeline) || !sqt_finite_double(seconds)) return sync ? (double)sync->first : 0.0;
    const sqt_timeline cycle = {timeline->duration_seconds, SQT_LOOP_WRAP};
    const double local = sqt_timeline_wrap(&cycle, seconds), loop = (double)sqt_timeline_loop(&cycle, seconds);
    const int64_t mark = find_mark(&row, local);
    const mark_interval interval = find_interval(&row, mark);
    const double part = interval.length > 0.0 ? (local - interval.start) / interval.length : 0.0;
    return (row.first + loop * (double)row.count + (double)mark) + part;
}

/// A position within a clip: so many loops, then this mark, and a part of the interval behind it.
typedef struct mark_place {
    double loop, part;
    int64_t mark; // 0..count - 1
} mark_place;

static mark_place find_place(const mark_row *row, double position) {
    const double passed = floor(position), whole = passed - row->first, count = (double)row->count;
    mark_place place = {floor(whole / count), position - passed, 0};
    const double mark = whole - place.loop * count;
    if (mark >= 0.0 && mark < count) { // not beyond 2^53, where numbers are coarser than marks
        place.mark = (int64_t)mark;
    }
    return place;
}

double sqt_sync_seconds(const sqt_sync *sync, const sqt_timeline *timeline, double position) {
    mark_row row;
    if (!find_row(&row, sync, timeline) || !sqt_finite_double(position)) return 0.0;
    const mark_place place = find_place(&row, position);
    const mark_interval interval = find_interval(&row, place.mark);
    return place.loop * row.duration + (interval.start + place.part * interval.length);
}

static sqt_result check_members(const sqt_sync_member *members, uint32_t member_count) {
    if (member_count == 0) return SQT_ERROR_COUNT;
    for (uint32_t i = 0; i < member_count; ++i) {
        mark_row row;
        if (!members[i].sync || !members[i].timeline) return SQT_ERROR_NULL;
        if (!sqt_finite(members[i].weight) || members[i].weight < 0.0f) return SQT_ERROR_NUMBER;
        if (!find_row(&row, members[i].sync, members[i].timeline)) return SQT_ERROR_NUMBER;
    }
    return SQT_OK;
}

/// Marks a second in the interval that begins at a whole position; 0 where no member has a weight, below 0 where one
/// has an interval of no length.
static double find_speed(const sqt_sync_member *members, uint32_t member_count, double whole_position) {
    double total = 0.0, speed = 0.0;
    for (uint32_t i = 0; i < member_count; ++i) {
        mark_row row;
        const double weight = (double)members[i].weight;
        if (weight == 0.0 || !find_row(&row, members[i].sync, members[i].timeline)) continue;
        const mark_place place = find_place(&row, whole_position);
        const double length = find_interval(&row, place.mark).length;
        if (!(length > 0.0)) return -1.0;
        speed += weight / length;
        total += weight;
    }
    return total > 0.0 ? speed / total : 0.0;
}

sqt_result sqt_sync_advance(double *position, const sqt_sync_member *members, uint32_t member_count,
                            double dt_seconds) {
    enum { MOST_MARKS = 65536 };
    if (!position || !members) return SQT_ERROR_NULL;
    if (!sqt_finite_double(dt_seconds) || !sqt_finite_double(*position)) return SQT_ERROR_NUMBER;
    const sqt_result result = check_members(members, member_count);
    if (result) return result;
    double at = *position, left = dt_seconds;
    for (uint32_t i = 0; i <= MOST_MARKS; ++i) {
        if (!(fabs(at) <= SQT_MAX_LOOPS)) return SQT_ERROR_NUMBER;
        if (left == 0.0) {
            *position = at;
            return SQT_OK;
        }
        // Backwards, the interval that ends at a mark belongs to the mark.
        const double start = left > 0.0 ? floor(at) : -floor(-at) - 1.0, end = left > 0.0 ? start + 1.0 : start;
        const double speed = find_speed(members, member_count, start);
        if (speed < 0.0) return SQT_ERROR_NUMBER;
        const double reached = at + left * speed;
        if (speed == 0.0 || (left > 0.0 ? reached < end : reached > end)) {
            *position = reached;
            return SQT_OK;
        }
        left -= (end - at) / speed;
        at = end;
    }
    return SQT_ERROR_NUMBER;
}

float sqt_sync_speed(const sqt_sync_member *members, const float *speeds, uint32_t member_count, double position) {
    if (!members || !speeds || check_members(members, member_count) || !(fabs(position) <= SQT_MAX_LOOPS)) return 0.0f;
    const double start = floor(position), rate = find_speed(members, member_count, start);
    double way = 0.0, total = 0.0;
    for (uint32_t i = 0; i < member_count; ++i) {
        const double weight = (double)members[i].weight;
        mark_row row;
        if (!sqt_finite(speeds[i])) return 0.0f;
        if (weight == 0.0 || !find_row(&row, members[i].sync, members[i].timeline)) continue;
        way += weight * (double)speeds[i] * find_interval(&row, find_place(&row, start).mark).length;
        total += weight;
    }
    return rate > 0.0 ? (float)(way / total * rate) : 0.0f;
}
