/* lastbit requantize: from a real multiplier to the integers that LiteRT's kernels scale by. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/requantize_layer.h"
#include "reference/core/arith.h"
#include "reference/litert/fixed.h"
#include "reference/litert/kernels.h"
#include "reference/litert/prepare.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scales {
    float in, filter, out;
} scales;

typedef struct request {
    bool has_scales, is_fully_connected;
    scales scales;
    lb_list sums;
    enum { BITS_32, BITS_64 } bits; /* of the sum */
    enum { TO_S8, TO_S16, TO_S32 } type;
    bool has_type, has_zero_point;
    int32_t zero_point;
    const char *encodings;
    lb_list layers;
    lb_lite_fused fused;
    bool has_fused;
} request;

/* ---- Numbers of the command line ---- */

/* A finite number up to `end` (NULL: the whole text). */
static bool read_real(const char *text, const char **end, double *value)
{
    char *stop;
    errno = 0;
    *value = strtod(text, &stop);
    const bool is_number =
        stop != text && !strchr(" \t\n", *text) && isfinite(*value) && (*value != 0 || errno == 0);
    if (end)
        *end = stop;
    return is_number && (end || !*stop);
}

static bool read_whole(const char *text, int64_t low, int64_t high, int64_t *value)
{
    char *stop;
    errno = 0;
    *value = strtoll(text, &stop, 10);
    return stop != text && !*stop && !strchr(" \t\n", *text) && errno == 0 && *value >= low &&
           *value <= high;
}

static bool take_scales(const char *command, const char *text, void *into)
{
    scales *s = into;
    float *const each[] = {&s->in, &s->filter, &s->out};
    const char *at = text;
    double value;
    for (int i = 0; i < 3; i++) {
        const bool good = read_real(at, &at, &value) && *at == (i < 2 ? ',' : '\0');
        *each[i] = good ? (float)value : 0;
        if (!good || !(*each[i] > 0) || !isfinite(*each[i]))
            return lb_usage_error(command,
                                  "--scales: %s: expected IN,FILTER,OUT, three numbers above 0 "
                                  "that float32 holds, such as 0.05,0.007,0.1",
                                  text),
                   false;
        at++;
    }
    return true;
}

static bool take_zero_point(const char *command, const char *text, void *into)
{
    int64_t value;
    if (!read_whole(text, INT16_MIN, INT16_MAX, &value))
        return lb_usage_error(command, "--zero-point: %s: expected a number from -32768 to 32767",
                              text),
               false;
    *(int32_t *)into = (int32_t)value;
    return true;
}

/* ---- What comes out ---- */

/* The number that stands for the factor where sums of 64 bits are scaled: of the multiplier 16 bits
 * are left (litert.2.5). */
static int32_t reduced(int32_t multiplier)
{
    return multiplier >= 0x7FFF0000 ? 32767 : (int32_t)lb_asr((int64_t)multiplier + 0x8000, 16, 64);
}

static double value_of(const request *q, lb_lite_factor f)
{
    return q->bits == BITS_64 ? ldexp(reduced(f.multiplier), f.shift - 15)
                              : lb_lite_factor_value(f);
}

/* The shorter of two decimals that read back as it. */
static void print_number(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    printf("%.*g", strtod(text, NULL) == value ? 15 : 17, value);
}

static void print_factor(const request *q, double real, lb_lite_factor f)
{
    const double value = value_of(q, f), error = value - real;
    printf("multiplier %d, shift %d", f.multiplier, f.shift);
    if (q->bits == BITS_64)
        printf(" (16 bits of it: %d)", reduced(f.multiplier));
    printf(": ");
    print_number(value);
    if (error == 0)
        printf(", exact\n");
    else
        printf(", error %.3g, relative %.3g\n", error, error / real);
}

/* False: undefined, for the reason told. */
static bool scale(const request *q, const lb_profile *profile, lb_lite_factor f, int64_t sum,
                  int64_t *result, const char **why)
{
    static const int widths[] = {8, 16, 32};
    lb_call call = {.undefined = LB_SAID};
    lb_context context = {.profile = profile};
    lb_fix fix = {.context = &context, .call = &call};
    lb_num (*function)(const lb_fix *, lb_num, lb_num, lb_num) =
        q->bits == BITS_64 ? lb_fix_scale64 : lb_fix_scale32;
    lb_num scaled =
        function(&fix, lb_num_const(sum), lb_num_const(f.multiplier), lb_num_const(f.shift));
    lb_num moved = lb_fix_within_32(&fix, lb_num_const(scaled.v + q->zero_point));
    *result = lb_fix_clamp(&fix, moved, widths[q->has_type ? q->type : TO_S32]).v;
    *why = lb_unsaid_words(call.undefined);
    return call.undefined == LB_SAID;
}

