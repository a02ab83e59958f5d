"""Estimators that join an encoder's knowledge of texts with what they learn from documents."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from pte import encoders
from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.encoders import Vectors
from pte.errors import PteError
from pte.estimators.base import TextEmbedding
from pte.estimators.errors import BadInput, as_bad_input
from pte.estimators.texts import Texts, as_bytes
from pte.limits import MOST


@dataclass(kw_only=True, eq=False, repr=False)
class WithEncoder(TextEmbedding):
    """Base class of estimators that may be given an encoder, or the vectors of one.

    `fit` calls `_fit_with`, and `_learn` finds the vectors of its texts in `_given`, or None there.
    """

    encoder: Any = None
    _given = cast("Vectors | None", None)
    _dim = 0
    """The length of the vectors that `fit` saw; 0 without an encoder."""

    def _fit_with(
        self, raw_documents: Iterable[str | bytes], y: Any, vectors: Any, groups: Any
    ) -> None:
        if y is None:
            raise BadInput("y: the classifier requires y to be passed, but the target y is None")
        texts = raw_documents
        with self._grouped(groups):
            with as_bad_input():
                if vectors is not None:
                    texts = as_bytes(raw_documents)
                    self._given = encoders.checked(vectors, len(texts), "vectors")
                elif self.encoder is not None:
                    texts = as_bytes(raw_documents)
                    self._given = encoders.encode(self._reader, texts)
            try:
                super().fit(texts, y)
                self._dim = 0 if self._given is None else self._given.shape[1]
            finally:
                self.__dict__.pop("_given", None)

    def encode(self, raw_documents: Texts, vectors: Any = None) -> EncodedCorpus:
        """Cut documents into tokens, number those that `fit` has met, and let the encoder read.

        `transform`, `count_known`, `predict` and `predict_proba` take the result in place of the
        documents. So a text is cut and read only once for several of these methods.

        Parameters
        ----------
        raw_documents : iterable of str or bytes, or EncodedCorpus
            The documents; what is encoded by this model is returned as it is.
        vectors : array of shape (documents, numbers), default=None
            The encoder's vectors of the documents, if you have them; else `encoder` makes them.

        Returns
        -------
        EncodedCorpus
            The numbers of the tokens, int32, where each document begins, and the vectors, float32.

        Raises
        ------
        BadInput
            When the documents are not text, when another model has encoded them, when `fit` had an
            encoder and now there is none, and when vectors have another length than in `fit`.
        NotFittedError
            When the model was not fitted.
        """
        if isinstance(raw_documents, EncodedCorpus):
            return super().encode(raw_documents)
        texts = as_bytes(raw_documents)
        corpus = super().encode(texts)
        if not self._dim:
            return corpus
        with as_bad_input():
            if vectors is not None:
                rows = encoders.checked(vectors, len(texts), "vectors")
            elif self.encoder is not None:
                rows = encoders.encode(self._reader, texts)
            else:
                raise BadInput(
                    "encoder: the model has learnt from vectors and knows no encoder; give the "
                    "vectors of these texts, too, or name the encoder when you fit"
                )
        if len(texts) and rows.shape[1] != self._dim:
            raise BadInput(f"vectors: {rows.shape[1]} numbers a row, and `fit` had {self._dim}")
        return replace(corpus, vectors=rows)

    @property
    def _reader(self) -> encoders.Encoder:
        """The function of `encoder`, which is loaded once and not again for each text."""
        known = self.__dict__.get("_resolved")
        if known is None or known[0] is not self.encoder:
            known = self._resolved = (self.encoder, encoders.resolve(self.encoder))
        return known[1]

    def __getstate__(self) -> dict[str, Any]:
        """Leave the loaded encoder out, which pickle cannot hold."""
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_resolved"}

    def save(self, path: str | Path, notes: Any = None) -> None:
        """Write the fitted model into one file, which holds no code and no encoder.

        The file has the name or the folder of the encoder, and `load` needs the encoder again. All
        else is as in other estimators: a `random_state` that is no whole number is saved as None,
        and the file has the date, the versions of pte, numpy and numba, and the machine.

        Parameters
        ----------
        path : str or Path
            The file to write. Its folder must be there.
        notes : mapping of str to values, default=None
            Facts that JSON can hold, such as where the text is from; the file keeps them for
            `pte provenance`.

        Raises
        ------
        BadInput
            When `tokenizer` or `encoder` is a function, which a file cannot hold.
        PteError
            When the folder of `path` is not there.
        NotFittedError
            When the model was not fitted.
        """
        if not isinstance(self.encoder, str | None):
            raise BadInput(
                "encoder is a function, which a file cannot hold; set the name or the folder of "
                "the same encoder as text, or None: model.set_params(encoder=...)"
            )
        super().save(path, notes)

    @property
    def _encoder_facts(self) -> dict[str, Any]:
        """What a model file holds of the encoder besides the parameter."""
        return {"encoded": self._dim} if self._dim else {}

    def _restore_encoder(self, fit: ArrayFile) -> None:
        """Load the encoder of a model file. Raises `PteError` if it is not here."""
        if "encoded" not in fit.facts:
            return
        self._dim = fit.fact("encoded", range(1, MOST))
        if self.encoder is None:
            return
        fit.fact("parameters", {"encoder": str})
        try:
            self._resolved = (self.encoder, encoders.resolve(self.encoder))
        except PteError as error:
            what = "the model reads texts with an encoder that is not here"
            raise PteError(f"{what}: {error}") from None
