/* One suite, three formats, equal cases: a small one with every key, and the recorded suites where
 * they are at hand. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/tests/case_equal.h"
#include "harness/tests/suite_fixture.h"

#include <dirent.h>

/* ---- A suite with every key of the format ---- */

#define HEAD "\"format\":\"lastbit/cases-1\",\"suite\":\"every key\",\"note\":\"h\\u00e9ad\""

static const char *const json_cases[] = {
    "{\"id\":\"permute "
    "\xC3\xA9\",\"function\":\"mli_krn_permute_sa8\",\"note\":\"two\\nlines\",\"tags\":[\"a\","
    "\"b\"],"
    "\"config\":{\"perm_dim\":[1,0]},"
    "\"inputs\":{\"in\":{\"type\":\"sa8\",\"shape\":[2,3],\"mem_stride\":[4,1],\"data\":[-128,127,"
    "0,1,2,3],"
    "\"scale\":[1,2,3],\"scale_frac_bits\":[-128,0,127],\"zero_point\":[-1,0,1],\"axis\":1}},"
    "\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[3,2],\"data\":[9,9,9,9,9,9],\"scale\":[7,7,"
    "7],"
    "\"scale_frac_bits\":[5,5,5],\"zero_point\":[3,3,3],\"axis\":0,\"quant_capacity\":{\"scale\":"
    "64,\"zero_point\":0}}}"
    ","
    "\"expect\":[{\"profiles\":[\"up-full\",\"convergent-reduced\"],\"status\":\"ok\","
    "\"outputs\":{\"out\":[-128,1,127,2,0,3]},\"changed\":{\"out\":{\"scale\":[1,2,3],\"zero_"
    "point\":[-1,0,1],\"axis\":"
    "0}}},"
    "{\"profiles\":[\"up-reduced\"],\"status\":\"spec_param_mismatch\"}]}",

    "{\"id\":\"bad\",\"function\":\"mli_krn_relu_sa8\",\"config\":{\"type\":-7},\"null\":[\"in\","
    "\"cfg\"],"
    "\"inputs\":{\"in\":{\"type\":\"sa8\",\"shape\":[4294967295,0],\"mem_stride\":[-1,2147483647],"
    "\"data\":[],\"rank\":"
    "5,"
    "\"el_type\":4294967295,\"capacity\":2147483648,\"null_data\":true,\"quant_in\":null}},"
    "\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[2,2],\"data_in\":{\"tensor\":\"in\","
    "\"element\":0},"
    "\"quant_in\":null}}}",

    "{\"id\":\"lists\",\"function\":\"mli_krn_rnn_dense_sa8_sa8_sa32\",\"config\":{\"inputs_num\":"
    "1},"
    "\"inputs\":{\"in\":[{\"type\":\"sa8\",\"shape\":[2],\"data\":{\"generator\":\"uniform\","
    "\"seed\":7,\"low\":-3,"
    "\"high\":3},"
    "\"scale\":1,\"scale_frac_bits\":0,\"zero_point\":0,\"axis\":-1}],"
    "\"weights\":[{\"type\":\"sa8\",\"shape\":[2,1],\"data\":{\"generator\":\"unique\",\"seed\":8},"
    "\"quant_in\":"
    "{\"tensor\":\"in[0]\",\"entry\":0}}],"
    "\"bias\":{\"type\":\"sa32\",\"shape\":[1],\"data\":[-2147483648],\"scale\":1,\"scale_frac_"
    "bits\":0,\"zero_point\":"
    "0,"
    "\"axis\":-1}},"
    "\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[1],\"scale\":1,\"scale_frac_bits\":0,\"zero_"
    "point\":0,\"axis\":-"
    "1}}}",

    "{\"id\":\"real\",\"function\":\"mli_hlp_convert_tensor\","
    "\"inputs\":{\"in\":{\"type\":\"fp32\",\"shape\":[9],\"data\":[1,-0.5,1e-3,3.4028235e38,1e-45,"
    "\"nan\",\"-inf\","
    "\"inf\","
    "\"0xff800001\"]}},"
    "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[9],\"frac_bits\":-3,\"buffer_elements\":12,"
    "\"data\":[0,1,2,3,4,5,6,7,8,9,10,11]}},"
    "\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\",\"outputs\":{\"out\":[0,0,0,0,0,0,0,"
    "0,0,0,0,-32768]}}]}",

    "{\"id\":\"helper\",\"function\":\"mli_hlp_tensor_data_ptr_cmp\","
    "\"inputs\":{\"in1\":{\"type\":\"fx8\",\"shape\":[],\"data\":[5],\"frac_bits\":0},"
    "\"in2\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":0}},"
    "\"expect\":[{\"profiles\":[\"up-full\"],\"return\":true},{\"profiles\":[\"up-reduced\"],"
    "\"return\":-3}]}",

    "{\"id\":\"sub\",\"function\":\"mli_hlp_create_subtensor\","
    "\"config\":{\"offset\":[1,0],\"size\":[1,2],\"sub_tensor_rank\":1},"
    "\"inputs\":{\"in\":{\"type\":\"fx16\",\"shape\":[2,2],\"frac_bits\":1,\"data\":[1,2,3,4]}},"
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[1],\"mem_stride\":[1],\"frac_bits\":0}},"
    "\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\",\"outputs\":{\"out\":[300,4]},"
    "\"changed\":{\"out\":{\"rank\":1,\"shape\":[2],\"mem_stride\":[1],\"type\":\"fx16\",\"frac_"
    "bits\":1,\"capacity\":"
    "4,"
    "\"data_in\":{\"tensor\":\"in\",\"element\":2}}}}]}",

    "{\"id\":\"config "
    "out\",\"function\":\"mli_mov_cfg_for_permute\",\"config\":{\"perm_dim\":[3,2,1,255]},"
    "\"inputs\":{},"
    "\"outputs\":{},\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\",\"config\":{"
    "\"offset\":[0,0,0,4294967295]"
    ","
    "\"size\":[0,0,0,0],\"sub_sample_step\":[1,1,1,1],\"dst_offset\":[0,0,0,0],\"dst_mem_stride\":["
    "0,0,-1,0],"
    "\"perm_dim\":[3,2,1,255],\"padding_pre\":[0,0,0,0],\"padding_post\":[0,0,0,0]}}]}",

    "{\"id\":\"sequence\",\"function\":\"mli_mov_sequence\",\"config\":{\"offset\":[0,0,0,0],"
    "\"size\":[0,0,0,0],"
    "\"sub_sample_step\":[1,1,1,1],\"dst_offset\":[0,0,0,0],\"dst_mem_stride\":[0,0,0,0],\"perm_"
    "dim\":[0,1,2,3],"
    "\"padding_pre\":[0,0,0,0],\"padding_post\":[0,0,0,0]},"
    "\"handles\":{\"a\":{\"dma_ch\":0,\"num_ch\":0,\"state\":\"invalid\"},\"b\":{\"dma_ch\":3,"
    "\"num_ch\":1,\"state\":"
    "\"open\"}},"
    "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[1]},"
    "\"in_bad\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"null_data\":true}},"
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[2]}},"
    "\"steps\":[{\"call\":\"mli_mov_set_num_dma_ch\",\"ch_offset\":1,\"num_ch\":2},"
    "{\"call\":\"mli_mov_registercallback\",\"handle\":\"b\",\"callback\":\"cb\",\"cookie\":-5},"
    "{\"call\":\"mli_mov_registercallback\",\"handle\":\"b\",\"callback\":null,\"cookie\":0},"
    "{\"call\":\"mli_mov_prepare\",\"handle\":\"a\",\"in\":\"in_bad\"},{\"call\":\"mli_mov_"
    "isdone\",\"handle\":\"a\"},"
    "{\"call\":\"mli_mov_tensor_sync\"}],"
    "\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\",\"steps\":[{\"status\":\"ok\"},"
    "{\"status\":\"ok\",\"handle\":{\"dma_ch\":3,\"num_ch\":1,\"state\":\"open\"}},{\"status\":"
    "\"ok\"},"
    "{\"status\":\"bad_tensor\",\"out\":[2]},{\"done\":false},"
    "{\"status\":\"ok\",\"callbacks\":[[\"cb\",-5]],\"out\":[1]}]}]}",

    "{\"id\":\"chain\",\"function\":\"mli_krn_rnn_dense_fx16\",\"config\":{\"inputs_num\":2},"
    "\"inputs\":{\"in\":[{\"type\":\"fx16\",\"shape\":[3],\"frac_bits\":1},"
    "{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":1,\"data\":[5,6]}],"
    "\"weights\":[{\"type\":\"fx16\",\"shape\":[3,2],\"frac_bits\":1},{\"type\":\"fx16\",\"shape\":"
    "[2,2],\"frac_bits\":"
    "1}],"
    "\"bias\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":1}},"
    "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":1}},"
    "\"chain\":{\"steps\":100,\"feed\":[{\"from\":\"out\",\"to\":\"in[1]\"}],"
    "\"fresh\":[{\"tensor\":\"in[0]\",\"seed\":7,\"low\":-128,\"high\":127}]},"
    "\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\",\"outputs\":{\"out\":[3,4]},"
    "\"checkpoints\":[{\"step\":1,\"outputs\":{\"out\":[1,2]}},{\"step\":50,\"outputs\":{\"out\":[-"
    "1,-2]}}]}]}",
};
enum { CASE_COUNT = sizeof json_cases / sizeof json_cases[0] };

