/* The decoder: calls whose integers are made of encodings, where the kernel set prepares calls
 * (reference/describe/prepared_call.h). Templates alone have them: a suite holds the integers. */
#ifndef LB_HARNESS_SUITE_DECODE_PREPARED_H
#define LB_HARNESS_SUITE_DECODE_PREPARED_H

#include "harness/suite/decode_encoding.h"
#include "reference/describe/prepared_call.h"

/* Has any tensor of these inputs or outputs an encoding? */
bool lb_has_encodings(const cJSON *operands);
/* Integers without a format, in a case whose numbers are made of encodings. */
bool lb_is_model_type(const lb_decoder *d, lb_el_type type);
/* A field that such a case does not give: it is made. */
bool lb_is_prepared_field(const lb_decoder *d, const lb_config_field *field);
/* activation, beta, alpha beside the fields. False: it is none of these. */
bool lb_decode_model_key(lb_decoder *d, const cJSON *member);

/* Scales and zero point of the operand that is decoded, and how its real numbers become integers.
 * False: told. */
bool lb_take_model_tensor(lb_decoder *d, const cJSON *node, const lb_enc_tensor *source,
                          const lb_case_tensor *t, lb_real_rule *rule);
void lb_take_model_bias(lb_decoder *d, const cJSON *node, const lb_enc_tensor *input,
                        const lb_enc_tensor *weights, lb_case_tensor *t, lb_real_rule *rule);

/* After all operands: the configuration, and the factors of channels. `good`: nothing was wrong
 * with them. */
void lb_decode_prepared(lb_decoder *d, const cJSON *root, bool good);

#endif
