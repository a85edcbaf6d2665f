#include "pool.hpp"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace seedbed {
namespace {

struct Job {
    std::int64_t n_tasks;
    int n_slots;
    const std::function<void(std::int64_t, int)>* body;
    std::atomic<std::int64_t> next{0};
    int slots_taken = 1;  // slot 0 is the caller's; guarded by the pool's mutex
    int active = 0;       // helpers at work; guarded by the pool's mutex
    double helper_seconds = 0.0;  // of their processors; guarded by the pool's mutex
    std::atomic<bool> failed{false};
    std::exception_ptr error{};  // written by the thread that sets `failed`

    void work(int slot) {
        try {
            for (std::int64_t t = next.fetch_add(1); t < n_tasks; t = next.fetch_add(1)) (*body)(t, slot);
        } catch (...) {
            if (!failed.exchange(true)) error = std::current_exception();
            next.store(n_tasks);
        }
    }
};

class Pool {
public:
    void run(Job& job) {
        {
            const std::lock_guard lock(mutex_);
            while (n_threads_ < job.n_slots - 1) {
                std::thread(&Pool::serve, this).detach();
                ++n_threads_;
            }
            queue_.push_back(&job);
        }
        wake_.notify_all();
        job.work(0);
        std::unique_lock lock(mutex_);
        std::erase(queue_, &job);
        done_.wait(lock, [&] { return job.active == 0; });
        if (job.error) std::rethrow_exception(job.error);
    }

private:
    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return !queue_.empty(); });
            Job* job = queue_.front();
            const int slot = job->slots_taken++;
            if (job->slots_taken >= job->n_slots) queue_.pop_front();
            ++job->active;
            lock.unlock();
            const double before = thread_cpu_seconds();  // asks the kernel: once per job, not per task
            job->work(slot);
            const double seconds = thread_cpu_seconds() - before;
            lock.lock();
            job->helper_seconds += seconds;
            if (--job->active == 0) done_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::deque<Job*> queue_;
    int n_threads_ = 0;
};

std::atomic<Pool*> the_pool{nullptr};

// Never destroyed: its sleeping threads would outlive it. A forked child has none of them and starts anew.
Pool& pool() {
    static const bool registered = [] {
        pthread_atfork(nullptr, nullptr, [] { the_pool.store(nullptr); });
        return true;
    }();
    (void)registered;
    Pool* current = the_pool.load();
    if (!current) {
        auto fresh = std::make_unique<Pool>();
        if (the_pool.compare_exchange_strong(current, fresh.get())) current = fresh.release();
    }
    return *current;
}

}  // namespace

double thread_cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double parallel_for(std::int64_t n_tasks, int n_threads, const std::function<void(std::int64_t, int)>& body) {
    n_threads = static_cast<int>(std::min<std::int64_t>(n_threads, n_tasks));
    if (n_threads <= 1) {
        for (std::int64_t t = 0; t < n_tasks; ++t) body(t, 0);
        return 0.0;
    }
    Job job{n_tasks, n_threads, &body};
    pool().run(job);
    return job.helper_seconds;
}

}  // namespace seedbed
