/* Computes every example of the specification of LiteRT with the implementation, in every profile
 * in which it holds (litert.1.7). */
#include "calls.h"

#include "litert/fixed.h"
#include "litert/tables.h"

#include <ctype.h>
#include <dirent.h>

#define FOLDER LASTBIT_SOURCE_DIR "/reference/litert/spec"

enum { MOST_VALUES = 64 };

/* ---- Reading ---- */

static const char *skip_blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

/* "-12", "0x7F", "2^30", "-2^31"; false: it is none. */
static bool read_simple_number(const char **at, int64_t *value)
{
    const char *from = skip_blanks(*at);
    bool negative = *from == '-';
    char *end;
    from += negative;
    if (!isdigit((unsigned char)*from))
        return false;
    int64_t v = strncmp(from, "0x", 2) == 0 ? strtoll(from, &end, 16) : strtoll(from, &end, 10);
    if (*end == '^') {
        long power = strtol(end + 1, &end, 10);
        v = v == 2 && power >= 0 && power < 63 ? (int64_t)1 << power : 0;
    }
    *value = negative ? -v : v;
    *at = end;
    return true;
}

/* And "2^30 - 1". */
static bool read_number(const char **at, int64_t *value)
{
    int64_t less = 0;
    if (!read_simple_number(at, value))
        return false;
    const char *next = skip_blanks(*at);
    if (strncmp(next, "- ", 2) == 0) {
        next += 2;
        if (!read_simple_number(&next, &less))
            return false;
        *at = next;
    }
    *value -= less;
    return true;
}

static void read_word(const char **at, char *word, size_t bytes)
{
    const char *from = skip_blanks(*at);
    size_t length = strcspn(from, " ,;()=\n");
    snprintf(word, bytes, "%.*s", (int)length, from);
    *at = from + length;
}

/* Behind a closing bracket or the like. */
static bool skip_sign(const char **at, char sign)
{
    const char *from = skip_blanks(*at);
    *at = from + (*from == sign);
    return *from == sign;
}

/* "[1,2,3]"; nothing: rank 0 is left. */
static void read_shape(const char **at, tensor *t)
{
    int64_t size;
    if (!skip_sign(at, '['))
        return;
    while (read_simple_number(at, &size)) {
        assert_true(t->rank < LB_LITERT_MAX_RANK);
        t->shape[t->rank++] = (int32_t)size;
        skip_sign(at, ',');
    }
    assert_true(skip_sign(at, ']'));
    count_elements(t);
}

static size_t read_values(const char **at, int64_t *values)
{
    size_t count = 0;
    while (count < MOST_VALUES && read_simple_number(at, &values[count]))
        count++;
    return count;
}

/* ---- Kernels ---- */

/* Of the elements of an input of the kernel; 0: it is none of its inputs. */
static int bits_of_role(const lb_litert_named *f, const char *role)
{
    const bool is_list = strcmp(role, "multiplier") == 0 || strcmp(role, "shift") == 0;
    if (f->in_bits == 0 || (is_list && !f->per_channel))
        return 0;
    return strcmp(role, "in") == 0 || strcmp(role, "in1") == 0 || strcmp(role, "in2") == 0
               ? f->in_bits
           : strcmp(role, "weights") == 0         ? 8
           : strcmp(role, "bias") == 0            ? (f->in_bits == 8 ? 32 : 64)
           : is_list || strcmp(role, "axis") == 0 ? 32
                                                  : 0;
}

static void read_input(test_case *c, const char *role, int bits, const char **at)
{
    tensor *t = add_tensor(c->input, &c->inputs, MAX_ROLES, role, bits);
    int64_t values[MOST_VALUES];
    read_shape(at, t);
    size_t count = read_values(at, values);
    if (t->rank == 0) {
        t->rank = 1;
        t->shape[0] = (int32_t)count;
        t->count = count;
    }
    if (count != t->count)
        fail_msg("%s: %s has %zu values, expected %zu", c->function, role, count, t->count);
    t->values = malloc((count + 1) * sizeof *t->values);
    assert_non_null(t->values);
    memcpy(t->values, values, count * sizeof *values);
}

/* A number or a word. */
static void read_config(test_case *c, const char *key, const char **at)
{
    entry *e = add_entry(c->config, &c->configs, key);
    const char *from = skip_blanks(*at);
    char *end;
    int64_t number;
    read_word(at, e->word, sizeof e->word);
    e->number = strtod(from, &end);
    if (strchr(e->word, '^') && read_simple_number(&from, &number))
        e->number = (double)number;
}

