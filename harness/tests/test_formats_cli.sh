#!/bin/sh
# "lastbit encodings", "lastbit cast" and "lastbit requantize" as a user meets them. Usage: test_formats_cli.sh LASTBIT
set -u
lastbit=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expect STATUS PATTERN COMMAND...: exit status, and a pattern that standard output or standard error must show.
expect() {
    want=$1 pattern=$2
    shift 2
    "$@" >"$work/out" 2>&1 </dev/null
    check "$*"
}

# cast STATUS PATTERN INPUT OPTION...: the same for a cast of these lines; the pattern holds for the output with blanks for line feeds.
cast() {
    want=$1 pattern=$2
    printf -- "$3" >"$work/in"
    shift 3
    "$lastbit" cast "$@" <"$work/in" >"$work/lines" 2>&1
    got=$?
    tr '\n' ' ' <"$work/lines" >"$work/out"
    (exit $got)
    check "cast $*"
}

check() {
    got=$?
    if [ "$got" -ne "$want" ] || { [ -n "$pattern" ] && ! grep -q -e "$pattern" "$work/out"; }; then
        echo "FAILED: $1"
        echo "  exit status $got, expected $want; expected to read: $pattern"
        sed 's/^/  | /' "$work/out" | head -20
        failed=1
    fi
}

entry='"bitwidth":8,"dtype":"int","is_symmetric":"False","min":-1,"max":2.984375,"scale":0.015625,"offset"'
sections='"param_encodings":{},"quantizer_args":{}'
printf '{"version":"0.6.1","activation_encodings":{"a":[{%s:-64}]},%s}\n' "$entry" "$sections" >"$work/good.json"
printf '{"version":"0.6.1",\n"activation_encodings":{"a":[{%s:64}]},%s}\n' "$entry" "$sections" >"$work/positive.json"
printf '{"w":[{%s:-64}]}' "$entry" >"$work/bare.json"
printf '{"version":"0.6.1",}' >"$work/comma.json"
: >"$work/empty.json"

# AIMET's other file is refused with the name of the one to use.
printf '{"version":"0.6.1","activation_encodings":{"conv":{"output":{"0":{%s:-64}}}},%s}\n' "$entry" "$sections" >"$work/m_torch.encodings"
expect 1 'activation_encodings/conv: E_FIELD_TYPE: .*use m.encodings, which is written beside it' "$lastbit" encodings check "$work/m_torch.encodings"
cp "$work/m_torch.encodings" "$work/m.json"
expect 1 'use the file without _torch in its name' "$lastbit" encodings check "$work/m.json"

# A bias that 32 bits do not hold is told wherever somebody looks: the file, the conversion, the suite, the report.
printf '{"version":"2.0.0","encodings":[{"name":"x","y_scale":0.0004,"output_dtype":"int8"},{"name":"w","y_scale":1.1920928955078125e-07,"output_dtype":"int8"},{"name":"y","y_scale":0.001,"output_dtype":"int8"},{"name":"b","y_scale":2.3283064365386963e-10,"output_dtype":"int32"}]}' >"$work/bias.json"
printf 'format: lastbit/template-1\nround_trips: false\ncases:\n  - id: fc1\n    function: mli_krn_fully_connected_sa8_sa8_sa32\n    config: {relu: none}\n    inputs:\n      in: {type: sa8, shape: [4], encoding: {tensor: x}}\n      weights: {type: sa8, shape: [4, 2], encoding: {tensor: w}}\n      bias: {type: sa32, shape: [2], encoding: {input: x, weights: w}, real_data: [0.05, 0.5]}\n    outputs:\n      out: {type: sa8, shape: [2], encoding: {tensor: y}}\n' >"$work/bias.yaml"
expect 0 '/encodings/3: W_BIAS_RANGE: channel 0: 0.5 is stored as 0.1024' "$lastbit" encodings check --bias b=x,w "$work/bias.json"
expect 0 '"b": W_BIAS_RANGE: channel 0: 0.5 is stored as 0.1024' "$lastbit" encodings convert --to mli --bias b=x,w "$work/bias.json"
expect 2 'bias b=x,q: expected NAME=INPUT,WEIGHTS' "$lastbit" encodings check --bias b=x,q "$work/bias.json"
expect 0 'case fc1: W_BIAS_RANGE: bias: channel 1: 0.5 is stored as 0.1024' "$lastbit" vectors from-encodings "$work/bias.json" --template "$work/bias.yaml" -o "$work/bias.jsonl"
expect 0 'fc1 .*bias does not fit 32 bits: channel 1: 0.5 is stored as 0.1024' "$lastbit" run --report "$work/bias_report" "$work/bias.jsonl"
expect 0 '' grep -q 'bias does not fit 32 bits: channel 1' "$work/bias_report/report.html"