/* The first three of them as a person would write them in YAML. */
static const char yaml_text[] =
    "# comments are free here\n"
    "suite: every key\n"
    "cases:\n"
    "  - id: permute \xC3\xA9\n"
    "    function: 'mli_krn_permute_sa8'\n"
    "    note: |-\n"
    "      two\n"
    "      lines\n"
    "    tags: [a, b]\n"
    "    config: {perm_dim: [1, 0]}\n"
    "    inputs:\n"
    "      in:\n"
    "        type: sa8\n"
    "        shape: [2, 3]\n"
    "        mem_stride:\n"
    "          - 4\n"
    "          - 1\n"
    "        data: [-128, 127, 0,\n"
    "               +1, 0x2, 3.0]   # a comment\n"
    "        scale: [1, 2, 3]\n"
    "        scale_frac_bits: [-128, 0, 127]\n"
    "        zero_point: [-1, 0, 1]\n"
    "        axis: 1\n"
    "    outputs:\n"
    "      out: {type: sa8, shape: [3, 2], data: {generator: constant, value: 9}, scale: [7, 7, "
    "7],\n"
    "            scale_frac_bits: [5, 5, 5], zero_point: [3, 3, 3], axis: 0, quant_capacity: "
    "{scale: 64, zero_point: "
    "0}}\n"
    "    expect:\n"
    "      - profiles: [up-full, convergent-reduced]\n"
    "        status: ok\n"
    "        outputs: {out: [-128, 1, 127, 2, 0, 3]}\n"
    "        changed: {out: {scale: [1, 2, 3], zero_point: [-1, 0, 1], axis: 0}}\n"
    "      - {profiles: [up-reduced], status: spec_param_mismatch}\n"
    "  - id: bad\n"
    "    function: mli_krn_relu_sa8\n"
    "    config: {type: -7}\n"
    "    null: [in, cfg]\n"
    "    inputs:\n"
    "      in: {type: sa8, shape: [0xFFFFFFFF, 0], mem_stride: [-1, 2147483647], data: [], rank: "
    "5, el_type: "
    "4294967295,\n"
    "           capacity: 2147483648, null_data: true, quant_in: null}\n"
    "    outputs:\n"
    "      out: {type: sa8, shape: [2, 2], data_in: {tensor: in, element: 0}, quant_in: ~}\n"
    "  - id: lists\n"
    "    function: mli_krn_rnn_dense_sa8_sa8_sa32\n"
    "    config: {inputs_num: 1}\n"
    "    inputs:\n"
    "      in:\n"
    "        - type: sa8\n"
    "          shape: [2]\n"
    "          data: {generator: uniform, seed: 7, low: -3, high: 3}\n"
    "          scale: &one 1\n"
    "          scale_frac_bits: &none 0\n"
    "          zero_point: *none\n"
    "          axis: -1\n"
    "      weights:\n"
    "        - {type: sa8, shape: [2, 1], data: {generator: unique, seed: 8}, quant_in: {tensor: "
    "'in[0]', entry: 0}}\n"
    "      bias: {type: sa32, shape: [1], data: [-2147483648], scale: *one, scale_frac_bits: 0, "
    "zero_point: 0, axis: "
    "-1}\n"
    "    outputs:\n"
    "      out: {type: sa8, shape: [1], scale: *one, scale_frac_bits: *none, zero_point: *none, "
    "axis: -1}\n"
    "format: lastbit/cases-1\n";

