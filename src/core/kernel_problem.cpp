#include "core/kernel_problem.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/kernel_cache.h"
#include "core/parallel.h"
#include "core/sums.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

/// Coefficients that are smaller than this part of the largest are rounding errors.
constexpr double kNegligible = 1e-15;

/// Work on fewer numbers is not worth waking threads for.
constexpr Index kFewestPerThread = 1 << 13;

}  // namespace

class KernelProblem::Impl {
 public:
  Impl(const Problem& inner, const KernelSettings& settings);

  const Problem& rest() const { return inputs_->rest(); }
  Index labels() const { return inputs_->num_labels(); }
  Index first(Index i) const { return inputs_->first_input(i); }
  Index end(Index i) const {
    return i + 1 < inner_.num_blocks() ? first(i + 1) : inputs_->num_inputs();
  }

  // Where the coordinates lie in w.
  std::size_t num_scores() const {
    return static_cast<std::size_t>(inputs_->num_inputs() * labels());
  }
  Weights scores(Weights w) const { return w.first(num_scores()); }
  Weights coefficients(Weights w) const { return w.subspan(num_scores(), num_scores()); }
  Weights rest(Weights w) const { return w.subspan(2 * num_scores()); }
  MutableWeights rest(MutableWeights w) const { return w.subspan(2 * num_scores()); }

  double value(Index t, Index s, double product) const {
    return kernel_(product, squared_norm_of(t), squared_norm_of(s));
  }
  /// out[s - begin] = k(x_t, x_s).
  void values(Index t, Index begin, Index end, double* out) const {
    inputs_->products(t, begin, end, out);
    for (Index s = begin; s < end; ++s) out[s - begin] = value(t, s, out[s - begin]);
  }

  /// Input t gets change[k] more of each label k.
  void add(Index t, std::span<const double> change, MutableWeights w) const;
  void support(Weights w, std::vector<Index>& inputs) const;

  const Problem& inner_;
  std::unique_ptr<KernelInputs> inputs_;
  Kernel kernel_;

 private:
  double squared_norm_of(Index t) const { return squared_norms_[static_cast<std::size_t>(t)]; }
  void set_kernel(const KernelSettings& settings);
  /// Calls body(begin, end) until all inputs are covered, on several threads if it pays.
  template <class Body>
  void for_all_inputs(Index work_per_input, Body body) const {
    const Index n = inputs_->num_inputs();
    if (threads_.count() == 1 || n * work_per_input < 2 * kFewestPerThread) return body(0, n);
    threads_.run(n, [&](Index begin, Index end, int) { body(begin, end); });
  }

  std::vector<double> squared_norms_;
  Threads threads_;
  std::unique_ptr<RowCache> rows_;
};

KernelProblem::Impl::Impl(const Problem& inner, const KernelSettings& settings)
    : inner_(inner), inputs_(inner.kernel_inputs()), threads_(settings.threads) {
  if (!inputs_) {
    throw OptionError("this problem has no inputs that a kernel could compare");
  }
  const Index n = inputs_->num_inputs();
  squared_norms_.resize(static_cast<std::size_t>(n));
  for (Index t = 0; t < n; ++t) {
    inputs_->products(t, t, t + 1, &squared_norms_[static_cast<std::size_t>(t)]);
  }
  set_kernel(settings);
  rows_ = std::make_unique<RowCache>(n, settings.cache_bytes, [this](Index t, auto out) {
    constexpr Index kProductCost = 16;  // a guess: features of an input
    for_all_inputs(kProductCost,
                   [&](Index begin, Index end) { values(t, begin, end, out.data() + begin); });
  });
}

void KernelProblem::Impl::set_kernel(const KernelSettings& settings) {
  const double mean = ordered_sum(squared_norms_) /
                      static_cast<double>(std::max<Index>(1, std::ssize(squared_norms_)));
  kernel_ = {settings.kind, settings.degree, settings.gamma.value_or(mean > 0.0 ? 1.0 / mean : 1.0),
             settings.offset};
  // No kernel value is larger than the largest of an input with itself (Cauchy-Schwarz).
  for (Index t = 0; t < inputs_->num_inputs(); ++t) {
    if (!std::isfinite(std::pow(value(t, t, squared_norm_of(t)), 2.0))) {
      throw InputError("the kernel of input " + std::to_string(t + 1) +
                       " with itself is too large to compute with; rescale the features, or take a "
                       "smaller degree or gamma");
    }
  }
}