# encodings check --against
printf 'x\nw [4, 3]\ny\n' >"$work/names.txt"
printf '{"version":"2.0.0","encodings":[{"name":"x","y_scale":1,"output_dtype":"int8"},{"name":"w","y_scale":[1,2,3],"axis":0,"output_dtype":"int8"},{"name":"yy","y_scale":1,"output_dtype":"int8"}]}' >"$work/net.json"
expect 1 'net.json:1:[0-9]*: /encodings/1: M_AXIS: 3 channels along axis 0, and the tensor is \[4, 3\]; axis 1 has 3' "$lastbit" encodings check --against "$work/names.txt" "$work/net.json"
expect 1 'M_MISSING: the tensor "y" has no encoding' "$lastbit" encodings check --against "$work/names.txt" "$work/net.json"
expect 1 '/encodings/2: M_NAME: .*did you mean "y"?' "$lastbit" encodings check --against "$work/names.txt" "$work/net.json"
expect 1 '/encodings/2: M_NAME: .*did you mean "y"?' sh -c "cat '$work/names.txt' | '$lastbit' encodings check --against - '$work/net.json'"
expect 1 '"code": "M_AXIS"' "$lastbit" encodings check --json --against "$work/names.txt" "$work/net.json"
expect 2 'against .*none.onnx: No such file' "$lastbit" encodings check --against "$work/none.onnx" "$work/net.json"
printf '\072\200' >"$work/cut.onnx"
expect 2 'against .*cut.onnx: byte 2: ' "$lastbit" encodings check --against "$work/cut.onnx" "$work/net.json"

# Standard input, by both of its names, and as a pipe or a file
for name in - /dev/stdin; do
    expect 0 "^$name: valid, version 0.6.1, 1 tensor" sh -c "cat '$work/good.json' | '$lastbit' encodings check $name"
    expect 0 "^$name: valid, version 0.6.1, 1 tensor" sh -c "'$lastbit' encodings check $name <'$work/good.json'"
    expect 0 '"version": "1.0.0"' sh -c "cat '$work/good.json' | '$lastbit' encodings convert --to 1.0.0 $name"
    expect 1 "^$name:1:1: E_JSON_SYNTAX: the file is empty" "$lastbit" encodings check $name
    expect 2 'standard input has none' "$lastbit" vectors from-encodings $name
done
expect 2 '^-: E_UNREADABLE: is a folder' sh -c "'$lastbit' encodings check - <'$work'"
seq 1 200000 | sed 's/.*/{"name":"t&","output_dtype":"int8","y_scale":1},/; 1s/^/{"version":"2.0.0","encodings":[/; $s/,$/]}/' >"$work/long.json"
expect 0 '^-: valid, version 2.0.0, 200000 tensors' sh -c "cat '$work/long.json' | '$lastbit' encodings check - | head -1"

# encodings check: the report of encodings.md 5.6
expect 0 'sage: lastbit encodings' "$lastbit" encodings --help
expect 0 'sage: lastbit encodings check' "$lastbit" encodings check --help
expect 2 'no command given' "$lastbit" encodings
expect 2 'no such command; did you mean check' "$lastbit" encodings chek
expect 2 'no FILE' "$lastbit" encodings check
expect 2 'unknown option' "$lastbit" encodings check --frobnicate "$work/good.json"
expect 0 'good.json: valid, version 0.6.1, 1 tensor, 0 warnings' "$lastbit" encodings check "$work/good.json"
expect 0 'sa8   scale 16384 \* 2^-20 .*zero point -64' "$lastbit" encodings check "$work/good.json"
expect 1 'positive.json:2:1[0-9]*: /activation_encodings/a/0/offset: E_OFFSET_SIGN: ' "$lastbit" encodings check "$work/positive.json"
expect 1 'good.json: valid' "$lastbit" encodings check "$work/comma.json" "$work/good.json"
expect 1 'comma.json:1:19: E_JSON_SYNTAX: trailing comma; ' "$lastbit" encodings check "$work/comma.json"
expect 1 'E_JSON_SYNTAX: the file is empty' "$lastbit" encodings check "$work/empty.json"
expect 1 '^{"file": ".*", "valid": false, "version": null, "error": {"code": "E_JSON_SYNTAX", "where": ""}' \
    "$lastbit" encodings check --json "$work/comma.json"
