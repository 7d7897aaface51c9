/* Encodings files: every error class and warning of encodings.md with its pointer, the order of
 * checks, and what the parser must not let pass. The texts are this test's own;
 * where the recorded files are at hand, they are held to their index too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/encodings/show.h"
#include "harness/encodings/tests/texts.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct row {
    const char *text, *code, *where;
} row;

static const row errors[] = {
    /* text */
    {"", "E_JSON_SYNTAX", ""},
    {"\xEF\xBB\xBF", "E_JSON_SYNTAX", ""},
    {"{\"version\":\"0.6.1\"", "E_JSON_SYNTAX", ""},
    {"{\xE2\x80\x9Cversion\xE2\x80\x9D: 1}", "E_JSON_SYNTAX", ""},
    {"{\"a\":[1,]}", "E_JSON_SYNTAX", ""},
    {"{\"a\":1,}", "E_JSON_SYNTAX", ""},
    {"{\"a\":[1,,2]}", "E_JSON_SYNTAX", ""},
    {"{\"a\":1 \"b\":2}", "E_JSON_SYNTAX", ""},
    {"{\"a\" 1}", "E_JSON_SYNTAX", ""},
    {"{\"a\":NaN}", "E_JSON_SYNTAX", ""},
    {"{\"a\":Infinity}", "E_JSON_SYNTAX", ""},
    {"{\"a\":-Infinity}", "E_JSON_SYNTAX", ""},
    {"// note\n{}", "E_JSON_SYNTAX", ""},
    {"{'a':1}", "E_JSON_SYNTAX", ""},
    {"{\"a\":...}", "E_JSON_SYNTAX", ""},
    {"{} x", "E_JSON_SYNTAX", ""},
    {"{}{}", "E_JSON_SYNTAX", ""},
    {"{\"a\":08}", "E_JSON_SYNTAX", ""},
    {"{\"a\":8.}", "E_JSON_SYNTAX", ""},
    {"{\"a\":+1}", "E_JSON_SYNTAX", ""},
    {"{\"a\":0x8}", "E_JSON_SYNTAX", ""},
    {"{\"a\":\"\t\"}", "E_JSON_SYNTAX", ""},
    {"{\"a\":\"\xFF\"}", "E_JSON_SYNTAX", ""},
    {"{\"a\":\"\xC0\x80\"}", "E_JSON_SYNTAX", ""},
    {"{\"a\":\"\xED\xA0\x80\"}", "E_JSON_SYNTAX", ""},
    {"{\"a\":\"\\ud800\"}", "E_JSON_SYNTAX", ""},
    {"{\"a\":\"\\u0000\"}", "E_JSON_SYNTAX", ""},
    {"{\"version\":\"0.4.0\",\"version\":\"0.4.0\"}", "E_DUP_KEY", "version"},
    {"{\"x\":{\"b\":1,\"a\":1,\"a\":2},\"x\":2}", "E_DUP_KEY", "a"},
    {"{\"ab\":1,\"a\\u0062\":2}", "E_DUP_KEY", "ab"},
    {"[1,{\"a\":1,\"a\":1}]", "E_DUP_KEY", "a"},
    /* top level */
    {"[]", "E_ROOT_TYPE", ""},
    {"\"text\"", "E_ROOT_TYPE", ""},
    {"{\"version\":0.6}", "E_VERSION_TYPE", "/version"},
    {"{\"version\":null}", "E_VERSION_TYPE", "/version"},
    {"{\"version\":\"0.7.0\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"2.2.0\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"2.1.0\"}", "E_MISSING_FIELD", "/encodings"},
    {"{\"version\":\"1.1.0\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"0.6\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"0.06.1\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"0.6.1.2\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"0.6.1b\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"0.4294967300.0\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\" 0.6.1\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"version\":\"\"}", "E_VERSION_UNKNOWN", "/version"},
    {"{\"w\":[" GOOD "]}", "E_MISSING_FIELD", "/activation_encodings"},
    {"{\"version\":\"0.6.1\",\"param_encodings\":{}}", "E_MISSING_FIELD", "/activation_encodings"},
    {"{\"version\":\"0.6.1\",\"activation_encodings\":{}}", "E_MISSING_FIELD", "/param_encodings"},
    {"{\"version\":\"2.0.0\"}", "E_MISSING_FIELD", "/encodings"},
    {V06("[]"), "E_FIELD_TYPE", "/activation_encodings"},
    {V0("1.0.0", "{}", "[]", ""), "E_FIELD_TYPE", "/activation_encodings"},
    {"{\"version\":\"2.0.0\",\"encodings\":{}}", "E_FIELD_TYPE", "/encodings"},
    /* 0.x: lists */
    {V06("{\"a\":" GOOD "}"), "E_FIELD_TYPE", "/activation_encodings/a"},
    {V06("{\"a~b/c\":[]}"), "E_EMPTY_LIST", "/activation_encodings/a~0b~1c"},
    {V06("{\"a\":[7]}"), "E_FIELD_TYPE", "/activation_encodings/a/0"},
    {V0("0.6.1", "{\"a\":[" GOOD "]}", "{\"a\":[]}", ""), "E_DUP_NAME", "/param_encodings/a"},
    /* 0.x: dtype, then bitwidth, then the others in their order */
    {ENTRY("\"x\":1"), "E_MISSING_FIELD", "/activation_encodings/a/0/dtype"},
    {ENTRY("\"dtype\":8,\"bitwidth\":3"), "E_FIELD_TYPE", "/activation_encodings/a/0/dtype"},
    {ENTRY("\"dtype\":\"INT\",\"bitwidth\":3"), "E_DTYPE", "/activation_encodings/a/0/dtype"},
    {ENTRY("\"dtype\":\"int\""), "E_MISSING_FIELD", "/activation_encodings/a/0/bitwidth"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":\"8\""), "E_FIELD_TYPE",
     "/activation_encodings/a/0/bitwidth"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":1e999"), "E_NONFINITE",
     "/activation_encodings/a/0/bitwidth"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":8.5"), "E_NOT_INTEGER",
     "/activation_encodings/a/0/bitwidth"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":3"), "E_BITWIDTH_RANGE",
     "/activation_encodings/a/0/bitwidth"},
    {ENTRY("\"dtype\":\"float\",\"bitwidth\":33"), "E_BITWIDTH_RANGE",
     "/activation_encodings/a/0/bitwidth"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":8,\"min\":\"x\""), "E_MISSING_FIELD",
     "/activation_encodings/a/0/is_symmetric"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":8,\"is_symmetric\":1,\"min\":\"x\""), "E_FIELD_TYPE",
     "/activation_encodings/a/0/is_symmetric"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":8,\"is_symmetric\":\"\"," RANGE), "E_BOOL_STRING",
     "/activation_encodings/a/0/is_symmetric"},
    {ENTRY(INT8 "\"max\":\"x\""), "E_MISSING_FIELD", "/activation_encodings/a/0/min"},
    {ENTRY(INT8 "\"min\":[],\"max\":\"x\""), "E_FIELD_TYPE", "/activation_encodings/a/0/min"},
    {ENTRY(INT8 "\"min\":-1e999,\"max\":\"x\""), "E_NONFINITE", "/activation_encodings/a/0/min"},
    {ENTRY(INT8 "\"min\":1,\"max\":0,\"scale\":null"), "E_FIELD_TYPE",
     "/activation_encodings/a/0/scale"},
    {ENTRY(INT8 "\"min\":1,\"max\":0,\"scale\":-1"), "E_MISSING_FIELD",
     "/activation_encodings/a/0/offset"},
    {ENTRY(INT8 "\"min\":1,\"max\":0,\"scale\":-1,\"offset\":0.5"), "E_NOT_INTEGER",
     "/activation_encodings/a/0/offset"},
    /* 0.x: values in their order */
    {ENTRY(INT8 "\"min\":1,\"max\":1,\"scale\":-1,\"offset\":3"), "E_RANGE_ORDER",
     "/activation_encodings/a/0/max"},
    {ENTRY(INT8 "\"min\":0,\"max\":1,\"scale\":0,\"offset\":3"), "E_SCALE_NONPOS",
     "/activation_encodings/a/0/scale"},
    {ENTRY(INT8 "\"min\":0,\"max\":1,\"scale\":-0.0,\"offset\":3"), "E_SCALE_NONPOS",
     "/activation_encodings/a/0/scale"},
    {ENTRY(INT8 "\"min\":0,\"max\":1,\"scale\":1,\"offset\":3"), "E_SCALE_MISMATCH",
     "/activation_encodings/a/0/scale"},
    {ENTRY(INT8 "\"min\":-1,\"max\":2.96875,\"scale\":0.015625,\"offset\":-64"), "E_SCALE_MISMATCH",
     "/activation_encodings/a/0/scale"}, /* 254 steps without symmetry */
    {ENTRY(INT8 "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":64"), "E_OFFSET_SIGN",
     "/activation_encodings/a/0/offset"},
    {ENTRY(INT8 "\"min\":-4,\"max\":-0.015625,\"scale\":0.015625,\"offset\":-256"),
     "E_OFFSET_RANGE", "/activation_encodings/a/0/offset"},
    {ENTRY(SYM8 "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":-64"), "E_SYM_OFFSET",
     "/activation_encodings/a/0/offset"},
    {ENTRY(INT8 "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":-63"),
     "E_OFFSET_MISMATCH", "/activation_encodings/a/0/offset"},
    {ENTRY(SYM8 "\"min\":-2,\"max\":1.984375,\"scale\":0.015625,\"offset\":-127"),
     "E_OFFSET_MISMATCH", "/activation_encodings/a/0/offset"},
    {ENTRY(INT8 "\"min\":-1e308,\"max\":1e308,\"scale\":1e306,\"offset\":-128"), "E_SCALE_MISMATCH",
     "/activation_encodings/a/0/scale"}, /* max - min overflows */
    /* 0.x: entries of one list */
    {V06("{\"a\":[" GOOD "," GOOD_SYM "]}"), "E_CHANNEL_MIXED", "/activation_encodings/a/1"},
    {V06("{\"a\":[" GOOD "," GOOD ",{\"dtype\":\"float\",\"bitwidth\":16}]}"), "E_CHANNEL_MIXED",
     "/activation_encodings/a/2"},
    {V06("{\"a\":[" GOOD ",{\"dtype\":\"int\",\"bitwidth\":8}]}"), "E_CHANNEL_MIXED",
     "/activation_encodings/a/1"},
    {V06("{\"a\":[" GOOD_SYM ",{\"dtype\":\"int\",\"bitwidth\":3}]}"), "E_BITWIDTH_RANGE",
     "/activation_encodings/a/1/bitwidth"}, /* entries come before their comparison */
    /* 0.4 */
    {V0("0.4.0", "{\"a\":[{\"bitwidth\":16,\"dtype\":\"float\"}]}", "{}", ""), "E_DTYPE",
     "/activation_encodings/a/0/dtype"},
    {V0("0.4.0", "{\"a\":[{\"bitwidth\":16}]}", "{}", ""), "E_MISSING_FIELD",
     "/activation_encodings/a/0/is_symmetric"},
    /* quantizer_args come last */
    {V0("0.6.1", "{\"a\":[]}", "{}", ",\"quantizer_args\":1"), "E_EMPTY_LIST",
     "/activation_encodings/a"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":[]"), "E_FIELD_TYPE", "/quantizer_args"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"activation_bitwidth\":3}"), "E_BITWIDTH_RANGE",
     "/quantizer_args/activation_bitwidth"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"param_bitwidth\":8.5}"), "E_NOT_INTEGER",
     "/quantizer_args/param_bitwidth"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"dtype\":\"INT\"}"), "E_DTYPE",
     "/quantizer_args/dtype"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"is_symmetric\":\"true\"}"), "E_BOOL_STRING",
     "/quantizer_args/is_symmetric"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"per_channel_quantization\":\"no\"}"),
     "E_BOOL_STRING", "/quantizer_args/per_channel_quantization"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"quant_scheme\":1}"), "E_FIELD_TYPE",
     "/quantizer_args/quant_scheme"},
    {V0("1.0.0", "[]", "[]", ",\"quantizer_args\":{\"dtype\":\"INT\"}"), "E_DTYPE",
     "/quantizer_args/dtype"},
    /* 1.0 */
    {V1("1"), "E_FIELD_TYPE", "/param_encodings/0"},
    {V1("{\"enc_type\":\"x\"}"), "E_MISSING_FIELD", "/param_encodings/0/name"},
    {V1("{\"name\":1}"), "E_FIELD_TYPE", "/param_encodings/0/name"},
    {V1("{\"name\":\"w\"}"), "E_MISSING_FIELD", "/param_encodings/0/enc_type"},
    {V1("{\"name\":\"w\",\"enc_type\":\"per_tensor\"}"), "E_ENC_TYPE",
     "/param_encodings/0/enc_type"},
    {V1("{\"name\":\"w\",\"enc_type\":\"PER_TENSOR\"}"), "E_MISSING_FIELD",
     "/param_encodings/0/dtype"},
    {V1("{\"name\":\"w\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"int\"}"), "E_DTYPE",
     "/param_encodings/0/dtype"},
    {V1("{\"name\":\"w\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"INT\",\"bw\":1}"),
     "E_BITWIDTH_RANGE", "/param_encodings/0/bw"},
    {V1("{\"name\":\"w\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"INT\",\"bw\":8}"),
     "E_MISSING_FIELD", "/param_encodings/0/is_sym"},
    {V1("{\"name\":\"w\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"INT\",\"bw\":8,\"is_sym\":"
        "\"True\"}"),
     "E_FIELD_TYPE", "/param_encodings/0/is_sym"},
    {V1("{" HEAD1("PER_TENSOR") "\"offset\":1}"), "E_MISSING_FIELD", "/param_encodings/0/scale"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":0.1,\"offset\":1}"), "E_FIELD_TYPE",
     "/param_encodings/0/scale"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":[],\"offset\":1}"), "E_EMPTY_LIST",
     "/param_encodings/0/scale"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":[-1],\"offset\":1}"), "E_FIELD_TYPE",
     "/param_encodings/0/offset"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":[-1,1],\"offset\":[1,1]}"), "E_LENGTH",
     "/param_encodings/0/scale"},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[-1,1],\"offset\":[1]}"), "E_LENGTH",
     "/param_encodings/0/offset"},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,0],\"offset\":[1,0.5]}"), "E_SCALE_NONPOS",
     "/param_encodings/0/scale/1"},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,null],\"offset\":[1,0.5]}"), "E_FIELD_TYPE",
     "/param_encodings/0/scale/1"},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,1],\"offset\":[0,0.5]}"), "E_NOT_INTEGER",
     "/param_encodings/0/offset/1"},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,1],\"offset\":[0,5]}"), "E_OFFSET_SIGN",
     "/param_encodings/0/offset/1"},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,1],\"offset\":[0,-256]}"), "E_OFFSET_RANGE",
     "/param_encodings/0/offset/1"},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,1],\"offset\":[-127,-126]}"), "E_SYM_OFFSET",
     "/param_encodings/0/offset/1"},
    {V1("{" HEAD1("PER_BLOCK") "\"scale\":[0],\"offset\":[-128]}"), "E_MISSING_FIELD",
     "/param_encodings/0/block_size"},
    {V1("{" HEAD1("PER_BLOCK") "\"scale\":[0],\"offset\":[-128],\"block_size\":0}"),
     "E_FIELD_RANGE", "/param_encodings/0/block_size"},
    {V1("{" HEAD1("LPBQ") "\"scale\":[1],\"offset\":[-128],\"block_size\":4}"), "E_MISSING_FIELD",
     "/param_encodings/0/compressed_bw"},
    {V1("{" HEAD1("LPBQ") "\"scale\":[1],\"offset\":[-128],\"block_size\":4,\"compressed_bw\":8}"),
     "E_BITWIDTH_RANGE", "/param_encodings/0/compressed_bw"},
    {V1("{" HEAD1("LPBQ") "\"scale\":[1],\"offset\":[-128],\"block_size\":4,\"compressed_bw\":4,"
                          "\"per_block_int_"
                          "scale\":[16,17]}"),
     "E_FIELD_RANGE", "/param_encodings/0/per_block_int_scale/1"},
    {V1("{" HEAD1("LPBQ") "\"scale\":[1,1],\"offset\":[-128,-128],\"block_size\":4,"
                          "\"compressed_bw\":4,\"per_block_int_scale\":[[1,2,3],[4]]}"),
     "E_LENGTH", "/param_encodings/0/per_block_int_scale/1"},
    {V1("{" HEAD1("LPBQ") "\"scale\":[1,1],\"offset\":[-128,-128],\"block_size\":4,"
                          "\"compressed_bw\":4,\"per_block_int_scale\":[[1],[2],[3],[4]]}"),
     "E_LENGTH", "/param_encodings/0/per_block_int_scale"},
    {V1("{" HEAD1("PER_BLOCK") "\"scale\":[1],\"offset\":[-128],\"block_size\":[1,4]}"),
     "E_FIELD_TYPE", "/param_encodings/0/block_size"},
    {V1("{" HEAD1("LPBQ") "\"scale\":[1],\"offset\":[-127],\"block_size\":4,\"compressed_bw\":4,"
                          "\"per_block_int_scale\":[1,2]}"),
     "E_SYM_OFFSET", "/param_encodings/0/offset/0"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":[1],\"offset\":[-128]},{\"name\":\"w\"}"), "E_DUP_NAME",
     "/param_encodings/1/name"},
