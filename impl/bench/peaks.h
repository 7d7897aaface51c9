/* What a processor can do at best, measured by loops that do nothing else: products on registers
 * alone, loads and nothing done with them. A kernel's speed is told in percent of these. Not part
 * of the library. */
#ifndef LB_MLI_PEAKS_H
#define LB_MLI_PEAKS_H

enum lb_mli_peak {
    LB_MLI_PEAK_MAC_S8,  /* int8 products with sums of 32 bits, 10^9 a second: the level's fastest
                            exact way */
    LB_MLI_PEAK_MAC_S16, /* int16 products with sums of 32 bits, likewise */
    LB_MLI_PEAK_LOAD_L1, /* bytes loaded, 10^9 a second: 16 KiB again and again */
    LB_MLI_PEAK_LOAD_L2, /* 512 KiB */
    LB_MLI_PEAK_LOAD_L3, /* 8 MiB */
    LB_MLI_PEAKS         /* count */
};

/* The peak of a level's instructions (a name as mli_ext_cpu_level gives it), best of several
 * measurements in thread CPU time, some 10 ms. 0: the processor lacks the level, no loop for it is
 * written, or no memory. */
double lb_mli_peak(const char *level, enum lb_mli_peak what);

#endif