expect 0 '"error": null, "warnings": \[\], "tensors": \[{"name": "a"' "$lastbit" encodings check --json "$work/good.json"
expect 0 'W_OFFSET_RECOMPUTED' "$lastbit" encodings check --tf-offsets recompute --json "$work/positive.json"
expect 2 'is a folder' "$lastbit" encodings check "$work"
expect 2 'E_UNREADABLE' "$lastbit" encodings check "$work/no_such_file"
expect 2 'expected refuse or recompute' "$lastbit" encodings check --tf-offsets maybe "$work/good.json"
expect 2 'NAME=AXIS' "$lastbit" encodings check --axis 3 "$work/good.json"
expect 2 'no file has a tensor' "$lastbit" encodings check --axis b=3 "$work/good.json"
expect 1 'bare-parameters' "$lastbit" encodings check "$work/bare.json"
expect 0 '1 tensor' "$lastbit" encodings check --bare-parameters "$work/bare.json"

# encodings convert
expect 0 'sage: lastbit encodings convert' "$lastbit" encodings convert --help
expect 2 'expected --to' "$lastbit" encodings convert "$work/good.json"
expect 2 'mli, litert, 0.6.1, 1.0.0, 2.0.0 or 2.1.0' "$lastbit" encodings convert --to 0.4.0 "$work/good.json"
expect 2 'no FILE' "$lastbit" encodings convert --to mli
expect 2 'one FILE' "$lastbit" encodings convert --to mli "$work/good.json" "$work/good.json"
expect 0 'sa8: {type: sa8, scale: 16384, scale_frac_bits: 20, zero_point: -64, axis: -1}' "$lastbit" encodings convert --to mli "$work/good.json"
expect 1 'no sa32: U_BITWIDTH' "$lastbit" encodings convert --to mli --target sa32 "$work/good.json"
expect 2 'NAME=INPUT,WEIGHTS' "$lastbit" encodings convert --to mli --bias b=a,c "$work/good.json"
expect 0 '"b":' "$lastbit" encodings convert --to mli --bias b=a,a "$work/good.json"
expect 1 'E_OFFSET_SIGN' "$lastbit" encodings convert --to mli "$work/positive.json"
expect 2 'E_UNREADABLE' "$lastbit" encodings convert --to mli "$work/no_such_file"
expect 3 'No such file' "$lastbit" encodings convert --to mli -o "$work/no/such/folder" "$work/good.json"
for version in 0.6.1 1.0.0 2.0.0 2.1.0; do
    expect 0 '' "$lastbit" encodings convert --to $version -o "$work/new.json" "$work/good.json"
    expect 0 "valid, version $version, 1 tensor" "$lastbit" encodings check "$work/new.json"
    expect 0 'zero point -64' "$lastbit" encodings check "$work/new.json"
done

if [ "$(id -u)" != 0 ]; then
    chmod 000 "$work/good.json"
    expect 2 'ermission denied' "$lastbit" encodings check "$work/good.json"
    chmod 600 "$work/good.json"
fi