#define INT2                                                                                       \
    "\"name\":\"w\",\"enc_type\":\"PER_CHANNEL\",\"dtype\":\"INT\",\"bw\":2,\"is_sym\":true,"
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":0.5}"), "E_FIELD_TYPE",
     "/param_encodings/0/zero_point_shift"},
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":[0.5]}"), "E_LENGTH",
     "/param_encodings/0/zero_point_shift"},
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":[0.5,\"x\"]}"),
     "E_FIELD_TYPE", "/param_encodings/0/zero_point_shift/1"},
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":[0.5,1]}"),
     "E_FIELD_RANGE", "/param_encodings/0/zero_point_shift/1"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":[1],\"offset\":[-128],\"zero_point_shift\":[0.5]}"),
     "E_FIELD_RANGE", "/param_encodings/0/zero_point_shift/0"},
    /* 2.0 */
    {V2("{\"name\":\"a\",\"output_dtype\":\"int4\",\"y_scale\":1,\"y_zero_point\":-0.5}"),
     "E_NOT_INTEGER", "/encodings/0/y_zero_point"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int2\",\"y_scale\":1,\"y_zero_point\":-2.5}"),
     "E_OFFSET_RANGE", "/encodings/0/y_zero_point"},
    {V2("{\"output_dtype\":\"x\"}"), "E_MISSING_FIELD", "/encodings/0/name"},
    {V2("{\"name\":\"a\",\"y_scale\":0}"), "E_MISSING_FIELD", "/encodings/0/output_dtype"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"INT8\",\"y_scale\":0}"), "E_DTYPE",
     "/encodings/0/output_dtype"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[0]}"), "E_MISSING_FIELD",
     "/encodings/0/axis"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[0],\"axis\":0.5}"), "E_NOT_INTEGER",
     "/encodings/0/axis"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[[0]],\"axis\":0}"),
     "E_MISSING_FIELD", "/encodings/0/block_size"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[[0]],\"axis\":0,\"block_size\":0}"),
     "E_FIELD_RANGE", "/encodings/0/block_size"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1,\"axis\":0,\"block_size\":2}"),
     "E_CONFLICT", "/encodings/0/block_size"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\"}"), "E_MISSING_FIELD", "/encodings/0/y_scale"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":{}}"), "E_FIELD_TYPE",
     "/encodings/0/y_scale"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[],\"axis\":0}"), "E_EMPTY_LIST",
     "/encodings/0/y_scale"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[[1,2],[3]],\"axis\":0,\"block_"
        "size\":2}"),
     "E_LENGTH", "/encodings/0/y_scale/1"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[1,0],\"axis\":0,\"y_zero_point\":["
        "0.5]}"),
     "E_SCALE_NONPOS", "/encodings/0/y_scale/1"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[1,1],\"axis\":0,\"y_zero_point\":["
        "0.5]}"),
     "E_LENGTH", "/encodings/0/y_zero_point"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[1,1],\"axis\":0,\"y_zero_point\":["
        "0,0.5]}"),
     "E_NOT_INTEGER", "/encodings/0/y_zero_point/1"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1,\"y_zero_point\":128}"),
     "E_OFFSET_RANGE", "/encodings/0/y_zero_point"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"uint2\",\"y_scale\":1,\"y_zero_point\":-1}"),
     "E_OFFSET_RANGE", "/encodings/0/y_zero_point"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1,\"per_block_int_scale\":[1],"
        "\"block_size\":2}"),
     "E_CONFLICT", "/encodings/0/y_scale"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int4\",\"per_block_int_scale\":[1],\"block_size\":2}"),
     "E_MISSING_FIELD", "/encodings/0/per_channel_float_scale"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int4\",\"per_block_int_scale\":[[0]],\"per_channel_"
        "float_scale\":[[1]],"
        "\"block_size\":2}"),
     "E_FIELD_RANGE", "/encodings/0/per_block_int_scale/0/0"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1},{\"name\":\"a\"}"), "E_DUP_NAME",
     "/encodings/1/name"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[1],\"axis\":[0]}"), "E_FIELD_TYPE",
     "/encodings/0/axis"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":[1],\"axis\":0,\"block_size\":[2]}"),
     "E_FIELD_TYPE", "/encodings/0/block_size"},
    /* 2.1: scales that are quantized themselves; 2.0 has none */
    {V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":{\"x\":[1],\"x_scale\":1},\"axis\":"
        "0}"),
     "E_FIELD_TYPE", "/encodings/0/y_scale"},
    {META("\"x_scale\":1"), "E_MISSING_FIELD", "/encodings/0/y_scale/x"},
    {META("\"x\":3,\"x_scale\":1"), "E_FIELD_TYPE", "/encodings/0/y_scale/x"},
    {META("\"x\":[[3],[]],\"x_scale\":1"), "E_EMPTY_LIST", "/encodings/0/y_scale/x/1"},
    {META("\"x\":[[3]]"), "E_MISSING_FIELD", "/encodings/0/y_scale/x_scale"},
    {META("\"x\":[[3]],\"x_scale\":\"1\""), "E_FIELD_TYPE", "/encodings/0/y_scale/x_scale"},
    {META("\"x\":[[3]],\"x_scale\":[1]"), "E_MISSING_FIELD", "/encodings/0/y_scale/axis"},
    {META("\"x\":[[3]],\"x_scale\":[1],\"axis\":2"), "E_FIELD_RANGE", "/encodings/0/y_scale/axis"},
    {META("\"x\":[[3]],\"x_scale\":[1],\"axis\":-3"), "E_FIELD_RANGE", "/encodings/0/y_scale/axis"},
    {META("\"x\":[[3]],\"x_scale\":[1],\"axis\":[0,1]"), "E_FIELD_TYPE",
     "/encodings/0/y_scale/axis"},
    {META("\"x\":[[3]],\"x_scale\":[1,1],\"axis\":0"), "E_LENGTH", "/encodings/0/y_scale/x_scale"},
    {META("\"x\":[[3]],\"x_scale\":[[1]],\"axis\":0"), "E_MISSING_FIELD",
     "/encodings/0/y_scale/block_size"},
    {META("\"x\":[[3]],\"x_scale\":1,\"block_size\":1"), "E_CONFLICT",
     "/encodings/0/y_scale/block_size"},
    {META("\"x\":[[3,4,5]],\"x_scale\":[[1]],\"axis\":1,\"block_size\":2"), "E_LENGTH",
     "/encodings/0/y_scale/x_scale"},
    {META("\"x\":[[3,0]],\"x_scale\":1"), "E_SCALE_NONPOS", "/encodings/0/y_scale/x/0/1"},
    {META("\"x\":[[3,0]],\"x_scale\":-1"), "E_SCALE_NONPOS", "/encodings/0/y_scale/x_scale"},
    {META("\"x\":[[3,3]],\"x_scale\":1,\"x_zero_point\":3"), "E_SCALE_NONPOS",
     "/encodings/0/y_scale/x/0/0"},
    {META("\"x\":[[3]],\"x_scale\":1,\"x_zero_point\":[1]"), "E_FIELD_TYPE",
     "/encodings/0/y_scale/x_zero_point"},
    {META("\"x\":[[3,0.5]],\"x_scale\":1"), "E_NOT_INTEGER", "/encodings/0/y_scale/x/0/1"},
    {META("\"x\":[[3,16]],\"x_scale\":1,\"input_dtype\":\"uint4\""), "E_FIELD_RANGE",
     "/encodings/0/y_scale/x/0/1"},
    {META("\"x\":[[1e300]],\"x_scale\":1e300"), "E_NONFINITE", "/encodings/0/y_scale/x/0/0"},
    {META("\"x\":[[3]],\"x_scale\":1,\"input_dtype\":1"), "E_FIELD_TYPE",
     "/encodings/0/y_scale/input_dtype"},
};

