/* Which coverpoints have been reached: see map.h. */
#include "harness/coverage/map.h"
#include "harness/base/xalloc.h"
#include "harness/json/document.h"

#include "reference/core/profile.h"
#include "reports/json_read.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill_function(lb_cover_function *function, const lb_kernel *kernel, size_t first_point)
{
    lb_cover_group groups[LB_MAX_COVER_GROUPS];
    size_t count = lb_cover_groups(kernel, groups);
    *function =
        (lb_cover_function){.kernel = kernel, .group_count = count, .first_point = first_point};
    function->groups = lb_zeroed(count, sizeof *groups);
    function->group_first = lb_zeroed(count, sizeof *function->group_first);
    function->left = lb_zeroed(count, sizeof *function->left);
    memcpy(function->groups, groups, count * sizeof *groups);
    for (size_t g = 0; g < count; g++) {
        function->group_first[g] = first_point + function->point_count;
        function->left[g].count = lb_cover_points(&groups[g]);
        function->point_count += function->left[g].count;
    }
    function->why = lb_zeroed(function->point_count * LB_PROFILE_COUNT, sizeof *function->why);
}

unsigned lb_cover_profiles(const lb_profile *const *profiles, size_t count)
{
    unsigned set = 0;
    for (size_t i = 0; i < count; i++)
        set |= lb_cover_bit(profiles[i]->set, lb_profile_numerics(profiles[i]));
    return set;
}

size_t lb_cover_spot(const lb_cover_map *map, int profile, size_t point)
{
    return (size_t)profile * map->point_count + point;
}

size_t lb_cover_spot_point(const lb_cover_map *map, size_t spot)
{
    return spot % map->point_count;
}

static const char *profile_name(const lb_kernel *kernel, int profile)
{
    return lb_kernel_set_of(kernel)->profiles[profile].name;
}

static int cover_spot_profile(const lb_cover_map *map, size_t spot)
{
    return (int)(spot / map->point_count);
}

lb_cover_map *lb_cover_map_new(unsigned profiles)
{
    lb_cover_map *map = lb_zeroed(1, sizeof *map);
    map->functions = lb_zeroed(lb_kernel_total(), sizeof *map->functions);
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        fill_function(&map->functions[i], lb_kernel_at(i), map->point_count);
        map->point_count += map->functions[i].point_count;
    }
    map->reached = lb_zeroed_shared(map->point_count * LB_PROFILE_COUNT);
    map->profiles = profiles;
    return map;
}

void lb_cover_map_free(lb_cover_map *map)
{
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        free(map->functions[i].groups);
        free(map->functions[i].group_first);
        free(map->functions[i].why);
        free(map->functions[i].left);
    }
    lb_shared_give_back(map->reached, map->point_count * LB_PROFILE_COUNT);
    free(map->functions);
    free(map);
}

const lb_cover_function *lb_cover_map_function(const lb_cover_map *map, const lb_kernel *kernel)
{
    return &map->functions[lb_kernel_number(kernel)];
}

/* The reasons of a point in all profiles. They are asked for again and again. */
static const char *const *reasons_of(const lb_cover_function *function, size_t point)
{
    const char **why = function->why + (point - function->first_point) * LB_PROFILE_COUNT;
    unsigned place;
    if (why[0])
        return why;
    const lb_cover_group *group = lb_cover_map_group(function, point, &place);
    lb_cover_unreachable(function->kernel, group, place, why);
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        why[p] = why[p] ? why[p] : "";
    return why;
}

/* Bit i: nothing reaches point i of the group in the profile. */
static uint64_t unreachable_points(const lb_cover_function *function, size_t g, int profile)
{
    lb_cover_left *left = &function->left[g];
    const size_t first = function->group_first[g];
    for (unsigned i = 0; !(left->is_known >> profile & 1) && i < left->count; i++)
        if (reasons_of(function, first + i)[profile][0] != '\0')
            left->unreachable[profile] |= (uint64_t)1 << i;
    left->is_known |= 1u << profile;
    return left->unreachable[profile];
}

/* Bit i: point i of the group is not reached yet in the profile, and is looked for. Asked at every
 * call, so that what is known is kept. */
