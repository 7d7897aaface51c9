/* Tensors of a network from a file: see model.h. */
#include "harness/encodings/model.h"
#include "harness/arrays/array.h"
#include "harness/base/texts.h"
#include "harness/base/utf8.h"
#include "harness/base/whole_file.h"
#include "harness/base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 64 * 1024 * 1024 };

static bool is_same_name(void *user, size_t earlier, const char *name)
{
    return strcmp(((const lb_model *)user)->tensors[earlier].name, name) == 0;
}

lb_model_tensor *lb_model_add(lb_model *model, const char *name)
{
    size_t earlier;
    if (!lb_id_set_add(&model->names, name, is_same_name, model, &earlier)) {
        lb_id_set_take_back(&model->names);
        return &model->tensors[earlier];
    }
    model->tensors =
        lb_room_for_one(model->tensors, model->count, &model->capacity, sizeof *model->tensors);
    model->tensors[model->count] = (lb_model_tensor){.name = lb_arena_strdup(&model->arena, name)};
    return &model->tensors[model->count++];
}

const lb_model_tensor *lb_model_find(const lb_model *model, const char *name)
{
    size_t number;
    bool found = lb_id_set_find(&model->names, name, is_same_name, (void *)model, &number);
    return found ? &model->tensors[number] : NULL;
}

void lb_model_free(lb_model *model)
{
    lb_id_set_free(&model->names);
    free(model->tensors);
    lb_arena_free(&model->arena);
}

/* ---- A text: a name on each line, and its shape in brackets if it is known ---- */

static bool refuse_line(lb_model *model, unsigned line, const char *what, const char **why)
{
    *why = lb_arena_printf(&model->arena, "line %u: %s", line, what);
    return false;
}

/* "[64, 3, ?, 3]" from the bracket on, to the end of the line. */
static bool read_extents(const char *text, lb_model_tensor *t)
{
    text++;
    t->has_shape = true;
    for (text += strspn(text, " "); *text != ']'; text += strspn(text, " ")) {
        size_t digits = strspn(text, "0123456789");
        if (t->rank == LB_MODEL_RANK || digits > 18 || (digits == 0 && *text != '?'))
            return false;
        t->shape[t->rank++] = digits ? (int64_t)strtoll(text, NULL, 10) : -1;
        text += digits ? digits : 1;
        text += strspn(text, " ");
        if (*text == ',')
            text++;
        else if (*text != ']')
            return false;
    }
    return text[1] == '\0';
}

static bool read_line(lb_model *model, char *line, unsigned number, const char **why)
{
    char *end = line + strlen(line);
    while (end > line && strchr(" \t\r", end[-1]))
        *--end = '\0';
    if (end == line || line[0] == '#')
        return true;
    if (!lb_utf8_is_printable(line, strlen(line)))
        return refuse_line(model, number, "a name in printable UTF-8 is needed", why);
    char *bracket = end[-1] == ']' ? strrchr(line, '[') : NULL;
    bool has_shape = bracket && bracket > line && bracket[-1] == ' ';
    lb_model_tensor shape = {.name = NULL};
    if (has_shape && !read_extents(bracket, &shape))
        return refuse_line(model, number,
                           "a shape is 8 numbers or \"?\" at most, as in [64, 3, ?, 3]", why);
    for (char *cut = has_shape ? bracket : NULL; cut && cut > line && cut[-1] == ' '; cut--)
        cut[-1] = '\0';
    if (lb_model_find(model, line))
        return refuse_line(model, number, "the name stands there already", why);
    lb_model_tensor *t = lb_model_add(model, line);
    shape.name = t->name;
    shape.is_due = true;
    *t = shape;
    return true;
}

static bool read_list(const char *path, lb_model *model, const char **why)
{
    lb_whole_file file = lb_is_stdin(path) ? lb_whole_stdin_read(MOST_TEXT, &model->arena)
                                           : lb_whole_file_read(path, MOST_TEXT, &model->arena);
    unsigned number = 0;
    if (!file.text) {
        *why = lb_whole_file_problem(&file);
        return false;
    }
    if (strlen(file.text) != file.length) {
        *why = "it is no text, no .npz archive and no ONNX file by its name";
        return false;
    }
    for (char *line = file.text; line; number++) {
        char *feed = strchr(line, '\n');
        if (feed)
            *feed = '\0';
        if (!read_line(model, line, number + 1, why))
            return false;
        line = feed ? feed + 1 : NULL;
    }
    return true;
}

/* ---- An archive of arrays ---- */

typedef struct listing {
    lb_model *model;
    lb_arena scratch;
    const char *why;
} listing;

static bool add_member(void *user, const char *name, const lb_bytes *head)
{
    listing *l = user;
    lb_array array;
    const char *why = NULL;
    lb_arena_reset(&l->scratch);
    if (!lb_npy_read_shape(head->at, head->count, &l->scratch, &array, &why)) {
        l->why = lb_arena_printf(&l->model->arena, "member \"%.100s\": %s", name, why);
        return false;
    }
    lb_model_tensor *t = lb_model_add(l->model, name);
    t->has_shape = t->is_due = true;
    t->rank = array.rank;
    for (unsigned d = 0; d < array.rank; d++)
        t->shape[d] = array.shape[d] <= INT64_MAX ? (int64_t)array.shape[d] : -1;
    return true;
}

static bool read_npz(int fd, lb_model *model, const char **why)
{
    listing l = {.model = model};
    lb_arena directory = {0};
    bool good = lb_npz_each(fd, &directory, add_member, &l, why);
    const char *own = l.why ? l.why : *why;
    *why = own ? lb_arena_strdup(&model->arena, own) : NULL;
    lb_arena_free(&l.scratch);
    lb_arena_free(&directory);
    return good;
}

/* ---- Which of them ---- */

static bool read_binary(const char *path, lb_model *model, bool is_onnx, const char **why)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &info) == 0;
    if (!good) {
        *why = lb_arena_strdup(&model->arena, strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        *why = "it is no regular file";
        good = false;
    } else if (is_onnx) {
        lb_onnx_source source = {.fd = fd, .length = (uint64_t)info.st_size};
        good = lb_onnx_read(&source, model, why);
    } else {
        good = read_npz(fd, model, why);
    }
    if (fd >= 0)
        close(fd);
    return good;
}

bool lb_model_read(const char *path, lb_model *model, const char **why)
{
    *model = (lb_model){.path = path};
    *why = NULL;
    if (lb_text_ends_with(path, ".onnx"))
        return read_binary(path, model, true, why);
    if (lb_text_ends_with(path, ".npz"))
        return read_binary(path, model, false, why);
    return read_list(path, model, why);
}
