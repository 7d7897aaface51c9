/* A program that plays packs and ends with 0 if all is well: an example to take what is needed
 * from. -DLB_PACK=lb_pack_001 plays that pack alone, so that only it needs to be linked.
 * -DLB_PACK_PRINT prints to standard output, -DLB_PACK_SAY=function through a function of yours
 * (lb_pack_say). */
#include "lb_pack.h"
#include "lb_packs.h"

#ifdef LB_PACK_PRINT
#include <stdio.h>

static void print(const char *text)
{
    fputs(text, stdout);
}
#define LB_PACK_SAY print
#elif defined LB_PACK_SAY
void LB_PACK_SAY(const char *text);
#else
#define LB_PACK_SAY 0
#endif

#ifndef LB_PACK_MEMORY
#define LB_PACK_MEMORY LB_PACKS_MEMORY
#endif

static const uint8_t *const packs[] = {
#ifdef LB_PACK
    LB_PACK
#else
    LB_PACKS
#endif
};

static uint8_t memory[LB_PACK_MEMORY];

int main(void)
{
    return lb_pack_run(packs, sizeof packs / sizeof packs[0], memory, sizeof memory, LB_PACK_SAY) ==
                   0
               ? 0
               : 1;
}
