// One loop for every algorithm: it owns iterations, stopping, empty clusters, history, counters and
// interruption. An algorithm supplies the assignment step only, and all of them give Lloyd's labels.
#pragma once

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dataset.hpp"

namespace seedbed {

enum class Algorithm { automatic, lloyd, tie_pde, hamerly, elkan, yinyang, tree };
enum class Stop { centers, sse, labels };
enum class Empty { relocate, keep, drop, error };
enum class Reason { labels, centers, sse, max_iter, callback };

struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};
struct EmptyCluster : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// Fewer distinct rows (of positive weight) than clusters: no relocation can fill them all.
struct TooFewDistinct : std::runtime_error {
    index_t distinct;
    explicit TooFewDistinct(index_t u) : std::runtime_error("too few distinct rows"), distinct(u) {}
};

struct Iteration {
    double sse;               // of this iteration's labels about the centres they were assigned to
    std::int64_t changed;     // labels that differ from the previous iteration's
    std::int64_t distances;   // point-to-centre distances computed
    std::int64_t relocated;   // empty clusters moved to a far point
};

struct Options {
    Algorithm algorithm = Algorithm::automatic;
    Stop stop = Stop::centers;
    double tol = 1e-4;
    int max_iter = 300;
    Empty empty = Empty::relocate;
    int n_threads = 1;
    bool history = true;
    bool closing_sse = true;    // the error of the result, from the rows; NaN without
};

// What the caller's thread is asked now and then; both may be empty.
struct Watch {
    std::function<bool()> interrupted;                 // true: give up with Interrupted
    // After an iteration, with the centres (k x d, of the data's type) its labels refer to; true: stop here.
    std::function<bool(int, const Iteration&, const void* centers, index_t k)> ended;
};

template <class T>
struct Run {
    std::vector<T> centers;            // k x d, the centres that labels and sse refer to
    std::vector<std::int32_t> labels;  // n
    std::vector<Iteration> history;
    double initial_sse = 0.0;
    double sse = 0.0;
    double cpu_seconds = 0.0;
    std::int64_t distances = 0;
    std::int64_t relocated = 0;
    int n_iter = 0;
    index_t k = 0;                     // fewer than asked for when empty clusters are dropped
    Reason reason = Reason::labels;
    Algorithm algorithm = Algorithm::lloyd;  // the one that ran
};

// Whether assignment with that algorithm gains from a coarse copy of the data that is there from the beginning.
bool reads_coarse(Algorithm asked, index_t k, index_t d);

// Many starting points over one data set, in parallel over runs. Labels are kept for the best run
// (least error, then lowest index), or for every run.
template <class T>
std::vector<Run<T>> run_many(Dataset<T>& data, const T* centers, index_t n_runs, index_t k,
                             const Options& options, bool keep_labels, const Watch& watch);

// Nearest centre of every row, as at the end of a run.
template <class T>
void assign(const Dataset<T>& data, const T* centers, index_t k, int n_threads, std::int32_t* labels);

// Sum of w |x - c_label|^2 from differences, in a fixed order.
template <class T>
double sum_of_squares(const Dataset<T>& data, const T* centers, const std::int32_t* labels, int n_threads);

}  // namespace seedbed
