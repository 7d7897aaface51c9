/* lastbit's agent on a board without operating system: the kit on the console of semihosting. */
#include "board.h"
#include "lb_kit.h"

/* For look-up tables and the tensors of one call. */
static uint8_t memory[128 * 1024];

int main(void)
{
    const lb_kit_transport transport = {lb_console_read, lb_console_write, 0};
    lb_console_start();
    lb_kit_serve(&transport, memory, sizeof memory);
    return 0;
}