/* The shape of the output: given, or that of the first input if so many values are wanted. */
static void set_output(test_case *c, size_t count)
{
    tensor *out = &c->output[0];
    if (out->rank > 0)
        return;
    if (c->input[0].count == count) {
        out->rank = c->input[0].rank;
        memcpy(out->shape, c->input[0].shape, sizeof out->shape);
    } else {
        out->rank = 1;
        out->shape[0] = (int32_t)count;
    }
    count_elements(out);
}

/* "KEY VALUES; ..." up to the closing bracket. */
static bool read_arguments(test_case *c, const lb_litert_named *f, const char **at)
{
    if (f->out_bits)
        add_tensor(c->output, &c->outputs, 2, "out", f->out_bits);
    do {
        char key[24];
        read_word(at, key, sizeof key);
        int bits = bits_of_role(f, key);
        if (strcmp(key, "out") == 0 && f->out_bits)
            read_shape(at, &c->output[0]);
        else if (bits)
            read_input(c, key, bits, at);
        else
            read_config(c, key, at);
    } while (skip_sign(at, ';'));
    return skip_sign(at, ')') && skip_sign(at, '=');
}

static bool kernel_is(test_case *c, const char *at, lb_litert_profile profile, char *why,
                      size_t why_bytes)
{
    int64_t wanted[MOST_VALUES];
    lb_litert_context ctx = {profile};
    size_t count = read_values(&at, wanted);
    set_output(c, count);
    make_buffers(c, GUARD_BYTES);
    lb_litert_status status = call_case(c, &ctx);
    bool right = buffers_are_kept(c, GUARD_BYTES, why, why_bytes) &&
                 output_is(&c->output[0], wanted, count, why, why_bytes);
    if (status != LB_LITERT_SUCCESS) {
        snprintf(why, why_bytes, "status %d", (int)status);
        right = false;
    }
    release_buffers(c);
    return right && *skip_blanks(at) == '\n';
}

/* "KEY NUMBER, ...": all of them, in any order. */
static bool prepared_is(test_case *c, const char *at, lb_litert_profile profile, char *why,
                        size_t why_bytes)
{
    lb_litert_context ctx = {profile};
    int named = 0;
    c->results = 0;
    if (call_case(c, &ctx) != LB_LITERT_SUCCESS)
        return snprintf(why, why_bytes, "is refused"), false;
    do {
        char key[24];
        int64_t number;
        read_word(&at, key, sizeof key);
        const entry *e = find_entry(c->result, c->results, key);
        if (!read_simple_number(&at, &number) || !e || (int64_t)e->number != number)
            return snprintf(why, why_bytes, "%s: got %.0f", key, e ? e->number : 0), false;
        named++;
    } while (skip_sign(&at, ','));
    snprintf(why, why_bytes, "%d keys, expected %d", c->results, named);
    return named == c->results && *skip_blanks(at) == '\n';
}

static bool case_is(const char *name, const char *at, lb_litert_profile profile, char *why,
                    size_t why_bytes)
{
    const lb_litert_named *f = lb_litert_named_find(name);
    test_case c = {0};
    if (!f)
        return snprintf(why, why_bytes, "there is no function %s", name), false;
    snprintf(c.function, sizeof c.function, "%s", name);
    if (!read_arguments(&c, f, &at)) {
        release_values(&c);
        return snprintf(why, why_bytes, "this is not NAME(KEY VALUES; ...) = RESULT"), false;
    }
    bool right = f->out_bits ? kernel_is(&c, at, profile, why, why_bytes)
                             : prepared_is(&c, at, profile, why, why_bytes);
    release_values(&c);
    return right;
}

/* ---- Primitives ---- */

static bool primitive_is(const lb_litert_primitive *p, const char *at, lb_litert_profile profile,
                         char *why, size_t why_bytes)
{
    int64_t a[3], wanted, second = 0;
    char word[24] = "";
    for (int i = 0; i < p->count; i++)
        if (!read_number(&at, &a[i]) || !skip_sign(&at, i + 1 < p->count ? ',' : ')'))
            return snprintf(why, why_bytes, "expected %d arguments", p->count), false;
    if (!skip_sign(&at, '=') || !read_number(&at, &wanted))
        return snprintf(why, why_bytes, "there is no result"), false;
    int64_t got = p->compute(profile, a, &second);
    snprintf(why, why_bytes, "got %" PRId64 ", and %" PRId64, got, second);
    if (p->second) {
        int64_t wanted_second;
        skip_sign(&at, ',');
        read_word(&at, word, sizeof word);
        if (strcmp(word, p->second) != 0 || !read_simple_number(&at, &wanted_second) ||
            wanted_second != second)
            return false;
    }
    return got == wanted && *skip_blanks(at) == '\n';
}

