/* Index maps of functions that work element by element, along an axis, or move: what they give is
 * what the real models give, or, where there is none, loops of this file; edited maps give
 * something else. */
#include "map_edits.h"

enum { MOST_ELEMENTS = 512 };

/* A call whose inputs are all different. */
typedef struct sample {
    lb_call call;
    lb_tensor first, second, out;
    int16_t in_data[MOST_ELEMENTS], second_data[MOST_ELEMENTS], out_data[MOST_ELEMENTS];
    int16_t scale[8], zero_point[8];
    int8_t frac[8];
} sample;

typedef struct shape_of_call {
    const char *function;
    uint32_t in[LB_MAX_RANK], second[LB_MAX_RANK], out[LB_MAX_RANK];
    int frac_bits[2]; /* of in, of out */
    int32_t axis;
} shape_of_call;

static const shape_of_call samples[] = {
    {"mli_krn_eltwise_add_fx16", {3, 2, 5, 4}, {3, 2, 5, 4}, {3, 2, 5, 4}, {0, 0}, 0},
    {"mli_krn_eltwise_sub_fx16", {2, 3, 4}, {1}, {2, 3, 4}, {0, 0}, 0},
    {"mli_krn_eltwise_sub_fx16", {1}, {7}, {7}, {0, 0}, 0},
    {"mli_krn_relu_fx16", {3, 2, 5, 4}, {0}, {3, 2, 5, 4}, {0, 0}, 0},
    {"mli_krn_leaky_relu_fx16", {3, 2, 5, 4}, {1}, {3, 2, 5, 4}, {0, 0}, 0},
    {"mli_krn_prelu_fx16", {3, 2, 5, 4}, {1, 1, 5, 1}, {3, 2, 5, 4}, {0, 0}, 2},
    {"mli_krn_prelu_fx16", {3, 2, 5}, {3, 1, 1}, {3, 2, 5}, {0, 0}, 0},
    {"mli_krn_prelu_fx16", {3, 4}, {1}, {3, 4}, {0, 0}, -1},
    {"mli_krn_sigm_fx16", {3, 2, 5, 4}, {0}, {3, 2, 5, 4}, {4, 15}, 0},
    {"mli_krn_tanh_fx16", {6, 3}, {0}, {6, 3}, {4, 15}, 0},
    {"mli_krn_softmax_fx16", {3, 2, 5, 4}, {0}, {3, 2, 5, 4}, {6, 15}, 2},
    {"mli_krn_softmax_fx16", {3, 4}, {0}, {3, 4}, {6, 15}, -1},
    {"mli_krn_l2_normalize_fx16", {3, 2, 5, 4}, {0}, {3, 2, 5, 4}, {0, 15}, 0},
};

static void set_up(sample *s, const shape_of_call *shape)
{
    const bool is_two = lb_kernel_role(lb_kernel_find(shape->function), LB_ROLE_IN1) != NULL;
    for (unsigned i = 0; i < MOST_ELEMENTS; i++) {
        s->in_data[i] = (int16_t)((int)((i + 1) * 37 % 241) - 120);
        s->second_data[i] = (int16_t)(5 * i + 3);
    }
    s->call = make_call(shape->function);
    s->first = make_fx(LB_FX16, shape->frac_bits[0], shape->in, s->in_data);
    s->second = make_fx(LB_FX16, 0, shape->second, s->second_data);
    s->out = make_fx(LB_FX16, shape->frac_bits[1], shape->out, s->out_data);
    set_role(&s->call, is_two ? LB_ROLE_IN1 : LB_ROLE_IN, &s->first);
    if (shape->second[0] != 0)
        set_role(&s->call, is_two ? LB_ROLE_IN2 : LB_ROLE_SLOPE, &s->second);
    set_role(&s->call, LB_ROLE_OUT, &s->out);
    s->call.config.axis = shape->axis;
    s->call.config.relu = 1;
}

/* Does the exact model, run with the map, give what the real one says? */
static bool agrees(void *user, const lb_map *map)
{
    sample *s = user;
    double value[MOST_ELEMENTS];
    lb_span span[MOST_ELEMENTS];
    lb_context context = {.profile = &lb_profiles[0], .map = map};
    lb_real_outputs outputs = {.value = {[LB_ROLE_OUT] = value}, .span = {[LB_ROLE_OUT] = span}};
    memset(s->out_data, 0x55, sizeof s->out_data);
    s->call.kernel->real(&context, &s->call, &outputs);
    s->call.kernel->exact(&context, &s->call);
    const size_t count = lb_element_count(&s->out);
    for (size_t i = 0; i < count; i++) {
        const double stored = lb_load(&s->out, lb_offset_of_flat(&s->out, i));
        assert_true(lb_span_is_known(&span[i]));
        if (stored < span[i].low || stored > span[i].high)
            return false;
    }
    return true;
}