# vectors from-encodings
cat >"$work/net.encodings" <<'EOF'
{"version": "0.5.0",
 "activation_encodings": {
  "x": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "min": -1, "max": 2.984375, "scale": 0.015625, "offset": -64}],
  "half": [{"bitwidth": 16, "dtype": "float"}]},
 "param_encodings": {
  "w": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "min": -2, "max": 1.984375, "scale": 0.015625, "offset": -128},
        {"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "min": -4, "max": 3.96875, "scale": 0.03125, "offset": -128}]}}
EOF
cat >"$work/net.yaml" <<'EOF'
format: lastbit/template-1
suite: net
tensors:
  - {name: x, type: fx16}
cases:
  - id: fc
    function: mli_krn_fully_connected_sa8_sa8_sa32
    config: {relu: none}
    inputs:
      in: {type: sa8, shape: [3], encoding: {tensor: x}}
      weights: {type: sa8, shape: [3, 2], encoding: {tensor: w, axis: 1}}
      bias: {type: sa32, shape: [2], encoding: {input: x, weights: w}, real_data: [0.5, -0.25]}
    outputs:
      out: {type: sa8, shape: [2], encoding: {tensor: x}}
EOF
from="$lastbit vectors from-encodings"
mkdir "$work/deep" "$work/deep/er"
expect 0 'sage: lastbit vectors from-encodings' $from --help
expect 2 'no FILE' $from
expect 2 'ends in .jsonl' $from -o "$work/x.yaml" "$work/net.encodings"
expect 2 'E_OFFSET_SIGN' $from "$work/positive.json"
expect 2 'No such file' $from --template "$work/none.yaml" "$work/net.encodings"
expect 2 'No such file' $from -o "$work/none/x.jsonl" "$work/net.encodings"
expect 0 '"half": no round trip: U_FLOAT_WIDTH' $from -o "$work/deep/er/s.jsonl" --template "$work/net.yaml" "$work/net.encodings"
grep -q '"file":"../../net.encodings"' "$work/deep/er/s.jsonl" || { echo "FAILED: the way back to the file"; failed=1; }
grep -q '"type":"fx16","shape":\[64\]' "$work/deep/er/s.jsonl" || { echo "FAILED: the type that the template asks for"; failed=1; }
expect 0 '5 cases, ok' "$lastbit" vectors check "$work/deep/er/s.jsonl"
expect 0 '^20 passed, 0 failed, 0 skipped$' "$lastbit" run "$work/deep/er/s.jsonl"
expect 0 '^{"format":"lastbit/cases-1","suite":"net.encodings"' $from "$work/net.encodings"
sed 's/axis: 1/axis: 0/' "$work/net.yaml" >"$work/axis.yaml"
expect 2 'axis.yaml:11:.*U_AXIS: 2 channels, and dimension 0 has 3' $from --template "$work/axis.yaml" "$work/net.encodings"
sed 's/name: x,/name: y,/' "$work/net.yaml" >"$work/name.yaml"
expect 2 'has no tensor "y"' $from --template "$work/name.yaml" "$work/net.encodings"
sed 's/template-1/template-2/' "$work/net.yaml" >"$work/format.yaml"
expect 2 'no template; lastbit/template-1' $from --template "$work/format.yaml" "$work/net.encodings"
expect 0 'net.encodings: valid' "$lastbit" encodings check "$work/net.encodings"

# cast
expect 0 'sage: lastbit cast' "$lastbit" cast --help
expect 2 'expected --from TYPE' "$lastbit" cast
expect 2 'expected --from TYPE' "$lastbit" cast --from float32
expect 2 'expected float32, float16' "$lastbit" cast --from float64 --to float32
expect 2 'expected document, library or error' "$lastbit" cast --from float32 --to float16 --nan maybe
expect 2 'standard input' "$lastbit" cast --from float32 --to float16 0.5
expect 2 'exclude each other' "$lastbit" cast --pack int4 --unpack int4
cast 0 '^0.5 -0 6 4 6 -0.5 $' '0.3\n-0.25\n1e9\n5\nnan\n-0x1p-1\n' --from float32 --to float4e2m1
cast 0 '^0x1 0x0 0x8 0x7 $' '0x3e800001\n0x3E800000\n0x80000000\n0b01111111100000000000000000000001\n' --from float32 --to float4e2m1
cast 0 '^-0 0 $' 'nan\n-nan\n' --from float32 --to float4e2m1 --nan library
cast 1 '^.*line 2: NaN.*$' '1\nnan\n2\n' --from float32 --to float4e2m1 --nan error
cast 1 ' 1 2 $' '1\nnan\n2\n' --from float32 --to float4e2m1 --nan error
cast 2 'line 3: x is neither' '1\n\nx\n2\n' --from float32 --to float4e2m1
cast 2 'no bit pattern of float4e2m1' '0x10\n' --from float4e2m1 --to float32
cast 0 '^0x40c00000 -6 $' '0x7\n-6\n' --from float4e2m1 --to float32
cast 0 '^0x7 6 0xf -6 $' 'inf\n-inf\n' --from float16 --to float4e2m1 --output both
cast 0 '^448 nan $' '1e9\nnan\n' --from float32 --to float8e4m3fn
cast 0 '^nan $' '1e9\n' --from float32 --to float8e4m3fn --overflow infinity
cast 0 '^inf $' '65520\n' --from float32 --to float16
cast 0 '' '' --from float32 --to float16

# pack and unpack
cast 0 '^2103 $' '1\n2\n3\n' --pack float4e2m1
cast 0 '^ $' '' --pack float4e2m1
cast 0 '^42 $' '1\n2\n' --pack float4e2m1 --from float32
cast 0 'warning.*42 $' '18\n52\n' --pack float4e2m1
cast 2 'out of range' '256\n' --pack float4e2m1
cast 2 'no code' '1.5\n' --pack float4e2m1
cast 0 '^8f $' '-1\n-8\n' --pack int4
cast 0 '^82 $' '2.5\n-9\n' --pack int4 --from float32
cast 1 'NaN' 'nan\n' --pack uint4 --from float32
cast 0 '^1 2 3 0 $' '21 03\n' --unpack float4e2m1
cast 0 '^1 2 3 $' '0x21\n0x03\n' --unpack float4e2m1 --count 3
cast 0 '^-8 7 $' '78\n' --unpack int4
cast 0 '^8 7 $' '78\n' --unpack=uint4
cast 0 '^1 2 $' '21\n' --unpack
cast 0 'padding-nonzero.*1 $\|^1 .*padding-nonzero' '21\n' --unpack float4e2m1 --count 1
cast 1 'too-short' '21\n' --unpack float4e2m1 --count 3
cast 1 'too-long' '2143\n' --unpack float4e2m1 --count 2
cast 2 'two hexadecimal digits' '214\n' --unpack float4e2m1
cast 0 '^0.5 1 $' '21\n' --unpack float4e2m1 --to float32
seq 1 32 >"$work/numbers"
"$lastbit" cast --pack mxfp4 <"$work/numbers" >"$work/block" # 32: exponent 5 - 2 + 127
cast 0 '^82 ' "$(cat "$work/numbers")\n" --pack mxfp4
cast 0 '^0 0 4 ' "$(cat "$work/block")\n" --unpack mxfp4
cast 1 'too-short' '1\n2\n' --pack mxfp4
"$lastbit" cast --pack mxfp4 --binary <"$work/numbers" >"$work/block.bin"
[ "$(wc -c <"$work/block.bin")" -eq 17 ] || { echo "FAILED: a block of 17 bytes"; failed=1; }
"$lastbit" cast --unpack mxfp4 --binary <"$work/block.bin" | tail -n 1 | grep -qx 32 || { echo "FAILED: 32 comes back"; failed=1; }

# Nibbles the other way round, excess 8, and blocks of other elements
cast 0 '^12 30 $\|^1230 $' '1\n2\n3\n' --pack float4e2m1 --first high
cast 0 '^1 2 3 0 $' '1230\n' --unpack float4e2m1 --first high
cast 0 '^f0 $' '-8\n7\n' --pack int4excess8
cast 0 '^-8 7 $' 'f0\n' --unpack int4excess8
cast 0 '^0f $' '-8\n7\n' --pack int4excess8 --first high
for rule in 'floor 7f' 'ceil 80' 'even 80' 'fit 80'; do
    cast 0 "^${rule#* } " "7\n$(yes 1 | head -31 | tr '\n' ' ' | sed 's/ /\\n/g')" --pack mxfp4 --scale "${rule% *}"
done
cast 2 'scale goes with --pack of blocks' '1\n' --pack int4 --scale even
cast 2 'first goes with' '1\n' --pack mxfp4 --first high
cast 2 'did you mean float4e2m1' '1\n' --from float32 --to float4
cast 0 '^2.4e+02 $' '1000\n' --from float32 --to float8e4m3fnuz
cast 0 '^0x80 $' '0x7fc00000\n' --from float32 --to float8e4m3fnuz
cast 0 '^0x00 $' '0x80000000\n' --from float32 --to float8e5m2fnuz
cast 0 '^7.5 $' '0x1f\n' --from float6e2m3 --to float32 --output value
cast 0 '^28 $' '0x1f\n' --from float6e3m2 --to float32 --output value
cast 0 '^0x81 4 $' '5\n' --from float32 --to float8e8m0 --output both
for kind in mxfp6e2m3 mxfp6e3m2 mxfp8e4m3 mxfp8e5m2; do
    "$lastbit" cast --pack $kind --scale fit <"$work/numbers" | "$lastbit" cast --unpack $kind | tail -n 1 | grep -qx 32 || { echo "FAILED: $kind: 32 comes back"; failed=1; }
done

# requantize: litert.22.1, litert.22.4, litert.2.3, litert.2.5
requantize="$lastbit requantize"
expect 0 '^0.0023 = multiplier 1264438372, shift -8: 0.0023000000001047738, error 1.05e-13, relative 4.56e-11$' $requantize 0.0023
expect 0 '^0.25 = multiplier 1073741824, shift -1: 0.25, exact$' $requantize 0.25
expect 0 '^-0.3 = multiplier -1288490189, shift -1' $requantize -- -0.3
expect 0 '^1e-10 = multiplier 0, shift 0: 0, error -1e-10, relative -1$' $requantize 1e-10
expect 0 '^10000000000 .litert-double. = multiplier 1250000000, shift 34:' $requantize 1e10
expect 0 '^10000000000 .litert-single. = multiplier 2147483647, shift 30:' $requantize 1e10
expect 0 '= multiplier 1924145408, shift -8:' $requantize --scales 0.05,0.007,0.1
expect 0 '= multiplier 1924145411, shift -8:' $requantize --scales 0.05,0.007,0.1 --fully-connected
expect 0 'of -6 .litert-double.: -2, in real numbers -1.5' $requantize 0.25 --sum -6
expect 0 'of -6 .litert-single.: -1, in real numbers -1.5' $requantize 0.25 --sum -6
expect 0 'of 6: 2, in real numbers 1.5$' $requantize 0.25 --sum 6
expect 0 'of -2000: -128,' $requantize 0.25 --sum -2000 --zero-point 3 --type s8
expect 0 'of -200: -47,' $requantize 0.25 --sum -200 --zero-point 3 --type s8
expect 0 'of 3: undefined: ' $requantize 1e10 --sum 3
expect 0 'shift -8 (16 bits of it: 19294): 0.0023000240325927734, error 2.4e-08, relative 1.04e-05$' $requantize 0.0023 --bits 64
expect 0 'of 100000000000: 230002403,' $requantize 0.0023 --bits 64 --sum 100000000000
# requantize --encodings: the numbers of litert.22.4.
cat >"$work/net.encodings" <<'END'
{"version": "0.6.1",
 "activation_encodings": {
  "in": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "min": -5.0, "max": 7.75, "scale": 0.05, "offset": -100}],
  "out": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "min": -11.8, "max": 13.7, "scale": 0.1, "offset": -118}]},
 "param_encodings": {
  "one": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "min": -0.896, "max": 0.889, "scale": 0.007, "offset": -128}],
  "two": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "min": -0.896, "max": 0.889, "scale": 0.007, "offset": -128},
          {"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "min": -0.128, "max": 0.127, "scale": 0.001, "offset": -128}],
  "skew": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "min": -0.7, "max": 1.085, "scale": 0.007, "offset": -100}]}}
