#include "pool.hpp"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace seedbed {
namespace {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Waking a sleeping thread takes some 40 microseconds, as long as a small job; jobs of one run follow each other within a few. So who
// waits looks out for a moment before it sleeps, unless the last wait was long: on a busy machine the others have use for the processor.
class LookOut {
public:
    template <class Ready>
    void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& signal, const Ready& ready) {
        using Clock = std::chrono::steady_clock;
        constexpr std::chrono::microseconds kMoment{50};
        const auto before = Clock::now();
        if (!ready() && worth_) {
            lock.unlock();
            while (!ready() && Clock::now() < before + kMoment)
                for (int i = 0; i < 16 && !ready(); ++i) pause();
            lock.lock();
        }
        signal.wait(lock, ready);
        worth_ = Clock::now() < before + 2 * kMoment;
    }

private:
    bool worth_ = true;
};

struct Job {
    std::int64_t n_tasks;
    int n_slots;
    const std::function<void(std::int64_t, int)>* body;
    std::atomic<std::int64_t> next{0};
    int slots_taken = 1;  // slot 0 is the caller's; guarded by the pool's mutex
    std::atomic<int> active{0};  // helpers at work; changed under the pool's mutex
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
            open_ = queue_.size();
        }
        wake_.notify_all();
        job.work(0);
        std::unique_lock lock(mutex_);
        std::erase(queue_, &job);
        open_ = queue_.size();
        thread_local LookOut look_out;
        look_out.wait(lock, done_, [&] { return job.active == 0; });
        if (job.error) std::rethrow_exception(job.error);
    }

private:
    void serve() {
        std::unique_lock lock(mutex_);
        LookOut look_out;
        for (;;) {
            look_out.wait(lock, wake_, [&] { return open_ > 0; });
            Job* job = queue_.front();
            const int slot = job->slots_taken++;
            if (job->slots_taken >= job->n_slots) queue_.pop_front();
            open_ = queue_.size();
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
    std::atomic<std::size_t> open_{0};  // jobs in the queue; changed under the mutex
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
