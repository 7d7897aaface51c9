/* Broken suites for the tests of the loader, and where and how each must be refused.
 * In the texts '@' marks the place that the message must name (it is taken out before the file is
 * written; none: no place is named). To keep JSON texts readable, a single quote stands for a
 * double quote there, and a backquote for a single quote. */
#ifndef LB_HARNESS_SUITE_TESTS_INVALID_SUITES_H
#define LB_HARNESS_SUITE_TESTS_INVALID_SUITES_H

typedef struct sad_row {
    const char *ending;
    const char *text;
    const char *case_id, *key; /* as the message has them */
    const char *problem;       /* a piece of it */
    const char *remedy;        /* likewise; "" if there is none to look for */
} sad_row;

#define HEAD        "'format':'lastbit/cases-1','suite':'s'"
#define SUITE(list) "{" HEAD ",'cases':[\n" list "\n]}"
#define ALL         "'profiles':['up-full','up-reduced','convergent-full','convergent-reduced']"

/* A relu case of two elements, with holes for what is wrong. */
#define IN             "{'type':'fx8','shape':[2],'frac_bits':4,'data':[1,2]}"
#define OUT            "{'type':'fx8','shape':[2],'frac_bits':4}"
#define RELU(rest)     SUITE("{'id':'a','function':'mli_krn_relu_fx8'," rest "}")
#define GEN            "'config':{'type':'gen'}"
#define INPUT(tensor)  RELU(GEN ",'inputs':{'in':" tensor "},'outputs':{'out':" OUT "}")
#define CONFIG(config) RELU("'config':" config ",'inputs':{'in':" IN "},'outputs':{'out':" OUT "}")
#define MORE(more)     RELU(GEN ",'inputs':{'in':" IN "},'outputs':{'out':" OUT "}," more)
#define EXPECT(expect) MORE("'expect':[" expect "]")
#define CHANGED(fields)                                                                            \
    EXPECT("{" ALL ",'status':'ok','changed':{'out':{" fields "}},'outputs':{'out':[1,2]}}")
#define DATA(data) INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'data':" data "}")
#define QUANT(quant)                                                                               \
    SUITE("{'id':'a','function':'mli_krn_relu_sa8'," GEN                                           \
          ",'inputs':{'in':{'type':'sa8','shape':[2],'data':[1,2]," quant                          \
          "}},'outputs':{'out':{'type':'sa8','shape':[2],'scale':1,'scale_frac_bits':0,'zero_"     \
          "point':0,"                                                                              \
          "'axis':-1}}}")
#define REAL(data)                                                                                 \
    SUITE("{'id':'a','function':'mli_hlp_convert_tensor','inputs':{'in':{'type':'fp32','shape':["  \
          "1],'data':" data "}},'outputs':{'out':{'type':'fx8','shape':[1],'frac_bits':0}}}")
#define DENSE(number, lists)                                                                       \
    SUITE("{'id':'a','function':'mli_krn_rnn_dense_fx16','config':{'inputs_num':" number           \
          "},'inputs':{" lists ",'bias':{'type':'fx16','shape':[1],'frac_bits':0}},'outputs':{'"   \
          "out':{'type':'fx16','shape':[1],"                                                       \
          "'frac_bits':0}}}")
#define ONE16 "{'type':'fx16','shape':[1],'frac_bits':0}"
#define SEQUENCE(steps, expect)                                                                    \
    SUITE(                                                                                         \
        "{'id':'a','function':'mli_mov_sequence','config':{'offset':[0,0,0,0],'size':[0,0,0,0],"   \
        "'sub_sample_step':[1,1,1,1],'dst_offset':[0,0,0,0],'dst_mem_stride':[0,0,0,0],'perm_dim'" \
        ":[0,1,2,3],"                                                                              \
        "'padding_pre':[0,0,0,0],'padding_post':[0,0,0,0]},'handles':{'h':{'dma_ch':0,'num_ch':0," \
        "'state':'invalid'}},'inputs':{'in':" IN "},'outputs':{'out':" OUT "},'steps':[" steps     \
        "],'expect':[{" ALL ",'status':'ok','steps':[" expect "]}]}")
#define IS_DONE "{'call':'mli_mov_isdone','handle':'h'}"

/* A chain over a ReLU: `in` has two elements, and so has `out`. */
#define CHAIN(chain, checkpoints)                                                                  \
    MORE("'chain':" chain ",'expect':[{" ALL                                                       \
         ",'status':'ok','outputs':{'out':[1,2]},'checkpoints':" checkpoints "}]")

#define LINES(lines) "{" HEAD "}\n" lines
#define LINE(id)                                                                                   \
    "{'id':'" id "','function':'mli_krn_relu_fx8'," GEN ",'inputs':{'in':" IN                      \
    "},'outputs':{'out':" OUT "}}\n"

#define YAML_HEAD "format: lastbit/cases-1\nsuite: s\ncases:\n"
#define YAML_CASE(data)                                                                            \
    YAML_HEAD "- id: a\n  function: mli_krn_relu_fx8\n  config: {type: gen}\n"                     \
              "  inputs:\n    in: {type: fx8, shape: [2], frac_bits: 4, data: " data "}\n"         \
              "  outputs:\n    out: {type: fx8, shape: [2], frac_bits: 4}\n"

