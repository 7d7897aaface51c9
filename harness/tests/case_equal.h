/* Are two cases equal in everything that the loader decodes? The first difference is printed. */
#ifndef LB_TEST_CASE_EQUAL_H
#define LB_TEST_CASE_EQUAL_H

#include "harness/suite/case.h"

#include <stdio.h>
#include <string.h>

#define LB_SAME(what, condition)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "cases differ in %s\n", what);                                         \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static inline bool same_text_or_null(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static inline bool same_bytes(const void *a, const void *b, size_t bytes)
{
    return a && b && bytes > 0 ? memcmp(a, b, bytes) == 0 : bytes == 0 || a == b;
}

static inline bool same_values(const lb_values *a, const lb_values *b)
{
    return a->count == b->count && same_bytes(a->items, b->items, a->count * sizeof *a->items);
}

static inline bool same_ref(const lb_tensor_ref *a, const lb_tensor_ref *b)
{
    return a->role == b->role && a->list_index == b->list_index && a->start == b->start;
}

static inline bool same_tensor(const lb_case_tensor *a, const lb_case_tensor *b)
{
    LB_SAME("type", a->type == b->type && a->rank == b->rank &&
                        same_bytes(a->shape, b->shape, sizeof a->shape));
    LB_SAME("mem_stride", a->has_mem_stride == b->has_mem_stride &&
                              same_bytes(a->mem_stride, b->mem_stride, sizeof a->mem_stride));
    LB_SAME("frac_bits",
            a->frac_bits == b->frac_bits && a->axis == b->axis && a->quant_count == b->quant_count);
    LB_SAME("scale", same_bytes(a->scale, b->scale, a->quant_count * sizeof *a->scale));
    LB_SAME("zero_point",
            same_bytes(a->zero_point, b->zero_point, a->quant_count * sizeof *a->zero_point));
    LB_SAME("scale_frac_bits", same_bytes(a->scale_frac_bits, b->scale_frac_bits, a->quant_count));
    LB_SAME("data", a->has_data == b->has_data && same_values(&a->data, &b->data));
    LB_SAME("null_data", a->null_data == b->null_data);
    LB_SAME("rank", a->has_rank == b->has_rank && a->rank_override == b->rank_override);
    LB_SAME("el_type", a->has_el_type == b->has_el_type && a->el_type == b->el_type);
    LB_SAME("capacity",
            a->has_capacity == b->has_capacity && a->capacity_bytes == b->capacity_bytes);
    LB_SAME("buffer_elements", a->has_buffer_elements == b->has_buffer_elements &&
                                   a->buffer_elements == b->buffer_elements);
    LB_SAME("quant_capacity",
            same_bytes(a->has_quant_capacity, b->has_quant_capacity, sizeof a->has_quant_capacity));
    LB_SAME("quant_capacity",
            same_bytes(a->quant_capacity, b->quant_capacity, sizeof a->quant_capacity));
    LB_SAME("data_in", a->has_data_in == b->has_data_in && same_ref(&a->data_in, &b->data_in));
    LB_SAME("quant_in", a->has_quant_in == b->has_quant_in && a->quant_null == b->quant_null);
    LB_SAME("quant_in", same_ref(&a->quant_in, &b->quant_in));
    return true;
}

static inline bool same_changed(const lb_changed *a, const lb_changed *b)
{
    LB_SAME("changed", a->has_rank == b->has_rank && a->has_shape == b->has_shape &&
                           a->has_type == b->has_type);
    LB_SAME("changed",
            a->has_mem_stride == b->has_mem_stride && a->has_frac_bits == b->has_frac_bits);
    LB_SAME("changed", a->has_axis == b->has_axis && a->has_capacity == b->has_capacity);
    LB_SAME("changed", a->has_data_in == b->has_data_in && a->has_quant_in == b->has_quant_in);
    LB_SAME("changed", a->quant_null == b->quant_null && a->rank == b->rank &&
                           a->shape_count == b->shape_count);
    LB_SAME("changed.shape", same_bytes(a->shape, b->shape, sizeof a->shape));
    LB_SAME("changed.mem_stride", a->mem_stride_count == b->mem_stride_count);
    LB_SAME("changed.mem_stride", same_bytes(a->mem_stride, b->mem_stride, sizeof a->mem_stride));
    LB_SAME("changed", a->type == b->type && a->frac_bits == b->frac_bits && a->axis == b->axis);
    LB_SAME("changed.capacity", a->capacity_bytes == b->capacity_bytes);
    for (int p = 0; p < LB_PARAMS; p++)
        LB_SAME("changed parameters", a->param[p].has == b->param[p].has &&
                                          a->param[p].is_list == b->param[p].is_list &&
                                          same_values(&a->param[p].values, &b->param[p].values));
    LB_SAME("changed.data_in",
            same_ref(&a->data_in, &b->data_in) && same_ref(&a->quant_in, &b->quant_in));
    return true;
}

static inline bool same_handle(const lb_handle *a, const lb_handle *b)
{
    LB_SAME("handle", same_text_or_null(a->name, b->name) && a->dma_ch == b->dma_ch);
    LB_SAME("handle", a->num_ch == b->num_ch && a->state == b->state);
    return true;
}

static inline bool same_step(const lb_step *a, const lb_step *b)
{
    LB_SAME("step", same_text_or_null(a->call, b->call) && a->handle == b->handle &&
                        a->in_is_bad == b->in_is_bad);
    LB_SAME("step", a->has_num_ch == b->has_num_ch && a->has_ch_offset == b->has_ch_offset);
    LB_SAME("step", a->has_cookie == b->has_cookie && a->num_ch == b->num_ch &&
                        a->ch_offset == b->ch_offset);
    LB_SAME("step", a->cookie == b->cookie && a->has_callback == b->has_callback);
    LB_SAME("step.callback", same_text_or_null(a->callback, b->callback));
    return true;
}

