/* A C++ program can use the header. */
#include <lb_litert.h>

int main()
{
    lb_litert_context context = {LB_LITERT_SINGLE};
    lb_litert_relu_params params = {0, 0, 1 << 30, 1, {0, 127}};
    int8_t x[2] = {-5, 5};
    return lb_litert_relu_s8(&context, &params, x, 2, x) != LB_LITERT_SUCCESS || x[0] != 0 ||
           x[1] != 5;
}
