/* What all files of this folder share. A level's file (x86/avx2.c) includes the header of its
 * vectors (x86/vector_256.h), which gives names to the set's instructions and includes this one;
 * then it names its dot products and includes the templates. Each of them defines a function
 * fill_NAME, which writes its entries to a table (loops.h). Templates share a file: their names are
 * unlike one another.
 *
 * Names of the vectors; the others are those of x86/vector_512.h:
 * - LANES: 32-bit lanes of a vector
 * - PANEL_PIXELS: most pixels of a tile, 14, or 6 where there are 16 registers
 * - V: type of a vector
 * - LOAD(p), STORE(p, v): any alignment
 * - STORE_WIDENED(p, v): 16 bytes of the compiler's own vectors, as words
 * - SPREAD(p): the four bytes at p in all lanes, any alignment
 * - KEEP(v): v stays in a register
 * - LOW_BYTES, HIGH_BYTES, LOW_WORDS, HIGH_WORDS(a, b): interleaving within 128 bits
 * - IN_ORDER_BYTES, IN_ORDER_WORDS(v): the order of units of four channels that it undoes
 *
 * Names of the level:
 * - DOT_S16(a, x, w): a + both products of int16 of each lane, modulo 2^32
 * - DOT_U8S8(a, x, w): a + all four products of uint8 and int8 of each lane, modulo 2^32; not
 *   defined: the level has no such instruction
 * - DOT_NARROW: DOT_U8S8 for weights from -64 to 64, where the level has none for all; not defined:
 *   it has no such instruction either
 * - BYTES_EXCESS: 0 if DOT_U8S8 takes x as int8; not defined: 128
 * - FLIPPED(v): bytes + BYTES_EXCESS; where DOT_U8S8 or DOT_NARROW is defined
 * - DOT_S16_TIED, DOT_U8S8_TIED: the same where the compiler would move a to another register; not
 *   defined: the same */
#ifndef LB_MLI_VECTOR_H
#define LB_MLI_VECTOR_H

enum { VECTOR_BYTES = LANES * 4, VECTOR_WORDS = LANES * 2 };

#endif