typedef struct texts {
    char json[16384], lines[16384];
} texts;

static void make_texts(texts *t)
{
    char *json = t->json + sprintf(t->json, "{" HEAD ",\"cases\":[");
    char *lines = t->lines + sprintf(t->lines, "{" HEAD "}\n");
    for (int i = 0; i < CASE_COUNT; i++) {
        json += sprintf(json, "%s\n%s", i ? "," : "", json_cases[i]);
        lines += sprintf(lines, "%s\n", json_cases[i]);
    }
    sprintf(json, "]}\n");
}

/* Opens a file with these bytes, and leaves it there for the reader. */
static lb_suite *open_kept(char path[256], const char *ending, const char *text)
{
    write_file(path, ending, text, strlen(text));
    lb_suite *suite = open_file_or_print(path);
    assert_non_null(suite);
    return suite;
}

/* Every case of `a` up to `count` equals that of `b`. */
static void compare(const lb_suite *a, const lb_suite *b, size_t count, bool lines_too)
{
    lb_suite_reader *ra = lb_suite_reader_open(a);
    lb_suite_reader *rb = lb_suite_reader_open(b);
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    for (size_t i = 0; i < count; i++) {
        const lb_case *ca = lb_suite_reader_case(ra, i, &diagnostics);
        const lb_case *cb = lb_suite_reader_case(rb, i, &diagnostics);
        assert_non_null(ca);
        assert_non_null(cb);
        if (!same_case(ca, cb) || (lines_too && ca->line != cb->line))
            fail_msg("case %s of %s", ca->id, lb_suite_path(b));
    }
    lb_suite_reader_close(ra);
    lb_suite_reader_close(rb);
}

