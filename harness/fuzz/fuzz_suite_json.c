/* Any bytes as a JSON suite, and as JSON Lines. */
#include "fuzz.h"
#include "fuzz_suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    lb_fuzz_suite(bytes, size, lb_load_json);
    lb_fuzz_suite(bytes, size, lb_load_json_lines);
    return 0;
}
