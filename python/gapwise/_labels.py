"""Labels of any kind in Python, and the texts that stand for them in a model."""

from typing import Any, Dict, Iterable, List, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError


def text_of_label(label: Any) -> str:
    """The text of a label in models and files."""
    if isinstance(label, str):
        return str(label)
    if label is None or (isinstance(label, (float, np.floating)) and not np.isfinite(label)):
        raise InputError(f"a label is {label!r}; give every example that is learned from its label")
    if isinstance(label, (bool, np.bool_, int, np.integer, float, np.floating)):
        return str(label)
    raise InputError(f"a label is of type {type(label).__name__}; a text or a number is expected")


def _key(text: str) -> Union[str, float]:
    """Equal for texts that the library takes for the same class: "1", "1.0", "+1"."""
    try:
        return float(text)
    except ValueError:
        return text


class LabelNames:
    """Which text stands for which label.

    Parameters
    ----------
    labels : iterable
        The different labels, in any order.
    """

    def __init__(self, labels: Iterable[Any]) -> None:
        self.texts: Dict[Any, str] = {label: text_of_label(label) for label in labels}
        self._labels: Dict[str, Any] = {text: label for label, text in self.texts.items()}
        if len(self._labels) < len(self.texts):
            raise InputError("two labels have the same text, such as 1 and '1'; use one of them")
        self._near = {_key(text): label for text, label in self._labels.items()}

    @property
    def are_texts(self) -> bool:
        """Whether labels are their own texts."""
        return all(type(label) is str for label in self.texts)

    def label(self, text: str) -> Any:
        """The label behind a text of the model."""
        if text in self._labels:
            return self._labels[text]
        return self._near.get(_key(text), text)

    def to_texts(self, labels: Iterable[Any]) -> List[str]:
        """The texts of labels; those that were never seen are taken as they are."""
        known = self.texts
        return [known[label] if label in known else text_of_label(label) for label in labels]

    def to_labels(self, texts: Sequence[str]) -> List[Any]:
        """The labels behind texts."""
        if self.are_texts:
            return list(texts)
        return [self.label(text) for text in texts]


def array_of(items: Sequence[Any]) -> NDArray[Any]:
    """One object for each item, even if all items have the same length."""
    array = np.empty(len(items), dtype=object)
    for k, item in enumerate(items):
        array[k] = item
    return array
