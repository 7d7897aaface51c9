/* An encodings file held against the tensors of its network. */
#ifndef LB_HARNESS_ENCODINGS_AGAINST_H
#define LB_HARNESS_ENCODINGS_AGAINST_H

#include "harness/encodings/model.h"
#include "harness/encodings/show.h"

/* Adds what does not fit to the warnings of the file, with its place: M_NAME, no such tensor in the
 * network; M_CHANNELS and M_AXIS, another count of channels, no such dimension; M_BLOCKS, scales of
 * other blocks; M_MISSING, a tensor of the network without an encoding (at the end of the file, and
 * no fault). The number of faults. */
size_t lb_enc_hold_against(lb_enc_file *file, const lb_model *model, const lb_enc_axes *axes);

#endif
