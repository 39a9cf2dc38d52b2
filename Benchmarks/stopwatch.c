// Runs a program with its output thrown away, and prints its wall-clock time, processor time and peak memory:
//
//     stopwatch PROGRAM [ARGUMENT…]
//
// A process begins with the peak memory of the one that started it, so the one that starts it must be small: this one.
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
  if (count < 2) return 64;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
#ifdef __APPLE__
  long kibibytes = usage.ru_maxrss / 1024;
#else
  long kibibytes = usage.ru_maxrss;
#endif
  printf("{\"seconds\": %.6f, \"processor_seconds\": %.6f, \"peak_kib\": %ld, \"status\": %d}\n",
         (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9,
         seconds(usage.ru_utime) + seconds(usage.ru_stime), kibibytes, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
  return 0;
}
