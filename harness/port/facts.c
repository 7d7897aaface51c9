/* What a port says of itself: see facts.h. */
#include "harness/port/facts.h"
#include "harness/base/clock.h"
#include "harness/base/utf8.h"
#include "reference/core/profile.h"

#include <stdio.h>
#include <string.h>

typedef struct asked {
    lb_wire *wire;
    double limit_seconds;
} asked;

static uint64_t deadline_in(double seconds)
{
    return lb_awake_ns() + (uint64_t)(seconds * 1e9);
}

/* It goes into reports, which are text of one line. */
static void make_plain(char *text)
{
    bool is_text = lb_utf8_check(text, strlen(text)) == strlen(text);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c == 0x7F ||
            (!is_text && (unsigned char)*c > 0x7F))
            *c = '?';
}

bool lb_port_facts_have(const lb_port_facts *facts, int function)
{
    const unsigned set = (unsigned)function / LB_WIRE_SET_NUMBERS;
    const unsigned number = (unsigned)function % LB_WIRE_SET_NUMBERS;
    return function >= 0 && set < LB_WIRE_SETS && number < facts->functions[set].count &&
           facts->functions[set].bits[number / 8] >> number % 8 & 1;
}

/* A bit for each function of a set. Gives the place behind them; NULL: they do not end there. */
static const uint8_t *take_bits(lb_port_facts *facts, unsigned set, unsigned count,
                                const uint8_t *at, const uint8_t *end)
{
    const unsigned bytes = (count + 7) / 8;
    if (end - at < (ptrdiff_t)bytes || bytes > sizeof facts->functions[set].bits)
        return NULL;
    facts->functions[set].count = count;
    memcpy(facts->functions[set].bits, at, bytes);
    return at + bytes;
}

/* Behind the description: sets beside MLI, of which agents without them say nothing. */
static bool take_sets(lb_port_facts *facts, const uint8_t *at, const uint8_t *end)
{
    enum { HEAD = 4 };
    while (at && end - at >= HEAD && at[0] == LB_WIRE_LITERT) {
        facts->profiles |= (unsigned)at[1] << LB_WIRE_LITERT_PROFILES;
        at = take_bits(facts, at[0], lb_wire_get16(at + 2), at + HEAD, end);
    }
    return at == end;
}

static bool take_facts(lb_port_facts *facts, const lb_answer *a, char *why, size_t why_bytes)
{
    enum { FIXED = 15 };
    const uint8_t *p = a->payload, *end = p + a->length, *at = NULL;
    *facts = (lb_port_facts){.version = a->length >= 2 ? lb_wire_get16(p) : 0};
    if (facts->version < LB_WIRE_LEAST_VERSION || facts->version > LB_WIRE_VERSION) {
        snprintf(why, why_bytes, "it speaks version %u of the wire; this lastbit speaks %d to %d",
                 facts->version, LB_WIRE_LEAST_VERSION, LB_WIRE_VERSION);
        return false;
    }
    if (a->length > FIXED)
        at = take_bits(facts, LB_WIRE_MLI, lb_wire_get16(p + 13), p + FIXED, end);
    if (!at || at == end || end - at < 1 + at[0] || !take_sets(facts, at + 1 + at[0], end) ||
        lb_wire_get32(p + 8) < LB_WIRE_LEAST_PAYLOAD) {
        snprintf(why, why_bytes, "its answer to HELLO has %u bytes and makes no sense", a->length);
        return false;
    }
    facts->big_endian = p[2] == 2;
    facts->pointer_bytes = p[3];
    facts->memory_bytes = lb_wire_get32(p + 4);
    facts->payload_bytes =
        lb_wire_get32(p + 8) < LB_WIRE_MOST_PAYLOAD ? lb_wire_get32(p + 8) : LB_WIRE_MOST_PAYLOAD;
    facts->computes_only = (p[12] & LB_WIRE_COMPUTES_ONLY) != 0;
    facts->aligned = (p[12] & LB_WIRE_ALIGNED) != 0;
    facts->profiles |= p[12] & ((1u << LB_PROFILE_COUNT) - 1);
    facts->avepool16 = (p[12] & LB_WIRE_AVEPOOL16) != 0;
    facts->only_avepool16 = facts->avepool16 && p[12] & LB_WIRE_ONLY_AVEPOOL16;
    memcpy(facts->description, at + 1, at[0]);
    make_plain(facts->description);
    return true;
}

/* One text about the build. */
static bool ask_text(asked *r, unsigned which, unsigned profile, char text[LB_PORT_TEXT_BYTES],
                     char *why, size_t why_bytes)
{
    lb_wire *w = r->wire;
    lb_answer answer;
    lb_wire_payload(w)[0] = (uint8_t)which;
    lb_wire_payload(w)[1] = (uint8_t)profile;
    if (!lb_wire_exchange(w, LB_WIRE_TELL, 2, deadline_in(r->limit_seconds), r->limit_seconds,
                          &answer))
        return snprintf(why, why_bytes, "%s", w->failure), false;
    size_t length = answer.length < LB_PORT_TEXT_BYTES ? answer.length : LB_PORT_TEXT_BYTES - 1;
    memcpy(text, answer.payload, length);
    text[length] = '\0';
    make_plain(text);
    return true;
}

