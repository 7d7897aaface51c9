/* Networks of a run: see networks.h. */
#include "networks.h"

#include <math.h>
#include <string.h>

static size_t count_layers(const lb_run_info *info, size_t start)
{
    const lb_layer_drift *first = &info->drift[start];
    size_t count = 1;
    while (start + count < info->drift_count && strcmp(first[count].suite, first->suite) == 0 &&
           strcmp(first[count].profile, first->profile) == 0)
        count++;
    return count;
}

/* Files have 9 digits or more. */
static bool is_same_figure(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-8 * (fabs(a) + fabs(b));
}

static bool is_same_layer(const lb_layer_drift *a, const lb_layer_drift *b)
{
    return strcmp(a->suite, b->suite) == 0 && strcmp(a->layer, b->layer) == 0 &&
           strcmp(a->failed ? a->failed : "", b->failed ? b->failed : "") == 0 &&
           a->elements == b->elements && a->different == b->different &&
           is_same_figure(a->exact_noise, b->exact_noise) &&
           is_same_figure(a->exact_max, b->exact_max) &&
           is_same_figure(a->port_noise, b->port_noise) && is_same_figure(a->port_max, b->port_max);
}

static bool agree(const lb_run_info *info, size_t a, size_t b)
{
    const size_t count = count_layers(info, a);
    bool same = count_layers(info, b) == count;
    for (size_t i = 0; same && i < count; i++)
        same = is_same_layer(&info->drift[a + i], &info->drift[b + i]);
    return same;
}

/* Networks of a suite that are held against each other; there are as many as profiles. */
enum { MOST_PROFILES = 64 };

/* Which one of those of its suite it is, as far as they are compared. */
static size_t number_in_suite(const lb_network_walk *walk, const lb_run_info *info, size_t start)
{
    size_t number = 0;
    for (size_t i = walk->suite; i < start && number < MOST_PROFILES; i += count_layers(info, i))
        number++;
    return number;
}

/* A network that an earlier one has taken along. */
static bool is_taken(const lb_network_walk *walk, const lb_run_info *info, size_t start)
{
    if (number_in_suite(walk, info, start) == MOST_PROFILES)
        return false;
    for (size_t i = walk->suite; i < start; i += count_layers(info, i))
        if (agree(info, i, start))
            return true;
    return false;
}

static void put_profiles(lb_network_walk *walk, const lb_run_info *info, size_t start)
{
    size_t number = number_in_suite(walk, info, start);
    lb_doc_cut(&walk->profiles, 0);
    lb_doc_puts(&walk->profiles, info->drift[start].profile);
    for (size_t i = start + walk->count; i < info->drift_count; i += count_layers(info, i)) {
        if (++number >= MOST_PROFILES || strcmp(info->drift[i].suite, walk->layers->suite) != 0)
            break;
        if (agree(info, start, i)) {
            lb_doc_puts(&walk->profiles, ", ");
            lb_doc_puts(&walk->profiles, info->drift[i].profile);
        }
    }
    lb_doc_char(&walk->profiles, '\0');
}

bool lb_network_next(lb_network_walk *walk, const lb_run_info *info)
{
    for (; walk->next < info->drift_count; walk->next += count_layers(info, walk->next)) {
        if (strcmp(info->drift[walk->suite].suite, info->drift[walk->next].suite) != 0)
            walk->suite = walk->next;
        if (!is_taken(walk, info, walk->next))
            break;
    }
    if (walk->next >= info->drift_count) {
        lb_doc_free(&walk->profiles);
        return false;
    }
    walk->layers = &info->drift[walk->next];
    walk->count = count_layers(info, walk->next);
    put_profiles(walk, info, walk->next);
    walk->next += walk->count;
    return !walk->profiles.failed;
}
