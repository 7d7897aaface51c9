/* Coverpoints of numbers that decide by themselves: a kernel may be right for all of them but one.
 * Every fractional bit of a limit, every divisor of an average; every count of a shift:
 * points_shift.c. Spec: numerics.md 6; elementwise.md 3; pooling_and_movement.md 2.4. */
#include "harness/coverage/class.h"
#include "reference/core/arith.h"
#include "reference/describe/map_walk.h"
#include "reference/mli/pool_divisor.h"

/* clang-format off */
static const char *const number_points[] = {
    "-128", "-127", "-126", "-125", "-124", "-123", "-122", "-121", "-120", "-119", "-118",
    "-117", "-116", "-115", "-114", "-113", "-112", "-111", "-110", "-109", "-108", "-107",
    "-106", "-105", "-104", "-103", "-102", "-101", "-100", "-99", "-98", "-97", "-96", "-95",
    "-94", "-93", "-92", "-91", "-90", "-89", "-88", "-87", "-86", "-85", "-84", "-83", "-82",
    "-81", "-80", "-79", "-78", "-77", "-76", "-75", "-74", "-73", "-72", "-71", "-70", "-69",
    "-68", "-67", "-66", "-65", "-64", "-63", "-62", "-61", "-60", "-59", "-58", "-57", "-56",
    "-55", "-54", "-53", "-52", "-51", "-50", "-49", "-48", "-47", "-46", "-45", "-44", "-43",
    "-42", "-41", "-40", "-39", "-38", "-37", "-36", "-35", "-34", "-33", "-32", "-31", "-30",
    "-29", "-28", "-27", "-26", "-25", "-24", "-23", "-22", "-21", "-20", "-19", "-18", "-17",
    "-16", "-15", "-14", "-13", "-12", "-11", "-10", "-9", "-8", "-7", "-6", "-5", "-4", "-3",
    "-2", "-1", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14",
    "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29",
    "30", "31", "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44",
    "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59",
    "60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "71", "72", "73", "74",
    "75", "76", "77", "78", "79", "80", "81", "82", "83", "84", "85", "86", "87", "88", "89",
    "90", "91", "92", "93", "94", "95", "96", "97", "98", "99", "100", "101", "102", "103", "104",
    "105", "106", "107", "108", "109", "110", "111", "112", "113", "114", "115", "116", "117",
    "118", "119", "120", "121", "122", "123", "124", "125", "126", "127",
    NULL};
/* clang-format on */

enum { LOWEST_NUMBER = -128 };

void lb_cover_value_add(lb_cover_values *values, int64_t value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == value)
            return;
    if (values->count < LB_MAX_GROUP_POINTS)
        values->items[values->count++] = value;
}

static uint64_t observe_numbers(const lb_observation *o, const lb_cover_group *group)
{
    lb_cover_values values = {0};
    uint64_t hit = 0;
    group->tell_numbers(o, group, &values);
    for (size_t i = 0; i < values.count; i++) {
        const int64_t point = values.items[i] - group->first;
        hit |= point >= 0 && point < (int64_t)group->limit ? (uint64_t)1 << point : 0;
    }
    return hit;
}

void lb_cover_add_each(lb_cover_list *list, lb_cover_group group, int low, int high)
{
    for (int first = low; first <= high; first += LB_MAX_GROUP_POINTS) {
        const int left = high - first + 1;
        group.first = first;
        group.points = &number_points[first - LOWEST_NUMBER];
        group.limit = (unsigned)(left < LB_MAX_GROUP_POINTS ? left : LB_MAX_GROUP_POINTS);
        group.observe = observe_numbers;
        lb_cover_add(list, group);
    }
}

enum { RELU_GEN = 1, RELU1 = 2, RELU6 = 3 };

/* id: role whose fractional bits make the limit; detail: type of the limit. */
static void limit_numbers(const lb_observation *o, const lb_cover_group *group,
                          lb_cover_values *values)
{
    if (o->before->config.relu == group->detail)
        lb_cover_value_add(values, lb_quant_at(lb_cover_tensor(o->before, group->id, 0), 0).frac);
}

static void without_limit(lb_config *config)
{
    config->relu = RELU_GEN;
}

/* The positions that windows average: those of one position of out have the same in all channels,
 * which are the last of the loops. */
static void divisor_numbers(const lb_observation *o, const lb_cover_group *group,
                            lb_cover_values *values)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    lb_bound_map bound;
    bool more = lb_map_bind(&bound, lb_map_of(o->kernel), o->before) &&
                lb_map_first(&bound, 0, bound.outer, at);
    for (; more; more = lb_map_next(&bound, 0, bound.outer - 1, at)) {
        const int64_t n = (int64_t)lb_map_inside(&bound, at);
        if (n >= group->first && n - group->first < LB_MAX_GROUP_POINTS)
            lb_cover_value_add(values, n);
    }
}

/* A listener that changes the reciprocal of a window by `user`. */
static int64_t with_wrong_reciprocal(void *user, const lb_num_step *step)
{
    const bool is_reciprocal =
        step->site == LB_SITE_MUL_ITS_15_TOP_BITS || step->site == LB_SITE_MUL_ROUNDED;
    return step->result + (is_reciprocal ? *(const int *)user : 0);
}