static const row warnings[] = {
    {V0("0.6.1", "{}", "{}", ARGS), NULL, NULL},
    {V0("0.6.1", "{}", "{}", ""), "W_NO_QUANTIZER_ARGS", "/quantizer_args"},
    {V0("1.0.0", "[]", "[]", ""), "W_NO_QUANTIZER_ARGS", "/quantizer_args"},
    {V0("0.5.0", "{}", "{}", ""), NULL, NULL},
    {V0("0.6.0", "{}", "{}", ARGS), "W_VERSION_PATCH", "/version"},
    {V0("0.4.12", "{}", "{}", ""), "W_VERSION_PATCH", "/version"},
    {V0("0.0.1", "{}", "{}", ""), "W_VERSION_PATCH", "/version"},
    {"{\"activation_encodings\":{},\"param_encodings\":{}}", "W_NO_VERSION", "/version"},
    {"\xEF\xBB\xBF" V0("0.6.1", "{}", "{}", ARGS), "W_BOM", ""},
    {V0("0.5.0", "{}", "{}", ARGS), "W_UNKNOWN_FIELD", "/quantizer_args"},
    {V0("0.6.1", "{}", "{}", ARGS ",\"excluded_layers\":[]"), NULL, NULL},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"x/y\":1}"), "W_UNKNOWN_FIELD",
     "/quantizer_args/x~1y"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"is_symmetric\":true}"), NULL, NULL},
    {ENTRY(INT8 RANGE ",\"Scale\":1"), "W_UNKNOWN_FIELD", "/activation_encodings/a/0/Scale"},
    {ENTRY("\"dtype\":\"float\",\"bitwidth\":16,\"scale\":\"x\""), "W_UNKNOWN_FIELD",
     "/activation_encodings/a/0/scale"},
    {V0("0.4.0", "{\"a\":[" GOOD "]}", "{}", ""), "W_UNKNOWN_FIELD",
     "/activation_encodings/a/0/dtype"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":8,\"is_symmetric\":false," RANGE), "W_BOOL_LITERAL",
     "/activation_encodings/a/0/is_symmetric"},
    {V0("0.6.1", "{}", "{\"w\":[" GOOD "]}", ARGS), "W_PARAM_ZERO_POINT", "/param_encodings/w"},
    {V0("0.6.1", "{}", "{\"w\":[" GOOD_SYM "]}", ARGS), NULL, NULL},
    {ENTRY(INT8 "\"min\":0,\"max\":2.55e-36,\"scale\":1e-38,\"offset\":0"), "W_SCALE_PRECISION",
     "/activation_encodings/a"},
    {ENTRY(INT8 "\"min\":0,\"max\":255e-50,\"scale\":1e-50,\"offset\":0"), NULL,
     NULL}, /* out of range: no precision left to lose */
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":[0.5,0]}"), NULL, NULL},
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":[0.5,-0.5]}"),
     "W_SHIFT_SIGN", "/param_encodings/0/zero_point_shift"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":[1],\"offset\":[-128],\"zero_point_shift\":[0]}"), NULL,
     NULL},
    /* strict or not: 1.0 does not tell, and neither do 32 bits beside a scale of 24 */
    {V0("0.6.1", "{}", "{\"w\":[" STRICT_SYM "," STRICT_SYM "]}", ARGS), NULL, NULL},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,1],\"offset\":[-128,-127]}"), "W_SYM_RANGE",
     "/param_encodings/0/offset"},
    {ENTRY("\"bitwidth\":32,\"dtype\":\"int\",\"is_symmetric\":\"True\",\"min\":-2147483647,"
           "\"max\":2147483640,\"scale\":1,\"offset\":-2147483647"),
     "W_SYM_RANGE", "/activation_encodings/a"},
    {V1("{\"name\":\"f\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"FLOAT\",\"bw\":16,\"is_sym\":1}"),
     "W_UNKNOWN_FIELD", "/param_encodings/0/is_sym"},
    /* 2.1 is 2.0 and more; what it may gain is told where it stands */
    {V21("{\"name\":\"a\",\"output_dtype\":\"uint8\",\"y_scale\":1}"), NULL, NULL},
    {META("\"x\":[[3,5],[11,9],[7,16]],\"x_scale\":[0.001,0.002,0.003],\"axis\":0"), NULL, NULL},
    {META("\"x\":[[0.5,1],[2,1.5]],\"x_scale\":0.0009,\"input_dtype\":\"float8e4m3fn\""), NULL,
     NULL},
    {META("\"x\":[[3]],\"x_scale\":1,\"y\":1"), "W_UNKNOWN_FIELD", "/encodings/0/y_scale/y"},
    {META("\"x\":[[3]],\"x_scale\":1,\"input_dtype\":\"float8e8m0\""), "W_UNKNOWN_DTYPE",
     "/encodings/0/y_scale/input_dtype"},
    {V21("{\"name\":\"a\",\"output_dtype\":\"float6e2m3\",\"y_scale\":\"?\"}"), "W_UNKNOWN_DTYPE",
     "/encodings/0/output_dtype"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"uint8\",\"y_scale\":1,\"z\":0}"), "W_UNKNOWN_FIELD",
     "/encodings/0/z"},
};

