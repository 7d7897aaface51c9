/* What several test programs of the harness need: a suite from text, and ports that are wrong in
 * one chosen way. */
#ifndef LB_HARNESS_TESTS_FIXTURE_H
#define LB_HARNESS_TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/port/port.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One relu_fx8 case: id, three inputs; the rest of the object (expect, tags) in `more`, with its
 * leading comma. */
#define RELU_CASE(id, a, b, c, more)                                                               \
    "{\"id\":\"" id "\",\"function\":\"mli_krn_relu_fx8\",\"config\":{\"type\":\"gen\"},"          \
    "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[3],\"frac_bits\":4,\"data\":[" #a "," #b      \
    "," #c "]}},"                                                                                  \
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[3],\"mem_stride\":[1],\"frac_bits\":4}"     \
    "}" more "}"
#define SUITE(cases) "{\"format\":\"lastbit/cases-1\",\"suite\":\"test\",\"cases\":[" cases "]}"
#define EXPECT(list)                                                                               \
    ",\"expect\":[{\"profiles\":[\"up-full\",\"up-reduced\",\"convergent-full\",\"convergent-"     \
    "reduced\"],"                                                                                  \
    "\"status\":\"ok\",\"outputs\":{\"out\":" list "}}]"

/* Writes the text to a file of this name in a new temporary folder; gives its path (static). */
static inline const char *write_file(const char *name, const char *text)
{
    static char path[256];
    char folder[] = "/tmp/lastbit-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline void remove_file(const char *path)
{
    char folder[256];
    unlink(path);
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    rmdir(folder);
}

static inline lb_suite *open_suite(const char *text)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    const char *path = write_file("suite.json", text);
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    assert_non_null(suite);
    remove_file(path);
    return suite;
}

/* The first case of a suite from text, with all that it lives in. */
typedef struct opened_case {
    lb_arena arena;
    lb_suite *suite;
    lb_suite_reader *reader;
    const lb_case *c;
} opened_case;

static inline opened_case open_case(const char *text)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    opened_case o = {.suite = open_suite(text)};
    o.reader = lb_suite_reader_open(o.suite);
    o.c = lb_suite_reader_case(o.reader, 0, &diagnostics);
    assert_non_null(o.c);
    return o;
}

static inline void close_case(opened_case *o)
{
    lb_suite_reader_close(o->reader);
    lb_suite_close(o->suite);
    lb_arena_free(&o->arena);
}

/* A port that computes with the exact model and then does what `spoil` says. */
typedef struct fake_port {
    lb_port port;
    void (*spoil)(lb_call *call);
} fake_port;

static inline bool fake_provides(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    return kernel->family != LB_FAMILY_ELTWISE;
}

static inline void fake_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    lb_context context = {.profile = profile};
    fake_port *fake = (fake_port *)port;
    lb_run_exact(&context, call);
    if (fake->spoil)
        fake->spoil(call);
}

static inline void fake_close(lb_port *port)
{
    (void)port;
}

static inline fake_port fake_port_make(void (*spoil)(lb_call *call))
{
    return (fake_port){.port = {.name = "fake",
                                .described = "a port for tests",
                                .provides = fake_provides,
                                .call = fake_call,
                                .close = fake_close},
                       .spoil = spoil};
}

#endif
