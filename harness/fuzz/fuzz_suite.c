/* Bytes through a case loader: see fuzz_suite.h. */
#include "fuzz_suite.h"
#include "harness/suite/case_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One line that was written must decode without a problem. */
static void read_again(const char *line)
{
    lb_arena tree = {0}, arena = {0};
    lb_problems problems = {.file = "again"};
    lb_document document = {
        .prefix = "", .text = line, .text_length = strlen(line), .first_line = 1, .root_line = 1};
    lb_json_fault fault;
    lb_case c = {.id = NULL};
    if (!lb_json_scan(line, strlen(line), 0, &fault))
        abort();
    lb_document_parse(&document, &tree, strlen(line));
    if (!lb_decode_case(&document, &problems, &arena, &c))
        abort();
    lb_arena_free(&tree);
    lb_arena_free(&arena);
}

void lb_fuzz_suite(const uint8_t *bytes, size_t size, lb_fuzz_loader load)
{
    lb_problems problems = {.file = "fuzz"};
    char path[64];
    lb_suite suite = {.path = path};
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d",
             fd); /* JSON Lines are opened a second time, by name */
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0 ||
        fstat(fd, &suite.stat) != 0)
        abort();
    if (size > 0) /* empty files are refused before a loader sees them */
        load(&suite, fd, &problems);
    close(fd);
    for (size_t i = 0; problems.found == 0 && i < suite.count && suite.cases; i++) {
        lb_arena arena = {0};
        const char *line = lb_case_to_json(suite.cases[i], &arena);
        if (line)
            read_again(line);
        lb_arena_free(&arena);
    }
    lb_arena_free(&suite.arena);
    free(suite.cases);
    free(suite.offsets);
    free(suite.levels);
    free(suite.companions.list);
}