static void expect_edits(edits *e, size_t sample_number)
{
    if (e->seen != e->different || e->different < 2)
        fail_msg("sample %zu: of %u edits %u change something, and %u are seen", sample_number,
                 e->tried, e->different, e->seen);
}

static void real_models_see_every_edit(void **state)
{
    (void)state;
    static sample s;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        set_up(&s, &samples[i]);
        assert_string_equal(run(&s.call, 0), "");
        s.out.frac_bits = (int8_t)samples[i].frac_bits[1];
        if (!agrees(&s, NULL))
            fail_msg("sample %zu: the models differ", i);
        edits e = {.call = &s.call, .agrees = agrees, .user = &s};
        edit_accesses(&e, LB_MAP_OUT, LB_MAP_W);
        expect_edits(&e, i);
    }
}

/* ---- Lists of parameters along an axis ---- */

static void lists_are_read_along_their_axis(void **state)
{
    (void)state;
    static sample s;
    static int8_t elements[MOST_ELEMENTS];
    set_up(&s, &(shape_of_call){"mli_hlp_convert_tensor", {3, 5, 4}, {0}, {3, 5, 4}, {0, 2}, 0});
    for (unsigned i = 0; i < MOST_ELEMENTS; i++)
        elements[i] = (int8_t)((i + 1) * 37 % 241 - 120);
    for (unsigned i = 0; i < COUNT_OF(s.scale); i++) {
        s.scale[i] = (int16_t)(16384 + 2000 * i);
        s.frac[i] = (int8_t)(9 + i % 3);
        s.zero_point[i] = (int16_t)(7 * i);
    }
    s.first = make_tensor(LB_SA8, SHAPE(3, 5, 4), elements);
    set_per_axis(&s.first, 1, s.scale, s.frac, s.zero_point);
    assert_string_equal(run(&s.call, 0), "");
    assert_true(agrees(&s, NULL));
    edits e = {.call = &s.call, .agrees = agrees, .user = &s};
    edit_accesses(&e, LB_MAP_OUT, LB_MAP_SCALE);
    expect_edits(&e, 0);
}

/* ---- Places of the largest elements: no real model ---- */

/* By hand: in is [3, 5, 4], a slice lies at one index of dimension 1, and all its elements differ.
 */
static bool has_largest(void *user, const lb_map *map)
{
    sample *s = user;
    lb_context context = {.profile = &lb_profiles[0], .map = map};
    s->call.kernel->exact(&context, &s->call);
    for (size_t column = 0; column < 5; column++) {
        size_t place[2] = {0, 0}; /* of the largest, and of the next */
        int32_t value[2] = {INT32_MIN, INT32_MIN};
        for (size_t i = 0; i < 12; i++) {
            const size_t at = i / 4 * 20 + column * 4 + i % 4;
            const int32_t x = lb_load(&s->first, at);
            const unsigned rank = x > value[0] ? 0 : 1;
            if (x < value[1])
                continue;
            place[1] = rank == 0 ? place[0] : at;
            value[1] = rank == 0 ? value[0] : x;
            place[0] = rank == 0 ? at : place[0];
            value[0] = rank == 0 ? x : value[0];
        }
        if (lb_load(&s->out, 2 * column) != (int32_t)place[0] ||
            lb_load(&s->out, 2 * column + 1) != (int32_t)place[1])
            return false;
    }
    return true;
}

static void places_of_the_largest_follow_the_map(void **state)
{
    (void)state;
    static sample s;
    static int32_t places[MOST_ELEMENTS];
    set_up(&s, &(shape_of_call){"mli_krn_argmax_fx16", {3, 5, 4}, {0}, {5, 2}, {0, 0}, 1});
    s.call.config.topk = 2;
    s.out = make_sa(LB_SA32, (lb_quant){1, 0, 0}, SHAPE(5, 2), places);
    assert_string_equal(run(&s.call, 0), "");
    assert_true(has_largest(&s, NULL));
    edits e = {.call = &s.call, .agrees = has_largest, .user = &s};
    edit_accesses(&e, LB_MAP_OUT, LB_MAP_X);
    expect_edits(&e, 0);
}

