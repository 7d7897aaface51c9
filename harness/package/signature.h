/* Signatures of packages in the format of OpenSSH (ssh-keygen -Y), in a file beside the package. */
#ifndef LB_HARNESS_PACKAGE_SIGNATURE_H
#define LB_HARNESS_PACKAGE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

enum { LB_SIGNATURE_TEXT = 300 };

/* Writes FILE.sig. False: told. */
bool lb_signature_make(const char *file, const char *key);
/* Is there a FILE.sig? */
bool lb_signature_exists(const char *file);
/* Is it good? `public_key`: the file with the key that must have made it; NULL: any. `folder`: for
 * a file on the way. Who signed, or what is wrong, goes to `text`. */
bool lb_signature_check(const char *file, const char *public_key, const char *folder,
                        char text[LB_SIGNATURE_TEXT]);

#endif
