"""Ten steps of the CNN in plain PyTorch, which tests/kernels/test_cnn.py repeats by hand.

`python tests/pytorch/steps.py` writes steps.npz: the loss of each step, and the weights after the
last. It has `conv1d`, padded documents, and `torch.optim.Adadelta` on everything. Needs the extra
`torch`.
"""

from pathlib import Path

import numpy as np

MADE = Path(__file__).with_name("steps.npz")
LENGTHS = (12, 1, 0, 2, 40, 3, 0, 9, 25, 7, 5, 18)
WORDS, CLASSES, MAPS, DIM, WINDOW, MAX_NORM = 40, 3, 17, 11, 3, 3.0
NAMES = ("words", "filters", "biases", "output", "intercepts")


def given():
    """Texts of all sorts of lengths with rare words and common ones; weights; steps.

    The last of the words' vectors is that of padding. A step is the numbers of its documents, and
    which features dropout keeps. Weights are standard normal numbers, those of classes too long.
    """
    rng = np.random.default_rng(1)
    texts = [rng.zipf(1.3, n) % WORDS for n in LENGTHS]
    texts[4][:] = np.arange(WORDS)  # every word occurs
    shapes = ((WORDS + 1, DIM), (WINDOW * MAPS, DIM), (MAPS,), (MAPS, CLASSES), (CLASSES,))
    weights = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    weights[0][-1] = 0
    weights[3] *= 5
    steps = [(rng.permutation(len(texts))[:5], rng.random((5, MAPS)) < 0.5) for _ in range(10)]
    return texts, weights, steps


def main():
    import torch
    from torch.nn import functional

    texts, weights, steps = given()
    longest = max(LENGTHS) + 2 * (WINDOW - 1)
    ids = torch.full((len(texts), longest), WORDS)
    valid = torch.zeros((len(texts), longest - WINDOW + 1), dtype=torch.bool)
    for d, text in enumerate(texts):
        ids[d, WINDOW - 1 : WINDOW - 1 + len(text)] = torch.tensor(text)
        valid[d, : len(text) + WINDOW - 1] = True
    labels = torch.arange(len(texts)) % CLASSES
    parameters = [torch.tensor(each).requires_grad_() for each in weights]
    vectors, filters, biases, output, intercepts = parameters
    optimiser = torch.optim.Adadelta(parameters, lr=1, rho=0.95, eps=1e-6)
    losses = []
    for documents, kept in steps:
        words = functional.embedding(ids[documents], vectors, padding_idx=WORDS).transpose(1, 2)
        kernels = filters.view(WINDOW, MAPS, DIM).permute(1, 2, 0)
        windows = functional.conv1d(words, kernels, biases).relu()
        features = windows.masked_fill(~valid[documents][:, None], 0).amax(2)
        scores = (features * torch.tensor(kept)) @ output + intercepts
        loss = functional.cross_entropy(scores, labels[documents])
        optimiser.zero_grad()
        loss.backward()
        # The averages of words that do not move do not decay.
        still = ~vectors.grad.any(1)
        averages = [optimiser.state[vectors].get(name) for name in ("square_avg", "acc_delta")]
        before = [each[still].clone() if each is not None else 0 for each in averages]
        optimiser.step()
        for name, value in zip(("square_avg", "acc_delta"), before, strict=True):
            optimiser.state[vectors][name][still] = value
        output.data *= MAX_NORM / output.detach().norm(dim=0).clamp(min=MAX_NORM)
        losses.append(loss.item())
    made = {name: each.detach().numpy() for name, each in zip(NAMES, parameters, strict=True)}
    np.savez_compressed(MADE, losses=np.array(losses, np.float32), **made)


if __name__ == "__main__":
    main()