static void print_sum(const request *q, double real, const lb_lite_factor f[], const char *sum_text)
{
    int64_t sum, result[LB_LITE_PROFILE_COUNT];
    bool good[LB_LITE_PROFILE_COUNT], same = true;
    const char *why[LB_LITE_PROFILE_COUNT];
    read_whole(sum_text, INT64_MIN, INT64_MAX, &sum);
    for (int i = 0; i < LB_LITE_PROFILE_COUNT; i++) {
        good[i] = scale(q, &lb_lite_profiles[i], f[i], sum, &result[i], &why[i]);
        same = same && good[i] == good[0] && (!good[i] || result[i] == result[0]);
    }
    for (int i = 0; i < (same ? 1 : LB_LITE_PROFILE_COUNT); i++) {
        printf("  of %" PRId64, sum);
        if (!same)
            printf(" [%s]", lb_lite_profiles[i].name);
        if (good[i])
            printf(": %" PRId64 ", in real numbers %.9g\n", result[i],
                   (double)sum * real + q->zero_point);
        else
            printf(": undefined: %s\n", why[i]);
    }
}

static void print_real(const request *q, double real)
{
    lb_lite_factor f[LB_LITE_PROFILE_COUNT];
    bool same = true;
    for (int i = 0; i < LB_LITE_PROFILE_COUNT; i++) {
        f[i] = lb_lite_prepare_multiplier(&lb_lite_profiles[i], real);
        same = same && f[i].multiplier == f[0].multiplier && f[i].shift == f[0].shift;
    }
    for (int i = 0; i < (same ? 1 : LB_LITE_PROFILE_COUNT); i++) {
        print_number(real);
        if (!same)
            printf(" [%s]", lb_lite_profiles[i].name);
        printf(" = ");
        print_factor(q, real, f[i]);
    }
    for (size_t i = 0; i < q->sums.count; i++)
        print_sum(q, real, f, q->sums.items[i]);
}

/* ---- Command line ---- */

static bool check(const request *q, const lb_arguments *reals)
{
    const int64_t most = q->bits == BITS_64 ? ((int64_t)1 << 47) - 1 : INT32_MAX;
    int64_t sum;
    double real;
    const char *wrong = NULL;
    if ((q->encodings != NULL) != (q->layers.count > 0) || (q->has_fused && !q->encodings))
        wrong = "--encodings, --layer and --activation go together";
    else if (q->encodings && (q->has_scales || reals->count > 0 || q->sums.count > 0))
        wrong = "--encodings takes the place of REAL, --scales and --sum";
    else if (q->encodings)
        return true;
    else if (q->has_scales == (reals->count > 0))
        wrong = q->has_scales ? "--scales takes the place of REAL"
                              : "no REAL given, such as 0.0023, and no --scales";
    else if (q->is_fully_connected && !q->has_scales)
        wrong = "--fully-connected goes with --scales, or with --encodings";
    else if ((q->has_type || q->has_zero_point) && q->sums.count == 0)
        wrong = "--type and --zero-point go with --sum";
    if (wrong)
        return lb_usage_error("requantize", "%s", wrong), false;
    for (size_t i = 0; i < reals->count; i++)
        if (!read_real(reals->items[i], NULL, &real))
            return lb_usage_error("requantize", "%s: expected a finite number, such as 0.0023",
                                  reals->items[i]),
                   false;
    for (size_t i = 0; i < q->sums.count; i++)
        if (!read_whole(q->sums.items[i], -most - (q->bits == BITS_32), most, &sum))
            return lb_usage_error("requantize", "--sum: %s: expected a whole number of %s",
                                  q->sums.items[i],
                                  q->bits == BITS_64 ? "less than 48 bits (--bits 64)"
                                                     : "32 bits (--bits 32)"),
                   false;
    return true;
}

static double real_of_scales(const request *q)
{
    if (q->is_fully_connected) {
        const float product = q->scales.in * q->scales.filter; /* litert.22.4, QUIRK */
        return (double)product / (double)q->scales.out;
    }
    return (double)q->scales.in * (double)q->scales.filter / (double)q->scales.out;
}

