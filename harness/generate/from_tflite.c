/* A suite of the operators of a .tflite model, wired as a network: see from_tflite.h. */
#include "harness/generate/from_tflite.h"
#include "harness/call/model.h"
#include "harness/generate/from_tflite_case.h"
#include "harness/generate/random_build.h"
#include "harness/suite/case_write.h"
#include "harness/trial/compare.h"
#include "reference/litert/kernels.h"

#include <stdio.h>
#include <string.h>

/* What a tensor of the model holds, as far as a case made it. */
typedef struct made {
    int32_t root;   /* the tensor whose elements it hands on; its own number */
    const char *id; /* of the case; NULL: none made it */
    lb_values codes;
} made;

typedef struct walk {
    lb_from_tflite *f;
    made *of; /* by number of the tensor */
    lb_arena kept, work;
} walk;

/* ---- What goes in ---- */

static void fill_random(lb_case_tensor *t, int32_t tensor, lb_arena *arena)
{
    const lb_range all = lb_build_range(t->type == LB_S64 ? (uint32_t)LB_S32 : (uint32_t)t->type);
    lb_case_make_data(t, lb_build_count(t), arena);
    lb_case_fill_uniform(t, (uint64_t)tensor + 1, all.low, all.high);
}

/* The data of a fed operand: those of a constant under another shape, what the case before gave, or
 * random numbers. */
static void feed(walk *w, lb_tflite_build *b, lb_role role)
{
    const int32_t root = w->of[b->source[role]].root;
    const made *from = &w->of[root];
    const lb_tflite_tensor *constant = &w->f->model->tensors[root];
    lb_case_tensor *t = b->c->operand[role].tensors;
    if (constant->data.is_there) {
        lb_tflite_fill_constant(b, constant, t);
        return;
    }
    if (!from->id || b->c->layer_feed_count == LB_MAX_FEEDS) {
        fill_random(t, root, &w->work);
        return;
    }
    t->has_data = true;
    t->data = from->codes;
    b->c->layer_feeds[b->c->layer_feed_count++] = (lb_layer_feed){
        .layer = lb_arena_strdup(&w->work, from->id), .from = LB_ROLE_OUT, .to = role};
}

/* ---- What comes out ---- */

/* The exact model's output in a profile; false: *why there is none. */
static bool run_exact(walk *w, const lb_case *c, const lb_profile *profile, lb_values *codes,
                      const char **why)
{
    lb_watch watch = {0};
    lb_context context = {.profile = profile, .watch = &watch};
    lb_instance *instance = lb_instance_of(c, &w->work);
    const lb_ran ran = lb_model_call(&context, instance);
    if (!ran.computed || ran.undefined != LB_SAID) {
        const char *words = lb_unsaid_words(ran.undefined);
        *why = *words ? words : ran.violated ? ran.violated->name : "it computes nothing";
        return false;
    }
    const lb_elements v = lb_instance_elements(instance, LB_ROLE_OUT, 0);
    *codes = lb_read_elements(v.base, &v.layout, &w->kept);
    return true;
}

static void expect(lb_case *c, const lb_profile *profile, const lb_values *codes)
{
    const unsigned bit = 1U << lb_kernel_numerics(c->kernel, profile);
    for (size_t i = 0; i < c->expect_count; i++)
        if (lb_values_same(&c->expect[i].output[LB_ROLE_OUT], codes)) {
            c->expect[i].profile_mask |= bit;
            return;
        }
    lb_expect *e = &c->expect[c->expect_count++];
    e->profile_mask = bit;
    e->has_output[LB_ROLE_OUT] = true;
    e->output[LB_ROLE_OUT] = *codes;
}

static void remark(walk *w, size_t number, const char *what, const char *where, const char *why)
{
    char name[160];
    const lb_tflite_operator *o = &w->f->model->operators[number];
    lb_doc_printf(w->f->remarks, "operators[%zu] %s: %s%s: %s\n", number,
                  lb_tflite_operator_name(o, name), what, where, why);
}

