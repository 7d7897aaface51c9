/* Any bytes as a YAML suite. */
#include "fuzz.h"
#include "fuzz_suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    lb_fuzz_suite(bytes, size, lb_load_yaml);
    return 0;
}
