/* Baselines of lastbit bench: see baseline.h. */
#include "harness/bench/baseline.h"
#include "harness/base/xalloc.h"
#include "harness/json/document.h"
#include "reports/json_read.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    char *to = lb_resized(NULL, strlen(text) + 1);
    return strcpy(to, text);
}

/* One object of bench --json. */
static bool add_line(lb_bench_baseline *b, const char *text)
{
    cJSON *object = lb_json_read(text, strlen(text));
    const char *row = lb_json_text(object, "row");
    const char *cpu = lb_json_text(object, "cpu");
    const cJSON *rate = cJSON_GetObjectItemCaseSensitive(object, "rate");
    const bool good = row && cpu && cJSON_IsNumber(rate) && rate->valuedouble > 0;
    if (good) {
        b->rates = lb_resized(b->rates, (b->count + 1) * sizeof *b->rates);
        b->rates[b->count++] = (lb_bench_rate){copy(row), copy(cpu), rate->valuedouble};
    }
    cJSON_Delete(object);
    return good;
}

bool lb_bench_baseline_read(lb_bench_baseline *baseline, const char *file)
{
    FILE *in = fopen(file, "r");
    char *line = NULL;
    size_t bytes = 0, number = 0;
    bool good = in != NULL;
    if (!in)
        fprintf(stderr, "lastbit bench: --baseline %s: %s\n", file, strerror(errno));
    while (good && getline(&line, &bytes, in) >= 0) {
        number++;
        if (line[strspn(line, " \t\r\n")] == '\0')
            continue;
        good = add_line(baseline, line);
        if (!good)
            fprintf(stderr,
                    "lastbit bench: %s:%zu: expected an object of \"lastbit bench --json\" with "
                    "row, cpu and rate\n",
                    file, number);
    }
    if (good && ferror(in)) {
        fprintf(stderr, "lastbit bench: --baseline %s: %s\n", file, strerror(errno));
        good = false;
    } else if (good && baseline->count == 0) {
        fprintf(stderr, "lastbit bench: --baseline %s: holds no rates\n", file);
        good = false;
    }
    free(line);
    if (in)
        fclose(in);
    if (!good)
        lb_bench_baseline_free(baseline);
    return good;
}

void lb_bench_baseline_free(lb_bench_baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++) {
        free(baseline->rates[i].row);
        free(baseline->rates[i].cpu);
    }
    free(baseline->rates);
    *baseline = (lb_bench_baseline){0};
}

double lb_bench_baseline_rate(const lb_bench_baseline *baseline, const char *row, const char *cpu)
{
    for (size_t i = baseline->count; i-- > 0;)
        if (strcmp(baseline->rates[i].row, row) == 0 && strcmp(baseline->rates[i].cpu, cpu) == 0)
            return baseline->rates[i].rate;
    return 0;
}
