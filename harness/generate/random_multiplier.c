/* Multipliers aimed: one of a case is set so that what is cut off behind it, in one output element,
 * lies on a half, or one or few steps beside it, with the result beside the next one. There all
 * ways to round differ. */
#include "harness/call/model.h"
#include "harness/generate/random_build.h"

#include <stddef.h>
#include <string.h>

/* A multiplication with a multiplier of the call. */
typedef struct scaling {
    int64_t x;
    int32_t field;  /* offset in lb_config; -1: an entry of the list */
    uint32_t entry; /* of the list */
    int bits;       /* of the multiplier that are taken: 31, or the upper 15 */
    int right;      /* places to the right that follow */
    bool is_open;
} scaling;

enum { MOST_SCALINGS = 12, WHOLE = 31, UPPER = 15 };

typedef struct hearing {
    const lb_kernel *kernel;
    int32_t field; /* of the multiplier that was met last, or -1; INT32_MIN: none was */
    uint32_t entry;
    int64_t value;
    size_t count;
    scaling items[MOST_SCALINGS];
} hearing;

static const lb_config_field *field_at(const lb_kernel *kernel, int32_t offset)
{
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        if (f->offset == (size_t)offset && f->sort == LB_SORT_MULTIPLIER)
            return f;
    return NULL;
}

static void meet(hearing *h, const lb_num_step *step)
{
    if (step->operation == LB_STEP_GIVEN && step->place.kind == LB_NUM_ELEMENT &&
        lb_owner_role(step->place.owner) == LB_ROLE_MULTIPLIER) {
        h->field = -1;
        h->entry = (uint32_t)step->place.index[0];
        h->value = step->result;
    }
    for (unsigned i = 0; i < step->operand_count; i++)
        if (step->operand[i].step < LB_NUM_VARIES &&
            field_at(h->kernel, step->operand[i].step - LB_NUM_FIELD)) {
            h->field = step->operand[i].step - LB_NUM_FIELD;
            h->value = step->operand[i].v;
        }
}

static void begin(hearing *h, const lb_num_step *step)
{
    const int64_t m = step->operand[1].v;
    const bool is_whole = m == h->value, is_upper = m >> 1 == h->value >> 17 || m == h->value >> 16;
    if (h->field == INT32_MIN || h->count == MOST_SCALINGS || !(is_whole || is_upper))
        return;
    h->items[h->count++] = (scaling){.x = step->operand[0].v,
                                     .field = h->field,
                                     .entry = h->entry,
                                     .bits = is_whole ? WHOLE : UPPER,
                                     .is_open = true};
}

static void shift(scaling *s, const lb_num_step *step)
{
    const bool is_first = s->right == 0;
    if (s->is_open && (is_first || step->rounding == LB_ROUND_AWAY))
        s->right += (int)step->operand[1].v;
    s->is_open = s->is_open && is_first && s->right == s->bits;
}

static void hear(void *user, const lb_num_step *step)
{
    hearing *h = user;
    meet(h, step);
    if (step->operation == LB_STEP_MUL && step->operand_count == 2)
        begin(h, step);
    else if (step->operation == LB_STEP_RSH && h->count > 0)
        shift(&h->items[h->count - 1], step);
}

/* ---- The multiplier ---- */

/* a * inverse = 1, modulo 2^64; a is odd. */
static uint64_t inverse_of(uint64_t a)
{
    uint64_t inverse = a;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - a * inverse;
    return inverse;
}

/* What the product is to be, modulo 2^right: from here on, away from the half, step by step. */
static uint64_t first_target(lb_build *b, const scaling *s, int sign)
{
    const int n = s->right - s->bits;
    const uint64_t half = (uint64_t)1 << (s->bits - 1);
    const uint64_t beside = lb_build_once_in(b, 2) ? (uint64_t)lb_build_pick(b, 0, 2)
                                                   : (uint64_t)1 << lb_build_pick(b, 1, 15);
    /* rounded twice, beside the half of the second; or once */
    uint64_t target = n > 0 && lb_build_once_in(b, 2)
                          ? ((((uint64_t)1 << (n - 1)) - 1) << s->bits) + half - beside
                          : (half << (n > 0 ? n : 0)) - beside;
    return sign < 0 ? 0 - target : target;
}