/* Of n positions, their reciprocal right and off by `by`: made once for each n of a call. */
typedef struct divisors {
    bool made;
    lb_pool_divisor right, wrong;
} divisors;

static lb_pool_divisor divisor_of(const lb_observation *o, int64_t n, int by)
{
    lb_steps steps = {.alter = with_wrong_reciprocal, .user = &by};
    const lb_num_pool_divisor d =
        lb_num_pool_divisor_of(&steps, o->profile, o->before, lb_num_const(n));
    return (lb_pool_divisor){d.factor.v, d.start.v, (int)d.shift.v};
}

static int64_t average_of(const lb_observation *o, const lb_pool_divisor *d, int64_t sum)
{
    const int shift = d->shift < 0 ? 0 : d->shift < 63 ? d->shift : 63;
    return lb_cast(o->profile->rounding, d->start + sum * d->factor, 64,
                   lb_container_bits(o->kernel->in_type), shift);
}

/* detail: by how much the reciprocal that an average shows is wrong. */
static void reciprocal_numbers(const lb_observation *o, const lb_cover_group *group,
                               lb_cover_values *values)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    divisors of[LB_MAX_GROUP_POINTS] = {{.made = false}};
    lb_bound_map bound;
    bool more = lb_map_bind(&bound, lb_map_of(o->kernel), o->before) &&
                lb_map_first(&bound, 0, bound.outer, at);
    for (; more; more = lb_map_next(&bound, 0, bound.outer, at)) {
        lb_map_taps taps = lb_map_taps_at(&bound, at, false);
        int64_t n = 0, sum = 0;
        for (; n < group->first + (int64_t)group->limit && lb_map_next_tap(&taps); n++)
            sum +=
                lb_load(o->before->tensor[LB_ROLE_IN], lb_access_offset(&bound, LB_MAP_X, taps.at));
        if (n < group->first || n - group->first >= (int64_t)group->limit)
            continue;
        divisors *d = &of[n - group->first];
        if (!d->made)
            *d = (divisors){true, divisor_of(o, n, 0), divisor_of(o, n, group->detail)};
        if (average_of(o, &d->right, sum) != average_of(o, &d->wrong, sum))
            lb_cover_value_add(values, n);
    }
}

typedef struct row {
    lb_family_set families;
    const char *class_name;
    lb_role role;
    void (*tell_numbers)(const lb_observation *o, const lb_cover_group *group,
                         lb_cover_values *values);
    void (*take_away)(lb_config *config);
    int detail;
    bool fx16, fx8, sa; /* for which variants */
    int low, high;
    const char *spec;
} row;

/* One entry of a table of reciprocals may be off by one: of 16 bits an average shows it, of 8 bits
 * beside a half, or where the multiplier of few bits that is made of it stands beside one. Limits
 * that are made of the output's format lie inside the container from -3 to 15 fractional bits, and
 * have one next to it on either side. */
/* clang-format off */
static const row rows[] = {
    {LB_OF_PATTERN(LIMITS), "each_relu6_frac_bits", LB_ROLE_IN, limit_numbers, without_limit, RELU6, true, true, false, -128, 127, "numerics.md 6"},
    {LB_OF_PATTERN(LIMITS), "each_relu1_frac_bits", LB_ROLE_IN, limit_numbers, without_limit, RELU1, true, true, false, -128, 127, "numerics.md 6"},
    {LB_WEIGHTED, "each_relu6_frac_bits", LB_ROLE_OUT, limit_numbers, without_limit, RELU6, true, true, false, -4, 16, "numerics.md 6"},
    {LB_WEIGHTED, "each_relu1_frac_bits", LB_ROLE_OUT, limit_numbers, without_limit, RELU1, true, true, false, -4, 16, "numerics.md 6"},
    {LB_IN_FAMILY(AVEPOOL), "each_divisor", LB_ROLE_OUT, divisor_numbers, NULL, 0, true, true, true, 1, 64, "pooling_and_movement.md 2.4"},
    {LB_IN_FAMILY(AVEPOOL), "each_reciprocal_too_large", LB_ROLE_OUT, reciprocal_numbers, NULL, 1, true, true, true, 1, 64, "pooling_and_movement.md 2.4"},
    {LB_IN_FAMILY(AVEPOOL), "each_reciprocal_too_small", LB_ROLE_OUT, reciprocal_numbers, NULL, -1, true, true, true, 1, 64, "pooling_and_movement.md 2.4"},
};
/* clang-format on */

/* A window that is fixed has no more positions than itself. */
static int high_of(const row *r, const lb_kernel *kernel)
{
    const int positions = kernel->kernel_size * kernel->kernel_size;
    return positions > 0 && positions < r->high ? positions : r->high;
}

void lb_cover_each(lb_cover_list *list)
{
    const uint32_t type = list->kernel->in_type;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        if (!lb_cover_in(list->kernel, r->families) || !(lb_is_sa(type)    ? r->sa
                                                         : type == LB_FX16 ? r->fx16
                                                                           : r->fx8))
            continue;
        lb_cover_add_each(list,
                          (lb_cover_group){.class_name = r->class_name,
                                           .instance = lb_role_name(r->role),
                                           .spec = r->spec,
                                           .tell_numbers = r->tell_numbers,
                                           .take_away = r->take_away,
                                           .id = (int)r->role,
                                           .detail = r->detail},
                          r->low, high_of(r, list->kernel));
    }
}