/* lut16(TABLE, NUMBER) */
static bool look_up_is(const char *at, char *why, size_t why_bytes)
{
    char table[48];
    int64_t v, wanted;
    read_word(&at, table, sizeof table);
    const int16_t *lut = strcmp(table, "softmax_exp") == 0 ? lb_litert_softmax_exp
                                                           : lb_litert_softmax_one_over_one_plus_x;
    if (!skip_sign(&at, ',') || !read_number(&at, &v) || !skip_sign(&at, ')') ||
        !skip_sign(&at, '=') || !read_number(&at, &wanted))
        return snprintf(why, why_bytes, "this is not lut16(TABLE, NUMBER) = NUMBER"), false;
    int32_t got = lb_litert_lut16(lut, (int32_t)v);
    snprintf(why, why_bytes, "got %" PRId32, got);
    return got == wanted;
}

/* ---- Examples ---- */

static bool example_is(const char *name, const char *at, lb_litert_profile profile, char *why,
                       size_t why_bytes)
{
    why[0] = '\0';
    if (strcmp(name, "lut16") == 0)
        return look_up_is(at, why, why_bytes);
    for (const lb_litert_primitive *p = lb_litert_primitives; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return primitive_is(p, at, profile, why, why_bytes);
    return case_is(name, at, profile, why, why_bytes);
}

/* The profiles in which a line is wrong, or what is no example. */
static int wrong_in(const char *line, const char *file, int number)
{
    char name[48], why[256];
    const char *at = line;
    int wrong = 0, held = 0;
    for (int p = 0; p < 2; p++) {
        size_t length = strlen(profile_names[p]);
        const char *other = profile_names[1 - p];
        at = line;
        if (strncmp(line, other, strlen(other)) == 0)
            continue;
        if (strncmp(line, profile_names[p], length) == 0 && line[length] == ':')
            at = line + length + 1;
        held++;
        read_word(&at, name, sizeof name);
        if (skip_sign(&at, '(') && example_is(name, at, (lb_litert_profile)p, why, sizeof why))
            continue;
        print_error("reference/litert/spec/%s:%d: %s [%s]: %s\n", file, number, name,
                    profile_names[p], why);
        wrong++;
    }
    return held ? wrong : 1;
}

/* Adds the lines that go on with this one: they begin with a space. Gives how many. */
static int join_lines(FILE *page, char *line, size_t line_bytes)
{
    int next, joined = 0;
    while ((next = fgetc(page)) == ' ') {
        size_t length = strcspn(line, "\n");
        line[length] = ' ';
        if (!fgets(line + length + 1, (int)(line_bytes - length - 1), page))
            break;
        joined++;
    }
    if (next != EOF)
        ungetc(next, page);
    return joined;
}

/* All of a page's examples; those that are wrong are added to *wrong. */
static int run_page(const char *name, int *wrong)
{
    char path[1024], line[2048];
    int examples = 0, number = 0;
    bool inside = false;
    snprintf(path, sizeof path, FOLDER "/%s", name);
    FILE *page = fopen(path, "r");
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        number++;
        if (strncmp(line, "```", 3) == 0) {
            inside = strncmp(line, "```example", 10) == 0;
        } else if (inside) {
            int first = number;
            number += join_lines(page, line, sizeof line);
            examples++;
            *wrong += wrong_in(line, name, first) > 0;
        }
    }
    fclose(page);
    return examples;
}

static void test_examples(void **state)
{
    (void)state;
    int examples = 0, wrong = 0;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot && strcmp(dot, ".md") == 0)
            examples += run_page(e->d_name, &wrong);
    }
    closedir(folder);
    print_message("%d examples computed\n", examples);
    assert_int_equal(wrong, 0);
    assert_true(examples >= 140);
}

/* Examples that say something else, or nothing, are found. */
static void test_wrong_examples_are_found(void **state)
{
    static const char *const wrong[] = {
        "srdhm(3, 2^30) = 1\n",
        "srdhm(3) = 1\n",
        "reciprocal(524288) = 2147483647, bits_over_unit 1\n",
        "lut16(softmax_exp, -32768) = 3\n",
        "litert-double: scale32(1, 2^30, -1) = 0\n",
        "scale32(1, 2^30, -1) = 1\n",
        "nothing(1) = 1\n",
        "relu6_s8(in -128 -6; zero -5; six 55) = -5 -6\n",
        "relu6_s8(in -128 -6; zero -5; six 55) = -5\n",
        "prepare_multiplier(real 1.0) = multiplier 1073741824\n",
        "prepare_multiplier(real 1.0) = multiplier 1073741824, shift 2\n",
        "prepare_multiplier(real 1.0 = multiplier 1073741824, shift 1\n",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_true(wrong_in(wrong[i], "(on purpose)", (int)i) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_wrong_examples_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