/* encodings.md 2.1, 2.2, 2.6, 2.7: what is no JSON, and what a parser might let pass */
static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        const row *r = &errors[i];
        lb_enc_file *file = lb_enc_read_text("t", r->text, strlen(r->text), NULL);
        if (file->is_valid || strcmp(file->error.code, r->code) != 0 ||
            strcmp(file->error.where, r->where) != 0)
            fail_msg("%s\nexpected %s at %s, got %s at %s", r->text, r->code, r->where,
                     file->is_valid ? "valid" : file->error.code,
                     file->is_valid ? "" : file->error.where);
        assert_true(file->error.line > 0 && file->error.column > 0 && file->error.problem[0]);
        assert_int_equal(file->tensor_count, 0);
        lb_enc_free(file);
    }
}

/* encodings.md 2.3 */
static void test_warnings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof warnings / sizeof warnings[0]; i++) {
        const row *r = &warnings[i];
        lb_enc_file *file = lb_enc_read_text("t", r->text, strlen(r->text), NULL);
        if (!file->is_valid)
            fail_msg("%s\nexpected a valid file, got %s at %s", r->text, file->error.code,
                     file->error.where);
        size_t due = r->code ? 1 : 0;
        if (file->warning_count != due || (due && (strcmp(file->warnings[0].code, r->code) != 0 ||
                                                   strcmp(file->warnings[0].where, r->where) != 0)))
            fail_msg("%s\nexpected %s, got %zu warnings, the first %s at %s", r->text,
                     due ? r->code : "no warning", file->warning_count,
                     file->warning_count ? file->warnings[0].code : "-",
                     file->warning_count ? file->warnings[0].where : "-");
        lb_enc_free(file);
    }
}

