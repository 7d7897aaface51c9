/* Empty on purpose. Some test programs written for MLI 2.0 include a file of this name and use
 * nothing of it (api.md 6); it need only be on the path. */
#ifndef MLI_CHECK_H
#define MLI_CHECK_H

#endif
