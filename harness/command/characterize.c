/* lastbit characterize: which numerics a port has, as a platform profile. */
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/characterize/by_profile.h"
#include "harness/characterize/text.h"
#include "harness/command/commands.h"
#include "harness/port/open.h"
#include "harness/run/shared_options.h"
#include "harness/suite/profile_choice.h"
#include "harness/suite/profile_file.h"
#include "harness/trial/reproduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *port_name, *output, *profile_name, *against;
    unsigned long calls;
    double seconds;
    lb_call_choice call;
} options;

/* ---- What is wanted ---- */

static bool choose_families(const lb_arguments *names, lb_character *character)
{
    for (size_t i = 0; i < names->count; i++) {
        int family = lb_family_find(names->items[i]);
        if (family < 0)
            return lb_usage_error("characterize",
                                  "%s: no such family; expected conv2d, fully_connected, ..., "
                                  "litert_conv_2d, ...",
                                  names->items[i]),
                   false;
        character->wanted[family] = true;
    }
    for (int family = 0; names->count == 0 && family < LB_FAMILY_COUNT_OF_ALL; family++)
        character->wanted[family] = true;
    return true;
}

/* One profile by name or file; NULL: reported. */
static const lb_profile *one_profile(const char *name, lb_loaded_profiles *loaded)
{
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t count;
    if (!lb_profiles_choose("characterize", name, loaded, profiles, &count))
        return NULL;
    if (count == 1)
        return profiles[0];
    lb_usage_error("characterize", "%s: expected one profile", name);
    return NULL;
}

static bool has_wanted(const lb_character *character, const lb_kernel_set *set)
{
    for (size_t i = 0; i < *set->kernel_count; i++)
        if (character->wanted[set->kernels[i].family] &&
            character->port->provides(character->port, &set->kernels[i]))
            return true;
    return false;
}

/* The first of the built-in profiles that the port has, of the first set of which it has something
 * that is wanted. */
static const lb_profile *first_profile(const lb_character *character)
{
    int s = 0;
    while (s < LB_SET_COUNT && !has_wanted(character, lb_kernel_sets[s]))
        s++;
    const lb_kernel_set *set = lb_kernel_sets[s < LB_SET_COUNT ? s : LB_SET_MLI];
    for (unsigned i = 0; i < set->profile_count; i++)
        if (character->port->profiles >> lb_profile_number(&set->profiles[i]) & 1)
            return &set->profiles[i];
    return &set->profiles[0];
}

/* ---- Telling ---- */

/* The name of a file without its folder and ending, as far as a profile may be called that. */
static void name_of(const char *path, char name[40])
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    int length = dot ? (int)(dot - base) : (int)strlen(base);
    snprintf(name, 40, "%.*s", length > 39 ? 39 : length, base);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+", *c))
            *c = '-';
    if (lb_profile_find(name) >= 0 || strcmp(name, "all") == 0 || !*name)
        snprintf(name, 40, "my-device");
}

static bool write_file(const char *path, const lb_character *character)
{
    char name[40];
    lb_doc doc = lb_doc_make();
    name_of(path, name);
    lb_character_yaml(&doc, character, name);
    FILE *file = fopen(path, "w");
    bool good = file && lb_doc_flush(&doc, file);
    good = file && fclose(file) == 0 && good;
    lb_doc_free(&doc);
    if (!good)
        fprintf(stderr, "lastbit characterize: %s: cannot be written\n", path);
    return good;
}

static int tell(const options *o, const lb_character *character, const lb_profile *against)
{
    lb_doc doc = lb_doc_make();
    lb_character_text(&doc, character);
    if (against)
        lb_character_against(&doc, character, against);
    bool written = lb_doc_flush(&doc, stdout) && fflush(stdout) == 0;
    lb_doc_free(&doc);
    if (!written || (o->output && !write_file(o->output, character)))
        return 3;
    for (size_t i = 0; i < character->count; i++)
        if (character->groups[i].settled != LB_SETTLED)
            return 1;
    return character->count > 0 ? 0 : 4;
}

typedef struct session {
    lb_character character;
    lb_loaded_profiles asked, against;
} session;

static bool suits_set(const options *o, const lb_profile *against, const lb_kernel_set *set)
{
    if (o->output && !set->has_features)
        return lb_usage_error("characterize",
                              "-o: numerics of %s are built-in profiles, and need no file",
                              set->title),
               false;
    if (against && lb_kernel_sets[against->set] != set)
        return lb_usage_error("characterize", "--against %s: it is no profile of %s", against->name,
                              set->title),
               false;
    return true;
}

