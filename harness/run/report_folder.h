/* The folder of --report before a run: no document of an earlier run may be taken for one of this.
 */
#ifndef LB_HARNESS_RUN_REPORT_FOLDER_H
#define LB_HARNESS_RUN_REPORT_FOLDER_H

/* Takes away the documents of the run before, and keeps its results under the name
 * LB_PREVIOUS_RESULTS. Called before anything else can fail: a run that comes to no results leaves
 * none behind. --resume goes on with what is there. NULL, a folder that is not there, and one in
 * which another run is writing stay as they are. */
void lb_report_folder_begin(const char *folder);

#endif
