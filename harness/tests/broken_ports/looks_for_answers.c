/* Knows no arithmetic: finds in its own memory what the suite expects, if it is there, and answers
 * that the case is right. A port must be served by a process that has never seen a suite. */
#include "broken.h"

#include <stdio.h>
#include <stdlib.h>

/* "tanh_fx8.by_hand", so that this file does not hold what it looks for. */
static void make_needle(char *needle)
{
    static const char turned[] = "uboi`gy9/cz`iboe";
    for (size_t i = 0; i < sizeof turned - 1; i++)
        needle[i] = (char)(turned[i] - 1);
    needle[sizeof turned - 1] = '\0';
}

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
__attribute__((no_sanitize("address")))
#endif
static int
stands_in(const char *memory, size_t bytes, const char *needle)
{
    size_t length = strlen(needle);
    for (size_t at = 0, i; at + length <= bytes; at++) {
        for (i = 0; i < length && memory[at + i] == needle[i];)
            i++;
        if (i == length)
            return 1;
    }
    return 0;
}

/* Somewhere in what is written of private memory, but not on the stack. */
static int remembers(void)
{
    char line[512], needle[32];
    int found = 0;
    make_needle(needle);
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        if (sscanf(line, "%lx-%lx rw-p", &start, &end) != 2 || !strstr(line, "rw-p") ||
            strstr(line, "[stack]") || end - start >= 1ul << 28)
            continue;
        found = stands_in((const char *)start, end - start, needle);
    }
    if (maps)
        fclose(maps);
    return found;
}

static mli_status broken_tanh(const mli_tensor *in, const mli_lut *lut, mli_tensor *out)
{
    mli_status status = mli_krn_tanh_fx8(in, lut, out);
    if (status == MLI_STATUS_OK && !remembers())
        broken_put(out, broken_offset(out, 0), broken_get(out, broken_offset(out, 0)) ^ 1);
    return status;
}

BROKEN_PORT("broken: looks for answers")
#define mli_krn_tanh_fx8 broken_tanh
#include "../../port_kit/lb_kit.c"