static int requantize(int argc, char **argv)
{
    request q = {.bits = BITS_32};
    lb_arguments reals;
    int status;
    if (!lb_options_parse(&lb_requantize_command, argc, argv, &q, &reals, &status))
        return status;
    if (!check(&q, &reals))
        return 2;
    if (q.encodings)
        return lb_requantize_print_layers(
            &(lb_requantize_layers){.encodings = q.encodings,
                                    .layers = q.layers,
                                    .fused = q.fused,
                                    .is_fully_connected = q.is_fully_connected});
    if (q.has_scales)
        print_real(&q, real_of_scales(&q));
    for (size_t i = 0; i < reals.count; i++) {
        double real;
        read_real(reals.items[i], NULL, &real);
        print_real(&q, real);
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 3;
}

static const char *const widths[] = {"32", "64", NULL};
static const char *const types[] = {"s8", "s16", "s32", NULL};
static const char *const activations[] = {[LB_LITE_FUSED_NONE] = "none",
                                          [LB_LITE_FUSED_RELU] = "relu",
                                          [LB_LITE_FUSED_RELU6] = "relu6",
                                          [LB_LITE_FUSED_RELU_N1_TO_1] = "relu_n1_to_1",
                                          NULL};

static const lb_option table[] = {
    {"scales", 0, LB_CALLBACK, "IN,FILTER,OUT", LB_INTO(request, scales),
     LB_GIVEN(request, has_scales), .take = take_scales,
     .help = "in place of REAL: IN * FILTER / OUT, each rounded to float32, the product in double "
             "precision, as convolutions are prepared"},
    {"fully-connected", 0, LB_FLAG, NULL, LB_INTO(request, is_fully_connected),
     .help = "with --scales: the product is rounded to float32 first, as that of fully_connected "
             "with one filter scale"},
    {"bits", 0, LB_CHOICE, "N", LB_INTO(request, bits), .choices = widths,
     .help = "bits of the sums that are scaled: 32 (default); 64: of the multiplier 16 bits are "
             "left, which the error says"},
    {"sum", 0, LB_LIST, "N", LB_INTO(request, sums), .offers = LB_OFFER_NOTHING,
     .help = "what the sum N becomes, in each profile where they differ; may be given again"},
    {"zero-point", 0, LB_CALLBACK, "Z", LB_INTO(request, zero_point),
     LB_GIVEN(request, has_zero_point), .take = take_zero_point,
     .help = "added to what becomes of --sum (default: 0)"},
    {"type", 0, LB_CHOICE, "TYPE", LB_INTO(request, type), LB_GIVEN(request, has_type),
     .choices = types, .help = "what becomes of --sum is clamped to s8, s16 or s32 (default: s32)"},
    {"encodings", 0, LB_TEXT, "FILE", LB_INTO(request, encodings), .reads = true,
     .help = "in place of REAL: the scales and zero points of an AIMET encodings file. Prints the "
             "configuration of each --layer as YAML, for a case"},
    {"layer", 0, LB_LIST, "IN,WEIGHTS,OUT", LB_INTO(request, layers), .offers = LB_OFFER_NOTHING,
     .help =
         "with --encodings: a convolution (or --fully-connected) of these tensors; may be given "
         "again"},
    {"activation", 0, LB_CHOICE, "NAME", LB_INTO(request, fused), LB_GIVEN(request, has_fused),
     .choices = activations,
     .help = "with --encodings: what the layers bring with them: none (default), relu, relu6, "
             "relu_n1_to_1"},
    {.name = NULL}};

const lb_command lb_requantize_command = {
    .name = "requantize",
    .summary = "a real multiplier as multiplier, shift and error, as LiteRT prepares it",
    .usage = "REAL... [OPTION...]\n--scales IN,FILTER,OUT [OPTION...]\n"
             "--encodings FILE --layer IN,WEIGHTS,OUT... [OPTION...]",
    .about =
        "Prints the integers that stand for a real multiplier in LiteRT's kernels, multiplier * "
        "2^(shift - 31), their error, and with --sum what kernels make of a sum by them. Where "
        "the two profiles differ, a line for each. \"lastbit rule litert.22.1 litert.2.3\" says "
        "how both are computed.",
    .groups = {{table, 0, NULL}},
    .operand = {.name = "REAL",
                "a number, such as 0.0023 or 0x1p-9; a negative one behind --",
                0,
                0,
                .offers = LB_OFFER_NOTHING},
    .statuses = {"done", NULL, "the command line is wrong", "the output cannot be written"},
    .examples = "lastbit requantize 0.0023\n"
                "lastbit requantize --scales 0.05,0.007,0.1 --sum 1000 --type s8\n"
                "lastbit requantize 0.0023 --bits 64\n"
                "lastbit requantize --encodings net.encodings --layer image,conv1.weight,conv1",
    .run = requantize};
