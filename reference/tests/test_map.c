/* Index maps: what they say of a call, lists of terms, and edited maps, with which the real models,
 * that have a geometry of their own, must disagree. */
#include "conv_calls.h"

#include "describe/map_walk.h"
#include "map_edits.h"

/* ---- Calls with operands that are all different, without rounding and saturation ---- */

enum { MOST_ELEMENTS = 1024 };

typedef struct sample {
    conv_call c;
    int16_t in[MOST_ELEMENTS], weights[MOST_ELEMENTS], bias[64], out[MOST_ELEMENTS];
} sample;

typedef struct shape_of_call {
    const char *function;
    uint32_t in[LB_MAX_RANK], weights[LB_MAX_RANK], out[LB_MAX_RANK];
    uint8_t stride[2], dilation[2], padding[4],
        window[2]; /* height first; top, bottom, left, right */
} shape_of_call;

static const shape_of_call samples[] = {
    {"mli_krn_conv2d_hwcn_fx16",
     {6, 7, 3},
     {3, 2, 3, 4},
     {3, 3, 4},
     {2, 3},
     {2, 1},
     {1, 2, 1, 1},
     {0}},
    {"mli_krn_conv2d_hwcn_fx16",
     {5, 4, 2},
     {2, 3, 2, 3},
     {4, 4, 3},
     {1, 1},
     {1, 1},
     {0, 0, 1, 1},
     {0}},
    {"mli_krn_depthwise_conv2d_hwcn_fx16",
     {6, 5, 4},
     {2, 3, 1, 4},
     {6, 3, 4},
     {1, 2},
     {2, 1},
     {1, 1, 1, 1},
     {0}},
    {"mli_krn_group_conv2d_hwcn_fx16",
     {4, 5, 6},
     {2, 3, 2, 9},
     {2, 3, 9},
     {2, 2},
     {1, 2},
     {0, 1, 2, 2},
     {0}},
    {"mli_krn_transpose_conv2d_hwcn_fx16",
     {3, 2, 2},
     {4, 3, 2, 3},
     {6, 3, 3},
     {2, 2},
     {1, 1},
     {1, 1, 1, 1},
     {0}},
    {"mli_krn_fully_connected_fx16", {2, 3, 2}, {12, 5}, {5}, {0}, {0}, {0}, {0}},
    {"mli_krn_maxpool_hwc_fx16", {6, 7, 3}, {0}, {4, 3, 3}, {2, 3}, {0}, {1, 2, 1, 1}, {3, 2}},
    {"mli_krn_maxpool_hwc_fx16", {5, 5, 2}, {0}, {3, 4, 2}, {1, 1}, {0}, {0, 0, 0, 0}, {3, 2}},
};

/* Different numbers, both signs, small enough for every sum to be exact. */
static void fill(int16_t *data, unsigned factor)
{
    for (unsigned i = 0; i < MOST_ELEMENTS; i++)
        data[i] = (int16_t)((int)((i + 1) * factor % 61) - 30);
}

static void set_up(sample *s, const shape_of_call *shape)
{
    const bool is_pool = shape->weights[0] == 0;
    fill(s->in, 17);
    fill(s->weights, 23);
    for (unsigned i = 0; i < COUNT_OF(s->bias); i++)
        s->bias[i] = (int16_t)(5 * i * i);
    s->c.in = make_fx(LB_FX16, 0, shape->in, s->in);
    s->c.out = make_fx(LB_FX16, 0, shape->out, s->out);
    bind_call(&s->c, shape->function);
    if (!is_pool) {
        s->c.weights = make_fx(LB_FX16, 0, shape->weights, s->weights);
        s->c.bias =
            make_fx(LB_FX16, 0, SHAPE(shape->out[2] ? shape->out[2] : shape->out[0]), s->bias);
    } else {
        s->c.call.tensor[LB_ROLE_WEIGHTS] = s->c.call.tensor[LB_ROLE_BIAS] = NULL;
    }
    lb_config *cfg = &s->c.call.config;
    if (shape->stride[0]) {
        cfg->stride_height = shape->stride[0];
        cfg->stride_width = shape->stride[1];
    }
    if (shape->dilation[0]) {
        cfg->dilation_height = shape->dilation[0];
        cfg->dilation_width = shape->dilation[1];
    }
    cfg->padding_top = shape->padding[0];
    cfg->padding_bottom = shape->padding[1];
    cfg->padding_left = shape->padding[2];
    cfg->padding_right = shape->padding[3];
    cfg->kernel_height = shape->window[0];
    cfg->kernel_width = shape->window[1];
}

/* Does the exact model, run with the map, give what the real one says? */
static bool agrees(sample *s, const lb_map *map)
{
    double value[MOST_ELEMENTS];
    lb_context context = {.profile = &lb_profiles[UP_FULL], .map = map};
    lb_real_outputs outputs = {.value = {[LB_ROLE_OUT] = value}};
    memset(s->out, 0x55, sizeof s->out);
    s->c.call.kernel->real(&context, &s->c.call, &outputs);
    s->c.call.kernel->exact(&context, &s->c.call);
    const size_t count = lb_element_count(&s->c.out);
    for (size_t i = 0; i < count; i++)
        if (lb_load(&s->c.out, lb_offset_of_flat(&s->c.out, i)) != value[i])
            return false;
    return true;
}

