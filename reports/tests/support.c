/* Whole files as text, and documents made from synthetic results. */
#define _XOPEN_SOURCE 700
#include "support.h"

#include "render.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void stop(const char *path)
{
    perror(path);
    exit(3);
}

char *lb_test_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop(path);
    long bytes = ftell(file);
    char *text = malloc((size_t)bytes + 1);
    rewind(file);
    if (!text || fread(text, 1, (size_t)bytes, file) != (size_t)bytes)
        stop(path);
    fclose(file);
    text[bytes] = '\0';
    *length = (size_t)bytes;
    return text;
}

void lb_test_write(const char *path, const char *text, size_t length)
{
    remove(
        path); /* to cut a file off and write it again makes some file systems wait for the disk */
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0)
        stop(path);
}

void lb_test_write_results(const char *base, lb_synthetic_kind kind, uint64_t count)
{
    char path[1000];
    snprintf(path, sizeof path, "%s.json", base);
    FILE *file = fopen(path, "wb");
    if (!file || !lb_synthetic_write(file, kind, count) || fclose(file) != 0)
        stop(path);
}

char *lb_test_render(const char *base, const char *document, lb_synthetic_kind kind, uint64_t count,
                     size_t *length)
{
    lb_test_write_results(base, kind, count);
    return lb_test_render_file(base, document, length);
}

char *lb_test_render_file(const char *base, const char *document, size_t *length)
{
    char results[1000], path[1000];
    snprintf(results, sizeof results, "%s.json", base);
    snprintf(path, sizeof path, "%s.%s", base, document);
    if (lb_render_file(document, results, path) != 0)
        stop(path);
    char *text = lb_test_read(path, length);
    remove(results);
    remove(path);
    return text;
}

const char *lb_test_find(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        size_t same = 0;
        while (part[same] != '\0' && text[same] == part[same])
            same++;
        if (part[same] == '\0')
            return text;
    }
    return NULL;
}

size_t lb_test_count(const char *text, const char *part)
{
    size_t count = 0;
    size_t length = strlen(part);
    for (const char *at = lb_test_find(text, part); at; at = lb_test_find(at + length, part))
        count++;
    return count;
}

char *lb_test_replaced(const char *text, const char *from, const char *to)
{
    size_t count = lb_test_count(text, from);
    char *copy = malloc(strlen(text) + count * strlen(to) + 1);
    if (!copy)
        stop("memory");
    char *end = copy;
    for (const char *at; (at = strstr(text, from)) != NULL; text = at + strlen(from)) {
        memcpy(end, text, (size_t)(at - text));
        end += at - text;
        memcpy(end, to, strlen(to));
        end += strlen(to);
    }
    memcpy(end, text, strlen(text) + 1);
    return copy;
}

double lb_test_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int lb_test_command(char **arguments, const char *out_path, const char *err_path)
{
    char program[] = LASTBIT_PROGRAM;
    char *words[64] = {program};
    int status = 0;
    for (int i = 0; i < 62 && arguments[i]; i++)
        words[i + 1] = arguments[i];
    pid_t child = fork();
    if (child == 0) {
        if (!freopen(out_path, "wb", stdout) || !freopen(err_path, "wb", stderr))
            _exit(3);
        execv(program, words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        stop("the program did not end by itself");
    return WEXITSTATUS(status);
}
