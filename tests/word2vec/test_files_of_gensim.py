"""Files of word2vec go both ways between this package and gensim itself.

`make test-all` runs these tests; `make test` does not, because they need the extra `bench`.
"""

import numpy as np
import pytest
from gensim.models import KeyedVectors as OfGensim
from gensim.models import Word2Vec

from pte import KeyedVectors

KEYS = ("king", "queen", "café", "東京", "1.5", "_")


@pytest.mark.parametrize("binary", [False, True])
def test_gensim_reads_our_files(tmp_path, binary):
    vectors = np.random.default_rng(3).standard_normal((len(KEYS), 50)).astype(np.float32)
    ours = KeyedVectors(KEYS, vectors)
    ours.to_word2vec(tmp_path / "words", binary=binary)
    read = OfGensim.load_word2vec_format(tmp_path / "words", binary=binary)
    assert tuple(read.index_to_key) == KEYS
    assert read.vectors.tobytes() == vectors.tobytes()
    for key in KEYS:
        of_gensim, of_ours = dict(read.most_similar(key)), dict(ours.most_similar(key))
        assert of_gensim == pytest.approx(of_ours, abs=1e-6)


@pytest.mark.parametrize("binary", [False, True])
def test_we_read_files_of_gensim(tmp_path, binary):
    sentences = [["king", "queen", "café"], ["東京", "1.5", "_", "king"]] * 20
    trained = Word2Vec(sentences, vector_size=20, min_count=1, seed=1, workers=1).wv
    trained.save_word2vec_format(tmp_path / "words", binary=binary)
    read = KeyedVectors.from_word2vec(tmp_path / "words", binary=binary)
    assert read.keys == tuple(trained.index_to_key)
    assert read.vectors.tobytes() == trained.vectors.tobytes()
