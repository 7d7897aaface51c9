/* Results made by counting: the same number always gives the same result. */
#include "synthetic.h"

#include <string.h>

typedef struct function_row {
    const char *name, *family, *variant;
    unsigned suite;
    int product_bits; /* 0: no accumulator */
} function_row;

static const function_row functions[] = {
    {"mli_krn_conv2d_hwcn_sa8_sa8_sa32", "conv2d", "sa8_sa8_sa32", 0, 16},
    {"mli_krn_conv2d_hwcn_fx16", "conv2d", "fx16", 0, 31},
    {"mli_krn_conv2d_hwcn_fx16_fx8_fx8", "conv2d", "fx16_fx8_fx8", 0, 23},
    {"mli_krn_conv2d_hwcn_fx16_k1x1", "conv2d", "fx16", 0, 31},
    {"mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32", "depthwise_conv2d", "sa8_sa8_sa32", 1, 16},
    {"mli_krn_depthwise_conv2d_hwcn_fx16", "depthwise_conv2d", "fx16", 1, 31},
    {"mli_krn_group_conv2d_hwcn_sa8_sa8_sa32", "group_conv2d", "sa8_sa8_sa32", 1, 16},
    {"mli_krn_transpose_conv2d_hwcn_fx16_k4x4_str2", "transpose_conv2d", "fx16", 1, 31},
    {"mli_krn_fully_connected_sa8_sa8_sa32", "fully_connected", "sa8_sa8_sa32", 2, 16},
    {"mli_krn_fully_connected_fx16_fx8_fx8", "fully_connected", "fx16_fx8_fx8", 2, 23},
    {"mli_krn_rnn_dense_sa8_sa8_sa32", "rnn_dense", "sa8_sa8_sa32", 3, 16},
    {"mli_krn_lstm_cell_sa8_sa8_sa32", "lstm_cell", "sa8_sa8_sa32", 3, 16},
    {"mli_krn_gru_cell_fx16", "gru_cell", "fx16", 3, 31},
    {"mli_krn_avepool_hwc_sa8", "avepool", "sa8", 4, 9},
    {"mli_krn_maxpool_hwc_fx16_k3x3", "maxpool", "fx16", 4, 0},
    {"mli_krn_eltwise_add_sa8", "eltwise", "sa8", 5, 0},
    {"mli_krn_eltwise_mul_fx16", "eltwise", "fx16", 5, 0},
    {"mli_krn_relu_fx8", "relu", "fx8", 6, 0},
    {"mli_krn_leaky_relu_sa8", "relu", "sa8", 6, 0},
    {"mli_krn_softmax_fx16", "softmax", "fx16", 6, 18},
    {"mli_krn_l2_normalize_sa8", "l2_normalize", "sa8", 6, 17},
    {"mli_krn_argmax_sa8", "argmax", "sa8", 7, 0},
    {"mli_hlp_convert_tensor", "helpers", "", 7, 0},
    {"mli_mov_tensor_sync", "movement", "", 7, 0},
};
enum {
    FUNCTION_COUNT = sizeof functions / sizeof functions[0],
    PROFILE_COUNT = 4,
    SUITE_COUNT = 8
};

static const char *const suite_names[SUITE_COUNT] = {
    "conv2d",  "conv_variants", "fully_connected", "recurrent",
    "pooling", "eltwise",       "activations",     "movement"};
static const char *const profile_names[PROFILE_COUNT] = {"up-full", "up-reduced", "convergent-full",
                                                         "convergent-reduced"};
static const char *const kind_names[LB_SYNTHETIC_KIND_COUNT] = {
    "pass", "mixed", "failing", "hostile", "skipped", "waived", "interleaved", "partly"};

const char lb_hostile_name[] =
    "</script><script>alert(1)</script>'\"&<!--]]>|`=1+1,\n\t\x01\x7f\xff\xe2\x80\xae";

const char *lb_synthetic_kind_name(lb_synthetic_kind kind)
{
    return kind_names[kind];
}