static void formats_say_the_same(void **state)
{
    (void)state;
    static texts t;
    char paths[3][256];
    make_texts(&t);
    lb_suite *json = open_kept(paths[0], ".json", t.json);
    lb_suite *lines = open_kept(paths[1], ".jsonl", t.lines);
    lb_suite *as_yaml = open_kept(paths[2], ".yaml", t.json); /* JSON is YAML too */
    assert_int_equal(lb_suite_case_count(json), CASE_COUNT);
    assert_int_equal(lb_suite_case_count(lines), CASE_COUNT);
    assert_int_equal(lb_suite_case_count(as_yaml), CASE_COUNT);
    assert_string_equal(lb_suite_name(json), "every key");
    assert_string_equal(lb_suite_name(lines), "every key");
    compare(json, lines, CASE_COUNT, true);
    compare(json, as_yaml, CASE_COUNT, true);
    unlink(paths[2]);
    lb_suite *people = open_kept(paths[2], ".yml", yaml_text);
    assert_int_equal(lb_suite_case_count(people), 3);
    assert_string_equal(lb_suite_name(people), "every key");
    compare(json, people, 3, false);
    lb_suite_reader *reader = lb_suite_reader_open(people);
    assert_int_equal(lb_suite_reader_case(reader, 1, NULL)->line, 33);
    lb_suite_reader_close(reader);
    lb_suite_close(json);
    lb_suite_close(lines);
    lb_suite_close(as_yaml);
    lb_suite_close(people);
    for (int i = 0; i < 3; i++)
        unlink(paths[i]);
}