/* Every value that is cut short is an error, and none is a crash. */
static void test_cut_short(void **state)
{
    static const char whole[] = V0("0.6.1", "{\"a\":[" GOOD "]}", "{\"w\":[" GOOD_SYM "]}", ARGS);
    (void)state;
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        char *copy = malloc(length + 1); /* of exactly that size, so that a byte too far is seen */
        assert_non_null(copy);
        memcpy(copy, whole, length);
        lb_enc_file *file = lb_enc_read_text("t", copy, length, NULL);
        assert_false(file->is_valid);
        assert_string_equal(file->error.code, "E_JSON_SYNTAX");
        lb_enc_free(file);
        free(copy);
    }
}

static void test_nesting(void **state)
{
    (void)state;
    for (size_t depth = 999; depth <= 1001; depth++) {
        char *text = malloc(2 * depth + 1);
        assert_non_null(text);
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        lb_enc_file *file = lb_enc_read_text("t", text, 2 * depth, NULL);
        assert_string_equal(file->error.code, depth > 1000 ? "E_JSON_SYNTAX" : "E_ROOT_TYPE");
        lb_enc_free(file);
        free(text);
    }
}

static void test_places(void **state)
{
    static const char text[] =
        "{\r\n \"version\" : \"0.6.1\",\n \"activation_encodings\": {\"\xC3\xA4\": [{" INT8
        "\"min\":-1,\n\"max\":2.984375,\"scale\": -0.5,\"offset\":-64}]},\n\"param_encodings\":{}}";
    (void)state;
    lb_enc_file *file = lb_enc_read_text("t", text, sizeof text - 1, NULL);
    assert_string_equal(file->error.code, "E_SCALE_NONPOS");
    assert_string_equal(file->error.where, "/activation_encodings/\xC3\xA4/0/scale");
    assert_int_equal(file->error.line, 4);
    assert_int_equal(file->error.column, 25);
    assert_int_equal(file->error.offset, strstr(text, "-0.5") - text);
    lb_enc_free(file);
}