void KernelProblem::Impl::add(Index t, std::span<const double> change, MutableWeights w) const {
  const std::size_t labels = change.size();
  double* own = w.data() + num_scores() + static_cast<std::size_t>(t) * labels;
  for (std::size_t k = 0; k < labels; ++k) own[k] += change[k];
  const RowCache::Row row = rows_->row(t);
  for_all_inputs(std::ssize(change), [&](Index begin, Index end) {
    double* scores = w.data() + static_cast<std::size_t>(begin) * labels;
    for (Index s = begin; s < end; ++s, scores += labels) {
      const double x = (*row)[static_cast<std::size_t>(s)];
      for (std::size_t k = 0; k < labels; ++k) scores[k] += x * change[k];
    }
  });
}

void KernelProblem::Impl::support(Weights w, std::vector<Index>& inputs) const {
  const Weights b = coefficients(w);
  double largest = 0.0;
  for (const double x : b) largest = std::max(largest, std::abs(x));
  const auto width = static_cast<std::size_t>(labels());
  for (Index s = 0; s < inputs_->num_inputs(); ++s) {
    const Weights own = b.subspan(static_cast<std::size_t>(s) * width, width);
    const auto counts = [&](double x) { return std::abs(x) > kNegligible * largest; };
    if (std::any_of(own.begin(), own.end(), counts)) inputs.push_back(s);
  }
}

namespace {

/// The parts of one block that say which label an input has, as rows over the labels.
class LabelParts {
 public:
  LabelParts(Index num_inputs, Index labels, std::span<const Part> items)
      : labels_(labels), items_(items.first(count(num_inputs * labels, items))) {}

  /// Calls visit(t, parts) for the inputs t of the block that have parts, in order.
  template <class Visit>
  void for_each_input(Visit visit) const {
    for (std::size_t begin = 0; begin < items_.size();) {
      const Index t = items_[begin].id / labels_;
      std::size_t end = begin + 1;
      while (end < items_.size() && items_[end].id < (t + 1) * labels_) ++end;
      visit(t, items_.subspan(begin, end - begin));
      begin = end;
    }
  }

 private:
  static std::size_t count(Index bound, std::span<const Part> items) {
    const auto is_below = [](const Part& part, Index id) { return part.id < id; };
    return static_cast<std::size_t>(std::lower_bound(items.begin(), items.end(), bound, is_below) -
                                    items.begin());
  }

  Index labels_;
  std::span<const Part> items_;
};

/// sum_k u(k) v(k) for parts of two inputs t and s.
double label_product(std::span<const Part> u, Index t, std::span<const Part> v, Index s,
                     Index labels) {
  const Index shift = (s - t) * labels;
  double sum = 0.0;
  std::size_t b = 0;
  for (const Part& part : u) {
    while (b < v.size() && v[b].id < part.id + shift) ++b;
    if (b < v.size() && v[b].id == part.id + shift) sum += part.value * v[b].value;
  }
  return sum;
}

}  // namespace

/// Scores, moves and measures in the coordinates of KernelProblem; decodes as the rest does.
class KernelProblem::KernelOracle final : public Oracle {
 public:
  explicit KernelOracle(const Impl& problem)
      : problem_(problem),
        rest_(problem.rest().make_oracle()),
        change_(static_cast<std::size_t>(problem.labels())) {}

