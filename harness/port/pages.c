/* Slots between forbidden pages: see pages.h. */
#include "harness/port/pages.h"

#include <sys/mman.h>
#include <unistd.h>

/* A case has at most a hundred buffers, and few large ones. */
static const unsigned counts[LB_PAGES_CLASSES] = {96, 32, 32, 32, 16, 16, 16, 8, 8, 8, 4, 4, 3, 3};

unsigned lb_pages_count(unsigned class)
{
    return counts[class];
}

static size_t step(unsigned class)
{
    return ((size_t)LB_PAGE_BYTES << class) + LB_PAGES_GAP;
}

size_t lb_pages_slot(unsigned class, unsigned i)
{
    size_t start = LB_PAGES_START + LB_PAGES_GAP;
    for (unsigned c = 0; c < class; c++)
        start += counts[c] * step(c);
    return start + i * step(class);
}

unsigned lb_pages_number(unsigned class, unsigned i)
{
    for (unsigned c = 0; c < class; c++)
        i += counts[c];
    return i;
}

size_t lb_pages_end(unsigned classes)
{
    return classes == 0 ? 0 : lb_pages_slot(classes - 1, counts[classes - 1]);
}

unsigned lb_pages_classes_in(size_t bytes)
{
    unsigned classes = LB_PAGES_CLASSES;
    while (classes > 0 && lb_pages_end(classes) > bytes / 2)
        classes--;
    return classes;
}

unsigned lb_pages_gaps(unsigned classes, size_t gaps[LB_PAGES_SLOTS + 1])
{
    unsigned count = 0;
    gaps[count++] = LB_PAGES_START;
    for (unsigned class = 0; class < classes; class ++)
        for (unsigned i = 0; i < counts[class]; i++)
            gaps[count++] = lb_pages_slot(class, i) + ((size_t)LB_PAGE_BYTES << class);
    return count;
}

bool lb_pages_are_there(void)
{
    return sysconf(_SC_PAGESIZE) == LB_PAGE_BYTES;
}

void lb_pages_forbid(unsigned char *memory)
{
    if (!lb_pages_are_there())
        return;
    size_t gaps[LB_PAGES_SLOTS + 1];
    const unsigned count = lb_pages_gaps(LB_PAGES_CLASSES, gaps);
    for (unsigned i = 0; i < count; i++)
        mprotect(memory + gaps[i], LB_PAGES_GAP, PROT_NONE);
}