/* The word "KEY=VALUE" among words with blanks between them (api.md 4.2), and its length; NULL:
 * none has the key. */
static const char *find_option(const char *options, const char *key, size_t *length)
{
    size_t key_length = strlen(key);
    for (const char *word = options + strspn(options, " "); *word;
         word += *length, word += strspn(word, " ")) {
        *length = strcspn(word, " ");
        if (*length > key_length && strncmp(word, key, key_length) == 0 && word[key_length] == '=')
            return word;
    }
    return NULL;
}

/* The rounding that the library names must be that of the profile (api.md 4.2). */
static void hold_to_profile(lb_port_facts *facts, unsigned profile, const char *options)
{
    static const char key[] = "ROUND_MODE";
    static const char *const values[] = {
        [LB_ROUND_UP] = "UP", [LB_ROUND_CONVERGENT] = "CONVERGENT"};
    size_t length = 0;
    const char *told = find_option(options, key, &length);
    const char *expected = values[lb_profiles[profile].rounding];
    if (!told || facts->contradiction[0] ||
        (length == sizeof key + strlen(expected) &&
         memcmp(told + sizeof key, expected, strlen(expected)) == 0))
        return;
    snprintf(facts->contradiction, sizeof facts->contradiction,
             "the port is declared as %.30s, but its library's mli_hlp_compile_options_string says "
             "%.*s",
             lb_profiles[profile].name, length < 48 ? (int)length : 47, told);
}

/* The library's options may change with the profile: each is held to its own. */
static bool ask_library_options(asked *r, lb_port_facts *facts, char *why, size_t why_bytes)
{
    char text[LB_PORT_TEXT_BYTES];
    char *first = facts->texts[LB_WIRE_LIBRARY_OPTIONS];
    for (unsigned p = 0; p < LB_PROFILE_COUNT; p++) {
        if (!(facts->profiles >> p & 1))
            continue;
        if (!ask_text(r, LB_WIRE_LIBRARY_OPTIONS,
                      p + (facts->only_avepool16 ? LB_PROFILE_COUNT : 0), text, why, why_bytes))
            return false;
        if (!first[0])
            memcpy(first, text + strspn(text, " "), strlen(text + strspn(text, " ")) + 1);
        hold_to_profile(facts, p, text);
    }
    return true;
}

static bool ask_texts(asked *r, lb_port_facts *facts, char *why, size_t why_bytes)
{
    for (unsigned i = 0; i < LB_WIRE_LIBRARY_OPTIONS; i++)
        if (!ask_text(r, i, LB_WIRE_NO_PROFILE, facts->texts[i], why, why_bytes))
            return false;
    return ask_library_options(r, facts, why, why_bytes);
}

bool lb_port_ask(lb_wire *w, double limit_seconds, lb_port_facts *facts, char *why,
                 size_t why_bytes)
{
    lb_answer answer;
    asked r = {w, limit_seconds};
    lb_wire_put32(lb_wire_payload(w), LB_WIRE_VERSION);
    if (!lb_wire_exchange(w, LB_WIRE_HELLO, 4, deadline_in(limit_seconds), limit_seconds, &answer))
        return snprintf(why, why_bytes, "%s", w->failure), false;
    if (!take_facts(facts, &answer, why, why_bytes))
        return false;
    w->most_payload = facts->payload_bytes;
    return facts->version == LB_WIRE_LEAST_VERSION || ask_texts(&r, facts, why, why_bytes);
}

void lb_port_ask_key(lb_wire *w, double limit_seconds, char key[LB_PORT_TEXT_BYTES])
{
    char why[400];
    asked r = {w, limit_seconds};
    if (!ask_text(&r, LB_WIRE_NO_SUCH_KEY, LB_WIRE_NO_PROFILE, key, why, sizeof why))
        key[0] = '\0';
}

/* ---- Is it still the one that was asked at first? ---- */

static bool tell_change(const char *what, const char *was, const char *is, char *why,
                        size_t why_bytes)
{
    if (strcmp(was, is) == 0)
        return false;
    snprintf(why, why_bytes, "its %s is \"%.100s\", and was \"%.100s\"", what, is, was);
    return true;
}

bool lb_port_is_another(const lb_port_facts *was, const lb_port_facts *is, char *why,
                        size_t why_bytes)
{
    static const char *const names[] = {"target", "compiler", "build options",
                                        "mli_hlp_compile_options_string"};
    bool changed = tell_change("description", was->description, is->description, why, why_bytes);
    for (int i = 0; i < LB_WIRE_TEXTS && !changed; i++)
        changed = tell_change(names[i], was->texts[i], is->texts[i], why, why_bytes);
    if (changed)
        return true;
    const char *what =
        was->profiles != is->profiles || was->avepool16 != is->avepool16 ||
                was->only_avepool16 != is->only_avepool16
            ? "profiles"
        : memcmp(was->functions, is->functions, sizeof was->functions) != 0      ? "functions"
        : was->version != is->version || was->payload_bytes != is->payload_bytes ? "wire"
        : was->memory_bytes != is->memory_bytes || was->pointer_bytes != is->pointer_bytes ||
                was->big_endian != is->big_endian
            ? "memory"
        : was->computes_only != is->computes_only ? "kind"
                                                  : NULL;
    if (what)
        snprintf(why, why_bytes, "its %s is another than before", what);
    return what != NULL;
}
