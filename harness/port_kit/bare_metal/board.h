/* A board without operating system, as small as it can be: start-up, a serial line, an end. */
#ifndef LB_PLATFORMS_BOARD_H
#define LB_PLATFORMS_BOARD_H

#include <stdint.h>

/* What a program of this board defines; its value is the exit status of the emulator. */
int main(void);

void lb_uart_start(void);
/* Waits for a byte, then reads what is there, `count` bytes at most. */
uint32_t lb_uart_read(void *line, uint8_t *to, uint32_t count);
/* Writes all bytes; always 1. */
int lb_uart_write(void *line, const uint8_t *from, uint32_t count);

/* The same over semihosting: the debugger's console, or the emulator's. Faster there, for bytes go in blocks. */
void lb_console_start(void);
uint32_t lb_console_read(void *line, uint8_t *to, uint32_t count);
int lb_console_write(void *line, const uint8_t *from, uint32_t count);

/* Ends the emulator by semihosting; a board stops here. */
_Noreturn void lb_exit(int status);

/* Most bytes of the stack that have been used. */
uint32_t lb_stack_used(void);

#endif