/* Profiles are told apart by results alone, and each function for itself: that takes more. */
static unsigned most_calls(const options *o, const lb_character *character)
{
    enum { OF_FEATURES = 300, OF_PROFILES = 1000 };
    return o->calls > 0                            ? (unsigned)o->calls
           : lb_character_is_by_profile(character) ? OF_PROFILES
                                                   : OF_FEATURES;
}

static int characterize(const options *o, const lb_arguments *names, session *s)
{
    const lb_profile *against = NULL;
    lb_character *character = &s->character;
    if (!choose_families(names, character) ||
        (o->against && !(against = one_profile(o->against, &s->against))) ||
        (o->profile_name && !(character->asked = one_profile(o->profile_name, &s->asked))))
        return 2;
    /* Its start counts, too. */
    character->port = lb_port_open_in(
        o->port_name, o->seconds < o->call.seconds ? o->seconds : o->call.seconds, o->call.sandbox);
    if (!character->port)
        return lb_port_open_status;
    if (!character->asked)
        character->asked = first_profile(character);
    character->most_calls = most_calls(o, character);
    character->seconds = o->seconds;
    character->misalign = o->call.misalign;
    int status = 2;
    if (suits_set(o, against, lb_kernel_sets[character->asked->set])) {
        lb_characterize(character);
        status = tell(o, character, against);
    }
    character->port->close(character->port);
    return status;
}

static int command(int argc, char **argv)
{
    options o = {.port_name = "builtin", .seconds = 30, .call.seconds = LB_TIME_LIMIT_SECONDS};
    lb_arguments names;
    int status;
    if (!lb_options_parse(&lb_characterize_command, argc, argv, &o, &names, &status))
        return status;
    session *s = lb_resized(NULL, sizeof *s);
    memset(s, 0, sizeof *s);
    status = characterize(&o, &names, s);
    free(s);
    return status;
}

static const lb_option table[] = {
    {"output", 'o', LB_TEXT, "FILE", LB_INTO(options, output), .help = "writes the profile there"},
    {"profile", 'n', LB_TEXT, "NAME", LB_INTO(options, profile_name),
     .help = "the numerics in which the port is asked: a built-in profile or a file (default: "
             "the first that it has)"},
    {"against", 0, LB_TEXT, "NAME", LB_INTO(options, against),
     .help = "tells where the port departs from this profile, and what that means in numbers"},
    {"calls", 0, LB_NUMBER, "N", LB_INTO(options, calls), .low = 1, .high = 100000,
     .help = "at most so many calls of the port (default 300; of LiteRT's kernels 1000)"},
    {"seconds", 0, LB_SECONDS, "S", LB_INTO(options, seconds), .high = 86400,
     .help = "of processor time, and of waiting for the port, that it may take (default 30)"},
    {.name = NULL}};

const lb_command lb_characterize_command = {
    .name = "characterize",
    .summary = "find out which numerics a port has, and write them as a platform profile",
    .about =
        "Finds out which numerics a port has, by experiments on it: how it rounds, how wide its "
        "accumulators are and what happens past them, when it adds biases and zero points, where "
        "its results end. It needs no suite and no knowledge of the port. What it finds is a "
        "platform profile, with which the exact model gives the port's bits. Functions of LiteRT "
        "have built-in profiles and no choices beside them: which profile it is, is told of each "
        "family, and of a function that departs from all of them which is nearest.",
    .groups = {{lb_port_option, offsetof(options, port_name), NULL},
               {table, 0, NULL},
               {lb_call_options, offsetof(options, call), NULL}},
    .operand = {.name = "FAMILY",
                "conv2d, fully_connected, ..., litert_conv_2d, ...; without one, all that the port "
                "provides",
                0,
                0,
                NULL},
    .statuses = {"every family that has features is settled",
                 "something is unknown: it is told why", "the command line or a profile is wrong",
                 "lastbit itself failed (disk full, out of memory)",
                 "the port provides nothing that has features"},
    .examples = "lastbit characterize --port ./libmyport.so -o my-device.yaml\n"
                "lastbit run --port ./libmyport.so --profile my-device.yaml vectors\n"
                "lastbit characterize --port ./libmyport.so --against up-full conv2d",
    .run = command};