static const sad_row json_syntax[] = {
    {".json", "", "", "", "the file is empty", "lastbit/cases-1"},
    {".json", "  \n @", "", "", "expected a value, found the end of the text", "cut short"},
    {".json", "@[1]", "", "", "the file is not an object", "'format'"},
    {".json", "{'format':@01}", "", "", "leading zero", "without"},
    {".json", "{'format':@1.}", "", "", "ends with its point", "1.0"},
    {".json", "{'format':@1.x}", "", "", "ends with its point", ""},
    {".json", "{'format':@+1}", "", "", "plus sign", "without +"},
    {".json", "{'format':@.5}", "", "", "without a digit before the point", "0.5"},
    {".json", "{'format':@-.5}", "", "", "without a digit before the point", "0.5"},
    {".json", "{'format':@1e}", "", "", "exponent without digits", "1e5"},
    {".json", "{'format':@0x10}", "", "", "hexadecimal", "decimal"},
    {".json", "{'format':@12a}", "", "", "a number that goes on with `a`", ""},
    {".json", "{'format':@NaN}", "", "", "NaN is no JSON value", "'nan'"},
    {".json", "{'format':@-Infinity}", "", "", "no such number", "'-inf'"},
    {".json", "{'format':@True}", "", "", "True is no JSON value", "write true"},
    {".json", "{'format':@`x`}", "", "", "a single quote", "'double quotes'"},
    {".json", "{'format':@truE}", "", "", "without quotes", "double quotes"},
    {".json", "{'format':@lastbit}", "", "", "'lastbit' without quotes", ""},
    {".json", "{'format':@1234567890123456789012345678901234567890123456789012345678901234}", "",
     "", "a number of 64 characters; at most 63", ""},
    {".json", "{@// no\n}", "", "", "a comment", "note"},
    {".json", "{'format':1 @# no\n}", "", "", "a comment", "YAML"},
    {".json", "{'format':1@,}", "", "", "a comma behind the last entry of an object",
     "leave it out"},
    {".json", "{'format':[1@, ]}", "", "", "a comma behind the last entry of a list",
     "leave it out"},
    {".json", "{'format':[1 @2]}", "", "", "expected `,` or `]`", "comma"},
    {".json", "{'format':1 @'suite':2}", "", "", "expected `,` or `}`", "comma"},
    {".json", "{'format' @1}", "", "", "no `:` behind a key", ""},
    {".json", "{@format:1}", "", "", "a key without quotes", "double quotes"},
    {".json", "{'format':1,@,'suite':1}", "", "", "expected a key, found `,`", ""},
    {".json", "{'format':@]}", "", "", "expected a value, found `]`", ""},
    {".json", "{'format':@'abc", "", "", "a string that does not end", "cut short"},
    {".json", "{'format':'abc@\ndef'}", "", "", "a line break in a string", "\\n"},
    {".json", "{'format':'a@\tb'}", "", "", "control character 0x09 in a string", ""},
    {".json", "{'format':'a@\\xb'}", "", "", "an unknown escape", "\\uXXXX"},
    {".json", "{'format':'@\\u12g4'}", "", "", "a broken \\u escape", "four"},
    {".json", "{'format':'@\\uD800'}", "", "", "\\uD800 is the first half", "pair"},
    {".json", "{'format':'@\\uD800\\u0041'}", "", "", "\\uD800 is the first half", "pair"},
    {".json", "{'format':'@\\uDC00'}", "", "", "\\uDC00 is the second half", "pair"},
    {".json", "{'format':'@\\u0000'}", "", "", "\\u0000 in a string", "leave"},
    {".json", "{'format':'@\xFF'}", "", "", "byte 0xFF is not UTF-8", "UTF-8"},
    {".json", "{'format':'\xC3\xA9@\xC0\xAF'}", "", "", "byte 0xC0 is not UTF-8", ""},
    {".json", "{'format':'@\xED\xA0\x80'}", "", "", "byte 0xED is not UTF-8", ""},
    {".json", "{'format':'@\xF4\x90\x80\x80'}", "", "", "byte 0xF4 is not UTF-8", ""},
    {".json", "{'format':'@\xE2\x82'}", "", "", "byte 0xE2 is not UTF-8", ""},
    {".json", "@\xEF\xBB\xBF{}", "", "", "a byte order mark", "without BOM"},
    {".json", "{'format':@\xC2\xA0 1}", "", "", "U+00A0 outside a string", ""},
    {".json", "{'format':@\x0B 1}", "", "", "control character U+000B", ""},
    {".json", "{" HEAD ",'cases':[]} @{}", "", "", "text behind the end", ".jsonl"},
    {".json", "@{" HEAD ",'cases':[]", "", "", "an object that does not end", "cut short"},
    {".json", "{" HEAD ",'cases':@[{'id':'a'},", "", "", "a list that does not end", "cut short"},
    {".json", "{" HEAD ",'cases'@", "", "", "the text ends behind a key", ""},
};

static const sad_row header[] = {
    {".json", "{" HEAD ",'cases':[],@'sute':1}", "", "sute", "unknown key", "did you mean suite?"},
    {".json", "{'suite':'s','cases':[]}", "", "format", "the key is missing", "lastbit/cases-1"},
    {".json", "{'cases':[],'suite':'s','format':@'lastbit/cases-2'}", "", "format",
     "'lastbit/cases-2' is not known", "lastbit/cases-1"},
    {".json", "{'format':@1,'suite':'s','cases':[]}", "", "format",
     "expected text, found the number 1", "quotes"},
    {".json", "{'format':'lastbit/cases-1','cases':[]}", "", "suite", "the key is missing", ""},
    {".json", "{" HEAD "}", "", "cases", "the key is missing", ""},
    {".json", "{" HEAD ",'cases':@{}}", "", "cases", "expected the list of cases, found an object",
     ""},
    {".json", "{" HEAD ",'cases':@7}", "", "cases",
     "expected the list of cases, found the number 7", ""},
    {".json", "{" HEAD ",'cases':[],\n@'suite':'t'}", "", "suite", "a second time", "once"},
    {".json", "{" HEAD ",'cases':[],@'cases':[]}", "", "cases", "a second time", "once"},
    {".json", "{'format':'lastbit/cases-1','suite':@'','cases':[]}", "", "suite",
     "a text of 0 bytes", "1 to 150"},
    {".json", "{'format':'lastbit/cases-1','suite':@'a\\u0007','cases':[]}", "", "suite",
     "a control character", ""},
    {".json", "{'format':'lastbit/cases-1','s\\u0075ite':@3,'cases':[]}", "", "suite",
     "expected text", ""},
    {".json", "{" HEAD ",'note':@3,'cases':[]}", "", "note", "expected text", ""},
};

