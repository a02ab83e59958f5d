"""Readers of archives. Each format is a module with a function `read`; plugins may add modules.

    def read(path: Path, **options) -> Iterator[Document]: ...

`path` is the archive. The options come from the registry entry. If the entry names further archives
under `files`, `read` gets their paths as arguments of these names. If `read` has a parameter
`counts`, a `Counter`, it counts there what it leaves out; the log and corpus.json show the counts.
The order of the documents must not depend on how the archive was packed. See `pte.corpora.reading`
for how a reader is found.
"""