/* Numbers longer than the parser's buffer are numbers all the same. */
static void test_long_numbers(void **state)
{
    char text[2000], zeros[301];
    (void)state;
    memset(zeros, '0', 300);
    zeros[300] = '\0';
    snprintf(text, sizeof text,
             V06("{\"a\":[{" INT8
                 "\"min\":-1.%s,\"max\":2.984375%s,\"scale\":0.015625%s1,\"offset\":-64.%s}]}"),
             zeros, zeros, zeros, zeros);
    lb_enc_file *file = lb_enc_read_text("t", text, strlen(text), NULL);
    assert_true(file->is_valid);
    assert_true(file->tensors[0].grids[0].scale == 0.015625);
    assert_int_equal(file->tensors[0].grids[0].offset, -64);
    lb_enc_free(file);
    snprintf(text, sizeof text, V06("{\"a\":[{" INT8 "\"min\":-1%s%s,\"max\":1}]}"), zeros, zeros);
    file = lb_enc_read_text("t", text, strlen(text), NULL);
    assert_string_equal(file->error.code, "E_NONFINITE");
    lb_enc_free(file);
}

/* encodings.md 2.5 */
static void test_tf_offsets(void **state)
{
    static const char cut[] =
        V06("{\"a\":[{" INT8 "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":63}]}");
    static const char far[] =
        V06("{\"a\":[{" INT8 "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":62}]}");
    lb_enc_options options = {.recompute_tf_offsets = true};
    (void)state;
    lb_enc_file *file = lb_enc_read_text("t", cut, sizeof cut - 1, &options);
    assert_true(file->is_valid);
    assert_int_equal(file->tensors[0].grids[0].offset, -64);
    assert_string_equal(file->warnings[0].code, "W_OFFSET_RECOMPUTED");
    lb_enc_free(file);
    file = lb_enc_read_text("t", cut, sizeof cut - 1, NULL);
    assert_string_equal(file->error.code, "E_OFFSET_SIGN");
    lb_enc_free(file);
    file = lb_enc_read_text("t", far, sizeof far - 1, &options);
    assert_string_equal(file->error.code, "E_OFFSET_MISMATCH");
    lb_enc_free(file);
}

