/* "lastbit vectors" prints what it promises and ends with the status it promises. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/command/commands.h"
#include "harness/tests/suite_fixture.h"

#include <cjson/cJSON.h>

static char out_text[65536], err_text[65536];
static char good_path[256], bad_path[256];

#define GOOD                                                                                       \
    "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\",\"cases\":["                                  \
    "{\"id\":\"a "                                                                                 \
    "b\",\"function\":\"mli_krn_relu_fx8\",\"config\":{\"type\":0},\"tags\":[\"x\",\"y\"],"        \
    "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[2,3],\"frac_bits\":1}},"                      \
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[2,3],\"frac_bits\":1}},"                    \
    "\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\","                                   \
    "\"outputs\":{\"out\":[90,90,90,90,90,90]}}]},"                                                \
    "{\"id\":\"b\",\"function\":\"mli_krn_rnn_dense_fx16\",\"config\":{\"inputs_num\":1},"         \
    "\"inputs\":{\"in\":[{\"type\":\"fx16\",\"shape\":[],\"frac_bits\":1}],\"weights\":[{"         \
    "\"type\":\"fx16\","                                                                           \
    "\"shape\":[1,1],\"frac_bits\":1}],\"bias\":{\"type\":\"fx16\",\"shape\":[1],\"frac_bits\":1}" \
    "},"                                                                                           \
    "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[1],\"frac_bits\":1}}}]}"

static int set_up(void **state)
{
    (void)state;
    write_file(good_path, ".json", GOOD, strlen(GOOD));
    write_file(bad_path, ".json", "{\"format\":1}", 12);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(good_path) || unlink(bad_path);
}

/* What a stream of the process wrote while the command ran. */
static void slurp(int fd, char *text, size_t size)
{
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    ssize_t length = read(fd, text, size - 1);
    assert_true(length >= 0);
    text[length] = '\0';
    close(fd);
}

static int new_file(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/lastbit_out_XXXXXX", LASTBIT_BINARY_DIR);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

/* Runs "vectors" with the arguments (ended by NULL); its output ends up in out_text and err_text.
 */
static int run(const char *const *arguments)
{
    static char copies[8][512];
    char *argv[9] = {NULL};
    int argc = 0;
    int out = new_file(), err = new_file();
    fflush(stdout);
    fflush(stderr);
    int real_out = dup(1), real_err = dup(2);
    snprintf(copies[argc], sizeof copies[0], "vectors");
    argv[argc] = copies[argc];
    for (argc = 1; arguments[argc - 1]; argc++) {
        snprintf(copies[argc], sizeof copies[0], "%s", arguments[argc - 1]);
        argv[argc] = copies[argc];
    }
    dup2(out, 1);
    dup2(err, 2);
    int status = lb_command_call(&lb_vectors_command, argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(real_out, 1);
    dup2(real_err, 2);
    close(real_out);
    close(real_err);
    slurp(out, out_text, sizeof out_text);
    slurp(err, err_text, sizeof err_text);
    return status;
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static void check_tells_good_from_bad(void **state)
{
    (void)state;
    char due[1024];
    assert_int_equal(RUN("check", good_path), 0);
    snprintf(due, sizeof due, "%s: 2 cases, ok\n", good_path);
    assert_string_equal(out_text, due);
    assert_string_equal(err_text, "");
    assert_int_equal(RUN("check", bad_path, good_path), 2);
    snprintf(due, sizeof due, "%s: 1 problem\n%s: 2 cases, ok\n", bad_path, good_path);
    assert_string_equal(out_text, due);
    snprintf(due, sizeof due,
             "%s:1:11: format: expected text, found the number 1; put it in quotes\n", bad_path);
    assert_string_equal(err_text, due);
    assert_int_equal(RUN("check", "/nonexistent"), 2);
    assert_string_equal(err_text, "/nonexistent: there is no such file or folder\n");
}

static void list_prints_a_line_a_case(void **state)
{
    (void)state;
    assert_int_equal(RUN("list", good_path), 0);
    assert_string_equal(out_text, "a b\tmli_krn_relu_fx8\tx,y\nb\tmli_krn_rnn_dense_fx16\t\n");
    assert_int_equal(RUN("list", good_path, "--long"), 0);
    assert_string_equal(
        out_text, "a b\tmli_krn_relu_fx8\tx,y\tin:fx8[2,3] out:fx8[2,3]\trecorded,exact,real\n"
                  "b\tmli_krn_rnn_dense_fx16\t\tin[0]:fx16[] weights[0]:fx16[1,1] bias:fx16[1] "
                  "out:fx16[1]\texact,real\n");
    assert_int_equal(RUN("list", bad_path, good_path), 2);
    assert_int_equal(strncmp(out_text, "a b\t", 4), 0);
}

static void list_prints_json(void **state)
{
    (void)state;
    assert_int_equal(RUN("list", "--json", good_path), 0);
    cJSON *list = cJSON_Parse(out_text);
    assert_int_equal(cJSON_GetArraySize(list), 2);
    const cJSON *row = cJSON_GetArrayItem(list, 0);
    assert_string_equal(cJSON_GetObjectItem(row, "id")->valuestring, "a b");
    assert_string_equal(cJSON_GetObjectItem(row, "file")->valuestring, good_path);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(row, "tags")), 2);
    const cJSON *shape = cJSON_GetObjectItem(
        cJSON_GetObjectItem(cJSON_GetObjectItem(row, "tensors"), "in"), "shape");
    assert_int_equal(cJSON_GetArrayItem(shape, 1)->valueint, 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(row, "oracles")), 3);
    cJSON_Delete(list);
    assert_int_equal(RUN("list", "--json", bad_path), 2);
    assert_string_equal(out_text, "[]\n");
}

static void the_command_line_is_checked(void **state)
{
    (void)state;
    assert_int_equal(run((const char *const[]){NULL}), 2);
    assert_non_null(strstr(err_text, "no command given"));
    assert_int_equal(RUN("chek", good_path), 2);
    assert_non_null(strstr(err_text, "chek: no such command; did you mean check?"));
    assert_int_equal(RUN("check"), 2);
    assert_non_null(strstr(err_text, "no PATH"));
    assert_int_equal(RUN("check", "--json", good_path), 2);
    assert_non_null(strstr(err_text, "--json"));
    assert_string_equal(out_text, "");
    static const char *const helps[] = {"check", "list"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(RUN(helps[i], "--help"), 0);
        assert_non_null(strstr(out_text, "Exit status:"));
        assert_non_null(strstr(out_text, helps[i]));
        assert_string_equal(err_text, "");
    }
    assert_int_equal(RUN("--help"), 0);
    assert_non_null(strstr(out_text, "check"));
    assert_non_null(strstr(out_text, "list"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_tells_good_from_bad),
        cmocka_unit_test(list_prints_a_line_a_case),
        cmocka_unit_test(list_prints_json),
        cmocka_unit_test(the_command_line_is_checked),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