static const sad_row cases[] = {
    {".json", SUITE("@3"), "", "", "expected an object, found the number 3", ""},
    {".json",
     SUITE("@{'function':'mli_krn_relu_fx8'," GEN ",'inputs':{'in':" IN "},'outputs':{'out':" OUT
           "}}"),
     "", "id", "the key is missing", ""},
    {".json", SUITE("@{'id':'a'," GEN ",'inputs':{'in':" IN "},'outputs':{'out':" OUT "}}"), "a",
     "function", "the key is missing", ""},
    {".json",
     SUITE("{'id':@12,'function':'mli_krn_relu_fx8'," GEN ",'inputs':{'in':" IN
           "},'outputs':{'out':" OUT "}}"),
     "", "id", "expected text, found the number 12", "quotes"},
    {".json",
     SUITE("{'id':@'','function':'mli_krn_relu_fx8'," GEN ",'inputs':{'in':" IN
           "},'outputs':{'out':" OUT "}}"),
     "", "id", "a text of 0 bytes", "1 to 150 bytes"},
    {".json",
     SUITE("{'id':@'a\\u202Eb','function':'mli_krn_relu_fx8'," GEN ",'inputs':{'in':" IN
           "},'outputs':{'out':" OUT "}}"),
     "a\xE2\x80\xAE"
     "b",
     "id", "a control character", "printable"},
    {".json", SUITE("{'id':'a','function':@'mli_krn_relu_fx9'}"), "a", "function",
     "unknown function 'mli_krn_relu_fx9'", "did you mean mli_krn_relu_fx"},
    {".json", SUITE("{'id':'a','function':@'relu'}"), "a", "function", "unknown function 'relu'",
     "port functions"},
    {".json", SUITE("{'id':'a','function':@null}"), "a", "function", "expected text, found null",
     ""},
    {".json", MORE("@'expct':[]"), "a", "expct", "unknown key", "did you mean expect?"},
    {".json", MORE("@'id':'b'"), "b", "id", "a second time", "once"},
    {".json", MORE("'tags':[@1]"), "a", "tags[0]", "expected text, found the number 1", ""},
    {".json", MORE("'tags':@'x'"), "a", "tags", "expected a list, found the text 'x'", ""},
    {".json", MORE("'note':@[]"), "a", "note", "expected text, found a list", ""},
    {".json", MORE("'null':[@'inn']"), "a", "null[0]", "not a role of mli_krn_relu_fx8", "cfg"},
    {".json", MORE("'null':['in',@'in']"), "a", "null[1]", "a second time", ""},
    {".json",
     SUITE("{'id':'a','function':'mli_krn_tanh_fx8','inputs':{'in':" IN "},'outputs':{'out':" OUT
           "},'null':[@'cfg']}"),
     "a", "null[0]", "takes no configuration struct", ""},
    {".json", MORE("@'handles':{}"), "a", "handles", "only mli_mov_sequence has", "leave it out"},
    {".json", CONFIG("@3"), "a", "config", "expected an object, found the number 3", ""},
    {".json", CONFIG("@{}"), "a", "config.type", "the key is missing", ""},
    {".json", CONFIG("{@'typ':'gen','type':0}"), "a", "config.typ",
     "not a field of the configuration", "did you mean type?"},
    {".json", CONFIG("{'type':'gen',@'type':0}"), "a", "config.type", "a second time", ""},
    {".json", CONFIG("{'type':@'relu7'}"), "a", "config.type", "unknown name 'relu7'",
     "did you mean relu"},
    {".json", CONFIG("{'type':@'sigm'}"), "a", "config.type", "unknown name 'sigm'",
     "one of none, gen, relu1, relu6"},
    {".json", CONFIG("{'type':@1.5}"), "a", "config.type", "expected a whole number, found 1.5",
     ""},
    {".json", CONFIG("{'type':@4294967296}"), "a", "config.type", "4294967296 is out of range",
     "-2147483648..2147483647"},
    {".json",
     SUITE("@{'id':'a','function':'mli_krn_relu_fx8','inputs':{'in':" IN "},'outputs':{'out':" OUT
           "}}"),
     "a", "config", "the key is missing", "cfg"},
    {".json",
     SUITE("{'id':'a','function':'mli_krn_tanh_fx8','config':{@'axis':0},'inputs':{'in':" IN
           "},'outputs':{'out':" OUT "}}"),
     "a", "config.axis", "mli_krn_tanh_fx8 takes no configuration", ""},
    {".json",
     SUITE("{'id':'a','function':'mli_krn_permute_fx8','config':{'perm_dim':@[0,1,2,3,4]},'inputs':"
           "{'in':" IN "},'outputs':{'out':" OUT "}}"),
     "a", "config.perm_dim", "a list of 5 entries", "1 to 4"},
    {".json",
     SUITE("{'id':'a','function':'mli_krn_permute_fx8','config':{'perm_dim':[0,@256]},'inputs':{'"
           "in':" IN "},'outputs':{'out':" OUT "}}"),
     "a", "config.perm_dim[1]", "256 is out of range", "0..255"},
    {".json", RELU(GEN ",'inputs':{@'weights':" IN ",'in':" IN "},'outputs':{'out':" OUT "}"), "a",
     "inputs.weights", "not a role of mli_krn_relu_fx8", "one of in, out"},
    {".json", RELU(GEN ",'inputs':@{},'outputs':{'out':" OUT "}"), "a", "inputs.in",
     "the role is missing", "null"},
    {".json", SUITE("@{'id':'a','function':'mli_krn_relu_fx8'," GEN ",'inputs':{'in':" IN "}}"),
     "a", "outputs.out", "the role is missing", "null"},
    {".json", RELU(GEN ",'inputs':{'in':" IN ",@'out':" OUT "},'outputs':{'out':" OUT "}"), "a",
     "inputs.out", "'out' is an output", "outputs"},
    {".json", RELU(GEN ",'inputs':{'in':" IN ",@'in':" IN "},'outputs':{'out':" OUT "}"), "a",
     "inputs.in", "a second time", ""},
    {".json", RELU(GEN ",'inputs':@[],'outputs':{'out':" OUT "}"), "a", "inputs",
     "expected an object, found a list", ""},
    {".json", DENSE("1", "'in':@" ONE16 ",'weights':[" ONE16 "]"), "a", "inputs.in",
     "expected a list, found an object", ""},
    {".json", DENSE("1", "'in':@[],'weights':[" ONE16 "]"), "a", "inputs.in", "a list of 0 entries",
     "1 to 8"},
    {".json", DENSE("@2", "'in':[" ONE16 "," ONE16 "],'weights':[" ONE16 "]"), "a",
     "config.inputs_num", "2, and 'weights' has 1 tensor", ""},
    {".json", INPUT("@[]"), "a", "inputs.in", "expected an object, found a list", ""},
};