static uint64_t open_points(const lb_cover_map *map, const lb_cover_function *function, size_t g,
                            int profile)
{
    lb_cover_left *left = &function->left[g];
    const uint64_t all = left->count == 0 ? 0 : UINT64_MAX >> (LB_MAX_GROUP_POINTS - left->count);
    const uint64_t wanted =
        map->only_reachable ? all & ~unreachable_points(function, g, profile) : all;
    const uint64_t open = wanted & ~left->reached[profile];
    if (open == 0)
        return 0;
    const unsigned char *reached =
        map->reached + lb_cover_spot(map, profile, function->group_first[g]);
    unsigned i = 0;
    for (uint64_t rest = open; rest != 0; rest >>= 1, i++)
        if ((rest & 1) != 0 && reached[i])
            left->reached[profile] |= (uint64_t)1 << i;
    return open & ~left->reached[profile];
}

size_t lb_cover_map_look(const lb_cover_map *map, const lb_observation *o, size_t *fresh,
                         size_t room)
{
    const lb_cover_function *function = lb_cover_map_function(map, o->kernel);
    const int profile = lb_profile_numerics(o->profile);
    size_t count = 0;
    for (size_t g = 0; g < function->group_count; g++) {
        uint64_t open = open_points(map, function, g, profile);
        uint64_t hit = open ? lb_cover_observe(o, &function->groups[g], open) : 0;
        for (size_t i = 0; hit >> i && count < room; i++) {
            if (hit >> i & 1)
                fresh[count++] = lb_cover_spot(map, profile, function->group_first[g] + i);
            if (i == LB_MAX_GROUP_POINTS - 1)
                break;
        }
    }
    return count;
}

bool lb_cover_map_wants_steps(const lb_cover_map *map, const lb_kernel *kernel,
                              const lb_profile *profile)
{
    const lb_cover_function *function = lb_cover_map_function(map, kernel);
    const int numerics = lb_profile_numerics(profile);
    bool wants = false;
    for (size_t g = 0; lb_cover_counts_in(map, kernel, numerics) && g < function->group_count; g++)
        wants = wants || (function->groups[g].of_steps && open_points(map, function, g, numerics));
    return wants;
}

void lb_cover_map_keep(lb_cover_map *map, const size_t *spots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        map->reached[spots[i]] = 1;
}

size_t lb_cover_map_line(const lb_cover_map *map, const lb_kernel *kernel, const size_t *spots,
                         size_t count, char *line, size_t line_bytes)
{
    const lb_cover_function *function = lb_cover_map_function(map, kernel);
    size_t used = (size_t)snprintf(line, line_bytes, "{\"coverage\":{\"%s\":[", kernel->name);
    for (size_t i = 0; i < count; i++) {
        char name[LB_COVERPOINT_BYTES];
        lb_cover_map_name(function, lb_cover_spot_point(map, spots[i]), name);
        used += (size_t)snprintf(line + used, line_bytes - used, "%s\"%s\"", i ? "," : "", name);
    }
    return used + (size_t)snprintf(line + used, line_bytes - used, "]},\"profile\":\"%s\"}",
                                   profile_name(kernel, cover_spot_profile(map, spots[0])));
}

/* Number of a point by its name, or SIZE_MAX. */
static size_t cover_map_find(const lb_cover_function *function, const char *name)
{
    for (size_t i = 0; i < function->point_count; i++) {
        char own[LB_COVERPOINT_BYTES];
        lb_cover_map_name(function, function->first_point + i, own);
        if (strcmp(own, name) == 0)
            return function->first_point + i;
    }
    return SIZE_MAX;
}

bool lb_cover_map_read(lb_cover_map *map, const char *line, size_t length)
{
    cJSON *root = lb_json_read(line, length);
    const cJSON *functions = cJSON_GetObjectItemCaseSensitive(root, "coverage");
    const char *name_of_profile = lb_json_text(root, "profile");
    const lb_profile *profile = name_of_profile ? lb_profile_named(name_of_profile) : NULL;
    bool good = cJSON_IsObject(functions) && profile;
    const cJSON *list;
    cJSON_ArrayForEach(list, functions)
    {
        const lb_kernel *kernel = lb_kernel_find(list->string);
        const cJSON *name;
        cJSON_ArrayForEach(name, list)
        {
            size_t point =
                good && kernel && lb_kernel_is_in(kernel, profile) && cJSON_IsString(name)
                    ? cover_map_find(lb_cover_map_function(map, kernel), name->valuestring)
                    : SIZE_MAX;
            if (point != SIZE_MAX)
                lb_cover_map_keep(
                    map, &(size_t){lb_cover_spot(map, lb_profile_numerics(profile), point)}, 1);
        }
    }
    cJSON_Delete(root);
    return good;
}