/* encodings.md 2.4, the last two points */
static void test_bare(void **state)
{
    static const char text[] = "{\"w\":[" GOOD_SYM "," GOOD_SYM "]}";
    lb_enc_options options = {.bare_parameters = true};
    (void)state;
    lb_enc_file *file = lb_enc_read_text("t", text, sizeof text - 1, &options);
    assert_true(file->is_valid);
    assert_int_equal(file->tensor_count, 1);
    assert_string_equal(file->tensors[0].section, "param_encodings");
    assert_string_equal(file->tensors[0].where, "/w");
    assert_int_equal(file->tensors[0].scale_count, 2);
    lb_enc_free(file);
}

static void test_unreadable(void **state)
{
    (void)state;
    lb_enc_file *file = lb_enc_read("/", NULL);
    assert_string_equal(file->error.code, "E_UNREADABLE");
    lb_enc_free(file);
    file = lb_enc_read("/dev/null", NULL);
    assert_string_equal(file->error.code, "E_UNREADABLE");
    lb_enc_free(file);
    file = lb_enc_read("/no/such/file", NULL);
    assert_string_equal(file->error.code, "E_UNREADABLE");
    lb_enc_free(file);
}

/* ---- The recorded files ---- */

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static bool same_warnings(const cJSON *a, const cJSON *b)
{
    if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b))
        return false;
    for (const cJSON *x = a->child; x; x = x->next) {
        int in_a = 0, in_b = 0;
        for (const cJSON *y = a->child; y; y = y->next)
            in_a += cJSON_Compare(x, y, true);
        for (const cJSON *y = b->child; y; y = y->next)
            in_b += cJSON_Compare(x, y, true);
        if (in_a != in_b)
            return false;
    }
    return true;
}

