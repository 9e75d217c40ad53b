"""Models from files, as estimators."""

import os
from typing import IO, List, Type, Union

from . import _native
from ._classifiers import MulticlassSVM, MultilabelSVM
from ._estimator import Estimator
from ._problem import StructuredSVM
from ._structures import Aligner, FactorGraphSVM, Parser, PoseFinder, Segmenter
from ._tagger import SequenceTagger

KINDS: List[Type[Estimator]] = [SequenceTagger, MulticlassSVM, MultilabelSVM, Aligner, Segmenter,
                                Parser, PoseFinder, FactorGraphSVM, StructuredSVM]
ESTIMATORS = {kind._task: kind for kind in KINDS}


def load(source: Union[str, "os.PathLike[str]", bytes, IO[bytes]]) -> Estimator:
    """Reads a model that was saved here or by the program. Nothing in it is ever executed.

    Parameters
    ----------
    source : str, path-like, bytes or binary file object
        Where from.

    Returns
    -------
    Estimator
        Of the kind that was saved, ready to predict. Labels are texts, as they are in the file.
        A :class:`StructuredSVM` has weights, but not its problem: set it to predict.
    """
    if isinstance(source, (str, os.PathLike)):
        return estimator_of(_native.load_model(os.fsdecode(source)))
    data = source if isinstance(source, bytes) else source.read()
    return estimator_of(_native.load_model_bytes(data, "model"))


def estimator_of(model: _native.Model) -> Estimator:
    """The estimator whose model this is."""
    estimator = ESTIMATORS[model.task]()
    estimator._take_model(model)
    return estimator
