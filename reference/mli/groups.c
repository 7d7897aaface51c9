/* Lines along an axis. Spec: see groups.h. */
#include "groups.h"

lb_groups lb_groups_of(const lb_tensor *t, int32_t axis)
{
    size_t elements = lb_element_count(t);
    if (axis < 0)
        return (lb_groups){.count = 1, .length = elements, .inner = 1};
    lb_groups groups = {.length = t->shape[axis], .inner = 1};
    for (uint32_t d = (uint32_t)axis + 1; d < t->rank; d++)
        groups.inner *= t->shape[d];
    groups.count = elements / groups.length;
    return groups;
}

size_t lb_group_flat(const lb_groups *groups, size_t group, size_t index)
{
    size_t outer = group / groups->inner;
    return (outer * groups->length + index) * groups->inner + group % groups->inner;
}

size_t lb_group_of_flat(const lb_groups *groups, size_t flat)
{
    return flat / (groups->length * groups->inner) * groups->inner + flat % groups->inner;
}
