"""Structured SVM training that certifies how good its result is.

Estimators with the manners of scikit-learn over the gapwise library: the same options, defaults and
results as the program, to the byte.
"""

from sklearn.exceptions import ConvergenceWarning

from . import _native
from ._classifiers import MulticlassSVM, MultilabelSVM
from ._errors import Error, InputError, OptionError, OracleError
from ._estimator import Estimator
from ._evaluation import Difference, Evaluation, WorstExample
from ._load import load
from ._native import Progress
from ._path import LambdaPath, lambda_path
from ._problem import Problem, StructuredSVM, check_oracle
from ._search import LambdaSearchCV
from ._sources import File, Text
from ._structures import Aligner, FactorGraphSVM, Parser, PoseFinder, Segmenter
from ._tagger import SequenceTagger

__version__ = _native.__version__

__all__ = [
    "Aligner",
    "ConvergenceWarning",
    "Difference",
    "Error",
    "Estimator",
    "Evaluation",
    "FactorGraphSVM",
    "File",
    "InputError",
    "LambdaPath",
    "LambdaSearchCV",
    "MulticlassSVM",
    "MultilabelSVM",
    "OptionError",
    "OracleError",
    "Parser",
    "PoseFinder",
    "Problem",
    "Progress",
    "Segmenter",
    "SequenceTagger",
    "StructuredSVM",
    "Text",
    "WorstExample",
    "check_oracle",
    "lambda_path",
    "load",
]