/* A whole multiplier of which these upper bits are taken: as it is, or by the half that goes up. */
static int64_t with_low_bits(lb_build *b, int64_t upper)
{
    const int low = WHOLE - UPPER;
    return (upper << low) - (lb_build_once_in(b, 2) ? (int64_t)1 << (low - 1) : 0);
}

/* The multiplier that makes the product one of the next targets; 0: there is none. */
static int64_t solve(lb_build *b, const scaling *s)
{
    enum { TRIES = 1 << 14 };
    const int sign = lb_build_once_in(b, 2) ? 1 : -1;
    uint64_t x = (uint64_t)s->x, target = first_target(b, s, sign);
    int even = 0;
    while ((x & 1) == 0) {
        x = (uint64_t)((int64_t)x / 2);
        even++;
    }
    if (s->right - even < 1)
        return 0;
    const uint64_t inverse = inverse_of(x), mask = ((uint64_t)1 << (s->right - even)) - 1;
    for (int i = 0; i < TRIES; i++, target -= (uint64_t)sign) {
        const uint64_t m = ((target >> even) * inverse) & mask;
        if ((target & (((uint64_t)1 << even) - 1)) == 0 && m > 0 && m >> s->bits == 0)
            return s->bits == WHOLE ? (int64_t)m : with_low_bits(b, (int64_t)m);
    }
    return 0;
}

static void set(lb_build *b, const scaling *s, int64_t m)
{
    lb_case_tensor *list = b->c->operand[LB_ROLE_MULTIPLIER].tensors;
    if (s->field >= 0) {
        lb_config_set(&b->c->config, field_at(b->c->kernel, s->field), 0, m);
    } else if (list && list->has_data && s->entry < list->data.count) {
        int32_t *items = lb_arena_array(b->arena, list->data.count, sizeof *items);
        memcpy(items, list->data.items, list->data.count * sizeof *items);
        items[s->entry] = (int32_t)m;
        list->data.items = items;
        list->may_be_uniform = false;
    }
}

/* ---- The whole ---- */

static bool has_multipliers(const lb_kernel *kernel)
{
    bool has = lb_kernel_role(kernel, LB_ROLE_MULTIPLIER) != NULL;
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name && !has; f++)
        has = f->sort == LB_SORT_MULTIPLIER;
    return has;
}

static void listen(lb_build *b, const lb_profile *profile, size_t element, hearing *h)
{
    lb_arena arena = {0};
    *h = (hearing){.kernel = b->c->kernel, .field = INT32_MIN};
    lb_steps steps = {.role = LB_ROLE_OUT, .element = element, .step = hear, .user = h};
    const lb_context context = {.profile = profile, .steps = &steps};
    lb_model_call(&context, lb_instance_of(b->c, &arena));
    lb_arena_free(&arena);
}

/* The first of two: what the other scales has changed by then. */
bool lb_random_aim_multiplier(lb_build *b)
{
    enum { MOST_RIGHT = 61 };
    if (!has_multipliers(b->c->kernel) || !lb_build_once_in(b, 2))
        return false;
    const lb_kernel_set *kernels = lb_kernel_set_of(b->c->kernel);
    const lb_profile *profile =
        &kernels->profiles[lb_build_pick(b, 0, (int)kernels->profile_count - 1)];
    const lb_case_tensor *out = b->c->operand[LB_ROLE_OUT].tensors;
    const size_t elements = out ? lb_build_count(out) : 0;
    if (elements == 0)
        return true;
    const size_t element = (size_t)lb_random_in(&b->random, 0, (int64_t)elements - 1);
    for (int last = lb_build_pick(b, 0, 1); last < 2; last++) {
        hearing h;
        listen(b, profile, element, &h);
        const size_t i = h.count == 0 ? 0
                         : last       ? h.count - 1
                                      : (size_t)lb_build_pick(b, 0, (int64_t)h.count - 1);
        const scaling *s = &h.items[i];
        const int64_t m = h.count > 0 && s->x != 0 && s->right >= s->bits && s->right <= MOST_RIGHT
                              ? solve(b, s)
                              : 0;
        if (m > 0)
            set(b, s, m);
    }
    return true;
}
