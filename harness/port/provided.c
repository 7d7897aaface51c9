/* How much of the API a port has: see provided.h. */
#include "harness/port/provided.h"

#include <string.h>

bool lb_function_moves(const lb_kernel *kernel)
{
    return lb_pattern_of(kernel) == LB_PATTERN_MOVEMENT && !kernel->exact;
}

bool lb_function_is_tried(const lb_kernel *kernel)
{
    return kernel->exact || lb_function_moves(kernel);
}

bool lb_port_has(const lb_port *port, const lb_kernel *kernel)
{
    return lb_function_moves(kernel) ? port->move != NULL : port->provides(port, kernel);
}

bool lb_function_is_extension(const char *name)
{
    return strncmp(name, "mli_ext_", 8) == 0;
}

bool lb_port_has_extensions(const lb_port *port)
{
    for (size_t i = 0; i < lb_kernel_count; i++)
        if (lb_function_is_extension(lb_kernels[i].name) && lb_port_has(port, &lb_kernels[i]))
            return true;
    return false;
}

lb_provided lb_port_provided(const lb_port *port, lb_set set)
{
    const lb_kernel_set *of = lb_kernel_sets[set];
    lb_provided provided = {0};
    for (size_t i = 0; i < *of->kernel_count; i++) {
        const lb_kernel *kernel = &of->kernels[i];
        bool extension = lb_function_is_extension(kernel->name);
        if (!lb_function_is_tried(kernel))
            continue;
        *(extension ? &provided.extensions_of : &provided.of) += 1;
        *(extension ? &provided.extensions : &provided.functions) += lb_port_has(port, kernel);
    }
    return provided;
}