static const sad_row tensors[] = {
    {".json", INPUT("{@'typ':1,'type':'fx8','shape':[2],'frac_bits':4}"), "a", "inputs.in.typ",
     "unknown key", "did you mean type?"},
    {".json", INPUT("{'type':@'fx4','shape':[2],'frac_bits':4}"), "a", "inputs.in.type",
     "unknown name 'fx4'", "fx8"},
    {".json", INPUT("@{'shape':[2],'frac_bits':4}"), "a", "inputs.in.type", "the key is missing",
     ""},
    {".json", INPUT("@{'type':'fx8','frac_bits':4}"), "a", "inputs.in.shape", "the key is missing",
     ""},
    {".json", INPUT("{'type':'fx8','shape':@[1,1,1,1,1],'frac_bits':4}"), "a", "inputs.in.shape",
     "a list of 5 entries", "0 to 4"},
    {".json", INPUT("{'type':'fx8','shape':[2,@-1],'frac_bits':4}"), "a", "inputs.in.shape[1]",
     "-1 is out of range", "0..4294967295"},
    {".json", INPUT("{'type':'fx8','shape':[@4294967296],'frac_bits':4}"), "a",
     "inputs.in.shape[0]", "4294967296 is out of range", ""},
    {".json", INPUT("{'type':'fx8','shape':@[20000,20000],'frac_bits':4}"), "a", "inputs.in.shape",
     "the buffer is too large", "134217728"},
    {".json", INPUT("{'type':'fx8','shape':[2],'mem_stride':@[2,1],'frac_bits':4}"), "a",
     "inputs.in.mem_stride", "2 strides for 1 dimensions", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'mem_stride':[@2147483648],'frac_bits':4}"), "a",
     "inputs.in.mem_stride[0]", "out of range", ""},
    {".json", INPUT("@{'type':'fx8','shape':[2]}"), "a", "inputs.in.frac_bits",
     "the key is missing", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':@128}"), "a", "inputs.in.frac_bits",
     "128 is out of range", "-128..127"},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,@'scale':1}"), "a", "inputs.in.scale",
     "belongs to sa types", "leave it out"},
    {".json", QUANT("'scale':1,'scale_frac_bits':0,'zero_point':0,'axis':-1,@'frac_bits':1"), "a",
     "inputs.in.frac_bits", "belongs to fx types", ""},
    {".json", REAL("[1],@'frac_bits':1"), "a", "inputs.in.frac_bits", "belongs to fx types", ""},
    {".json", QUANT("'scale':1,'scale_frac_bits':0,'zero_point':@0.5,'axis':-1"), "a",
     "inputs.in.zero_point", "expected a whole number, found 0.5", ""},
    {".json", QUANT("'scale':@32768,'scale_frac_bits':0,'zero_point':0,'axis':-1"), "a",
     "inputs.in.scale", "32768 is out of range", "-32768..32767"},
    {".json", QUANT("'scale':@1,'scale_frac_bits':[0],'zero_point':[0],'axis':0"), "a",
     "inputs.in.scale", "the number 1 beside axis >= 0", "lists"},
    {".json", QUANT("'scale':@[1],'scale_frac_bits':0,'zero_point':0,'axis':-1"), "a",
     "inputs.in.scale", "a list beside axis -1", "numbers"},
    {".json", QUANT("'scale':[1,2],'scale_frac_bits':@[0],'zero_point':[0,0],'axis':0"), "a",
     "inputs.in.scale_frac_bits", "1 entries, and scale has 2", ""},
    {".json", QUANT("'scale':1,'scale_frac_bits':0,'zero_point':0,'axis':@-2"), "a",
     "inputs.in.axis", "-2 is out of range", ""},
    {".json", QUANT("'quant_in':null,@'scale':1"), "a", "inputs.in.scale", "stands beside quant_in",
     ""},
    {".json", QUANT("'quant_in':@{'tensor':'out','entry':1}"), "a", "inputs.in.quant_in",
     "entry 1 of 1", ""},
    {".json", QUANT("'quant_in':@{'tensor':'in','entry':0}"), "a", "inputs.in.quant_in",
     "no quantization parameters of its own", ""},
    {".json",
     QUANT("'scale':1,'scale_frac_bits':0,'zero_point':0,'axis':-1,'quant_capacity':{@'scales':1}"),
     "a", "inputs.in.quant_capacity.scales", "unknown key", "scale"},
    {".json",
     INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'data_in':{'tensor':@'inn','element':0}}"), "a",
     "inputs.in.data_in.tensor", "no tensor is called the text 'inn'", ""},
    {".json",
     INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'data_in':@{'tensor':'bias','element':0}}"),
     "a", "inputs.in.data_in", "the case has no such tensor", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'data_in':@{'tensor':'out'}}"), "a",
     "inputs.in.data_in.element", "the key is missing", ""},
    {".json",
     INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'data_in':@{'tensor':'out','element':2}}"), "a",
     "inputs.in.data_in", "element 2 of a buffer of 2", ""},
    {".json",
     INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'data_in':@{'tensor':'in','element':0}}"), "a",
     "inputs.in.data_in", "no buffer of its own", ""},
    {".json",
     INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'data_in':{'tensor':'out','element':0},@'"
           "buffer_elements':2}"),
     "a", "inputs.in.buffer_elements", "stands beside data_in", ""},
    {".json", INPUT("{'type':'fx8','shape':[],'frac_bits':4,@'buffer_elements':1}"), "a",
     "inputs.in.buffer_elements", "rank 0 has no buffer", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'buffer_elements':@0}"), "a",
     "inputs.in.buffer_elements", "0 is out of range", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'null_data':@1}"), "a",
     "inputs.in.null_data", "expected true or false, found the number 1", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'capacity':@-1}"), "a",
     "inputs.in.capacity", "-1 is out of range", "bytes"},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'el_type':@'fx4'}"), "a",
     "inputs.in.el_type", "expected a whole number, found the text 'fx4'", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'rank':@true}"), "a", "inputs.in.rank",
     "expected a whole number, found true", ""},
};

