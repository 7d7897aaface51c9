/* A board without operating system, as small as it can be: start-up, a line to the host, an end. */
#ifndef LB_BOARD_H
#define LB_BOARD_H

#include <stdint.h>

/* What a program of this board defines; its value is the exit status of the emulator. */
int main(void);

/* Text on the serial line (lb_pack_say). */
void lb_board_say(const char *text);

/* The console of semihosting as a line of bytes (lb_kit_transport): the debugger's, or standard
 * input and output of the emulator. */
void lb_console_start(void);
/* Waits for a byte, then reads what is there, `count` bytes at most; 0: the end. */
uint32_t lb_console_read(void *line, uint8_t *to, uint32_t count);
/* Writes all bytes; 0: they could not be. */
int lb_console_write(void *line, const uint8_t *from, uint32_t count);

/* Ends the emulator by semihosting; a board stops here. */
_Noreturn void lb_exit(int status);

#endif