static bool agrees_with(void *user, const lb_map *map)
{
    return agrees(user, map);
}

static void the_maps_are_right(void **state)
{
    (void)state;
    static sample s;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        set_up(&s, &samples[i]);
        lb_context context = {.profile = &lb_profiles[UP_FULL]};
        assert_null(lb_run_exact(&context, &s.c.call));
        if (!agrees(&s, NULL))
            fail_msg("sample %zu: the models differ", i);
    }
}

/* ---- Edits ---- */

/* The real models do not ask the maps: whatever is edited there, they see it. */
static void real_models_see_every_edit(void **state)
{
    (void)state;
    static sample s;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        set_up(&s, &samples[i]);
        edits e = {.call = &s.c.call, .agrees = agrees_with, .user = &s};
        edit_accesses(&e, LB_MAP_X, LB_MAP_ADDEND);
        if (e.seen != e.different || e.different < 4)
            fail_msg("sample %zu: of %u edits %u change something, and %u are seen", i, e.tried,
                     e.different, e.seen);
    }
}

/* ---- Lists ---- */

/* A list holds what the walk over the loops finds inside, in the same order. */
static void lists_are_walks(void **state)
{
    (void)state;
    static sample s;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        uint32_t at[LB_MAP_LOOPS] = {0};
        lb_bound_map bound;
        set_up(&s, &samples[i]);
        assert_true(lb_map_bind(&bound, lb_map_of(s.c.call.kernel), &s.c.call));
        assert_true(lb_map_can_list(&bound));
        assert_true(lb_map_first(&bound, 0, bound.outer, at));
        do {
            lb_map_terms terms;
            size_t n = 0;
            int64_t index[LB_MAX_RANK];
            lb_map_list(&bound, at, &terms);
            assert_int_equal(lb_map_inside(&bound, at), terms.count * terms.tap_count);
            assert_true(lb_map_first(&bound, bound.outer, bound.loops, at));
            do {
                if (!lb_access_at(&bound, LB_MAP_X, at, index))
                    continue;
                const lb_tap_offsets *tap = &terms.list[n % terms.tap_count];
                const size_t run = n / terms.tap_count;
                assert_int_equal(lb_access_offset(&bound, LB_MAP_X, at),
                                 terms.first.x + run * terms.x_step + tap->x);
                assert_int_equal(lb_access_offset(&bound, LB_MAP_W, at),
                                 terms.first.weight + run * terms.weight_step + tap->weight);
                n++;
            } while (lb_map_next(&bound, bound.outer, bound.loops, at));
            assert_int_equal(n, terms.count * terms.tap_count);
        } while (lb_map_next(&bound, 0, bound.outer, at));
    }
}

/* A kernel of more taps than a list holds. */
static void large_kernels_are_not_listed(void **state)
{
    (void)state;
    static sample s;
    lb_bound_map bound;
    set_up(&s, &(shape_of_call){"mli_krn_maxpool_hwc_fx16",
                                {20, 20, 1},
                                {0},
                                {4, 4, 1},
                                {1, 1},
                                {0},
                                {1, 1, 1, 1},
                                {19, 19}});
    lb_context context = {.profile = &lb_profiles[UP_FULL]};
    assert_null(lb_run_exact(&context, &s.c.call));
    assert_true(lb_map_bind(&bound, lb_map_of(s.c.call.kernel), &s.c.call));
    assert_false(lb_map_can_list(&bound));
    assert_true(agrees(&s, NULL));
}

/* Divisors and extents that cannot be. */
static void impossible_maps_are_refused(void **state)
{
    (void)state;
    static sample s;
    lb_bound_map bound;
    set_up(&s, &samples[4]);
    lb_map map = *lb_map_of(s.c.call.kernel);
    map.access[LB_MAP_X].index[0].divisor = (lb_leaf){.kind = LB_LEAF_NUMBER, .at = 0};
    assert_false(lb_map_bind(&bound, &map, &s.c.call));
    map = *lb_map_of(s.c.call.kernel);
    map.loop[0].extent = (lb_leaf){.kind = LB_LEAF_NUMBER, .at = -1};
    assert_false(lb_map_bind(&bound, &map, &s.c.call));
    map.loop[0].extent = (lb_leaf){.kind = LB_LEAF_NUMBER, .at = 0};
    assert_true(lb_map_bind(&bound, &map, &s.c.call));
    lb_context context = {.profile = &lb_profiles[UP_FULL], .map = &map};
    memset(s.out, 0x55, sizeof s.out);
    s.c.call.kernel->exact(&context, &s.c.call); /* no loop: nothing is stored */
    assert_int_equal(s.out[0], 0x5555);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_maps_are_right),
        cmocka_unit_test(real_models_see_every_edit),
        cmocka_unit_test(lists_are_walks),
        cmocka_unit_test(large_kernels_are_not_listed),
        cmocka_unit_test(impossible_maps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
