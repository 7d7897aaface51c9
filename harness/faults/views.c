/* Changed views of a call: see views.h. */
#include "harness/faults/views.h"
#include "harness/faults/step_run.h"

#include <string.h>

bool lb_fault_has_result(const lb_fault_run *run)
{
    const lb_kernel *kernel = run->test_case->kernel;
    return !run->violated && kernel->exact &&
           (!kernel->returns_status || run->right->call.status == LB_OK);
}

lb_role_use lb_fault_role_use(const lb_kernel *kernel, int role)
{
    const lb_role_spec *spec = lb_kernel_role(kernel, (lb_role)role);
    return spec ? spec->use : LB_USE_NONE;
}

/* ---- Instances ---- */

/* Everything in the call that is no tensor: status, returned value, configuration. */
static void take_call(lb_fault_run *run)
{
    const lb_call *right = &run->right->call;
    lb_call *call = &run->out->call;
    void *scratch = call->config.scratch;
    call->status = right->status;
    call->return_value = right->return_value;
    call->config = right->config;
    call->config.scratch = scratch;
}

void lb_fault_take_right(lb_fault_run *run)
{
    memcpy(run->out->block, run->right->block, run->right->memory->block_bytes);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < run->right->call.list_count[role]; i++)
            run->out->tensors[role][i] =
                lb_tensor_moved(&run->right->tensors[role][i], run->right, run->out);
    take_call(run);
}

void lb_fault_unsay(lb_fault_run *run, int role, size_t flat)
{
    const lb_tensor *out = &run->out->tensors[role][0];
    unsigned buffer = 0;
    size_t start = 0, bytes = lb_storage_bytes(out->el_type);
    if (out->rank == 0 || !lb_instance_locate(run->out, out->data.mem.ptr, &buffer, &start))
        return;
    size_t at = run->out->memory->buffers[buffer].offset + start +
                lb_offset_of_flat(out, flat) * bytes,
           end = run->out->memory->block_bytes;
    if (at > end || bytes > end - at)
        return;
    if (!run->unsaid)
        run->unsaid = lb_arena_array(run->arena, end, 1);
    memset(run->unsaid + at, 1, bytes);
}

void lb_fault_unsay_from(lb_fault_run *run, unsigned dim, uint32_t first)
{
    const lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    size_t count = dim < out->rank && out->shape[dim] > first ? lb_element_count(out) : 0;
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0};
        lb_unflatten(out, flat, index);
        if (index[dim] >= first)
            lb_fault_unsay(run, LB_ROLE_OUT, flat);
    }
}

/* ---- Views ---- */

/* Is everything there that a reading looks at? */
static bool is_whole(const lb_fault_run *run)
{
    const lb_call *call = &run->out->call;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        bool is_used = lb_fault_role_use(call->kernel, role) != LB_USE_NONE;
        if (is_used && (!call->tensor[role] || call->tensor[role]->rank > LB_MAX_RANK))
            return false;
    }
    return !run->test_case->null_config;
}

bool lb_view_begin(lb_fault_view *view, lb_fault_run *run)
{
    if (!lb_fault_has_result(run) && !(run->fault->early && is_whole(run)))
        return false;
    view->run = run;
    view->call = &run->out->call;
    view->scratch = (lb_arena){0};
    view->kept_config = view->call->config;
    memcpy(view->kept, run->out->tensors, sizeof view->kept);
    view->call->status = run->right->call.status;
    return true;
}

lb_tensor *lb_view_tensor(lb_fault_view *view, int role, unsigned index)
{
    bool here = view->call->tensor[role] && index < view->call->list_count[role];
    return here ? &view->call->tensor[role][index] : NULL;
}

size_t lb_view_available(const lb_fault_view *view, const lb_tensor *t)
{
    unsigned buffer = 0;
    size_t offset = 0;
    if (t->rank == 0 || !lb_instance_locate(view->run->out, t->data.mem.ptr, &buffer, &offset))
        return 0;
    return view->run->out->memory->buffers[buffer].size_bytes - offset;
}