static const sad_row data[] = {
    {".json", DATA("@[1]"), "a", "inputs.in.data", "1 number where the shape asks for 2", ""},
    {".json", DATA("@[1,2,3]"), "a", "inputs.in.data", "3 numbers where the shape asks for 2", ""},
    {".json", DATA("[1,@128]"), "a", "inputs.in.data[1]", "128 is out of range",
     "fx8 containers: -128..127"},
    {".json", DATA("[@1.5,1]"), "a", "inputs.in.data[0]", "expected a whole number, found 1.5", ""},
    {".json", DATA("[@'1',1]"), "a", "inputs.in.data[0]",
     "expected a whole number, found the text '1'", ""},
    {".json", DATA("[@null,1]"), "a", "inputs.in.data[0]", "expected a whole number, found null",
     ""},
    {".json", DATA("@'x'"), "a", "inputs.in.data", "expected a list, found the text 'x'", ""},
    {".json", INPUT("{'type':'fx8','shape':[0],'frac_bits':4,'data':@[1]}"), "a", "inputs.in.data",
     "1 number where the shape asks for 0", ""},
    {".json", INPUT("{'type':'fx8','shape':[2],'frac_bits':4,'buffer_elements':3,'data':@[1,2]}"),
     "a", "inputs.in.data", "2 numbers where buffer_elements asks for 3", ""},
    {".json", INPUT("{'type':'fx8','shape':[],'frac_bits':4,'data':@[]}"), "a", "inputs.in.data",
     "0 numbers where the shape asks for 1", ""},
    {".json", REAL("[@1e39]"), "a", "inputs.in.data[0]", "beyond the largest fp32 number", "inf"},
    {".json", REAL("[@1e999]"), "a", "inputs.in.data[0]", "beyond the largest fp32 number", "inf"},
    {".json", REAL("[@'NaN']"), "a", "inputs.in.data[0]", "the text 'NaN' is no fp32 number",
     "nan"},
    {".json", REAL("[@'0x7fc0000']"), "a", "inputs.in.data[0]", "is no fp32 number", "0x7fc00000"},
    {".json", REAL("[@true]"), "a", "inputs.in.data[0]", "expected a number, found true", ""},
    {".json", DATA("@{}"), "a", "inputs.in.data.generator", "the key is missing", ""},
    {".json", DATA("{'generator':@'unifrom'}"), "a", "inputs.in.data.generator", "unknown name",
     "did you mean uniform?"},
    {".json", DATA("@{'generator':'uniform'}"), "a", "inputs.in.data.seed",
     "the generator 'uniform' needs it", ""},
    {".json", DATA("{'generator':'constant','value':1,@'seed':1}"), "a", "inputs.in.data.seed",
     "the generator 'constant' has no 'seed'", ""},
    {".json", DATA("{'generator':'uniform','seed':@-1}"), "a", "inputs.in.data.seed",
     "-1 is out of range", "0..9007199254740991"},
    {".json", DATA("{'generator':'uniform','seed':1,'low':@5,'high':4}"), "a", "inputs.in.data.low",
     "low is above high", ""},
    {".json", DATA("{'generator':'uniform','seed':1,'high':@128}"), "a", "inputs.in.data.high",
     "128 is out of range", ""},
    {".json", DATA("@{'generator':'unique','seed':1,'low':3,'high':3}"), "a", "inputs.in.data",
     "2 elements cannot all differ in 3..3: 1 codes", ""},
    {".json", DATA("{'generator':'choice','seed':1,'values':@[]}"), "a", "inputs.in.data.values",
     "a list of 0 entries", ""},
    {".json", DATA("{'generator':'one_hot','index':@2}"), "a", "inputs.in.data.index",
     "2 is out of range", "0..1"},
    {".json", DATA("{'generator':'ramp','start':@9,'low':0,'high':8}"), "a", "inputs.in.data.start",
     "9 is out of range", "0..8"},
    {".json", REAL("{'generator':'ramp',@'low':1}"), "a", "inputs.in.data.low", "does not wrap",
     ""},
    {".json", REAL("@{'generator':'unique','seed':1}"), "a", "inputs.in.data",
     "no meaning for fp32", "uniform"},
    {".json", REAL("{'generator':'uniform','seed':1,'low':@'nan'}"), "a", "inputs.in.data.low",
     "expected a number", ""},
};

