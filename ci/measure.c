/* Runs a program and writes what it used: "SECONDS CPU-SECONDS MEGABYTES" in one line to a file.
 * CPU-SECONDS, of all its processes, tells less than SECONDS on an idle machine and more on a busy
 * one. MEGABYTES is the largest resident memory of any one of its processes. Debian's `time` does
 * the same, where it is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "Usage: measure FILE PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    double start = now_seconds();
    pid_t child = fork();
    if (child < 0) {
        perror("measure: fork");
        return 3;
    }
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        perror("measure: waitpid");
        return 3;
    }
    double seconds = now_seconds() - start;
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN,
              &usage); /* of the child and of all that it waited for; Linux counts kilobytes */
    double cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    double megabytes = (double)usage.ru_maxrss / 1024.0;
    FILE *file = fopen(argv[1], "w");
    if (!file || fprintf(file, "%.3f %.3f %.1f\n", seconds, cpu_seconds, megabytes) < 0 ||
        fclose(file) != 0) {
        perror(argv[1]);
        return 3;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