unsigned char *lb_view_own_memory(lb_fault_view *view, int role, unsigned tensor_index,
                                  size_t bytes)
{
    lb_tensor *t = lb_view_tensor(view, role, tensor_index);
    size_t available = t ? lb_view_available(view, t) : 0;
    if (available == 0)
        return NULL;
    unsigned char *own = lb_arena_alloc(&view->scratch, available > bytes ? available : bytes);
    memcpy(own, t->data.mem.ptr, available);
    t->data.mem.ptr = own;
    return own;
}

/* The elements of t, moved as source says, into `to`, which holds `places` elements as t does. */
static void move_elements(const lb_tensor *t, lb_view_source source, const void *user,
                          size_t places, unsigned char *to)
{
    const unsigned char *from = t->data.mem.ptr;
    unsigned bytes = lb_storage_bytes(t->el_type);
    size_t count = lb_element_count(t);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0};
        lb_unflatten(t, flat, index);
        int64_t place = source(t, index, user);
        size_t at = place < 0 ? 0 : (size_t)place;
        size_t target = lb_offset_of(t, index);
        if (at >= places)
            at = places - 1;
        if (target < places)
            memcpy(to + target * bytes, from + at * bytes, bytes);
    }
}

bool lb_view_remap(lb_fault_view *view, int role, unsigned tensor_index, lb_view_source source,
                   const void *user)
{
    lb_tensor *t = lb_view_tensor(view, role, tensor_index);
    size_t available = t ? lb_view_available(view, t) : 0;
    unsigned bytes = t ? lb_storage_bytes(t->el_type) : 0;
    if (available == 0 || bytes == 0 || available < bytes)
        return false;
    unsigned char *copy = lb_arena_alloc(&view->scratch, available);
    memcpy(copy, t->data.mem.ptr, available);
    move_elements(t, source, user, available / bytes, copy);
    bool changed = memcmp(copy, t->data.mem.ptr, available) != 0;
    if (lb_fault_role_use(view->call->kernel, role) == LB_USE_INPUT)
        t->data.mem.ptr = copy;
    else /* what is read and written stays where it is */
        memcpy(t->data.mem.ptr, copy, available);
    return changed;
}

bool lb_view_own_lists(lb_fault_view *view, lb_tensor *t, uint32_t count)
{
    bool per_axis = lb_is_sa(t->el_type) && t->sa.dim >= 0 && t->sa.dim < (int32_t)t->rank;
    if (!per_axis || !t->sa.scale.mem.ptr || !t->sa.zero_point.mem.ptr ||
        !t->sa.scale_frac_bits.mem.ptr || t->shape[t->sa.dim] == 0)
        return false;
    uint32_t old = t->shape[t->sa.dim];
    int16_t *scale = lb_arena_array(&view->scratch, count, sizeof *scale);
    int16_t *zero_point = lb_arena_array(&view->scratch, count, sizeof *zero_point);
    int8_t *frac = lb_arena_array(&view->scratch, count, sizeof *frac);
    for (uint32_t i = 0; i < count; i++) {
        lb_quant quant = lb_quant_at(t, i % old);
        scale[i] = (int16_t)quant.scale;
        zero_point[i] = (int16_t)quant.zero_point;
        frac[i] = (int8_t)quant.frac;
    }
    t->sa.scale = (lb_container){count * 2, {.pi16 = scale}};
    t->sa.zero_point = (lb_container){count * 2, {.pi16 = zero_point}};
    t->sa.scale_frac_bits = (lb_container){count, {.pi8 = frac}};
    return true;
}

bool lb_view_is_accepted(const lb_fault_view *view)
{
    lb_context context = {.profile = view->run->profile};
    const lb_rule *rule = view->call->kernel->rules;
    for (; rule && rule->check; rule++)
        if (rule->check(&context, view->call, rule) != LB_OK)
            return false;
    return true;
}

/* ---- The end ---- */