static const sad_row expectations[] = {
    {".json", MORE("'expect':@{}"), "a", "expect", "expected a list, found an object", ""},
    {".json", MORE("'expect':@[]"), "a", "expect", "a list of 0 entries", "exact model"},
    {".json", EXPECT("@{'status':'bad_tensor'}"), "a", "expect[0].profiles", "the key is missing",
     ""},
    {".json", EXPECT("{'profiles':[@'up'],'status':'bad_tensor'}"), "a", "expect[0].profiles[0]",
     "unknown profile 'up'", "up-full, up-reduced, convergent-full, convergent-reduced"},
    {".json", EXPECT("{'profiles':['up-full',@'up-full'],'status':'bad_tensor'}"), "a",
     "expect[0].profiles[1]", "a second time", ""},
    {".json",
     EXPECT("{'profiles':['up-full'],'status':'bad_tensor'},{'profiles':[@'up-full'],'status':'bad_"
            "tensor'}"),
     "a", "expect[1].profiles[0]", "a second time", ""},
    {".json", EXPECT("{" ALL ",'status':@'bad_tensr'}"), "a", "expect[0].status",
     "unknown status 'bad_tensr'", "did you mean bad_tensor?"},
    {".json", EXPECT("@{" ALL "}"), "a", "expect[0].status", "the key is missing", ""},
    {".json", EXPECT("{" ALL ",'status':'ok',@'return':1,'outputs':{'out':[1,2]}}"), "a",
     "expect[0].return", "returns a status", ""},
    {".json", EXPECT("{" ALL ",'status':'ok','outputs':{'out':@[1]}}"), "a",
     "expect[0].outputs.out", "1 numbers where the shape of the output asks for 2", ""},
    {".json", EXPECT("{" ALL ",'status':'ok','outputs':{'out':[1,@200]}}"), "a",
     "expect[0].outputs.out[1]", "200 is out of range", "fx8"},
    {".json", EXPECT("{" ALL ",'status':'ok','outputs':{@'in':[1,2],'out':[1,2]}}"), "a",
     "expect[0].outputs.in", "no such output", ""},
    {".json", EXPECT("{" ALL ",'status':'ok','outputs':{'out':[1,2],@'out':[1,2]}}"), "a",
     "expect[0].outputs.out", "a second time", ""},
    {".json", EXPECT("{" ALL ",'status':'ok','outputs':{'out':[1,2]},@'config':{}}"), "a",
     "expect[0].config", "fills no configuration", ""},
    {".json", EXPECT("{" ALL ",'status':'ok','outputs':{'out':[1,2]},@'steps':[]}"), "a",
     "expect[0].steps", "only mli_mov_sequence", ""},
    {".json", CHANGED("@'frac_bit':1"), "a", "expect[0].changed.out.frac_bit", "unknown key",
     "did you mean frac_bits?"},
    {".json", CHANGED("'frac_bits':@200"), "a", "expect[0].changed.out.frac_bits",
     "200 is out of range", ""},
    {".json", CHANGED("'scale':@[1]"), "a", "expect[0].changed.out.scale",
     "1 entries, and the output tensor has no list", ""},
    {".json", CHANGED("'data_in':@{'tensor':'bias','element':0}"), "a",
     "expect[0].changed.out.data_in", "the case has no such tensor", ""},
    {".json",
     SUITE("{'id':'a','function':'mli_hlp_tensor_element_size','inputs':{'in':" IN
           "},'expect':[{" ALL ",@'status':'ok'}]}"),
     "a", "expect[0].status", "returns no status", "return"},
    {".json",
     SUITE("{'id':'a','function':'mli_hlp_tensor_element_size','inputs':{'in':" IN
           "},'expect':[@{" ALL "}]}"),
     "a", "expect[0]", "nothing is expected", ""},
    {".json",
     SUITE("{'id':'a','function':'mli_hlp_tensor_element_size','inputs':{'in':" IN
           "},'expect':[{" ALL ",'return':@0.5}]}"),
     "a", "expect[0].return", "expected a whole number, found 0.5", ""},
    {".json",
     SUITE("{'id':'a','function':'mli_mov_cfg_for_copy','config':{},'inputs':{},'outputs':{},'"
           "expect':[{" ALL ",'status':'ok','config':@{'offset':[0,0,0,0],'size':[0,0,0,0],'sub_"
           "sample_step':[1,1,1,1],"
           "'dst_offset':[0,0,0,0],'dst_mem_stride':[0,0,0,0],'perm_dim':[0,1,2,3],'padding_pre':["
           "0,0,0,0]}}]}"),
     "a", "expect[0].config.padding_post", "the key is missing", ""},
    {".json", SEQUENCE("{'call':@'mli_mov_wai','handle':'h'}", "{'status':'ok'}"), "a",
     "steps[0].call", "unknown name", "did you mean mli_mov_wait?"},
    {".json", SEQUENCE("@{'call':'mli_mov_wait'}", "{'status':'ok'}"), "a", "steps[0].handle",
     "mli_mov_wait takes it", ""},
    {".json", SEQUENCE("{'call':'mli_mov_wait','handle':@'g'}", "{'status':'ok'}"), "a",
     "steps[0].handle", "unknown handle 'g'", "did you mean h?"},
    {".json", SEQUENCE("{'call':'mli_mov_wait','handle':'h',@'cookie':1}", "{'status':'ok'}"), "a",
     "steps[0].cookie", "mli_mov_wait has no 'cookie'", ""},
    {".json", SEQUENCE("{'call':'mli_mov_start','handle':'h','in':@'in_bad'}", "{'status':'ok'}"),
     "a", "steps[0].in", "the case has no tensor 'in_bad'", ""},
    {".json",
     SEQUENCE("{'call':'mli_mov_acquire_handle','handle':'h','num_ch':@-1}", "{'status':'ok'}"),
     "a", "steps[0].num_ch", "-1 is out of range", ""},
    {".json", SEQUENCE(IS_DONE, "@{'handle':{'dma_ch':0,'num_ch':0,'state':'open'}}"), "a",
     "expect[0].steps[0].done", "mli_mov_isdone returns it", ""},
    {".json", SEQUENCE(IS_DONE, "{'done':true,@'status':'ok'}"), "a", "expect[0].steps[0].status",
     "does not return it", ""},
    {".json", SEQUENCE(IS_DONE, "{'done':true,'handle':{'dma_ch':0,'num_ch':0,'state':@'opn'}}"),
     "a", "expect[0].steps[0].handle.state", "unknown name 'opn'", "did you mean open?"},
    {".json", SEQUENCE(IS_DONE, "{'done':true,'callbacks':[[@'cb',1]]}"), "a",
     "expect[0].steps[0].callbacks[0][0]", "unknown callback 'cb'", ""},
    {".json", SEQUENCE(IS_DONE, "{'done':true,'out':@[1]}"), "a", "expect[0].steps[0].out",
     "1 numbers where the output has 2", ""},
};

