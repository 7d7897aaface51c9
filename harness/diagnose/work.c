/* Costs of a diagnosis: see work.h. */
#include "harness/diagnose/work.h"
#include "harness/base/clock.h"

/* Nominal seconds of a call of the port, and of a process for it. */
static const double CALL = 100e-6, PROCESS = 5e-3;

double lb_work_seconds(lb_evidence *e)
{
    e->out_of_time = e->out_of_time || (e->ends > 0 && lb_now_seconds() > e->ends);
    return e->out_of_time ? 1e18 : e->work;
}

double lb_work_limit(double effort)
{
    return 10 * effort + 20;
}

void lb_work_run(lb_evidence *e, lb_fault_bench *bench, bool listened)
{
    e->work += lb_fault_bench_cost(bench, listened);
}

void lb_work_fault(lb_evidence *e, lb_fault_bench *bench, const lb_fault *fault)
{
    lb_work_run(e, bench, fault->kind->group == LB_FAULTS_STEP);
}

void lb_work_calls(lb_evidence *e, uint64_t calls)
{
    e->work += CALL * (double)calls;
}

void lb_work_processes(lb_evidence *e, uint64_t processes)
{
    e->work += PROCESS * (double)processes;
}