/* What a function fills is its output. */
static void put_config_back(lb_fault_view *view)
{
    lb_config after = view->call->config;
    lb_config *config = &view->call->config;
    *config = view->kept_config;
    const lb_config_field *f = lb_config_fields(lb_filled_config(view->call->kernel));
    for (; f->name; f++)
        memcpy((char *)config + f->offset, (const char *)&after + f->offset,
               lb_config_field_bytes(f));
}

static void put_tensors_back(lb_fault_view *view, bool outputs_too)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        bool is_input = lb_fault_role_use(view->call->kernel, role) == LB_USE_INPUT;
        for (unsigned i = 0; i < view->call->list_count[role]; i++)
            if (is_input || outputs_too)
                view->run->out->tensors[role][i] = view->kept[role][i];
    }
}

static void run_model(lb_fault_view *view)
{
    lb_fault_model_run(view->run, view->call);
}

bool lb_view_end_with_fields(lb_fault_view *view)
{
    put_config_back(view);
    put_tensors_back(view, false);
    lb_arena_free(&view->scratch);
    return true;
}

bool lb_view_run_checked(lb_fault_view *view)
{
    lb_context context = {.profile = view->run->profile};
    bool refused = lb_run_exact(&context, view->call) != NULL;
    return refused || !lb_fault_has_result(view->run) ? lb_view_end_with_fields(view)
                                                      : lb_view_end(view);
}

bool lb_view_run_with_fields(lb_fault_view *view)
{
    run_model(view);
    return lb_view_end_with_fields(view);
}

/* What an output of its own memory holds goes to its place, as much as there is room for. */
static void put_outputs_back(lb_fault_view *view)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_tensor *given = &view->kept[role][0], *t = &view->run->out->tensors[role][0];
        lb_role_use use = lb_fault_role_use(view->call->kernel, role);
        bool is_written = use == LB_USE_OUTPUT || use == LB_USE_INOUT;
        size_t available = is_written && t->rank > 0 ? lb_view_available(view, given) : 0;
        if (available > 0 && lb_view_available(view, t) == 0)
            memcpy(given->data.mem.ptr, t->data.mem.ptr, available);
    }
}

bool lb_view_run(lb_fault_view *view)
{
    run_model(view);
    return lb_view_end(view);
}

bool lb_view_end(lb_fault_view *view)
{
    const lb_fault_run *run = view->run;
    put_config_back(view);
    put_tensors_back(view, false);
    put_outputs_back(view);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < view->call->list_count[role]; i++) {
            lb_tensor *t = &run->out->tensors[role][i];
            lb_memory value = t->data.mem;
            if (lb_fault_role_use(view->call->kernel, role) == LB_USE_INPUT)
                continue;
            *t = lb_tensor_moved(&run->right->tensors[role][i], run->right, run->out);
            if (t->rank == 0) /* its element is a field */
                t->data.mem = value;
        }
    lb_arena_free(&view->scratch);
    return true;
}

bool lb_view_drop(lb_fault_view *view)
{
    put_config_back(view);
    put_tensors_back(view, true);
    lb_arena_free(&view->scratch);
    return false;
}

bool lb_view_run_if(lb_fault_view *view, bool changed)
{
    return changed || view->run->fault->beside ? lb_view_run(view) : lb_view_drop(view);
}

bool lb_view_has_changed(const lb_fault_run *run)
{
    const lb_tensor right =
        lb_tensor_moved(&run->right->tensors[LB_ROLE_OUT][0], run->right, run->out);
    return run->out->call.status != run->right->call.status ||
           memcmp(&run->out->tensors[LB_ROLE_OUT][0], &right, sizeof right) != 0 ||
           memcmp(run->out->block, run->right->block, run->right->memory->block_bytes) != 0;
}

bool lb_view_change_run(lb_fault_run *run)
{
    lb_fault_view view;
    run->is_all = true;
    return lb_view_begin(&view, run) && lb_view_run_if(&view, run->fault->kind->change(&view));
}