END
layer="$requantize --encodings $work/net.encodings --layer"
expect 0 'config: {input_offset: 28, output_offset: -10, activation_min: -10, activation_max: 50}' $layer in,one,out --activation relu6
expect 0 'multiplier: {type: s32, shape: .1., data: .1924145408.}' $layer in,one,out
expect 0 'shift: {type: s32, shape: .2., data: .-8, -10.}' $layer in,two,out
expect 0 'activation_min: -20, activation_max: 0, weights_offset: 0, multiplier: 1924145411, shift: -8}' $layer in,one,out \
    --fully-connected --activation relu_n1_to_1
expect 2 'has no tensor "ones"; did you mean one' $layer in,ones,out
expect 2 'expected IN,WEIGHTS,OUT' $layer in,one
expect 2 'expected IN,WEIGHTS,OUT' $layer in,one,out,out
expect 2 '"skew" of .*: its zero point must be 0' $layer in,skew,out
expect 2 '"two" of .*: kernels take inputs and outputs with one scale only' $layer two,one,out
expect 2 'go together' $requantize --encodings "$work/net.encodings"
expect 2 'takes the place of REAL' $layer in,one,out 0.5
expect 2 'No such file\|E_UNREADABLE' $requantize --encodings "$work/none" --layer in,one,out
expect 2 'x: expected a finite number' $requantize 0.5 x
expect 2 'nan: expected a finite number' $requantize nan
expect 2 '1e999: expected a finite number' $requantize 1e999
expect 2 'no REAL given' $requantize
expect 2 'takes the place of REAL' $requantize 0.5 --scales 1,2,3
expect 2 'goes with --scales' $requantize 0.5 --fully-connected
expect 2 'go with --sum' $requantize 0.5 --type s8
expect 2 'three numbers above 0' $requantize --scales 1,2
expect 2 'three numbers above 0' $requantize --scales 1,0,2
expect 2 'three numbers above 0' $requantize --scales 1,2,3,4
expect 2 'three numbers above 0' $requantize --scales 1,1e-60,2
expect 2 'a whole number of 32 bits' $requantize 0.5 --sum 2147483648
expect 2 'less than 48 bits' $requantize 0.5 --bits 64 --sum 140737488355328
expect 2 'a number from -32768 to 32767' $requantize 0.5 --sum 1 --zero-point 1.5

exit $failed
