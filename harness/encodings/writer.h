/* What the parts of the writer of other versions share. */
#ifndef LB_HARNESS_ENCODINGS_WRITER_H
#define LB_HARNESS_ENCODINGS_WRITER_H

#include "harness/encodings/convert.h"

typedef struct lb_enc_writer {
    lb_doc *doc;
    const lb_enc_file *file;
    const lb_enc_axes *axes;
    lb_enc_remarks *remarks;
    const char *version; /* that is written */
    bool first;          /* in the section */
} lb_enc_writer;

/* ---- Text (write.c) ---- */

/* The shortest decimal that reads back as the number. */
void lb_enc_put_number(lb_doc *doc, double value);
/* A value as it stood, on one line. */
void lb_enc_put_copy(lb_doc *doc, const cJSON *node);
/* The place of the next tensor in the section. */
void lb_enc_begin_entry(lb_enc_writer *w);
/* A tensor that the version has no words for: told with the reason. */
void lb_enc_leave_out(lb_enc_writer *w, const lb_enc_tensor *t, const char *why);

/* ---- What the versions say differently of a grid (write.c) ---- */

/* Offset on the unsigned grid of 0.x and 1.0. */
int64_t lb_enc_offset_of(const lb_enc_tensor *t, const lb_enc_grid *g);
/* Is a tensor symmetric for 1.0? 2.x does not say it: signed numbers around 0 are. */
bool lb_enc_is_symmetric(const lb_enc_tensor *t);
/* Becomes it a signed type of 2.x? Where the grid is symmetric around 0, and at 32 bits. */
bool lb_enc_becomes_signed(const lb_enc_tensor *t);
/* Zero point in a type of 2.x, without the shift. */
int64_t lb_enc_zero_point_of(const lb_enc_tensor *t, const lb_enc_grid *g, bool is_signed);
/* Lie all of them in that type? A shift may take one out. */
bool lb_enc_has_zero_points(const lb_enc_tensor *t);
/* Has 2.x integers of this width? */
bool lb_enc_has_width(int bits);
/* Tells what 2.x does not say of a symmetric tensor. */
void lb_enc_remark_symmetry(lb_enc_writer *w, const lb_enc_tensor *t);

/* ---- Tensors with blocks (write_blocks.c): told and left out where the version cannot say them */

void lb_enc_put_blocks_v1(lb_enc_writer *w, const lb_enc_tensor *t);
void lb_enc_put_blocks_v2(lb_enc_writer *w, const lb_enc_tensor *t);
/* 2.1 to 2.0: can the quantized scale be written as 2.0 writes LPBQ? Then it is. */
bool lb_enc_put_lpbq_of_meta(lb_enc_writer *w, const lb_enc_tensor *t);

#endif
