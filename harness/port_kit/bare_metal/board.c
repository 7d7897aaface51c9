/* Arm's MPS2 board with a Cortex-M4 (image AN386): see board.h. Vectors, start-up, faults, UART 0,
 * semihosting. */
#include "board.h"

#include <stddef.h>
#include <stdlib.h>

/* Of the linker script. */
extern uint32_t lb_stack_end[], lb_data_start[], lb_data_end[], lb_data_load[], lb_bss_start[],
    lb_bss_end[];

_Noreturn void lb_reset(void);

enum { FAULT_STATUS = 101 };

/* ---- The serial line: a CMSDK UART ---- */

typedef struct uart {
    volatile uint32_t data, state, control, interrupts, divider;
} uart;

enum { UART_0 = 0x40004000, TX_FULL = 1, TX_ON = 1, LEAST_DIVIDER = 16 };

static uart *uart_0(void)
{
    return (uart *)UART_0;
}

void lb_board_say(const char *text)
{
    uart_0()->divider = LEAST_DIVIDER;
    uart_0()->control = TX_ON;
    for (; *text; text++) {
        while (uart_0()->state & TX_FULL) {
        }
        uart_0()->data = (uint8_t)*text;
    }
}

/* ---- Semihosting ---- */

enum { SYS_OPEN = 1, SYS_WRITE = 5, SYS_READ = 6, SYS_EXIT_EXTENDED = 0x20 };

/* Asks the debugger, or the emulator, for a service (Arm's semihosting: number in r0, parameters in
 * r1, BKPT 0xAB). */
static uint32_t semihost(uint32_t service, const void *parameters)
{
    register uint32_t r0 __asm__("r0") = service;
    register const void *r1 __asm__("r1") = parameters;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uint32_t console_in, console_out;

static uint32_t open_console(uint32_t mode)
{
    static const char name[] = ":tt";
    const uint32_t parameters[3] = {(uint32_t)name, mode, sizeof name - 1};
    return semihost(SYS_OPEN, parameters);
}

void lb_console_start(void)
{
    enum { READ_BINARY = 1, WRITE_BINARY = 5 };
    console_in = open_console(READ_BINARY);
    console_out = open_console(WRITE_BINARY);
}

/* Both services give how many bytes are left. */
uint32_t lb_console_read(void *line, uint8_t *to, uint32_t count)
{
    const uint32_t parameters[3] = {console_in, (uint32_t)to, count};
    (void)line;
    return count - semihost(SYS_READ, parameters);
}

int lb_console_write(void *line, const uint8_t *from, uint32_t count)
{
    const uint32_t parameters[3] = {console_out, (uint32_t)from, count};
    (void)line;
    return semihost(SYS_WRITE, parameters) == 0;
}

/* ---- The end ---- */

_Noreturn void lb_exit(int status)
{
    enum { APPLICATION_EXIT = 0x20026 };
    const uint32_t parameters[2] = {APPLICATION_EXIT, (uint32_t)status};
    semihost(SYS_EXIT_EXTENDED, parameters);
    for (;;) {
    }
}

/* Hard fault, bus fault, whatever: nothing that a kernel should cause. */
static void fault(void)
{
    lb_exit(FAULT_STATUS);
}

/* ---- No heap: a library that asks for memory gets none ---- */

void *aligned_alloc(size_t alignment, size_t bytes)
{
    (void)alignment, (void)bytes;
    return NULL;
}

void free(void *memory)
{
    (void)memory;
}

/* ---- The beginning ---- */

static void run(void)
{
    lb_exit(main());
}

_Noreturn void lb_reset(void)
{
    const uint32_t *from = lb_data_load;
    uint32_t *at;
    for (at = lb_data_start; at < lb_data_end; at++)
        *at = *from++;
    for (at = lb_bss_start; at < lb_bss_end; at++)
        *at = 0;
    run();
    for (;;) {
    }
}

typedef void (*vector)(void);
typedef struct vectors {
    uint32_t *stack;
    vector reset, exceptions[14];
} vectors;
extern const vectors lb_vectors;
__attribute__((section(".vectors"), used)) const vectors lb_vectors = {
    lb_stack_end,
    lb_reset,
    {fault, fault, fault, fault, fault, NULL, NULL, NULL, NULL, fault, fault, NULL, fault, fault}};
