/* Readers of files that others have written, under any bytes: one program for each, which is told
 * by LB_FUZZ_READER. The last one is lastbit's own side of the wire: any bytes as what a port says.
 */
#include "fuzz.h"
#include "harness/arrays/array.h"
#include "harness/base/clock.h"
#include "harness/bench/baseline.h"
#include "harness/encodings/model.h"
#include "harness/generate/from_encodings.h"
#include "harness/generate/from_tflite_case.h"
#include "harness/package/archive.h"
#include "harness/port/call.h"
#include "harness/port/files_index.h"
#include "harness/run/journal.h"
#include "harness/run/waiver_file.h"
#include "harness/suite/profile_file.h"
#include "harness/suite/tolerance_policy.h"
#include "reference/litert/kernels.h"
#include "reports/lcov.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The bytes that are tried, as a file. */
typedef struct input {
    const uint8_t *bytes;
    size_t size;
    int fd;
    char path[64];
} input;

typedef void reader(const input *in);
reader LB_FUZZ_READER;
reader read_results, read_journal, read_archive, read_lcov, read_waivers, read_policy, read_profile,
    read_template, read_baseline, read_wire, read_npy, read_npz, read_hex, read_index, read_onnx,
    read_names, read_tflite;

/* ---- Files ---- */

static void say_nothing(void *user, const lb_diagnostic *diagnostic)
{
    (void)user;
    (void)diagnostic;
}

/* Also a journal, which is read as the results of a run that was killed. */
void read_results(const input *in)
{
    char error[700];
    lb_results_reader *results = lb_results_open(in->path, error, sizeof error);
    while (results && lb_results_next(results, error, sizeof error))
        ;
    if (results)
        lb_results_close(results);
}

static bool take_result(void *user, uint64_t order, lb_verdict verdict, const char *line,
                        size_t length)
{
    (void)user;
    return order < 1000 && verdict <= LB_WAIVED && !memchr(line, '\n', length);
}

static bool visit(void *user, uint64_t order, const char *line, size_t length)
{
    (void)user;
    return order < 1000 && length > 0 && line[length - 1] == '}';
}

void read_journal(const input *in)
{
    lb_journal journal = {.fd = -1};
    const uint8_t *end = memchr(in->bytes, '\n', in->size);
    size_t length = end ? (size_t)(end - in->bytes) : in->size;
    char *head = strndup((const char *)in->bytes, length); /* so that it is this run's own */
    if (!head)
        abort();
    if (lb_journal_resume(&journal, in->path, head, take_result, NULL))
        lb_journal_in_order(&journal, 1000, visit, NULL);
    lb_journal_close(&journal);
    free(head);
    read_results(in);
}

static bool take_member(void *user, const char *name, uint64_t size, const unsigned char *bytes,
                        size_t count)
{
    uint64_t *sum = user;
    *sum += strlen(name) + size;
    for (size_t i = 0; i < count; i++)
        *sum += bytes[i];
    return true;
}

void read_archive(const input *in)
{
    char error[400];
    bool regular;
    uint64_t sum = 0;
    FILE *file = fopen(in->path, "rb");
    if (!file)
        abort();
    lb_archive_check_bytes(file, error, sizeof error);
    lb_archive_read(file, take_member, &sum, &regular, error, sizeof error);
    fclose(file);
}

void read_lcov(const input *in)
{
    char error[400];
    lb_lcov lcov;
    lb_lcov_read(&lcov, in->path, "", error, sizeof error);
    lb_lcov_free(&lcov);
}

void read_waivers(const input *in)
{
    lb_arena arena = {0};
    lb_waivers waivers = {.list = NULL};
    char sha256[LB_SHA256_TEXT];
    lb_waiver_file_read(in->path, "2026-01-01", &arena, &waivers, sha256);
    free(waivers.list);
    lb_arena_free(&arena);
}

void read_policy(const input *in)
{
    lb_diagnostics diagnostics = {.report = say_nothing};
    lb_policy policy;
    lb_policy_load(in->path, &policy, &diagnostics);
    lb_policy_free(&policy);
}

void read_profile(const input *in)
{
    lb_diagnostics diagnostics = {.report = say_nothing};
    lb_profile profile;
    if (lb_profile_load(in->path, &profile, &diagnostics) && diagnostics.count > 0)
        abort();
}

void read_template(const input *in)
{
    lb_diagnostics diagnostics = {.report = say_nothing};
    lb_template template = {.cases = NULL};
    lb_template_read(in->path, NULL, &template, &diagnostics);
    lb_template_free(&template);
}

void read_baseline(const input *in)
{
    lb_bench_baseline baseline = {0};
    if (lb_bench_baseline_read(&baseline, in->path)) {
        lb_bench_baseline_rate(&baseline, "add_s8_64k", "portable");
        lb_bench_baseline_free(&baseline);
    }
}

/* ---- Arrays ---- */

enum { MOST_ELEMENTS = 65536 };

static void read_array(const unsigned char *bytes, size_t size, lb_arena *arena)
{
    lb_array array;
    const char *why = NULL;
    if (lb_npy_read(bytes, size, MOST_ELEMENTS, arena, &array, &why)) {
        volatile double sum = 0; /* every element is there to be read */
        for (size_t i = 0; i < array.count; i++)
            sum = sum + (array.is_real ? array.reals[i] : (double)array.integers[i]);
    } else if (!why) {
        abort();
    }
}

