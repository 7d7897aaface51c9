/* What lastbit and lastbit-host, the program that ports live in, say to each other. lastbit-host
 * holds nothing worth having: no models, no judge, no suites, no journal. */
#ifndef LB_HARNESS_PORT_HOST_H
#define LB_HARNESS_PORT_HOST_H

/* Its arguments: one of these kinds, the address, the process id of who wants it, a name of
 * lb_sandbox_names. */
#define LB_HOST_COMMAND "command"
#define LB_HOST_LIBRARY "library"
#define LB_HOST_SHARING "library-in-memory" /* with memory and rings (ring.h) that both see */

/* Descriptors that it begins with, besides the line (0 and 1) and standard error. */
enum {
    LB_HOST_MEMORY = 3, /* shared memory (shared_memory.h), with LB_HOST_SHARING */
    LB_HOST_CHANNEL = 4 /* what the host has to say itself; no port ever has it */
};

/* On the channel, a line each. No exit status of a foreign process is a message. */
#define LB_HOST_SAYS_SHORT "short "   /* the host has run short of something, in words */
#define LB_HOST_SAYS_BOX   "sandbox " /* what keeps the port apart, in words */
#define LB_HOST_SAYS_OPEN  "open "    /* what does not, for it is not permitted here, in words */
#define LB_HOST_SAYS_END   "end "     /* the port's status, as of waitpid */

/* How a library is kept apart: as far as the system permits; or not at all where not all is
 * permitted; or not at all. */
typedef enum lb_sandbox { LB_SANDBOX_AUTO, LB_SANDBOX_REQUIRE, LB_SANDBOX_OFF } lb_sandbox;
#define LB_SANDBOX_NAMES                                                                           \
    {                                                                                              \
        "auto", "require", "off", 0                                                                \
    }

#endif
