from pathlib import Path

from job import Bar, logged

from pte import encoders
from pte.corpora.encode_entry import read_entry, split_entry
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.entry import Recipe
from pte.errors import PteError
from pte.files import save_array

with logged(snakemake):
    recipe, encoder = Recipe(**snakemake.params.recipe), snakemake.params.encoder
    if encoder is None:
        raise PteError("config.yaml: encoder is null; name an encoder, such as minilm")
    archives = {role: Path(snakemake.input[role]) for role in snakemake.params.roles}
    documents = read_entry(archives, recipe)
    split, sha256 = split_entry(documents, recipe, archives["archive"])
    corpus = EncodedCorpus.load(Path(snakemake.input.encoded))
    if sha256 != corpus.meta["documents_sha256"]:
        raise PteError(f"{snakemake.input.encoded}: it has other documents; delete the folder")
    texts = [document.text for document in split]
    vectors = encoders.encode(encoder, texts, Bar("text"))
    save_array(Path(snakemake.output.vectors), vectors)
    print(f"{encoder} has read {len(texts)} documents")
