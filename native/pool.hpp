// A small pool of our own: idle workers sleep on a condition variable, the calling thread works too, and a
// job's tasks are handed out one at a time. Results never depend on who did what. Between the jobs of a run
// a worker looks out for the next, for 50 microseconds at the most.
#pragma once

#include <cstdint>
#include <functional>

namespace seedbed {

// Processor time of the calling thread.
double thread_cpu_seconds();

// Calls body(task, worker) for every task in [0, n_tasks); 0 <= worker < n_threads, and no two
// calls with the same worker overlap. The first exception is rethrown here after all workers stop.
// Returns the processor time that other threads than the caller's took.
double parallel_for(std::int64_t n_tasks, int n_threads, const std::function<void(std::int64_t, int)>& body);

}  // namespace seedbed