/* When the files were recorded, 2.1.0 was not read: a file of older sections that calls itself so
 * fails another check now. */
static bool is_of_new_version(const lb_enc_file *file, const cJSON *record)
{
    return strcmp(cJSON_GetObjectItem(record, "file")->valuestring, "bad_version_v210.encodings") ==
               0 &&
           !file->is_valid && strcmp(file->error.code, "E_MISSING_FIELD") == 0 &&
           strcmp(file->error.where, "/encodings") == 0;
}

static void hold_to(const char *path, const cJSON *record, const lb_enc_options *options)
{
    lb_enc_axes none = {0};
    lb_doc doc = lb_doc_make();
    lb_enc_file *file = lb_enc_read(path, options);
    lb_enc_show_json(&doc, file, &none);
    lb_doc_char(&doc, '\0');
    cJSON *shown = cJSON_Parse(doc.text);
    assert_non_null(shown);
    bool valid = cJSON_IsTrue(cJSON_GetObjectItem(record, "valid"));
    bool good = valid == file->is_valid;
    if (good && !valid && !is_of_new_version(file, record))
        good = strcmp(file->error.code, cJSON_GetObjectItem(record, "error")->valuestring) == 0 &&
               strcmp(file->error.where, cJSON_GetObjectItem(record, "where")->valuestring) == 0;
    if (good && valid)
        good = cJSON_Compare(cJSON_GetObjectItem(record, "version"),
                             cJSON_GetObjectItem(shown, "version"), true) &&
               same_warnings(cJSON_GetObjectItem(record, "warnings"),
                             cJSON_GetObjectItem(shown, "warnings")) &&
               cJSON_Compare(cJSON_GetObjectItem(record, "tensors"),
                             cJSON_GetObjectItem(shown, "tensors"), true);
    if (!good)
        fail_msg("%s: %s", path, doc.text);
    cJSON_Delete(shown);
    lb_doc_free(&doc);
    lb_enc_free(file);
}

static void test_recorded(void **state)
{
    char path[1024];
    unsigned held = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/vectors/recorded/encodings/index.json", LASTBIT_SOURCE_DIR);
    char *text = read_whole(path);
    assert_non_null(text);
    cJSON *index = cJSON_Parse(text);
    assert_non_null(index);
    for (const cJSON *r = cJSON_GetObjectItem(index, "files")->child; r; r = r->next, held++) {
        const cJSON *other = cJSON_GetObjectItem(r, "with_option_tf_offsets_recompute");
        lb_enc_options options = {.recompute_tf_offsets = true};
        snprintf(path, sizeof path, "%s/vectors/recorded/encodings/%s", LASTBIT_SOURCE_DIR,
                 cJSON_GetObjectItem(r, "file")->valuestring);
        hold_to(path, r, NULL);
        if (other)
            hold_to(path, other, &options);
    }
    print_message("%u recorded files\n", held);
    assert_int_equal(held, 123);
    cJSON_Delete(index);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_cut_short),  cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_long_numbers),
        cmocka_unit_test(test_tf_offsets), cmocka_unit_test(test_bare),
        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
