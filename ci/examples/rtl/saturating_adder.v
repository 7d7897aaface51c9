// An adder of fx16 that saturates, and a testbench that somebody else drives while it runs: a line "A B" on standard input
// is answered with a line on standard output. FAULT: 0 none, 1 the sum wraps.
module saturating_adder #(parameter FAULT = 0) (
    input signed [15:0] a, input signed [15:0] b, output reg signed [15:0] out);
    reg signed [16:0] sum;
    always @* begin
        sum = a + b;
        if (FAULT == 0 && sum > 17'sd32767) out = 16'sd32767;
        else if (FAULT == 0 && sum < -17'sd32768) out = -16'sd32768;
        else out = sum[15:0];
    end
endmodule

module driven;
    parameter FAULT = 0;
    integer got, left, right;
    reg signed [15:0] a, b;
    wire signed [15:0] result;
    saturating_adder #(.FAULT(FAULT)) unit(.a(a), .b(b), .out(result));
    initial begin
        got = $fscanf(32'h8000_0000, "%d %d", left, right);
        while (got == 2) begin
            a = left;
            b = right;
            #1 $display("%0d", result);
            $fflush;
            got = $fscanf(32'h8000_0000, "%d %d", left, right);
        end
        $finish;
    end
endmodule
