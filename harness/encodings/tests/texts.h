/* Encodings files with one thing in them, for tests. */
#ifndef LB_HARNESS_ENCODINGS_TESTS_TEXTS_H
#define LB_HARNESS_ENCODINGS_TESTS_TEXTS_H

/* An 8-bit grid: 255 steps of 1/64 from -1. */
#define RANGE "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":-64"
#define INT8  "\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"False\","
#define SYM8  "\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"True\","
#define FULL  "\"min\":-2,\"max\":1.984375,\"scale\":0.015625,\"offset\":-128"
/* Symmetric with the offset of a strict grid, as wide as one that is not, and strict. */
#define WIDE_SYM   "{" SYM8 "\"min\":-1.984375,\"max\":2,\"scale\":0.015625,\"offset\":-127}"
#define STRICT_SYM "{" SYM8 "\"min\":-1.984375,\"max\":1.984375,\"scale\":0.015625,\"offset\":-127}"
#define GOOD       "{" INT8 RANGE "}"
#define GOOD_SYM   "{" SYM8 FULL "}"
#define V0(version, activations, parameters, more)                                                 \
    "{\"version\":\"" version "\",\"activation_encodings\":" activations                           \
    ",\"param_encodings\":" parameters more "}"
#define ARGS          ",\"quantizer_args\":{}"
#define V06(act)      V0("0.6.1", act, "{}", ARGS)
#define ENTRY(fields) V06("{\"a\":[{" fields "}]}")
#define V1(objects)   V0("1.0.0", "[]", "[" objects "]", ARGS)
#define HEAD1(type)                                                                                \
    "\"name\":\"w\",\"enc_type\":\"" type "\",\"dtype\":\"INT\",\"bw\":8,\"is_sym\":true,"
#define INT2                                                                                       \
    "\"name\":\"w\",\"enc_type\":\"PER_CHANNEL\",\"dtype\":\"INT\",\"bw\":2,\"is_sym\":true,"
/* A scale of 2.1 that is quantized itself. */
#define V21(objects) "{\"version\":\"2.1.0\",\"encodings\":[" objects "]}"
#define META(fields)                                                                               \
    V21("{\"name\":\"w\",\"output_dtype\":\"int4\",\"axis\":1,\"block_size\":32,\"y_scale\":"      \
        "{" fields "}}")
#define V2(objects) "{\"version\":\"2.0.0\",\"encodings\":[" objects "]}"

#endif