/* ---- Movement ---- */

static void permuted_places_follow_the_map(void **state)
{
    (void)state;
    static sample s;
    set_up(&s,
           &(shape_of_call){"mli_krn_permute_fx16", {3, 2, 5, 4}, {0}, {4, 3, 5, 2}, {0, 0}, 0});
    memcpy(s.call.config.perm_dim, (const uint8_t[]){3, 0, 2, 1}, 4);
    assert_string_equal(run(&s.call, 0), "");
    assert_true(agrees(&s, NULL));
    edits e = {.call = &s.call, .agrees = agrees, .user = &s};
    edit_accesses(&e, LB_MAP_OUT, LB_MAP_X);
    expect_edits(&e, 0);
}

/* By hand: dst [7, 5] of src [4, 9], its dimensions exchanged, every second row after one of
 * padding and from the second column on. */
static bool is_moved(void *user, const lb_map *map)
{
    sample *s = user;
    lb_context context = {.profile = &lb_profiles[0], .map = map};
    memset(s->out_data, 0x55, sizeof s->out_data);
    s->call.kernel->exact(&context, &s->call);
    for (int column = 0; column < 7; column++)
        for (int n = 0; n < 3; n++) {
            const int row = 2 * n - 1;
            const int due = row < 0 || row > 3 ? 0 : s->in_data[row * 9 + column + 2];
            if (s->out_data[column * 5 + n + 1] != due)
                return false;
        }
    return s->call.status == LB_OK && s->out.shape[0] == 7 && s->out.shape[1] == 4;
}

static void moved_places_follow_the_map(void **state)
{
    (void)state;
    static sample s;
    set_up(&s, &(shape_of_call){"mli_mov_tensor_sync", {4, 9}, {0}, {7, 5}, {0, 0}, 0});
    lb_config *cfg = &s.call.config;
    memcpy(cfg->perm_dim, (const uint8_t[]){1, 0}, 2);
    cfg->offset[1] = 2;
    cfg->padding_pre[0] = 1;
    cfg->sub_sample_step[0] = 2;
    cfg->sub_sample_step[1] = 1;
    cfg->dst_offset[1] = 1;
    s.out.data.capacity_bytes = sizeof s.out_data;
    assert_string_equal(run(&s.call, 0), "");
    assert_true(is_moved(&s, NULL));
    edits e = {.call = &s.call, .agrees = is_moved, .user = &s};
    edit_accesses(&e, LB_MAP_OUT, LB_MAP_X);
    expect_edits(&e, 0);
}

/* ---- Views ---- */

/* By hand: a view of in [3, 5, 4] from [1, 2, 3] on. */
static bool views_element(void *user, const lb_map *map)
{
    sample *s = user;
    lb_context context = {.profile = &lb_profiles[0], .map = map};
    s->call.kernel->exact(&context, &s->call);
    return s->out.data.mem.pi16 == s->in_data + 1 * 20 + 2 * 4 + 3;
}

static void views_begin_where_the_map_says(void **state)
{
    (void)state;
    static sample s;
    static const char *const functions[] = {"mli_hlp_create_subtensor",
                                            "mli_hlp_point_to_subtensor"};
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        set_up(&s, &(shape_of_call){functions[i], {3, 5, 4}, {0}, {1}, {0, 0}, 0});
        lb_config *cfg = &s.call.config;
        memcpy(cfg->offset, (const uint32_t[]){1, 2, 3}, 3 * sizeof(uint32_t));
        memcpy(cfg->size, (const uint32_t[]){2, 2, 1}, 3 * sizeof(uint32_t));
        memcpy(cfg->start_coord, cfg->offset, sizeof cfg->offset);
        cfg->sub_tensor_rank = 3;
        cfg->coord_num = 3;
        cfg->first_out_dim_size = 1;
        assert_string_equal(run(&s.call, 0), "");
        assert_true(views_element(&s, NULL));
        edits e = {.call = &s.call, .agrees = views_element, .user = &s};
        edit_accesses(&e, LB_MAP_X, LB_MAP_X);
        expect_edits(&e, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_models_see_every_edit),
        cmocka_unit_test(lists_are_read_along_their_axis),
        cmocka_unit_test(places_of_the_largest_follow_the_map),
        cmocka_unit_test(permuted_places_follow_the_map),
        cmocka_unit_test(moved_places_follow_the_map),
        cmocka_unit_test(views_begin_where_the_map_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
