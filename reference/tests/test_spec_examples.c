/* Computes every example of reference/mli/spec with the models, in every profile for which it is
 * stated, and holds each rule of numerics.md to having one. */
#include "spec_calls.h"
#include "spec_numbers.h"

#include <dirent.h>

static const struct {
    const char *name;
    int arguments;
    void (*run)(const task *t);
} functions[] = {
    {"value", 3, do_value},
    {"offset", 3, do_offset},
    {"chk", 4, do_chk},
    {"chkq", 2, do_chkq},
    {"wrap", 2, do_wrap},
    {"sat", 2, do_sat},
    {"add", 3, do_add},
    {"sub", 3, do_sub},
    {"neg", 2, do_neg},
    {"abs", 2, do_abs},
    {"norm", 2, do_norm},
    {"shl", 3, do_shl},
    {"asr", 3, do_asr},
    {"rsh", 3, do_rsh},
    {"trunc_sat", 3, do_trunc_sat},
    {"mulh", 2, do_mulh},
    {"tdiv", 2, do_tdiv},
    {"cast", 4, do_cast},
    {"norm_cast", 2, do_norm_cast},
    {"mac", 4, do_mac},
    {"bias_fx", 3, do_bias_fx},
    {"bias_sa", 1, do_bias_sa},
    {"guard_bits", 1, do_guard_bits},
    {"requant", 2, do_requant},
    {"multiplier", 3, do_multiplier},
    {"result_cast", 3, do_result_cast},
    {"recurrent_cast_fx", 3, do_recurrent_cast_fx},
    {"recurrent_cast_sa", 2, do_recurrent_cast_sa},
    {"sa8_to_fx", 5, do_sa8_to_fx},
    {"sa8_to_fx16", 3, do_sa8_to_fx16},
    {"fx_to_sa8", 3, do_fx_to_sa8},
    {"bias_scale_fits", 3, do_bias_scale_fits},
    {"relu_limits", 3, do_relu_limits},
    {"convert", 5, do_convert},
    {"convert_axis", 5, do_convert_axis},
    {"convert_in_place", 4, do_convert_in_place},
    {"convert_status", 4, do_convert_status},
    {"convert_safx_status", 4, do_convert_safx_status},
    {"count_elem_num", 2, do_count_elem_num},
    {"tensor_element_size", 1, do_tensor_element_size},
    {"tensor_scale", 2, do_tensor_scale},
    {"tensor_scale_shift", 2, do_tensor_scale_shift},
    {"tensor_zero_offset", 2, do_tensor_zero_offset},
    {"set_tensor_mem_strides", 1, do_set_tensor_mem_strides},
    {"create_subtensor", 4, do_create_subtensor},
    {"point_to_subtensor", 3, do_point_to_subtensor},
    {"relu_status", 1, do_relu_status},
    {"fully_connected", 8, do_fully_connected},
    {"avepool", 6, do_avepool},
    {"reciprocal", 1, do_reciprocal},
    {"scale", 1, do_scale},
    {"frac_bits", 3, do_frac_bits},
    {"float4", 1, do_float4},
};

/* Examples found wrong so far; each is told as it is met, so that one run shows them all. */
static int wrong;

static void complain(const char *file, int line, const char *what)
{
    print_error("reference/mli/spec/%s:%d: %s\n", file, line, what);
    wrong++;
}

/* Computes one example in every profile where it holds; false: nothing was computed. */
static bool compute(const char *file, int line, const example *e)
{
    size_t f = 0;
    bool computed = false;
    while (f < COUNT_OF(functions) && strcmp(functions[f].name, e->name) != 0)
        f++;
    if (f == COUNT_OF(functions))
        return complain(file, line, "there is no such function"), false;
    if (functions[f].arguments != e->count)
        return complain(file, line, "another number of arguments"), false;
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        char result[MAX_RESULT] = "";
        task t = {.e = e, .profile = &lb_profiles[p], .result = result};
        if (!holds_in(e->where, lb_profiles[p].name))
            continue;
        functions[f].run(&t);
        computed = true;
        if (strcmp(result, e->wanted) != 0) {
            char text[2 * MAX_RESULT + 128];
            snprintf(text, sizeof text, "%s in %s is %s; the page says %s", e->name,
                     t.profile->name, result, e->wanted);
            complain(file, line, text);
        }
    }
    if (!computed)
        complain(file, line, "holds in no profile");
    return computed;
}

/* Reads a page; counts examples, and tells sections (leaves: those with no subsection) that have
 * none, if asked to. */
static int read_page(const char *file, bool every_section)
{
    char path[512];
    char line[512];
    char section[64] = "";
    int examples = 0;
    int here = 0;
    int number = 0;
    bool inside = false;
    snprintf(path, sizeof path, "%s/reference/mli/spec/%s", LASTBIT_SOURCE_DIR, file);
    FILE *page = fopen(path, "r");
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        example e;
        number++;
        if (strncmp(line, "```", 3) == 0) {
            inside = strncmp(line, "```example", 10) == 0;
        } else if (inside) {
            if (!read_example(line, &e))
                complain(file, number, "this is not WHERE: NAME(ARGUMENT, ...) = RESULT");
            else if (compute(file, number, &e))
                examples++, here++;
        } else if (strncmp(line, "## ", 3) == 0 || strncmp(line, "### ", 4) == 0) {
            const char *title = strchr(line, ' ') + 1;
            bool first_part = strncmp(line, "### ", 4) == 0 &&
                              strncmp(title, section, strcspn(section, ".")) == 0 &&
                              !strchr(section, '.');
            if (every_section && *section && here == 0 && !first_part)
                complain(file, number, "the section before this one has no example");
            snprintf(section, sizeof section, "%.*s", (int)strcspn(title, " "), title);
            if (section[strlen(section) - 1] == '.')
                section[strlen(section) - 1] = '\0';
            here = 0;
            /* What follows tells of suites and of how the text was checked: no rules. */
            every_section = every_section && strcmp(section, "10") != 0;
        }
    }
    fclose(page);
    return examples;
}

static void test_examples(void **state)
{
    (void)state;
    char path[512];
    int examples = 0;
    snprintf(path, sizeof path, "%s/reference/mli/spec", LASTBIT_SOURCE_DIR);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".md") == 0)
            examples += read_page(entry->d_name, strcmp(entry->d_name, "numerics.md") == 0);
    }
    closedir(folder);
    print_message("%d examples computed\n", examples);
    assert_int_equal(wrong, 0);
    assert_true(examples > 150);
}

/* An example that says something else is found: the test can fail. */
static void test_wrong_examples_are_found(void **state)
{
    (void)state;
    static const char *const lines[] = {"rsh(5, 1, 32) = 3", "up: rsh(5, 1, 32) = 2",
                                        "sat(200, 8) = 128", "nothing(1) = 1",
                                        "sat(200) = 127",    "sideways: sat(200, 8) = 127"};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        example e;
        int before = wrong;
        assert_true(read_example(lines[i], &e));
        compute("(on purpose)", (int)i, &e);
        assert_true(wrong > before);
        wrong = before;
    }
    static const char *const broken[] = {"rsh 5", "rsh(5, 1 = 3", "rsh(5, [1, 2) = 3",
                                         "rsh(5, 1, 32) 3", "rsh(5, 1) ="};
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        example e;
        assert_false(read_example(broken[i], &e));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_wrong_examples_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