void read_npy(const input *in)
{
    lb_arena arena = {0};
    read_array(in->bytes, in->size, &arena);
    lb_arena_free(&arena);
}

static bool take_array(void *user, const char *name, const lb_bytes *head)
{
    lb_array array;
    const char *why = NULL;
    lb_arena arena = {0};
    bool good = lb_npy_read_shape(head->at, head->count, &arena, &array, &why);
    if ((!good && !why) || !name)
        abort();
    lb_arena_free(&arena);
    return good || !user;
}

void read_npz(const input *in)
{
    lb_arena arena = {0};
    lb_bytes npy;
    const char *why = NULL;
    if (lb_npz_read(in->fd, "a", 1 << 20, &arena, &npy, &why))
        read_array(npy.at, npy.count, &arena);
    else if (!why)
        abort();
    lb_arena_reset(&arena);
    why = NULL;
    if (!lb_npz_each(in->fd, &arena, take_array, NULL, &why) && !why)
        abort();
    lb_arena_free(&arena);
}

/* From memory and from a file it says the same. */
void read_onnx(const input *in)
{
    lb_model a = {.path = "a"}, b = {.path = "b"};
    lb_onnx_source memory = {.fd = -1, .bytes = in->bytes, .length = in->size};
    lb_onnx_source file = {.fd = in->fd, .length = in->size};
    const char *why_a = NULL, *why_b = NULL;
    bool good_a = lb_onnx_read(&memory, &a, &why_a), good_b = lb_onnx_read(&file, &b, &why_b);
    if (good_a != good_b || a.count != b.count ||
        (!good_a && (!why_a || strcmp(why_a, why_b) != 0)))
        abort();
    for (size_t i = 0; i < a.count; i++)
        if (!lb_model_find(&a, a.tensors[i].name))
            abort();
    lb_model_free(&a);
    lb_model_free(&b);
}

void read_names(const input *in)
{
    lb_model model;
    const char *why = NULL;
    if (!lb_model_read(in->path, &model, &why) && !why)
        abort();
    lb_model_free(&model);
}

void read_hex(const input *in)
{
    static const unsigned widths[] = {8, 32, 64, 128};
    for (size_t w = 0; w < 8; w++) {
        lb_arena arena = {0};
        lb_bytes bytes;
        const char *why = NULL;
        if (!lb_hex_read((const char *)in->bytes, in->size, widths[w / 2], w % 2, 100, &arena,
                         &bytes, &why) &&
            !why)
            abort();
        lb_arena_free(&arena);
    }
}

/* The index of an export, in a folder of its own. */
void read_index(const input *in)
{
    char folder[] = "/tmp/fuzz-index-XXXXXX", path[64];
    lb_files_index index;
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/%s", folder, LB_FILES_INDEX);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(in->bytes, 1, in->size, file) != in->size || fclose(file) != 0)
        abort();
    if (lb_files_index_read(&index, folder))
        lb_files_index_free(&index);
    unlink(path);
    rmdir(folder);
}

/* ---- The wire ---- */

/* The bytes are what comes, whatever is asked; then the line is closed. */
void read_wire(const input *in)
{
    static lb_wire wire;
    lb_answer answer;
    int to = memfd_create("requests", MFD_CLOEXEC);
    if (to < 0)
        abort();
    lseek(in->fd, 0, SEEK_SET);
    lb_wire_reset(&wire);
    wire.sequence = 0;
    wire.link = (lb_link){.is_open = true, .in = in->fd, .out = to, .owner = getpid()};
    for (int i = 0; i < 8; i++) {
        lb_wire_put32(lb_wire_payload(&wire), LB_WIRE_VERSION);
        if (!lb_wire_exchange(&wire, i ? LB_WIRE_WORK : LB_WIRE_HELLO, 4,
                              lb_awake_ns() + 1000000000u, 1, &answer))
            break;
        volatile uint8_t sum = 0; /* every byte is there to be read */
        for (uint32_t b = 0; b < answer.length; b++)
            sum = (uint8_t)(sum + answer.payload[b]);
    }
    close(to);
}

/* ---- Both ---- */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {.bytes = bytes, .size = size, .fd = memfd_create("input", MFD_CLOEXEC)};
    if (in.fd < 0 || write(in.fd, bytes, size) != (ssize_t)size)
        abort();
    snprintf(in.path, sizeof in.path, "/proc/self/fd/%d", in.fd);
    LB_FUZZ_READER(&in);
    close(in.fd);
    return 0;
}

/* Operators become cases, which are not computed: any shape will do. */
void read_tflite(const input *in)
{
    lb_tflite_model model;
    lb_arena arena = {0};
    const bool good = lb_tflite_read(&model, in->bytes, in->size);
    if (good == (model.flat.why != NULL))
        abort();
    for (size_t i = 0; good && i < model.operator_count; i++) {
        lb_case c = {.id = NULL};
        char name[160];
        lb_tflite_build b = {.model = &model,
                             .o = &model.operators[i],
                             .profile = &lb_lite_profiles[i % LB_LITE_PROFILE_COUNT],
                             .arena = &arena,
                             .c = &c};
        if (lb_tflite_build_case(&b) ? !c.kernel || b.why : !b.why)
            abort();
        if (!*lb_tflite_operator_name(b.o, name))
            abort();
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
    lb_tflite_free(&model);
}
