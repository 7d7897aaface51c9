/* What the rows of lastbit bench count, by hand. */
#include "harness/tests/fixture.h"

#include "harness/bench/rows.h"

static const struct {
    const char *row;
    double work; /* products, or bytes */
} counted[] = {
    {"conv3x3s2_s8_224x3", 112.0 * 112 * 32 * 3 * 3 * 3},
    {"dw3x3_s8_56x128", 56.0 * 56 * 128 * 3 * 3},
    {"group3x3_s8_28x64", 28.0 * 28 * 64 * 3 * 3 * 16},
    {"transpose4x4s2_s8_14x64", 14.0 * 14 * 64 * 4 * 4 * 64},
    {"lstm_s8_128", 16.0 * 4 * (128 + 128) * 128},
    {"gru_s8_128", 16.0 * 3 * (128 + 128) * 128},
    {"fc_s16x8_1024x1000", 1024 * 2 + 1024 * 1000 + 1000 + 1000 * 2},
    {"maxpool3x3s2_s8_112x64", (112.0 * 112 + 56 * 56) * 64},
    {"add_s16_64k", 65536 * 2 * 3},
    {"max_s8_64k", 65536 * 3},
    {"softmax_s8_1000", 2000},
    {"argmax_s8_64k", 65536 + 4},
    {"permute_s16_56x64", 2.0 * 56 * 56 * 64 * 2},
    {"mov_pad_s8_56x64", (56.0 * 56 + 58 * 58) * 64},
    {"convert_s32_s8_64k", 65536 * 5},
    {"litert_conv3x3s2_s8_224x3", 112.0 * 112 * 32 * 3 * 3 * 3},
    {"litert_dw3x3_s16_56x128", 56.0 * 56 * 128 * 3 * 3},
    {"litert_transpose4x4s2_s8_14x64", 14.0 * 14 * 64 * 4 * 4 * 64},
    {"litert_fc_s8_1024x1000", 1024 + 1024 * 1000 + 1000 * 4 + 1000},
    {"litert_avepool7x7_s16_7x1024", (7.0 * 7 + 1) * 1024 * 2},
    {"litert_mean_s8_7x1024", (7.0 * 7 + 1) * 1024},
    {"litert_requantize_s32_s8_64k", 65536 * 5},
};

static lb_arena arena_of_rows;
static lb_bench_rows rows;

static double work_of(const char *name)
{
    for (size_t r = 0; r < rows.count; r++)
        if (strcmp(rows.row[r].name, name) == 0) {
            lb_arena arena = {0};
            lb_call call;
            lb_bench_call(&rows.row[r], &arena, &call);
            double work = lb_bench_work(&rows.row[r], &call);
            lb_arena_free(&arena);
            return work;
        }
    return -1;
}

static void test_work_is_what_maps_and_programs_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (work_of(counted[i].row) != counted[i].work)
            fail_msg("%s: %.0f, expected %.0f", counted[i].row, work_of(counted[i].row),
                     counted[i].work);
}

static void test_every_row_has_work(void **state)
{
    (void)state;
    for (size_t r = 0; r < rows.count; r++)
        assert_true(work_of(rows.row[r].name) >= 1000);
}

/* Numbers that conversion makes, and shapes: nothing that is undefined. */
static void test_what_is_prepared_is_defined(void **state)
{
    (void)state;
    for (size_t r = 0; r < rows.count; r++) {
        const lb_kernel *kernel = lb_kernel_find(rows.row[r].function);
        lb_arena arena = {0};
        lb_call call;
        if (!lb_kernel_set_of(kernel)->prepare)
            continue;
        const lb_context context = {.profile = lb_kernel_set_of(kernel)->profiles};
        lb_bench_call(&rows.row[r], &arena, &call);
        if (lb_bench_work(&rows.row[r], &call) < 1e6)
            lb_run_exact(&context, &call);
        else if (lb_check_call(&context, &call))
            fail_msg("%s breaks a rule", rows.row[r].name);
        if (call.status != LB_OK || call.undefined != LB_SAID)
            fail_msg("%s: %s", rows.row[r].name, lb_status_name((int)call.status));
        lb_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_is_what_maps_and_programs_say),
        cmocka_unit_test(test_every_row_has_work),
        cmocka_unit_test(test_what_is_prepared_is_defined),
    };
    rows = lb_bench_all_rows(&arena_of_rows);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    lb_arena_free(&arena_of_rows);
    return failed;
}
