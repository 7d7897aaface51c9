/* From encodings of a layer to the integers of its call (litert.22.4): see requantize_layer.h. */
#include "harness/command/requantize_layer.h"
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/encodings/map.h"
#include "harness/encodings/plain.h"
#include "harness/encodings/show.h"
#include "reference/litert/kernels.h"

#include <stdlib.h>
#include <string.h>

enum { IN, WEIGHTS, OUT, TENSORS };

typedef struct layer {
    const lb_enc_file *file;
    const char *text; /* as it was asked for */
    const lb_enc_tensor *tensor[TENSORS];
    lb_enc_plain plain[TENSORS];
    lb_arena arena;
    lb_el_type type; /* of input and output */
} layer;

static bool refuse(const layer *l, int which, const char *why)
{
    return lb_usage_error("requantize", "--layer %s: \"%s\" of %s: %s", l->text,
                          l->tensor[which]->name, l->file->path, why),
           false;
}

static bool find_tensors(layer *l)
{
    const char *at = l->text;
    for (int i = 0; i < TENSORS; i++) {
        char name[400], near[400];
        const char *end = i < OUT ? strchr(at, ',') : at + strlen(at);
        if (!end || end == at || (i == OUT && strchr(at, ',')) || end - at >= (long)sizeof name)
            return lb_usage_error("requantize",
                                  "--layer %s: expected IN,WEIGHTS,OUT, the names of "
                                  "three tensors",
                                  l->text),
                   false;
        snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
        l->tensor[i] = lb_enc_find(l->file, name);
        if (!l->tensor[i]) {
            lb_suggest_text(name, lb_enc_name_at, l->file, near, sizeof near);
            return lb_usage_error("requantize", "--layer: %s has no tensor \"%s\"; %s",
                                  l->file->path, name, near),
                   false;
        }
        at = end + 1;
    }
    return true;
}

static bool check_tensor(layer *l, int which)
{
    const lb_enc_tensor *t = l->tensor[which];
    const unsigned bits = which == WEIGHTS || t->bits != 16 ? 8 : 16;
    const char *why = lb_enc_map_plain(t, bits, &l->arena, &l->plain[which]);
    if (why)
        return refuse(l, which, why);
    if (which != WEIGHTS && l->plain[which].count != 1)
        return refuse(l, which, lb_enc_reason("U_ACT_PER_CHANNEL"));
    if ((which == WEIGHTS || t->bits == 16) && l->plain[which].zero_point != 0)
        return refuse(l, which, "its zero point must be 0: a symmetric encoding");
    return true;
}

static bool read_layer(layer *l)
{
    if (!find_tensors(l))
        return false;
    for (int i = 0; i < TENSORS; i++)
        if (!check_tensor(l, i))
            return false;
    if (l->tensor[IN]->bits != l->tensor[OUT]->bits)
        return refuse(l, OUT, "input and output have different widths");
    l->type = l->tensor[IN]->bits == 8 ? LB_S8 : LB_S16;
    return true;
}

static float scale_of(const layer *l, int which, size_t channel)
{
    return l->plain[which].scales[channel];
}

static lb_lite_factor factor_of(const layer *l, bool is_fully_connected, int profile,
                                size_t channel)
{
    return (is_fully_connected && l->plain[WEIGHTS].count == 1
                ? lb_lite_prepare_fully_connected
                : lb_lite_prepare_conv)(&lb_lite_profiles[profile], scale_of(l, IN, 0),
                                        scale_of(l, WEIGHTS, channel), scale_of(l, OUT, 0));
}

static void print_list(const layer *l, const char *name, int profile, bool is_shift)
{
    const size_t count = l->plain[WEIGHTS].count;
    printf("  %s: {type: s32, shape: [%zu], data: [", name, count);
    for (size_t i = 0; i < count; i++) {
        const lb_lite_factor f = factor_of(l, false, profile, i);
        printf("%s%d", i ? ", " : "", is_shift ? f.shift : f.multiplier);
    }
    printf("]}\n");
}

static bool profiles_differ(const layer *l, bool is_fully_connected)
{
    for (size_t i = 0; i < l->plain[WEIGHTS].count; i++) {
        const lb_lite_factor a = factor_of(l, is_fully_connected, 0, i);
        for (int p = 1; p < LB_LITE_PROFILE_COUNT; p++) {
            const lb_lite_factor b = factor_of(l, is_fully_connected, p, i);
            if (a.multiplier != b.multiplier || a.shift != b.shift)
                return true;
        }
    }
    return false;
}

static void print_layer(const layer *l, const lb_requantize_layers *asked)
{
    const bool has_one = asked->is_fully_connected && l->plain[WEIGHTS].count == 1;
    const int profiles = profiles_differ(l, has_one) ? LB_LITE_PROFILE_COUNT : 1;
    lb_config config = {.litert = {0}};
    lb_lite_prepare_limits(l->type, asked->fused,
                           (lb_lite_quant){scale_of(l, OUT, 0), l->plain[OUT].zero_point}, &config);
    for (int p = 0; p < profiles; p++) {
        printf("\"%s\": # %s%s%s\n", l->text, l->type == LB_S8 ? "s8" : "s16",
               profiles > 1 ? ", " : "", profiles > 1 ? lb_lite_profiles[p].name : "");
        printf("  config: {input_offset: %d, output_offset: %d, activation_min: %d, "
               "activation_max: %d",
               -l->plain[IN].zero_point, l->plain[OUT].zero_point, config.litert.activation_min,
               config.litert.activation_max);
        if (has_one) {
            const lb_lite_factor f = factor_of(l, true, p, 0);
            printf(", weights_offset: 0, multiplier: %d, shift: %d", f.multiplier, f.shift);
        }
        printf("}\n");
        if (!has_one) {
            print_list(l, "multiplier", p, false);
            print_list(l, "shift", p, true);
        }
    }
}

int lb_requantize_print_layers(const lb_requantize_layers *asked)
{
    lb_enc_file *file = lb_enc_read(asked->encodings, &(lb_enc_options){0});
    int status = 0;
    if (!file->is_valid) {
        lb_doc doc = lb_doc_make();
        lb_enc_show_note(&doc, file, &file->error);
        lb_doc_flush(&doc, stderr);
        lb_doc_free(&doc);
        status = 2;
    }
    for (size_t i = 0; i < asked->layers.count && status == 0; i++) {
        layer l = {.file = file, .text = asked->layers.items[i]};
        if (read_layer(&l))
            print_layer(&l, asked);
        else
            status = 2;
        lb_arena_free(&l.arena);
    }
    lb_enc_free(file);
    return status != 0 ? status : fflush(stdout) == 0 && !ferror(stdout) ? 0 : 3;
}
