/* Writes a results file made by counting to standard output: make_results KIND COUNT. */
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int kind = 0; argc == 3 && kind < LB_SYNTHETIC_KIND_COUNT; kind++) {
        if (strcmp(argv[1], lb_synthetic_kind_name((lb_synthetic_kind)kind)) == 0) {
            bool written =
                lb_synthetic_write(stdout, (lb_synthetic_kind)kind, strtoull(argv[2], NULL, 10));
            return written && fflush(stdout) == 0 ? 0 : 3;
        }
    }
    fputs("Usage: make_results KIND COUNT > results.json\nKinds:", stderr);
    for (int kind = 0; kind < LB_SYNTHETIC_KIND_COUNT; kind++)
        fprintf(stderr, " %s", lb_synthetic_kind_name((lb_synthetic_kind)kind));
    fputs("\n", stderr);
    return 2;
}
