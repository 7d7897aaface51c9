/* lastbit explain: what else there is to say of a call: what was not written, wrong recordings,
 * crashes, sources, rules; and the command. */
#include "harness/tests/explain_ports.h"

#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/generate/random_case.h"
#include "harness/port/open.h"

#include <signal.h>
#include <sys/wait.h>

static void leave_out_the_second(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[1] = LB_EMPTY_FILL;
}

static void test_unwritten_elements_are_told(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, leave_out_the_second);
    told t;
    (void)state;
    tell(&t, SUITE(RELU_CASE("relu", 5, 3, 7, "")), &wrong);
    assert_true(t.e.candidates[LB_ORACLE_PORT].untouched);
    assert_true(t.e.candidates[LB_ORACLE_PORT].found > 0);
    assert_contains(text_of(&t.e), "as memory was before the call");
    told_free(&t);
}

static void test_wrong_recording_is_told(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, NULL);
    told t;
    (void)state;
    tell(&t, SUITE(RELU_CASE("relu", 5, -3, 7, EXPECT("[5,-3,7]"))), &wrong);
    assert_false(t.e.diverges[LB_ORACLE_PORT]);
    assert_true(t.e.diverges[LB_ORACLE_RECORDED]);
    assert_int_equal(t.e.flat, 1);
    assert_string_equal(t.e.candidates[LB_ORACLE_RECORDED].candidates[0].fault.kind->name,
                        "saturation.missing");
    assert_true(lb_replayed_diverges(t.e.replayed));
    told_free(&t);
}

static void die(lb_call *call)
{
    (void)call;
    kill(getpid(), SIGKILL);
}

static void test_a_port_that_dies_is_told(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, die);
    told t;
    (void)state;
    tell(&t, SUITE(RELU_CASE("relu", 5, -3, 7, "")), &wrong);
    assert_true(lb_replayed_diverges(t.e.replayed));
    assert_contains(t.e.replayed->port_trouble, "crashed: Killed");
    assert_contains(text_of(&t.e), "port      crashed: Killed");
    assert_true(t.e.slice.written); /* the exact model's steps are told all the same */
    told_free(&t);
}

static void hang(lb_call *call)
{
    (void)call;
    pause();
}

static void test_a_port_that_hangs_is_told(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, hang);
    lb_arena arena = {0};
    lb_case c;
    lb_random_options options = {.seed = 1, .small = true};
    (void)state;
    assert_true(lb_random_case(lb_kernel_find("mli_krn_relu_fx8"), &options, 0, &arena, &c));
    lb_replayed replayed;
    lb_replayed_open(&replayed, &c, &lb_profiles[0], &wrong.port, false, 0.1, &arena);
    assert_string_equal(replayed.port_trouble, "did not return within 0.1 s");
    assert_true(lb_replayed_diverges(&replayed));
    lb_arena_free(&arena);
}

/* ---- Where values come from ---- */

static void test_movement_tells_the_source(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, NULL);
    told t;
    (void)state;
    tell(&t,
         SUITE("{\"id\":\"move\",\"function\":\"mli_krn_permute_fx8\",\"config\":{\"perm_dim\":[1,"
               "0]},\"inputs\":{"
               "\"in\":{\"type\":\"fx8\",\"shape\":[2,3],\"frac_bits\":0,\"data\":[1,2,3,4,5,6]}},"
               "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[3,2],\"frac_bits\":0}},"
               "\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\",\"outputs\":{\"out\":[1,"
               "4,2,3,3,6]}}]}"),
         &wrong);
    assert_int_equal(t.e.flat, 3);
    const char *text = text_of(&t.e);
    assert_contains(text, "copy    in[1,1]=5");
    assert_contains(text, "the value stands at in[0,2]: perhaps it was taken from there");
    assert_string_equal(lb_explanation_step(&t.e, LB_ORACLE_RECORDED), "source");
    assert_contains(text, "recorded  3 (0x03)         = 3  differs by -2");
    told_free(&t);
}

/* ---- Rules ---- */