const lb_cover_group *lb_cover_map_group(const lb_cover_function *function, size_t point,
                                         unsigned *place)
{
    size_t g = function->group_count;
    while (g > 1 && function->group_first[g - 1] > point)
        g--;
    *place = (unsigned)(point - function->group_first[g - 1]);
    return &function->groups[g - 1];
}

void lb_cover_map_name(const lb_cover_function *function, size_t point,
                       char name[LB_COVERPOINT_BYTES])
{
    unsigned place;
    const lb_cover_group *group = lb_cover_map_group(function, point, &place);
    lb_cover_name(group, place, name);
}

void lb_cover_spot_name(const lb_cover_map *map, const lb_cover_function *function, size_t spot,
                        char name[LB_COVER_SPOT_BYTES])
{
    const char *profile = profile_name(function->kernel, cover_spot_profile(map, spot));
    const size_t length = strnlen(profile, LB_COVER_SPOT_BYTES - LB_COVERPOINT_BYTES - 4);
    lb_cover_map_name(function, lb_cover_spot_point(map, spot), name);
    char *end = name + strlen(name);
    memcpy(end, " [", 2);
    memcpy(end + 2, profile, length);
    memcpy(end + 2 + length, "]", 2);
}

bool lb_cover_next_rest(const lb_cover_map *map, const lb_cover_function *function, size_t *at,
                        char name[LB_COVER_SPOT_BYTES], lb_cover_state *state, const char **why)
{
    for (; *at < function->point_count * LB_PROFILE_COUNT; ++*at) {
        const int profile = (int)(*at % LB_PROFILE_COUNT);
        const size_t spot =
            lb_cover_spot(map, profile, function->first_point + *at / LB_PROFILE_COUNT);
        *state = lb_cover_map_state(map, function, spot, why);
        if (*state == LB_COVER_REACHED || !lb_cover_counts_in(map, function->kernel, profile))
            continue;
        lb_cover_spot_name(map, function, spot, name);
        ++*at;
        return true;
    }
    return false;
}

lb_cover_state lb_cover_map_state(const lb_cover_map *map, const lb_cover_function *function,
                                  size_t spot, const char **why)
{
    const char *reason =
        reasons_of(function, lb_cover_spot_point(map, spot))[cover_spot_profile(map, spot)];
    *why = reason[0] != '\0' ? reason : NULL;
    if (*why)
        return map->reached[spot] ? LB_COVER_CONTRADICTED : LB_COVER_UNREACHABLE;
    return map->reached[spot] ? LB_COVER_REACHED : LB_COVER_MISSED;
}

static void count_spot(const lb_cover_map *map, const lb_cover_function *function, size_t spot,
                       lb_cover_figures *figures)
{
    const char *why;
    lb_cover_state state = lb_cover_map_state(map, function, spot, &why);
    figures->hit += state == LB_COVER_REACHED;
    figures->missed += state == LB_COVER_MISSED;
    figures->unreachable += state == LB_COVER_UNREACHABLE || state == LB_COVER_CONTRADICTED;
    figures->contradicted += state == LB_COVER_CONTRADICTED;
}

bool lb_cover_is_called(const lb_cover_map *map, const lb_cover_function *function)
{
    bool called = false;
    for (int p = 0; p < LB_PROFILE_COUNT && !called; p++)
        called = memchr(map->reached + lb_cover_spot(map, p, function->first_point), 1,
                        function->point_count) != NULL;
    return called;
}

void lb_cover_keep_called(const lb_cover_map *map, bool *wanted)
{
    for (size_t i = 0; i < lb_kernel_total(); i++)
        wanted[i] = wanted[i] && lb_cover_is_called(map, &map->functions[i]);
}

lb_cover_figures lb_cover_map_figures(const lb_cover_map *map, const lb_cover_function *function)
{
    lb_cover_figures figures = {0};
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        for (size_t i = 0;
             lb_cover_counts_in(map, function->kernel, p) && i < function->point_count; i++)
            count_spot(map, function, lb_cover_spot(map, p, function->first_point + i), &figures);
    figures.points = figures.hit + figures.missed;
    return figures;
}
