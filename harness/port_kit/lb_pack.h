/* Baked packs: cases with inputs and expected results as constant arrays, for devices without any
 * link. Compile lb_pack.c (in place of lb_kit.c) with your own MLI headers, or with -DLB_KIT_NATIVE
 * for kernels of LiteRT, define what the kit asks for (lb_kit.h, lb_native.h), link a pack, and
 * call lb_pack_run. No heap, no files, no stdio. */
#ifndef LB_PACK_H
#define LB_PACK_H

#include "lb_kit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What lb_pack_run gives where it is not the number of failures. */
enum {
    LB_PACK_NOTHING_TRIED =
        -1, /* every case was skipped: functions, profiles or memory that are not there */
    LB_PACK_DAMAGED =
        -2, /* the bytes of a pack are not those that were written, or of another version */
    LB_PACK_OTHER_BYTE_ORDER = -3, /* made for the other one: lastbit pack --byte-order */
};

/* Takes a piece of text, 0-terminated; a line is several pieces. */
typedef void (*lb_pack_say)(const char *text);

/* Plays all cases of `count` packs, each in every profile that it has and lb_port has too. `memory`
 * is for look-up tables and the tensors of one call, as in lb_kit_serve: LB_PACKS_MEMORY of
 * lb_packs.h is enough for all cases. `say`, or 0, is told of every case that fails, and at the end
 * the sums. Gives 0: everything that was tried passed, and something was; above 0: so many results
 * are wrong; below 0: see above. */
int lb_pack_run(const uint8_t *const *packs, uint32_t count, void *memory, uint32_t memory_bytes,
                lb_pack_say say);

/* The same for a debugger, or a watchdog: written as the packs are played. After a crash or a hang
 * [3], [4], [5] tell where. */
enum {
    LB_PACK_VERDICT,      /* 0 never started; else one of the words below */
    LB_PACK_PASSED,       /* results so far: a case in one profile is one result */
    LB_PACK_FAILED,       /* */
    LB_PACK_AT_PACK,      /* number of the pack at work, from 0 */
    LB_PACK_AT_CASE,      /* number of the case in it, from 0 */
    LB_PACK_AT_PROFILE,   /* 0 up-full, 1 up-reduced, 2 convergent-full, 3 convergent-reduced; with
                             avepool16: 4 to 7; 8 litert-double, 9 litert-single */
    LB_PACK_SKIPPED,      /* */
    LB_PACK_FIRST_PACK,   /* of the first result that is wrong; 0xFFFFFFFF: none yet */
    LB_PACK_FIRST_CASE,   /* */
    LB_PACK_FIRST_PROFILE /* */
};
enum { LB_PACK_WORDS = 10 };
#define LB_PACK_WORD_RUNNING 0x52554E21u /* "RUN!" */
#define LB_PACK_WORD_PASS    0x50415353u /* "PASS" */
#define LB_PACK_WORD_FAIL    0x4641494Cu /* "FAIL" */
#define LB_PACK_WORD_NONE    0x4E4F4E45u /* "NONE": lb_pack_run gave a number below 0 */
extern volatile uint32_t lb_pack_words[LB_PACK_WORDS];

#ifdef __cplusplus
}
#endif

#endif
