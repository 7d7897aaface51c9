/* The same loads in a port that declares what it needs: it is right. */
#define ALIGNED_LOADS LB_KIT_ALIGNED
#include "aligned_loads.c"
