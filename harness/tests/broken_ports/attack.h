/* What hostile ports share: each tries to get at what is not its own, once. What got through gives
 * right numbers, as if the port had made itself its judge; what did not gives 77 everywhere. */
#ifndef LB_ATTACK_H
#define LB_ATTACK_H

#include "broken.h"

#include <stdio.h>
#include <unistd.h>

/* Did it get through? */
static int attack(void);

static mli_status attack_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    static int tried, through;
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    if (!tried)
        through = attack();
    tried = 1;
    for (size_t i = 0; status == MLI_STATUS_OK && !through && i < broken_count(out); i++)
        broken_put(out, broken_offset(out, i), 77);
    return status;
}

/* The parent of a process, and whether the process is one of lastbit's; 0: it is not to be seen. */
static inline int attack_parent(int process, int *is_lastbit)
{
    char path[64], name[32] = "";
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *stat = fopen(path, "r");
    if (stat && fscanf(stat, "%*d (%31[^)]) %*c %d", name, &parent) != 2)
        parent = 0;
    if (stat)
        fclose(stat);
    *is_lastbit = strncmp(name, "lastbit", 7) == 0;
    return parent;
}

/* Calls `each` for all of lastbit's processes that this one comes from, and not for those of others
 * on this machine; not 0 as soon as one call gives that. */
static inline int attack_processes(int (*each)(int process))
{
    int through = 0, is_lastbit, parent;
    for (int process = getppid(); process > 0 && !through; process = parent) {
        parent = attack_parent(process, &is_lastbit);
        through = is_lastbit && each(process);
    }
    return through;
}

BROKEN_PORT("hostile")
#define mli_krn_relu_fx8 attack_relu
#include "../../port_kit/lb_kit.c"
#undef mli_krn_relu_fx8

#endif