static inline bool same_step_expect(const lb_step_expect *a, const lb_step_expect *b)
{
    LB_SAME("expected step",
            a->has_status == b->has_status && a->has_done == b->has_done && a->status == b->status);
    LB_SAME("expected step",
            a->has_handle == b->has_handle && a->has_callbacks == b->has_callbacks);
    LB_SAME("expected step",
            a->has_out == b->has_out && a->done == b->done && same_values(&a->out, &b->out));
    LB_SAME("expected callbacks", a->callback_count == b->callback_count);
    for (size_t i = 0; i < a->callback_count; i++) {
        LB_SAME("expected callback", same_text_or_null(a->callbacks[i].name, b->callbacks[i].name));
        LB_SAME("expected callback", a->callbacks[i].cookie == b->callbacks[i].cookie);
    }
    return same_handle(&a->handle, &b->handle);
}

static inline bool same_expect(const lb_expect *a, const lb_expect *b)
{
    LB_SAME("profiles", a->profile_mask == b->profile_mask);
    LB_SAME("from", same_text_or_null(a->from.port, b->from.port) &&
                        same_text_or_null(a->from.described, b->from.described) &&
                        same_text_or_null(a->from.sha256, b->from.sha256));
    LB_SAME("status", a->has_status == b->has_status && a->status == b->status);
    LB_SAME("return", a->has_return == b->has_return && a->return_value == b->return_value);
    LB_SAME("expected config",
            !a->config == !b->config &&
                (!a->config || same_bytes(a->config, b->config, sizeof *a->config)));
    LB_SAME("expected steps",
            a->step_count == b->step_count && a->checkpoint_count == b->checkpoint_count);
    for (size_t i = 0; i < a->checkpoint_count; i++) {
        LB_SAME("checkpoint", a->checkpoints[i].step == b->checkpoints[i].step);
        for (int role = 0; role < LB_ROLE_COUNT; role++) {
            LB_SAME("checkpoint",
                    a->checkpoints[i].has_output[role] == b->checkpoints[i].has_output[role]);
            LB_SAME("checkpoint",
                    same_values(&a->checkpoints[i].output[role], &b->checkpoints[i].output[role]));
        }
    }
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        LB_SAME("expected output", a->has_output[role] == b->has_output[role]);
        LB_SAME("expected output", same_values(&a->output[role], &b->output[role]));
        LB_SAME("changed role", a->has_changed[role] == b->has_changed[role]);
        LB_SAME("changed role",
                !a->has_changed[role] || same_changed(&a->changed[role], &b->changed[role]));
    }
    for (size_t i = 0; i < a->step_count; i++)
        LB_SAME("expected step", same_step_expect(&a->steps[i], &b->steps[i]));
    return true;
}

static inline bool same_chain(const lb_chain *a, const lb_chain *b)
{
    LB_SAME("chain", a->steps == b->steps && a->feed_count == b->feed_count &&
                         a->fresh_count == b->fresh_count);
    for (unsigned i = 0; i < a->feed_count; i++) {
        LB_SAME("feed", a->feeds[i].from == b->feeds[i].from && a->feeds[i].to == b->feeds[i].to);
        LB_SAME("feed", a->feeds[i].to_index == b->feeds[i].to_index);
    }
    for (unsigned i = 0; i < a->fresh_count; i++) {
        LB_SAME("fresh", a->fresh[i].role == b->fresh[i].role &&
                             a->fresh[i].list_index == b->fresh[i].list_index);
        LB_SAME("fresh", a->fresh[i].seed == b->fresh[i].seed);
        LB_SAME("fresh",
                a->fresh[i].low == b->fresh[i].low && a->fresh[i].high == b->fresh[i].high);
    }
    return true;
}

static inline bool same_case(const lb_case *a, const lb_case *b)
{
    LB_SAME("id", same_text_or_null(a->id, b->id) && same_text_or_null(a->function, b->function));
    LB_SAME("note", a->kernel == b->kernel && same_text_or_null(a->note, b->note));
    LB_SAME("tags", a->tag_count == b->tag_count);
    for (size_t i = 0; i < a->tag_count; i++)
        LB_SAME("tag", same_text_or_null(a->tags[i], b->tags[i]));
    LB_SAME("null", same_bytes(a->null_role, b->null_role, sizeof a->null_role) &&
                        a->null_config == b->null_config);
    LB_SAME("config", same_bytes(&a->config, &b->config, sizeof a->config));
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *x = &a->operand[role], *y = &b->operand[role];
        LB_SAME("operand", x->present == y->present && x->is_output == y->is_output &&
                               x->is_list == y->is_list);
        LB_SAME("operand", x->count == y->count);
        for (unsigned i = 0; i < x->count; i++)
            LB_SAME("tensor", same_tensor(&x->tensors[i], &y->tensors[i]));
    }
    LB_SAME("chain", same_chain(&a->chain, &b->chain));
    LB_SAME("handles", a->handle_count == b->handle_count && a->step_count == b->step_count);
    for (size_t i = 0; i < a->handle_count; i++)
        LB_SAME("handle", same_handle(&a->handles[i], &b->handles[i]));
    for (size_t i = 0; i < a->step_count; i++)
        LB_SAME("step", same_step(&a->steps[i], &b->steps[i]));
    LB_SAME("expect", a->expect_count == b->expect_count);
    for (size_t i = 0; i < a->expect_count; i++)
        LB_SAME("expectation", same_expect(&a->expect[i], &b->expect[i]));
    return true;
}

#endif