static const sad_row chains[] = {
    {".json", CHAIN("@3", "[]"), "a", "chain", "expected an object, found the number 3", ""},
    {".json", CHAIN("@{}", "[]"), "a", "chain.steps", "the key is missing", ""},
    {".json", CHAIN("{'steps':@0}", "[]"), "a", "chain.steps", "0 is out of range", "1..1000000"},
    {".json", CHAIN("{'steps':2,'feed':[@{'from':'out'}]}", "[]"), "a", "chain.feed[0].to",
     "the key is missing", ""},
    {".json", CHAIN("{'steps':2,'feed':[{'from':@'in','to':'in'}]}", "[]"), "a",
     "chain.feed[0].from", "is an input", "output"},
    {".json", CHAIN("{'steps':2,'feed':[{'from':'out','to':@'out'}]}", "[]"), "a",
     "chain.feed[0].to", "is an output", "input"},
    {".json", CHAIN("{'steps':2,'feed':[{'from':'out','to':@'in[1]'}]}", "[]"), "a",
     "chain.feed[0].to", "no such tensor", ""},
    {".json",
     CHAIN("{'steps':2,'feed':[{'from':'out','to':'in'},{'from':'out','to':@'in'}]}", "[]"), "a",
     "chain.feed[1].to", "an earlier entry", ""},
    {".json", CHAIN("{'steps':2,'fresh':[{'tensor':@'in','seed':1}]}", "[]"), "a",
     "chain.fresh[0].tensor", "the tensor has data", "leave"},
    {".json", CHAIN("{'steps':2,'fresh':[{'tensor':@'out','seed':1}]}", "[]"), "a",
     "chain.fresh[0].tensor", "for an output", ""},
    {".json", CHAIN("{'steps':2,'fresh':[@{'tensor':'in'}]}", "[]"), "a", "chain.fresh[0].seed",
     "the key is missing", ""},
    {".json", CHAIN("{'steps':5}", "[{'step':@5,'outputs':{'out':[1,2]}}]"), "a",
     "expect[0].checkpoints[0].step", "5 is out of range", "1..4"},
    {".json",
     CHAIN("{'steps':5}",
           "[{'step':2,'outputs':{'out':[1,2]}},{'step':@2,'outputs':{'out':[1,2]}}]"),
     "a", "expect[0].checkpoints[1].step", "2 is out of range", "ascending"},
    {".json", CHAIN("{'steps':5}", "[{'step':2,'outputs':{'out':@[1]}}]"), "a",
     "expect[0].checkpoints[0].outputs.out", "1 numbers", ""},
    {".json", EXPECT("{" ALL ",'status':'ok','outputs':{'out':[1,2]},@'checkpoints':[]}"), "a",
     "expect[0].checkpoints", "only a case with 'chain'", ""},
};

