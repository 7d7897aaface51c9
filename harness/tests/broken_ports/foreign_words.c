/* Right in all numbers; what it says of itself is not fit for a page or a terminal. */
#include "broken.h"

BROKEN_PORT("words <img src=x onerror=q>\xe2\x80\xae\xe2\x81\xa6\x1b[31m\x07\xc2\x85&]]>'\"`|")
#include "../../port_kit/lb_kit.c"