/* A number that looks random and depends on nothing else. */
static uint64_t scramble(uint64_t value)
{
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

static lb_verdict choose_verdict(lb_synthetic_kind kind, uint64_t number)
{
    uint64_t chance = scramble(number + 1) % 1000;
    bool in_a_bad_function = number / PROFILE_COUNT % FUNCTION_COUNT % 7 == 1;
    switch (kind) {
    case LB_SYNTHETIC_PASS:
        return chance < 8 ? LB_SKIP : LB_PASS;
    case LB_SYNTHETIC_FAILING:
        return chance < 50 ? LB_ERROR : LB_FAIL;
    case LB_SYNTHETIC_SKIPPED:
        return LB_SKIP;
    case LB_SYNTHETIC_PARTLY:
        return number % 3 == 0 ? LB_PASS : LB_SKIP;
    case LB_SYNTHETIC_WAIVED:
        return chance < 20 ? LB_WAIVED : LB_PASS;
    case LB_SYNTHETIC_HOSTILE:
        return (lb_verdict)(number % LB_VERDICT_COUNT);
    default:
        return chance < 10                          ? LB_SKIP
               : chance < 14                        ? LB_WAIVED
               : in_a_bad_function && chance >= 900 ? (chance > 990 ? LB_ERROR : LB_FAIL)
                                                    : LB_PASS;
    }
}

static void add_difference(lb_result *result, lb_synthetic_text *text, uint64_t seed,
                           const char *oracle)
{
    unsigned n = result->difference_count++;
    lb_difference *difference = &result->differences[n];
    int expected = (int)(scramble(seed + n) % 256) - 128;
    int got = expected < 127 ? expected + 1 : 126;
    snprintf(text->index[n], sizeof text->index[n], "%u,%u,%u", (unsigned)(seed % 5),
             (unsigned)(seed % 9), n);
    snprintf(text->expected[n], sizeof text->expected[n], "%d (0x%02x)", expected,
             (unsigned)expected & 0xff);
    snprintf(text->got[n], sizeof text->got[n], "%d (0x%02x)", got, (unsigned)got & 0xff);
    *difference = (lb_difference){oracle,
                                  LB_DIFFERS_DATA,
                                  "out",
                                  "",
                                  text->index[n],
                                  "in[2,0,*], weights[*,*,*,7], bias[7]",
                                  text->expected[n],
                                  text->got[n],
                                  1 + seed % 24,
                                  24 + seed % 600};
}

/* A few shapes that real faults leave: the last column, a corner, single elements. */
static void draw_map(lb_result *result, lb_synthetic_text *text, uint64_t number)
{
    unsigned rows = 1 + (unsigned)(number % 16), columns = 1 + (unsigned)(number / 3 % 24);
    for (unsigned i = 0; i < rows * columns; i++) {
        unsigned row = i / columns, column = i % columns;
        bool differs = number % 3 == 0   ? column + 1 == columns
                       : number % 3 == 1 ? row < rows / 2 + 1 && column < columns / 2 + 1
                                         : scramble(number + i) % 9 == 0 || i == 0;
        text->map[i] = differs ? "123456789"[scramble(number * 31 + i) % (1 + number % 9)] : '.';
    }
    text->map[rows * columns] = '\0';
    result->map = text->map;
    result->map_rows = rows;
    result->map_columns = columns;
    result->map_role = "out";
}

static void fail_result(lb_result *result, lb_synthetic_text *text, uint64_t number)
{
    static const char *const reasons[] = {"the output differs from the exact model",
                                          "the last row differs", "one element is off by one step",
                                          "saturation is missing"};
    result->recorded = number % 3 == 0 ? LB_AGREEMENT_AGREES : LB_AGREEMENT_DIFFERS;
    result->exact = LB_AGREEMENT_DIFFERS;
    result->real = number % 2 == 0 ? LB_AGREEMENT_AGREES : LB_AGREEMENT_DIFFERS;
    result->outlier = number % 3 == 0 ? "exact" : "port";
    result->status_expected = result->status_got = "ok";
    snprintf(text->reason, sizeof text->reason, "%s", reasons[number % 4]);
    static const char *const steps[] = {"requantize.rounding", "bias", "saturation", "accumulate",
                                        ""};
    result->diverges_at = steps[scramble(number) % 5];
    draw_map(result, text, number);
    add_difference(result, text, number, "exact");
    if (number % 3 != 0)
        add_difference(result, text, number, "recorded");
    if (number % 11 == 0) {
        unsigned n = result->difference_count++;
        result->differences[n] = (lb_difference){"rules", LB_DIFFERS_GUARD, "out",      "", "-4",
                                                 "",      "90 (0x5a)",      "0 (0x00)", 4,  64};
    }
}

static void fill_outcome(lb_result *result, lb_synthetic_text *text, uint64_t number)
{
    switch (result->verdict) {
    case LB_FAIL:
        fail_result(result, text, number);
        break;
    case LB_ERROR:
        result->exact = LB_AGREEMENT_DIFFERS;
        result->status_expected = "ok";
        snprintf(text->reason, sizeof text->reason, "the port crashed: signal 11");
        break;
    case LB_SKIP:
        snprintf(text->reason, sizeof text->reason, "the port does not offer %s",
                 number % 2 == 0 ? "this function" : "this variant");
        break;
    case LB_WAIVED:
        fail_result(result, text, number);
        result->was = "fail";
        result->waiver =
            "dsp-team: rounding of the vector unit (https://bugs.example/41), until 2031-12-31";

        break;
    default:
        result->recorded = result->exact = result->real = LB_AGREEMENT_AGREES;
        result->status_expected = result->status_got = "ok";
        break;
    }
    if (result->verdict == LB_FAIL || result->verdict == LB_ERROR || result->verdict == LB_WAIVED) {
        snprintf(text->reproduce, sizeof text->reproduce, "lastbit run %s --case '%s' --profile %s",
                 result->file, result->id, result->profile);
    }
}

static void fill_tolerance(lb_tolerance *tolerance, uint64_t seed, bool failed)
{
    uint64_t elements = 24 + seed % 600;
    *tolerance =
        (lb_tolerance){.role = "out",
                       .elements = elements,
                       .max_steps = 0.4 + (double)(seed % 100) / 400.0,
                       .mean_steps = (double)(seed % 41) / 2000.0 - 0.01,
                       .rms_steps = 0.28 + (double)(seed % 10) / 500.0,
                       .max_real = (0.4 + (double)(seed % 100) / 400.0) / 256,
                       .snr_db = 38 + (double)(seed % 90) / 10.0,
                       .noise_ratio = 0.004 + (double)(seed % 70) / 10000.0,
                       .quant_share_percent = 90 + (double)(seed % 100) / 10.0,
                       .limit_metric = seed % 4 == 0 ? "snr_db" : "max_steps",
                       .limit_source = seed % 4 == 0 ? "vectors/tolerance.yaml:12" : "derived",
                       .limit = seed % 4 == 0 ? 36 : 1,
                       .used_percent = (failed ? 80 : 30) + (double)(seed % 600) / 10.0};
    tolerance->histogram[5] = elements / 9;
    tolerance->histogram[7] = elements / 11;
    tolerance->histogram[4] = failed ? elements / 30 : 0;
    tolerance->histogram[8] = failed ? 1 : 0;
    tolerance->histogram[6] =
        elements - elements / 9 - elements / 11 - tolerance->histogram[4] - tolerance->histogram[8];
}

static void fill_figures(lb_result *result, uint64_t number, int product_bits)
{
    uint64_t seed = scramble(number * 7 + 3);
    uint64_t macs = 1 + seed % 512;
    if (result->verdict == LB_SKIP || result->verdict == LB_ERROR)
        return;
    result->cpu = product_bits > 0 ? (number % 5 == 0 ? "avx2" : "sse4.1") : "";
    if (result->verdict == LB_PASS && seed % 53 == 0) {
        result->vacuous = seed % 2 == 0 ? "every output is 0: a port that writes nothing would pass"
                                        : "every output is at the end of its range";
    }
    result->microseconds = 0.4 + (double)(seed % 4000) / 250.0 + (seed % 997 == 0 ? 400 : 0);
    result->tolerance_count = 1;
    fill_tolerance(&result->tolerances[0], seed, result->verdict != LB_PASS);
    if (product_bits == 0)
        return;
    lb_accumulator_use *use = &result->accumulator;
    use->acc_bits = product_bits > 24 ? 40 : 32;
    use->peak_bits = product_bits + (int)(seed % 10);
    use->peak_high = ((int64_t)1 << (use->peak_bits - 1)) - 1 - (int64_t)(seed % 100);
    use->peak_low = -(int64_t)(seed % 100);
    use->macs = macs;
    use->overflow = use->peak_bits > use->acc_bits ? "transient" : "none";
}

static void make_hostile(lb_result *result, lb_synthetic_text *text, uint64_t number)
{
    snprintf(text->id, sizeof text->id, "%s%llu", lb_hostile_name, (unsigned long long)number);
    snprintf(text->reason, sizeof text->reason, "because %s", lb_hostile_name);
    result->suite = result->file = result->function = result->family = result->variant =
        lb_hostile_name;
    result->rule = result->status_got = result->reproduce = lb_hostile_name;
    result->vacuous = result->again = result->diverges_at = result->cpu = result->waiver =
        result->map_role = lb_hostile_name;
    for (unsigned i = 0; i < result->tolerance_count; i++) {
        lb_tolerance *tolerance = &result->tolerances[i];
        tolerance->role = tolerance->limit_metric = tolerance->limit_source = lb_hostile_name;
    }
    for (unsigned i = 0; i < result->difference_count; i++) {
        lb_difference *difference = &result->differences[i];
        difference->role = difference->field = difference->index = difference->operands =
            lb_hostile_name;
        difference->expected = difference->got = lb_hostile_name;
    }
}

void lb_synthetic_result(lb_synthetic_kind kind, uint64_t number, lb_result *result,
                         lb_synthetic_text *text)
{
    uint64_t case_number = number / PROFILE_COUNT;
    const function_row *function = &functions[case_number % FUNCTION_COUNT];
    unsigned suite =
        kind == LB_SYNTHETIC_INTERLEAVED ? (unsigned)(number % SUITE_COUNT) : function->suite;
    memset(text, 0, sizeof *text);
    memset(result, 0, sizeof *result);
    snprintf(text->file, sizeof text->file, "vectors/standard/%s.yaml", suite_names[suite]);
    snprintf(text->id, sizeof text->id, "%s_%s.sweep.%05llu", function->family, function->variant,
             (unsigned long long)(case_number / FUNCTION_COUNT));
    *result = (lb_result){.order = number,
                          .suite = suite_names[suite],
                          .file = text->file,
                          .line = (unsigned)(12 + case_number * 9),
                          .id = text->id,
                          .function = function->name,
                          .family = function->family,
                          .variant = function->variant,
                          .profile = profile_names[number % PROFILE_COUNT],
                          .verdict = choose_verdict(kind, number),
                          .reason = text->reason,
                          .outlier = "",
                          .status_expected = "",
                          .status_got = "",
                          .rule = "",
                          .reproduce = text->reproduce,
                          .explain = "",
                          .tags = case_number % 3 == 0 ? "smoke,padding" : "",
                          .elements = 40 + case_number % 50,
                          .accumulator = {.overflow = "none"}};
    fill_outcome(result, text, number);
    fill_figures(result, number, function->product_bits);
    if (kind == LB_SYNTHETIC_HOSTILE)
        make_hostile(result, text, number);
}

/* Points of behaviour of every function; the later ones in the list miss more. */
static void fill_coverage(lb_run_info *info, bool hostile)
{
    static const char *const points[] = {"relu6",          "stride_width>1", "padding.left",
                                         "dilation",       "bias.saturates", "rounding.tie",
                                         "zero_point.min", "one_element"};
    static const char *const hostile_points[] = {lb_hostile_name};
    static const lb_unreachable none = {"bias.null",
                                        "the function has no bias that may be left out"};
    static const lb_unreachable hostile_none = {lb_hostile_name, lb_hostile_name};
    static lb_coverage list[FUNCTION_COUNT];
    for (unsigned i = 0; i < FUNCTION_COUNT; i++) {
        unsigned missed = i * i % 9;
        list[i] = (lb_coverage){functions[i].name, 30 + i, 30 + i - missed, missed, points,
                                i % 5 == 0,        &none};
        if (hostile) {
            list[i] =
                (lb_coverage){lb_hostile_name, 30 + i, 29 + i, 1, hostile_points, 1, &hostile_none};
        }
    }
    info->coverage_level = "deep";
    info->coverage = list;
    info->coverage_count = hostile ? 1 : FUNCTION_COUNT;
}

static void fill_speed(lb_run_info *info, bool hostile)
{
    static const char *const levels[] = {"scalar", "sse4.1", "avx2"};
    static const lb_line_coverage lines[] = {
        {"impl", 5210, 5188, 3300, 3104, "coverage/impl/index.html"},
        {"reference", 2804, 2804, 1702, 1650, ""}};
    static const lb_line_coverage hostile_lines[] = {
        {lb_hostile_name, 10, 9, 0, 0, "javascript:alert(1)"}};
    static const lb_speed hostile_speed[] = {{lb_hostile_name, lb_hostile_name, lb_hostile_name,
                                              lb_hostile_name, 1e-3, 1e9, 2e9, 50, 900, 1e9}};
    static lb_speed speed[3 * 10];
    for (unsigned i = 0; i < 30; i++) {
        double peak = 4e9 * (i % 3 == 0 ? 1 : i % 3 == 1 ? 8 : 16);
        double part = 0.2 + (double)(scramble(i) % 60) / 100;
        speed[i] = (lb_speed){functions[i / 3].name + 8,
                              functions[i / 3].name,
                              levels[i % 3],
                              "MAC/s",
                              1e6 / (peak * part),
                              peak * part,
                              peak,
                              part * 100,
                              0.2 + (double)(scramble(i + 7) % 50) / 10,
                              peak * part * (0.85 + (double)(scramble(i + 99) % 30) / 100)};
    }
    info->lines = hostile ? hostile_lines : lines;
    info->lines_count = hostile ? 1 : 2;
    info->speed = hostile ? hostile_speed : speed;
    info->speed_count = hostile ? 1 : 30;
}

void lb_synthetic_info(lb_synthetic_kind kind, uint64_t count, lb_run_info *info,
                       lb_run_suite suites[8])
{
    static const char *const files[SUITE_COUNT] = {
        "vectors/standard/conv2d.yaml",          "vectors/standard/conv_variants.yaml",
        "vectors/standard/fully_connected.yaml", "vectors/standard/recurrent.yaml",
        "vectors/standard/pooling.yaml",         "vectors/standard/eltwise.yaml",
        "vectors/standard/activations.yaml",     "vectors/standard/movement.yaml"};
    static const char *const hostile_profiles[] = {lb_hostile_name, "up-full"};
    bool hostile = kind == LB_SYNTHETIC_HOSTILE;
    for (unsigned i = 0; i < SUITE_COUNT; i++) {
        suites[i] = (lb_run_suite){
            hostile ? lb_hostile_name : suite_names[i], hostile ? lb_hostile_name : files[i],
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            count / PROFILE_COUNT / SUITE_COUNT};
    }
    *info = (lb_run_info){
        .tool_version = "0.1.0",
        .started = "2031-05-17T09:30:00Z",
        .seconds = (double)count / 20000.0,
        .command =
            hostile ? lb_hostile_name : "lastbit run --profile all --report out vectors/standard",
        .port = hostile ? lb_hostile_name : "./libacme_mli.so",
        .port_described =
            hostile ? lb_hostile_name : "Acme MLI 2.0 for the V8 vector unit, release 3.1",
        .host = hostile ? lb_hostile_name : "Linux 6.1 x86_64, 16 threads",
        .host_compiler = hostile ? lb_hostile_name : "clang 14.0.6 -O2",
        .profile_count = hostile ? 2 : PROFILE_COUNT,
        .profiles = hostile ? hostile_profiles : profile_names,
        .suite_count = SUITE_COUNT,
        .suites = suites,
        .shard_index = 1,
        .shard_count = 1,
        .exhaustive = hostile ? lb_hostile_name : ""};
    fill_coverage(info, hostile);
    if (kind != LB_SYNTHETIC_SKIPPED)
        fill_speed(info, hostile);
}

bool lb_synthetic_write_shard(FILE *file, lb_synthetic_kind kind, uint64_t count, unsigned index,
                              unsigned shards)
{
    static char line[1 << 16];
    lb_run_suite suites[8];
    lb_run_info info;
    lb_tally tally = {{0}};
    lb_result result;
    lb_synthetic_text text;
    char command[100];
    lb_synthetic_info(kind, count, &info, suites);
    info.shard_index = index;
    info.shard_count = shards;
    if (shards > 1) {
        snprintf(command, sizeof command, "lastbit run --shard %u/%u vectors/standard", index,
                 shards);
        info.command = command;
        info.whole_command = "lastbit run vectors/standard";
    }
    for (uint64_t i = 0; i < count; i++) {
        if (i / PROFILE_COUNT % shards == index - 1) {
            lb_synthetic_result(kind, i, &result, &text);
            tally.count[result.verdict]++;
        }
    }
    bool written = lb_results_write_head(file, &info, &tally), first = true;
    for (uint64_t i = 0; written && i < count; i++) {
        if (i / PROFILE_COUNT % shards == index - 1) {
            lb_synthetic_result(kind, i, &result, &text);
            size_t length = lb_result_to_json(&result, line, sizeof line);
            written = length > 0 && lb_results_write_line(file, line, length, first);
            first = false;
        }
    }
    return written && lb_results_write_tail(file);
}

bool lb_synthetic_write(FILE *file, lb_synthetic_kind kind, uint64_t count)
{
    return lb_synthetic_write_shard(file, kind, count, 1, 1);
}
