# Makes `count` small cases in JSON Lines, the same ones on every machine: a third each of relu_fx8, eltwise_add_fx8 and
# fully_connected_fx8, with the expected result for up-full. `distinct` different ones are made and repeated under new ids.

# A number of [low, high], from the generator x' = 16807 x mod (2^31 - 1), which stays exact in a double.
function number(low, high) {
    seed = (seed * 16807) % 2147483647
    return low + seed % (high - low + 1)
}

function floor(v,    t) {
    t = int(v)
    return t > v ? t - 1 : t
}

function sat8(v) {
    return v < -128 ? -128 : v > 127 ? 127 : v
}

# Fills values[1..n] and gives them as a list.
function list(values, n,    i, text) {
    text = ""
    for (i = 1; i <= n; i++) {
        values[i] = number(-128, 127)
        text = text (i > 1 ? "," : "") values[i]
    }
    return "[" text "]"
}

function tensor(shape, frac_bits, data) {
    return "{\"type\":\"fx8\",\"shape\":[" shape "],\"frac_bits\":" frac_bits (data == "" ? "" : ",\"data\":" data) "}"
}

function a_case(function_name, config, inputs, shape, frac_bits, result) {
    return "\"function\":\"mli_krn_" function_name "\"," config "\"inputs\":{" inputs "},\"outputs\":{\"out\":" \
           tensor(shape, frac_bits, "") "},\"expect\":[{\"profiles\":[\"up-full\"],\"status\":\"ok\",\"outputs\":{\"out\":[" \
           result "]}}]}"
}

function relu(    text, i, out) {
    text = list(a, 16)
    for (i = 1; i <= 16; i++)
        out = out (i > 1 ? "," : "") (a[i] > 0 ? a[i] : 0)
    return a_case("relu_fx8", "\"config\":{\"type\":\"gen\"},", "\"in\":" tensor("16", 3, text), "16", 3, out)
}

function eltwise_add(    text_a, text_b, i, out) {
    text_a = list(a, 16)
    text_b = list(b, 16)
    for (i = 1; i <= 16; i++)
        out = out (i > 1 ? "," : "") sat8(a[i] + b[i])
    return a_case("eltwise_add_fx8", "", "\"in1\":" tensor("16", 3, text_a) ",\"in2\":" tensor("16", 3, text_b), "16", 3, out)
}

# in and weights with 7 fractional bits, bias with 7 (so 7 up), out with 3 (so 11 down, rounding half up).
function fully_connected(    text_in, text_w, text_b, c, i, sum, out) {
    text_in = list(a, 8)
    text_w = list(w, 32)
    text_b = list(b, 4)
    for (c = 1; c <= 4; c++) {
        sum = b[c] * 128
        for (i = 1; i <= 8; i++)
            sum += a[i] * w[(i - 1) * 4 + c]
        out = out (c > 1 ? "," : "") sat8(floor((sum + 1024) / 2048))
    }
    return a_case("fully_connected_fx8", "\"config\":{\"relu\":\"none\"},", \
                  "\"in\":" tensor("8", 7, text_in) ",\"weights\":" tensor("8,4", 7, text_w) ",\"bias\":" tensor("4", 7, text_b), \
                  "4", 3, out)
}

BEGIN {
    seed = 1
    distinct = 999
    for (i = 0; i < distinct; i += 3) {
        body[i] = relu()
        body[i + 1] = eltwise_add()
        body[i + 2] = fully_connected()
    }
    print "{\"format\":\"lastbit/cases-1\",\"suite\":\"bench\"}"
    for (i = 0; i < count; i++)
        printf "{\"id\":\"bench.%07d\",%s\n", i, body[i % distinct]
}