/* ---- What exactly is decoded ---- */

static void keys_mean_what_they_say(void **state)
{
    (void)state;
    static texts t;
    char path[256];
    make_texts(&t);
    lb_suite *suite = open_kept(path, ".json", t.json);
    lb_suite_reader *reader = lb_suite_reader_open(suite);

    const lb_case *c = lb_suite_reader_case(reader, 0, NULL);
    const lb_case_tensor *in = &c->operand[LB_ROLE_IN].tensors[0];
    assert_string_equal(c->id, "permute \xC3\xA9");
    assert_string_equal(c->note, "two\nlines");
    assert_ptr_equal(c->kernel, lb_kernel_find("mli_krn_permute_sa8"));
    assert_true(lb_case_has_tag(c, "b"));
    assert_false(lb_case_has_tag(c, "c"));
    assert_int_equal(c->config.perm_dim[0], 1);
    assert_int_equal(in->rank, 2);
    assert_int_equal(in->quant_count, 3);
    assert_int_equal(in->scale_frac_bits[0], -128);
    assert_int_equal(in->data.items[0], -128);
    assert_true(c->operand[LB_ROLE_OUT].is_output);
    assert_int_equal(c->operand[LB_ROLE_OUT].tensors[0].quant_capacity[0], 64);
    assert_true(c->operand[LB_ROLE_OUT].tensors[0].has_quant_capacity[1]);
    assert_false(c->operand[LB_ROLE_OUT].tensors[0].has_quant_capacity[2]);
    assert_int_equal(c->expect_count, 2);
    assert_int_equal(c->expect[0].profile_mask, 1 | 8);
    assert_ptr_equal(lb_case_expect(c, &lb_profiles[3]), &c->expect[0]);
    assert_ptr_equal(lb_case_expect(c, &lb_profiles[1]), &c->expect[1]);
    assert_null(lb_case_expect(c, &lb_profiles[2]));
    assert_true(c->expect[0].changed[LB_ROLE_OUT].param[LB_PARAM_SCALE].is_list);
    assert_int_equal(c->expect[1].status, LB_SPEC_PARAM_MISMATCH);

    c = lb_suite_reader_case(reader, 1, NULL);
    in = &c->operand[LB_ROLE_IN].tensors[0];
    assert_true(c->null_role[LB_ROLE_IN] && c->null_config && !c->null_role[LB_ROLE_OUT]);
    assert_int_equal(c->config.relu, -7);
    assert_true(in->shape[0] == 4294967295u && in->mem_stride[0] == -1 &&
                in->el_type == 4294967295u);
    assert_true(in->null_data && in->has_quant_in && in->quant_null && in->rank_override == 5);
    assert_int_equal(c->operand[LB_ROLE_OUT].tensors[0].data_in.role, LB_ROLE_IN);

    c = lb_suite_reader_case(reader, 3, NULL);
    static const uint32_t bits[] = {0x3F800000, 0xBF000000, 0x3A83126F, 0x7F7FFFFF, 1,
                                    0x7FC00000, 0xFF800000, 0x7F800000, 0xFF800001};
    assert_memory_equal(c->operand[LB_ROLE_IN].tensors[0].data.items, bits, sizeof bits);
    assert_int_equal(c->operand[LB_ROLE_OUT].tensors[0].buffer_elements, 12);

    c = lb_suite_reader_case(reader, 4, NULL);
    assert_true(c->expect[0].has_return && c->expect[0].return_value == 1 &&
                c->expect[1].return_value == -3);

    c = lb_suite_reader_case(reader, 6, NULL);
    assert_int_equal(c->expect[0].config->dst_mem_stride[2], -1);
    assert_true(c->expect[0].config->offset[3] == 4294967295u);

    c = lb_suite_reader_case(reader, 7, NULL);
    assert_null(c->kernel);
    assert_string_equal(c->steps[1].callback, "cb");
    assert_true(c->steps[2].has_callback && !c->steps[2].callback && c->steps[2].handle == 1);
    assert_true(c->steps[3].in_is_bad && c->steps[3].handle == 0 && c->steps[0].handle == -1);
    assert_int_equal(c->handles[1].state, 1);
    assert_int_equal(c->expect[0].steps[5].callbacks[0].cookie, -5);
    assert_true(c->expect[0].steps[4].has_done && !c->expect[0].steps[4].done);

    c = lb_suite_reader_case(reader, 8, NULL);
    static const int32_t drawn[] = {-29, -124, 102};
    assert_int_equal(c->chain.steps, 100);
    assert_true(c->chain.feeds[0].from == LB_ROLE_OUT && c->chain.feeds[0].to_index == 1);
    assert_true(c->chain.fresh[0].seed == 7 && c->chain.fresh[0].low == -128 &&
                c->chain.fresh[0].high == 127);
    assert_memory_equal(c->operand[LB_ROLE_IN].tensors[0].data.items, drawn, sizeof drawn);
    assert_int_equal(c->expect[0].checkpoints[1].step, 50);
    assert_int_equal(c->expect[0].checkpoints[1].output[LB_ROLE_OUT].items[1], -2);

    assert_null(lb_suite_reader_case(reader, CASE_COUNT, NULL));
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    unlink(path);
}

