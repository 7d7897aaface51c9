// A fully connected layer of sa8, as small hardware would do it: one multiply-accumulate a cycle, then requantization.
// Numerics: profile up-full (lastbit rule conv.4). FAULT: 0 none, 1 the shift truncates, 2 the zero point of out is
// forgotten, 3 the accumulator has 16 bits.
module requantize #(parameter FAULT = 0) (
    input signed [31:0] acc, input signed [31:0] multiplier, input signed [15:0] shift, input signed [15:0] zero_point,
    input signed [31:0] low, input signed [31:0] high, output reg signed [7:0] out);
    reg signed [127:0] product, half, rounded, value;
    always @* begin
        product = acc * $signed({{96{multiplier[31]}}, multiplier});
        half = (FAULT == 1 || shift <= 0) ? 128'sd0 : 128'sd1 <<< (shift - 1);
        if (shift >= 63) rounded = 0;
        else if (shift > 0) rounded = (product + half) >>> shift;
        else rounded = product <<< -shift;
        if (rounded > 32767) rounded = 32767;
        if (rounded < -32768) rounded = -32768;
        value = rounded + (FAULT == 2 ? 128'sd0 : zero_point);
        if (value > 127) value = 127;
        if (value < -128) value = -128;
        if (value > high) value = high;
        if (value < low) value = low;
        out = value[7:0];
    end
endmodule

// Reads in.hex, weights.hex (a byte a line) and channels.hex (bias, multiplier, shift: 32 bits each), writes out.hex.
module testbench;
    parameter FAULT = 0;
    integer inputs, outputs, stride, in_zero, out_zero, low_limit, high_limit, i, c;
    reg [1023:0] folder;
    reg signed [7:0] in_data [0:65535];
    reg signed [7:0] weights [0:65535];
    reg signed [31:0] channels [0:65535];
    reg signed [7:0] out_data [0:65535];
    reg signed [63:0] acc;
    reg signed [31:0] sum, multiplier;
    reg signed [15:0] shift, zero_point;
    reg signed [31:0] low, high;
    wire signed [7:0] result;
    requantize #(.FAULT(FAULT)) unit(.acc(sum), .multiplier(multiplier), .shift(shift), .zero_point(zero_point),
                                     .low(low), .high(high), .out(result));
    initial begin
        if (!$value$plusargs("inputs=%d", inputs) || !$value$plusargs("outputs=%d", outputs) ||
            !$value$plusargs("stride=%d", stride) || !$value$plusargs("in_zero=%d", in_zero) ||
            !$value$plusargs("out_zero=%d", out_zero) || !$value$plusargs("low=%d", low_limit) ||
            !$value$plusargs("high=%d", high_limit)) begin
            $display("a plusarg is missing");
            $finish;
        end
        $readmemh("in.hex", in_data, 0, inputs - 1);
        $readmemh("weights.hex", weights, 0, (inputs - 1) * stride + outputs - 1);
        $readmemh("channels.hex", channels, 0, 3 * outputs - 1);
        zero_point = out_zero;
        low = low_limit;
        high = high_limit;
        for (c = 0; c < outputs; c = c + 1) begin
            acc = 0;
            for (i = 0; i < inputs; i = i + 1)
                acc = acc + ($signed({{24{in_data[i][7]}}, in_data[i]}) - in_zero) *
                            $signed({{24{weights[i * stride + c][7]}}, weights[i * stride + c]});
            if (FAULT == 3) acc = $signed(acc[15:0]);
            acc = acc + channels[3 * c];
            if (acc > 64'sd2147483647) acc = 64'sd2147483647;
            if (acc < -64'sd2147483648) acc = -64'sd2147483648;
            sum = acc[31:0];
            multiplier = channels[3 * c + 1];
            shift = channels[3 * c + 2];
            #1 out_data[c] = result;
        end
        $writememh("out.hex", out_data, 0, outputs - 1);
        $finish;
    end
endmodule