  void score(Index i, Weights w, PartScores& theta) override {
    rest_->score(i, problem_.rest(w), rest_theta_);
    const std::span<const double> rest = rest_theta_.values();
    const Weights own = own_scores(i, w);
    const std::span<double> all = theta.resize(rest.size());
    std::copy(rest.begin() + std::ssize(own), rest.end(), all.begin() + std::ssize(own));
    for (std::size_t p = 0; p < own.size(); ++p) all[p] = rest[p] + own[p];
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    rest_->decode(i, theta, augment, out);
  }

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    rest_->score_some(i, problem_.rest(w), ids, out);
    const Weights own = own_scores(i, w);
    for (std::size_t p = 0; p < ids.size(); ++p) {
      if (ids[p] < std::ssize(own)) out[p] += own[static_cast<std::size_t>(ids[p])];
    }
  }

  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    label_parts(i, v).for_each_input([&](Index t, std::span<const Part> parts) {
      std::fill(change_.begin(), change_.end(), 0.0);
      bool changes = false;
      for (const Part& part : parts) {
        change_[static_cast<std::size_t>(part.id - t * problem_.labels())] = scale * part.value;
        changes = changes || part.value != 0.0;
      }
      if (changes) problem_.add(problem_.first(i) + t, change_, w);
    });
    rest_->scatter(i, v, scale, problem_.rest(w));
  }

  double squared_norm(Index i, const Parts& v) override { return inner_product(i, v, v); }

  double inner_product(Index i, const Parts& u, const Parts& v) override {
    load_gram(i);
    const auto width = static_cast<std::size_t>(problem_.end(i) - problem_.first(i));
    double sum = rest_->inner_product(i, u, v);
    label_parts(i, u).for_each_input([&](Index t, std::span<const Part> u_parts) {
      const double* products = gram_.data() + static_cast<std::size_t>(t) * width;
      label_parts(i, v).for_each_input([&](Index s, std::span<const Part> v_parts) {
        sum += products[s] * label_product(u_parts, t, v_parts, s, problem_.labels());
      });
    });
    return sum;
  }

  double squared_length(Weights w) const override {
    return dot(problem_.scores(w), problem_.coefficients(w)) +
           internal::squared_norm(problem_.rest(w));
  }
  bool has_plain_weights() const override { return false; }

 private:
  Weights own_scores(Index i, Weights w) const {
    const Index first = problem_.first(i);
    return w.subspan(static_cast<std::size_t>(first * problem_.labels()),
                     static_cast<std::size_t>((problem_.end(i) - first) * problem_.labels()));
  }
  LabelParts label_parts(Index i, const Parts& v) const {
    return {problem_.end(i) - problem_.first(i), problem_.labels(), v.items()};
  }

  /// Kernel values between the inputs of block i.
  void load_gram(Index i) {
    if (gram_block_ == i) return;
    const Index begin = problem_.first(i);
    const Index width = problem_.end(i) - begin;
    gram_.resize(static_cast<std::size_t>(width * width));
    for (Index t = 0; t < width; ++t) {
      problem_.values(begin + t, begin, begin + width,
                      gram_.data() + static_cast<std::size_t>(t * width));
    }
    gram_block_ = i;
  }

  const Impl& problem_;
  std::unique_ptr<Oracle> rest_;
  PartScores rest_theta_;
  std::vector<double> change_;  ///< one number per label
  Index gram_block_ = -1;
  std::vector<double> gram_;
};

KernelProblem::KernelProblem(const Problem& inner, const KernelSettings& settings)
    : impl_(std::make_unique<Impl>(inner, settings)) {}
KernelProblem::~KernelProblem() = default;

Index KernelProblem::num_blocks() const {
  return impl_->inner_.num_blocks();
}
Index KernelProblem::dimension() const {
  return 2 * static_cast<Index>(impl_->num_scores()) + impl_->rest().dimension();
}
std::unique_ptr<Oracle> KernelProblem::make_oracle() const {
  return std::make_unique<KernelOracle>(*impl_);
}
double KernelProblem::oracle_cost() const {
  return impl_->rest().oracle_cost();
}
bool KernelProblem::is_relaxed() const {
  return impl_->inner_.is_relaxed();
}
std::uint64_t KernelProblem::fingerprint() const {
  return impl_->inner_.fingerprint();
}
const Kernel& KernelProblem::kernel() const {
  return impl_->kernel_;
}

KernelExpansion KernelProblem::expansion(Weights w) const {
  KernelExpansion result;
  result.kernel = impl_->kernel_;
  result.labels = static_cast<int>(impl_->labels());
  impl_->support(w, result.inputs);
  const auto width = static_cast<std::size_t>(impl_->labels());
  const Weights all = impl_->coefficients(w);
  for (const Index s : result.inputs) {
    const Weights own = all.subspan(static_cast<std::size_t>(s) * width, width);
    result.coefficients.insert(result.coefficients.end(), own.begin(), own.end());
  }
  const Weights rest = impl_->rest(w);
  result.rest.assign(rest.begin(), rest.end());
  return result;
}

Index KernelProblem::count_support(Weights w) const {
  std::vector<Index> inputs;
  impl_->support(w, inputs);
  Index count = 0;
  std::size_t at = 0;
  for (Index i = 0; i < num_blocks(); ++i) {
    const std::size_t before = at;
    while (at < inputs.size() && inputs[at] < impl_->end(i)) ++at;
    count += at > before ? 1 : 0;
  }
  return count;
}

}  // namespace gapwise::internal
