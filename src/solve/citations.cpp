#include "solve/citations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gapwise::internal {
namespace {

struct Paper {
  std::string_view key;                     ///< of docs/references.md
  std::array<std::string_view, 5> solvers;  ///< that come from it; five at the most
  std::string_view entry;
};

constexpr std::array kPapers{
    Paper{"LJSP13",
          {"auto", "fw", "bcfw", "kernel-bcfw", "ssg"},
          R"(@inproceedings{LJSP13,
  author    = {Lacoste-Julien, Simon and Jaggi, Martin and Schmidt, Mark and Pletscher, Patrick},
  title     = {Block-Coordinate {Frank-Wolfe} Optimization for Structural {SVMs}},
  booktitle = {Proceedings of the 30th International Conference on Machine Learning},
  year      = {2013}
})"},
    Paper{"OALDL16",
          {"auto", "bcfw", "bcpfw", "bcafw"},
          R"(@inproceedings{OALDL16,
  author    = {Osokin, Anton and Alayrac, Jean-Baptiste and Lukasewitz, Isabella and
               Dokania, Puneet K. and Lacoste-Julien, Simon},
  title     = {Minding the Gaps for Block {Frank-Wolfe} Optimization of Structured {SVMs}},
  booktitle = {Proceedings of the 33rd International Conference on Machine Learning},
  year      = {2016}
})"},
    Paper{"SKL15",
          {"auto", "mpbcfw"},
          R"(@inproceedings{SKL15,
  author    = {Shah, Neel and Kolmogorov, Vladimir and Lampert, Christoph H.},
  title     = {A Multi-Plane Block-Coordinate {Frank-Wolfe} Algorithm for Training Structural
               {SVMs} with a Costly max-Oracle},
  booktitle = {IEEE Conference on Computer Vision and Pattern Recognition},
  year      = {2015}
})"},
    Paper{"BSS11",
          {"sdm"},
          R"(@inproceedings{BSS11,
  author    = {Balamurugan, P. and Shevade, Shirish and Sundararajan, S. and Keerthi, S. S.},
  title     = {A Sequential Dual Method for Structural {SVMs}},
  booktitle = {SIAM International Conference on Data Mining},
  year      = {2011}
})"},
    Paper{"F14",
          {"fasole"},
          R"(@inproceedings{F14,
  author    = {Franc, Vojt{\v{e}}ch},
  title     = {{FASOLE}: Fast Algorithm for Structured Output {LEarning}},
  booktitle = {European Conference on Machine Learning and Principles and Practice of Knowledge
               Discovery in Databases},
  year      = {2014}
})"},
    Paper{"CY13",
          {"dcd", "dcd-light", "cpd", "sgd"},
          R"(@article{CY13,
  author  = {Chang, Ming-Wei and Yih, Wen-tau},
  title   = {Dual Coordinate Descent Algorithms for Efficient Large Margin Structured Prediction},
  journal = {Transactions of the Association for Computational Linguistics},
  volume  = {1},
  year    = {2013}
})"},
    Paper{"CSGR10",
          {"cpd"},
          R"(@inproceedings{CSGR10,
  author    = {Chang, Ming-Wei and Srikumar, Vivek and Goldwasser, Dan and Roth, Dan},
  title     = {Structured Output Learning with Indirect Supervision},
  booktitle = {Proceedings of the 27th International Conference on Machine Learning},
  year      = {2010}
})"},
    Paper{"CGKCB08",
          {"eg"},
          R"(@article{CGKCB08,
  author  = {Collins, Michael and Globerson, Amir and Koo, Terry and Carreras, Xavier and
             Bartlett, Peter L.},
  title   = {Exponentiated Gradient Algorithms for Conditional Random Fields and Max-Margin
             {Markov} Networks},
  journal = {Journal of Machine Learning Research},
  volume  = {9},
  year    = {2008}
})"},
    Paper{"ZSV11",
          {"excessive-gap"},
          R"(@inproceedings{ZSV11,
  author    = {Zhang, Xinhua and Saha, Ankan and Vishwanathan, S. V. N.},
  title     = {Accelerated Training of Max-Margin {Markov} Networks with Kernels},
  booktitle = {Algorithmic Learning Theory},
  year      = {2011}
})"},
    Paper{"TLJ06",
          {"extragradient"},
          R"(@article{TLJ06,
  author  = {Taskar, Ben and Lacoste-Julien, Simon and Jordan, Michael I.},
  title   = {Structured Prediction, Dual Extragradient and {Bregman} Projections},
  journal = {Journal of Machine Learning Research},
  volume  = {7},
  year    = {2006}
})"},
    Paper{"MSH15",
          {"soft-bcfw"},
          R"(@inproceedings{MSH15,
  author    = {Meshi, Ofer and Srebro, Nathan and Hazan, Tamir},
  title     = {Efficient Training of Structured {SVMs} via Soft Constraints},
  booktitle = {International Conference on Artificial Intelligence and Statistics},
  year      = {2015}
})"},
    Paper{"YHZRD16",
          {"gdmm"},
          R"(@inproceedings{YHZRD16,
  author    = {Yen, Ian E. H. and Huang, Xiangru and Zhong, Kai and Zhang, Ruohan and
               Ravikumar, Pradeep and Dhillon, Inderjit S.},
  title     = {Dual Decomposed Learning with Factorwise Oracles for Structural {SVM} of Large Output
               Domain},
  booktitle = {Advances in Neural Information Processing Systems},
  year      = {2016}
})"},
    Paper{"MSJG10",
          {"dlpw", "smooth-dlpw"},
          R"(@inproceedings{MSJG10,
  author    = {Meshi, Ofer and Sontag, David and Jaakkola, Tommi and Globerson, Amir},
  title     = {Learning Efficiently with Approximate Inference via Dual Losses},
  booktitle = {Proceedings of the 27th International Conference on Machine Learning},
  year      = {2010}
})"},
    Paper{"HU10",
          {"smooth-dlpw"},
          R"(@inproceedings{HU10,
  author    = {Hazan, Tamir and Urtasun, Raquel},
  title     = {A Primal-Dual Message-Passing Algorithm for Approximated Large Scale Structured
               Prediction},
  booktitle = {Advances in Neural Information Processing Systems},
  year      = {2010}
})"},
    Paper{"GJ07",
          {"dlpw"},
          R"(@inproceedings{GJ07,
  author    = {Globerson, Amir and Jaakkola, Tommi},
  title     = {Fixing Max-Product: Convergent Message Passing Algorithms for {MAP}
               {LP}-Relaxations},
  booktitle = {Advances in Neural Information Processing Systems},
  year      = {2007}
})"},
    Paper{"TJHA05",
          {"cutting-plane"},
          R"(@article{TJHA05,
  author  = {Tsochantaridis, Ioannis and Joachims, Thorsten and Hofmann, Thomas and Altun, Yasemin},
  title   = {Large Margin Methods for Structured and Interdependent Output Variables},
  journal = {Journal of Machine Learning Research},
  volume  = {6},
  year    = {2005}
})"},
    Paper{"JFY09",
          {"one-slack"},
          R"(@article{JFY09,
  author  = {Joachims, Thorsten and Finley, Thomas and Yu, Chun-Nam John},
  title   = {Cutting-Plane Training of Structural {SVMs}},
  journal = {Machine Learning},
  volume  = {77},
  year    = {2009}
})"},
    Paper{"TVSL10",
          {"bmrm"},
          R"(@article{TVSL10,
  author  = {Teo, Choon Hui and Vishwanathan, S. V. N. and Smola, Alex and Le, Quoc V.},
  title   = {Bundle Methods for Regularized Risk Minimization},
  journal = {Journal of Machine Learning Research},
  volume  = {11},
  year    = {2010}
})"},
    Paper{"SSS07",
          {"ssg"},
          R"(@inproceedings{SSS07,
  author    = {Shalev-Shwartz, Shai and Singer, Yoram and Srebro, Nathan},
  title     = {Pegasos: Primal Estimated sub-{GrAdient} {SOlver} for {SVM}},
  booktitle = {Proceedings of the 24th International Conference on Machine Learning},
  year      = {2007}
})"},
    Paper{"C02",
          {"perceptron"},
          R"(@inproceedings{C02,
  author    = {Collins, Michael},
  title     = {Discriminative Training Methods for Hidden {Markov} Models: Theory and Experiments
               with Perceptron Algorithms},
  booktitle = {Conference on Empirical Methods in Natural Language Processing},
  year      = {2002}
})"},
    Paper{"CS03",
          {"mira"},
          R"(@article{CS03,
  author  = {Crammer, Koby and Singer, Yoram},
  title   = {Ultraconservative Online Algorithms for Multiclass Problems},
  journal = {Journal of Machine Learning Research},
  volume  = {3},
  year    = {2003}
})"},
};

}  // namespace

std::vector<std::string_view> citations_of(std::string_view solver) {
  std::vector<std::string_view> keys;
  if (solver.empty()) return keys;
  for (const Paper& paper : kPapers) {
    if (std::find(paper.solvers.begin(), paper.solvers.end(), solver) != paper.solvers.end()) {
      keys.push_back(paper.key);
    }
  }
  return keys;
}

std::string bibtex(std::span<const std::string> solvers, bool has_path) {
  std::vector<std::string_view> keys;
  for (const std::string& solver : solvers) {
    for (const std::string_view key : citations_of(solver)) keys.push_back(key);
  }
  if (has_path) keys.push_back("OALDL16");
  std::string out = fmt::format(
      "@misc{{gapwise,\n  author = {{{{The gapwise developers}}}},\n"
      "  title  = {{gapwise {}: structured {{SVM}} training with certified duality gaps}}\n}}\n",
      GAPWISE_VERSION);
  for (const Paper& paper : kPapers) {
    if (std::find(keys.begin(), keys.end(), paper.key) == keys.end()) continue;
    out += fmt::format("\n{}\n", paper.entry);
  }
  return out;
}

}  // namespace gapwise::internal