static const sad_row json_lines[] = {
    {".jsonl", "@" LINE("a"), "", "", "expected the header, found a case", "format"},
    {".jsonl", "@[]\n", "", "", "the first line is not the header object", "format"},
    {".jsonl", "{" HEAD ",'cases':[]}\n", "", "cases", "holds no cases", ".json"},
    {".jsonl", "{'suite':'s'}\n" LINE("a"), "", "format", "the key is missing", ""},
    {".jsonl", LINES(LINE("a") "@\n" LINE("b")), "", "", "a blank line between cases",
     "at the end only"},
    {".jsonl", LINES(LINE("a") "@{'id':'b',\n'function':'x'}\n"), "", "",
     "an object that does not end", "a case is one line"},
    {".jsonl", LINES(LINE("a") LINE("b") "{'id':'c','function':@'x'}"), "c", "function",
     "unknown function", ""},
    {".jsonl",
     LINES(LINE("a") LINE("b") "{'id':@'a'," GEN ",'function':'mli_krn_relu_fx8','inputs':{'in':" IN
                               "},'outputs':{'out':" OUT "}}"),
     "a", "id", "the case on line 2 has this id", "unique"},
    {".jsonl", LINES(LINE("a") "{'id':'b'} @{'id':'c'}\n"), "", "", "text behind the end", ""},
};

static const sad_row yaml[] = {
    {".yaml", "", "", "", "the file is empty", "format"},
    {".yaml", "# nothing\n@", "", "", "no document", "format"},
    {".yaml", "@- 1\n", "", "", "the document is not an object", ""},
    {".yaml", YAML_HEAD "- id: a\n@\tfunction: x\n", "", "", "not YAML", "tabs"},
    {".yml", YAML_HEAD "- id: a\n  function: [1, 2\n@", "", "", "not YAML", ""},
    {".yaml", YAML_HEAD "- id: a\n  note: text@: more\n", "", "", "not YAML", "quotes"},
    {".yaml", "format: lastbit/cases-1\nsuite: s\n@suite: t\ncases: []\n", "", "suite",
     "a second time", ""},
    {".yaml", "format: lastbit/cases-1\ncases: []\n@sute: t\nsuite: s\n", "", "sute", "unknown key",
     "suite"},
    {".yaml", "format: @lastbit/cases-9\nsuite: s\ncases: []\n", "", "format", "is not known",
     "lastbit/cases-1"},
    {".yaml", "format: lastbit/cases-1\nsuite: s\n", "", "cases", "the key is missing", ""},
    {".yaml", "format: lastbit/cases-1\nsuite: s\ncases: @x\n", "", "cases",
     "expected the list of cases", ""},
    {".yaml", YAML_CASE("[1, @300]"), "a", "inputs.in.data[1]", "300 is out of range", "-128..127"},
    {".yaml", YAML_CASE("[1, @0x80]"), "a", "inputs.in.data[1]", "128 is out of range", ""},
    {".yaml", YAML_CASE("[1, @007]"), "a", "inputs.in.data[1]",
     "expected a whole number, found the text '007'", ""},
    {".yaml", YAML_CASE("[1, @.nan]"), "a", "inputs.in.data[1]",
     "expected a whole number, found the text 'nan'", ""},
    {".yaml", YAML_CASE("[1, @'2']"), "a", "inputs.in.data[1]", "found the text '2'", ""},
    {".yaml", YAML_CASE("@[1]"), "a", "inputs.in.data", "1 number where the shape asks for 2", ""},
    {".yaml", YAML_CASE("[1, 2]") "  @expct: []\n", "a", "expct", "unknown key", "expect"},
    {".yaml", YAML_CASE("[1, 2]") "  note: \xC3\xA9\n  @tag: []\n", "a", "tag", "unknown key",
     "tags"},
    {".yaml", YAML_HEAD "- id: @12\n  function: mli_hlp_accu_guard_bits_sa8_sa8\n", "", "id",
     "expected text, found the number 12", "quotes"},
    {".yaml", YAML_HEAD "- id: a\n  note: '\xC3\xA9\xE2\x82\xAC' \n  function: @relu\n", "a",
     "function", "unknown function", ""},
    {".yaml", YAML_HEAD "- id: a\n  note: @!!str 1\n", "", "", "a tag", "leave"},
    {".yaml", YAML_HEAD "- id: a\n  @<<: {note: x}\n", "", "", "a merge key", ""},
    {".yaml", YAML_HEAD "- id: a\n  note: @*x\n", "", "", "an alias without anchor", "&name"},
    {".yaml", YAML_HEAD "- id: a\n  tags: &t [@*t]\n", "", "",
     "an alias inside the value of its own anchor", ""},
    {".yaml", YAML_HEAD "- ? @[a]\n  : 1\n", "", "", "a key that is a list", ""},
    {".yaml", YAML_HEAD "- @&k id: a\n", "", "", "an anchor at a key", ""},
    {".yaml", YAML_HEAD "- id: @\"a\\0b\"\n", "", "", "a NUL character", ""},
    {".yaml", "format: lastbit/cases-1\nsuite: s\ncases: []\n@---\nformat: x\n", "", "",
     "a second document", "one document"},
    {".yaml", "format: lastbit/cases-1\nsuite: '@\xFF'\n", "", "", "byte 0xFF is not UTF-8", ""},
    {".yaml",
     "@\xEF\xBB\xBF"
     "format: lastbit/cases-1\n",
     "", "", "a byte order mark", ""},
    {".yaml", "@&a {format: lastbit/cases-1}\n", "", "",
     "a tag or an anchor at the top of the file", ""},
    {".yaml",
     YAML_HEAD "- id: a\n  function: mli_hlp_convert_tensor\n  inputs:\n"
               "    in: {type: fp32, shape: [1], data: [@0x7fc00000]}\n  outputs:\n    out: {type: "
               "fx8, shape: [1], "
               "frac_bits: 1}\n",
     "a", "inputs.in.data[0]", "bare hexadecimal number 0x7fc00000", "quotes"},
};

#endif