/* Fills the expectations. False: the profile in which layers are fed has none. */
static bool expect_all(walk *w, size_t number, lb_case *c, lb_values *fed_on)
{
    bool good = false;
    c->expect = lb_arena_array(&w->work, LB_LITE_PROFILE_COUNT, sizeof *c->expect);
    for (int i = 0; i < LB_LITE_PROFILE_COUNT; i++) {
        const lb_profile *profile = &lb_lite_profiles[i];
        const char *why = NULL;
        lb_values codes;
        if (run_exact(w, c, profile, &codes, &why)) {
            expect(c, profile, &codes);
            if (profile == w->f->profile) {
                *fed_on = codes;
                good = true;
            }
        } else {
            remark(w, number, "undefined in ", profile->name, why);
        }
    }
    return good;
}

/* ---- One operator ---- */

/* The id: number of the operator and its function, "03.conv_2d_s8". */
static void name_case(walk *w, size_t number, lb_case *c)
{
    static const char tag[] = "tflite";
    const lb_tflite_tensor *out = &w->f->model->tensors[w->f->model->operators[number].outputs[0]];
    c->id = lb_arena_printf(&w->work, "%02zu.%s", number, lb_kernel_short_name(c->kernel));
    c->note = *out->name ? lb_arena_printf(&w->work, "makes %s", out->name) : NULL;
    c->tags = lb_arena_array(&w->work, 1, sizeof *c->tags);
    c->tags[c->tag_count++] = lb_arena_strdup(&w->work, tag);
}

/* RESHAPE and its like: the elements of the input under another shape. */
static bool hand_on(walk *w, const lb_tflite_operator *o)
{
    if (!lb_tflite_hands_on(o) || o->input_count < 1 || o->output_count < 1 || o->inputs[0] < 0 ||
        o->outputs[0] < 0)
        return false;
    const lb_tflite_tensor *in = &w->f->model->tensors[o->inputs[0]];
    const lb_tflite_tensor *out = &w->f->model->tensors[o->outputs[0]];
    const uint64_t count = lb_tflite_elements(in);
    if (count == 0 || count != lb_tflite_elements(out) || in->type != out->type)
        return false;
    w->of[o->outputs[0]].root = w->of[o->inputs[0]].root;
    return true;
}

static void write_operator(walk *w, size_t number)
{
    const lb_tflite_operator *o = &w->f->model->operators[number];
    lb_case *c = lb_arena_alloc(&w->work, sizeof *c);
    lb_tflite_build b = {
        .model = w->f->model, .o = o, .profile = w->f->profile, .arena = &w->work, .c = c};
    lb_values codes;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        b.source[role] = LB_TFLITE_NO_TENSOR;
    if (hand_on(w, o))
        return;
    c->layer_feeds = lb_arena_array(&w->work, LB_MAX_FEEDS, sizeof *c->layer_feeds);
    bool good = lb_tflite_build_case(&b);
    for (int role = 0; good && role < LB_ROLE_COUNT; role++)
        if (b.source[role] >= 0)
            feed(w, &b, (lb_role)role);
    if (b.why) {
        remark(w, number, "no case", "", b.why);
        w->f->operators_without++;
        return;
    }
    name_case(w, number, c);
    if (!expect_all(w, number, c, &codes)) {
        w->f->operators_without++;
        return;
    }
    lb_doc_puts(w->f->doc, lb_case_to_json(c, &w->work));
    lb_doc_char(w->f->doc, '\n');
    w->of[o->outputs[0]].id = lb_arena_strdup(&w->kept, c->id);
    w->of[o->outputs[0]].codes = codes;
    w->f->cases++;
}

void lb_write_tflite_cases(lb_from_tflite *f)
{
    walk w = {.f = f};
    w.of = lb_arena_array(&w.kept, f->model->tensor_count + 1, sizeof *w.of);
    for (size_t i = 0; i < f->model->tensor_count; i++)
        w.of[i].root = (int32_t)i;
    for (size_t i = 0; i < f->model->operator_count; i++) {
        write_operator(&w, i);
        lb_arena_reset(&w.work);
    }
    lb_arena_free(&w.work);
    lb_arena_free(&w.kept);
}
