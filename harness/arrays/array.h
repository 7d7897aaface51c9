/* Elements in files of other tools: NumPy arrays, memory images, lines of hexadecimal words. Who
 * opens files, and how large they may be, is the caller's business. */
#ifndef LB_HARNESS_ARRAYS_ARRAY_H
#define LB_HARNESS_ARRAYS_ARRAY_H

#include "harness/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { LB_ARRAY_RANK = 8 };

/* Elements in row-major order of shape. */
typedef struct lb_array {
    bool is_real; /* floating-point numbers: `reals`; else `integers` */
    unsigned rank;
    uint64_t shape[LB_ARRAY_RANK];
    size_t count;
    int64_t *integers;
    double *reals;
} lb_array;

/* Bytes that were made, in the arena. */
typedef struct lb_bytes {
    unsigned char *at;
    size_t count;
} lb_bytes;

/* ---- npy: format versions 1.0 to 3.0 ---- */

/* Booleans and integers of 1 to 8 bytes, floating-point numbers of 2, 4 and 8, in either byte
 * order, in C or Fortran order. Nothing else: no objects, no records, no texts. `most` bounds the
 * elements. False: `why` (from the arena) says what is wrong and what would be right. */
bool lb_npy_read(const unsigned char *bytes, size_t length, size_t most, lb_arena *arena,
                 lb_array *array, const char **why);
/* Rank and shape alone, from as many bytes as there are of it; its elements need not be there. */
bool lb_npy_read_shape(const unsigned char *bytes, size_t length, lb_arena *arena, lb_array *array,
                       const char **why);
/* Version 1.0, C order. `descr` as in "<i2": little-endian elements of element_bytes each, which
 * stand in `elements` one behind the other. */
lb_bytes lb_npy_write(const char *descr, unsigned rank, const uint32_t *shape,
                      const unsigned char *elements, size_t bytes, lb_arena *arena);

/* ---- npz: arrays in a ZIP archive ---- */

/* The member NAME or NAME.npy, stored or deflated, of at most `most` bytes: an .npy file. Only the
 * directory and the member are read. False: `why`, as above. */
bool lb_npz_read(int fd, const char *member, size_t most, lb_arena *arena, lb_bytes *npy,
                 const char **why);

/* Calls for every member, in the order of the directory, with its name as NumPy has it (without
 * .npy) and its first bytes, LB_NPZ_HEAD at most; false where a call was, or the archive is
 * damaged (`why`). Memory is of the arena, and taken back after each call. */
enum { LB_NPZ_HEAD = 65536 + 16 };
typedef bool (*lb_npz_member_fn)(void *user, const char *name, const lb_bytes *head);
bool lb_npz_each(int fd, lb_arena *arena, lb_npz_member_fn fn, void *user, const char **why);

/* ---- hex: lines as $readmemh of Verilog reads them ---- */

/* Words of word_bits (8, 32, 64 or 128): the byte with the lowest address is the lowest of the word
 * (the highest if big_endian); zeros fill the last. */
lb_bytes lb_hex_write(const unsigned char *bytes, size_t count, unsigned word_bits, bool big_endian,
                      lb_arena *arena);
/* The bytes of at most `most` words' bytes. Comments and addresses ("@10") are read as $readmemh
 * does; "x" and "z" are digits that nobody knows: an error. */
bool lb_hex_read(const char *text, size_t length, unsigned word_bits, bool big_endian, size_t most,
                 lb_arena *arena, lb_bytes *bytes, const char **why);

#endif