/* ---- The recorded suites ---- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* JSON Lines as one JSON object. */
static char *as_document(const char *lines)
{
    const char *line = strchr(lines, '\n') + 1;
    char *json = malloc(2 * strlen(lines) + 64);
    assert_non_null(json);
    assert_true(lines[0] == '{' && line[-2] == '}');
    char *to = json + sprintf(json, "%.*s,\"cases\":[\n", (int)(line - 2 - lines), lines);
    for (bool first = true; *line != '\0'; first = false) {
        size_t length = strcspn(line, "\n");
        to += sprintf(to, "%s%.*s", first ? "" : ",\n", (int)length, line);
        line += length + 1;
    }
    strcpy(to, "\n]}\n");
    return json;
}

static void recorded_suites_load_alike_in_all_formats(void **state)
{
    (void)state;
    DIR *folder = opendir(LASTBIT_SOURCE_DIR "/vectors/recorded");
    struct dirent *entry;
    size_t total = 0;
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        char path[1024], other[256];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".jsonl") != 0)
            continue;
        snprintf(path, sizeof path, "%s/vectors/recorded/%s", LASTBIT_SOURCE_DIR, entry->d_name);
        char *lines = read_text(path);
        lb_suite *suite = open_file_or_print(path);
        assert_non_null(suite);
        char *json = as_document(lines);
        const char *endings[] = {".json", ".yaml"};
        for (int i = 0; i < 2; i++) {
            lb_suite *second = open_kept(other, endings[i], json);
            assert_int_equal(lb_suite_case_count(second), lb_suite_case_count(suite));
            compare(suite, second, lb_suite_case_count(suite), true);
            lb_suite_close(second);
            unlink(other);
        }
        total += lb_suite_case_count(suite);
        free(lines);
        free(json);
        lb_suite_close(suite);
    }
    closedir(folder);
    print_message("%zu recorded cases\n", total);
    assert_true(total >= 8300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_say_the_same),
        cmocka_unit_test(keys_mean_what_they_say),
        cmocka_unit_test(recorded_suites_load_alike_in_all_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