static void test_a_violated_rule_is_told(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, NULL);
    told t;
    (void)state;
    tell(&t,
         SUITE("{\"id\":\"bad\",\"function\":\"mli_krn_relu_fx8\",\"config\":{\"type\":\"gen\"},"
               "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[3],\"frac_bits\":4,\"data\":[1,2,3]"
               ",\"capacity\":2}},"
               "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[3],\"frac_bits\":4}}}"),
         &wrong);
    assert_true(t.e.failed);
    assert_string_equal(t.e.replayed->rule->name, "in.tensor");
    const char *text = text_of(&t.e);
    assert_contains(text, "status    not_enough_mem");
    assert_contains(
        text, "rule      in.tensor (elementwise.md 2: Tensors and checks): in must be a tensor: ");
    assert_contains(text, "fx8, rank 1, shape [3], mem_stride [1], capacity 2 bytes, frac_bits 4");
    lb_doc json = json_of(&t.e);
    assert_non_null(memmem(json.text, json.length, "\"rule\":\"in.tensor\"", 18));
    lb_doc_free(&json);
    told_free(&t);
}

/* ---- The command ---- */

static wrong_port command_port;

static lb_port *open_command_port(void)
{
    command_port = wrong_port_of(NULL, NULL);
    return &command_port.port;
}

/* Runs the command; what it prints on a stream goes to `text`. */
static int run_command(const char *const *words, FILE *stream, char *text, size_t room)
{
    char *argv[16];
    int argc = 0, ends[2], status = 0;
    for (; words[argc]; argc++)
        argv[argc] = strdup(words[argc]);
    argv[argc] = NULL;
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], fileno(stream));
        status = lb_command_call(&lb_explain_command, argc, argv);
        fflush(NULL);
        _exit(status);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got;
         length + 1 < room && (got = read(ends[0], text + length, room - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    for (int i = 0; i < argc; i++)
        free(argv[i]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define RUN(stream, ...)                                                                           \
    run_command((const char *const[]){"explain", __VA_ARGS__, NULL}, stream, text, sizeof text)

static void test_command(void **state)
{
    char text[20000], path[256];
    (void)state;
    lb_port_open_builtin = open_command_port;
    snprintf(path, sizeof path, "%s",
             write_file("suite.json",
                        SUITE(RELU_CASE("relu.good", 5, -3, 7, EXPECT("[5,0,7]")) "," RELU_CASE(
                            "relu.bad", 5, -3, 7, EXPECT("[5,0,8]")))));
    assert_int_equal(RUN(stdout, path, "--case", "relu.good"), 0);
    assert_contains(text, "element   out[0], number 0 of 3");
    assert_contains(text, ": all oracles agree on the whole call");
    assert_int_equal(RUN(stdout, path, "--case", "relu.good", "--index", "2", "--json"), 0);
    assert_contains(text, "\"element\":2,");
    assert_int_equal(RUN(stdout, path, "--case", "relu.bad"), 1);
    assert_contains(text, "element   out[2]");
    assert_contains(text, "recorded  8 (0x08)         = 0.5  differs by +1");
    assert_int_equal(RUN(stdout, "--help"), 0);
    assert_contains(text, "Usage: lastbit explain FILE --case ID");
    assert_int_equal(RUN(stderr, path, "--case", "relu.goof"), 2);
    assert_contains(text, "no case relu.goof; did you mean relu.good?");
    assert_int_equal(RUN(stderr, path, "--case", "relu.good", "--index", "3"), 2);
    assert_contains(text, "--index: 3 is past the end of out, whose shape is [3]");
    assert_int_equal(RUN(stderr, path, "--case", "relu.good", "--index", "0,0"), 2);
    assert_contains(text, "--index has 2 numbers; out has shape [3]: expected 1");
    assert_int_equal(RUN(stderr, path, "--case", "relu.good", "--role", "cell", "--index", "0"), 2);
    assert_contains(text, "the call has no output cell");
    assert_int_equal(RUN(stderr, path), 2);
    assert_contains(text, "expected --case ID");
    remove_file(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unwritten_elements_are_told),
        cmocka_unit_test(test_wrong_recording_is_told),
        cmocka_unit_test(test_a_port_that_dies_is_told),
        cmocka_unit_test(test_a_port_that_hangs_is_told),
        cmocka_unit_test(test_movement_tells_the_source),
        cmocka_unit_test(test_a_violated_rule_is_told),
        cmocka_unit_test(test_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
