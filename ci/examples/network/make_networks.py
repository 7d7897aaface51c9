#!/usr/bin/env python3
"""Makes what a training framework and AIMET would leave of two small networks of our own, a CNN and an LSTM: weights and
an input as NumPy archives, encodings as AIMET writes them (version 0.6.1). Nothing but the standard library.

    ci/examples/network/make_networks.py vectors/networks
    for n in cnn lstm; do
      lastbit vectors from-encodings vectors/networks/$n.encodings --template vectors/networks/$n.yaml \\
        -o vectors/networks/$n.jsonl
    done
"""
import json
import math
import pathlib
import random
import struct
import sys
import zipfile


# ---- Arrays: a shape and a flat list ----

def size(shape):
    return math.prod(shape)


def noise(rng, shape, spread):
    return shape, [struct.unpack("<f", struct.pack("<f", rng.gauss(0, spread)))[0] for _ in range(size(shape))]


def save(path, arrays):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (shape, values) in arrays.items():
            header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % "".join(f"{n}, " for n in shape)
            header += " " * (63 - (10 + len(header)) % 64) + "\n"
            data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            data += struct.pack(f"<{len(values)}f", *values)
            archive.writestr(zipfile.ZipInfo(name + ".npy"), data)  # no time of day: the same bytes every time


# ---- Encodings ----

def activation(values):
    low, high = min(0.0, *values), max(0.0, *values)
    scale = (high - low) / 255
    offset = round(low / scale)
    return [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "min": offset * scale, "max": (offset + 255) * scale,
             "scale": scale, "offset": offset}]


def weights(channels):
    entries = []
    for values in channels:
        scale = max(abs(v) for v in values) / 127
        entries.append({"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "min": -128 * scale, "max": 127 * scale,
                        "scale": scale, "offset": -128})
    return entries


def write_encodings(path, activations, parameters):
    tree = {"version": "0.6.1", "activation_encodings": {k: activation(v) for k, v in activations.items()},
            "param_encodings": parameters}
    path.write_text(json.dumps(tree, indent=1) + "\n", encoding="utf-8")


# ---- The CNN: [height][width][channel], weights OIHW ----

def convolve(image, height, width, weight, bias, depthwise=False):
    (out, inner, kernel, _), w = weight
    result = []
    for y in range(height):
        for x in range(width):
            for o in range(out):
                total = bias[o]
                for i in range(inner):
                    channel = o if depthwise else i
                    channels = out if depthwise else inner
                    for dy in range(kernel):
                        for dx in range(kernel):
                            row, column = y + dy - 1, x + dx - 1
                            if 0 <= row < height and 0 <= column < width:
                                total += image[(row * width + column) * channels + channel] * w[
                                    ((o * inner + i) * kernel + dy) * kernel + dx]
                result.append(max(0.0, total))
    return result


def pool(image, height, width, channels, side, combine):
    return [combine([image[((y + dy) * width + x + dx) * channels + c] for dy in range(side) for dx in range(side)])
            for y in range(0, height, side) for x in range(0, width, side) for c in range(channels)]


def dense(x, weight, bias):
    (out, inner), w = weight
    return [bias[o] + sum(x[i] * w[o * inner + i] for i in range(inner)) for o in range(out)]


def by_row(weight):
    shape, w = weight
    row = size(shape[1:])
    return [w[o * row:(o + 1) * row] for o in range(shape[0])]


def make_cnn(folder):
    rng = random.Random(1)
    p = {"image": noise(rng, (8, 8, 1), 1.0),
         "conv1.weight": noise(rng, (4, 1, 3, 3), 0.4), "conv1.bias": noise(rng, (4,), 0.1),
         "dw.weight": noise(rng, (4, 1, 3, 3), 0.4), "dw.bias": noise(rng, (4,), 0.1),
         "conv2.weight": noise(rng, (6, 4, 3, 3), 0.25), "conv2.bias": noise(rng, (6,), 0.1),
         "fc.weight": noise(rng, (5, 6), 0.6), "fc.bias": noise(rng, (5,), 0.1)}
    a = {"image": p["image"][1]}
    a["conv1"] = convolve(a["image"], 8, 8, p["conv1.weight"], p["conv1.bias"][1])
    a["dw"] = convolve(a["conv1"], 8, 8, p["dw.weight"], p["dw.bias"][1], depthwise=True)
    pooled = pool(a["dw"], 8, 8, 4, 2, max)
    a["conv2"] = convolve(pooled, 4, 4, p["conv2.weight"], p["conv2.bias"][1])
    a["mean"] = pool(a["conv2"], 4, 4, 6, 4, lambda v: sum(v) / len(v))
    a["fc"] = dense(a["mean"], p["fc.weight"], p["fc.bias"][1])
    save(folder / "cnn.npz", p)
    write_encodings(folder / "cnn.encodings", a,
                    {name: weights(by_row(p[name])) for name in p if name.endswith(".weight")})


# ---- The LSTM: gates i, g, f, o as the kernel has them, weights [gate][input][cell] ----

def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def run_lstm(frames, inputs, cells, w_in, w_out, bias):
    h, c, hidden, states = [0.0] * cells, [0.0] * cells, [], []
    for frame in frames:
        gates = [[bias[g * cells + m]
                  + sum(frame[k] * w_in[(g * inputs + k) * cells + m] for k in range(inputs))
                  + sum(h[k] * w_out[(g * cells + k) * cells + m] for k in range(cells)) for m in range(cells)]
                 for g in range(4)]
        c = [sigmoid(gates[2][m]) * c[m] + sigmoid(gates[0][m]) * math.tanh(gates[1][m]) for m in range(cells)]
        h = [sigmoid(gates[3][m]) * math.tanh(c[m]) for m in range(cells)]
        hidden.append(h)
        states += c
    return hidden, states


def make_lstm(folder):
    rng = random.Random(2)
    frames, inputs, cells = 6, 4, 5
    p = {"frames": noise(rng, (frames, inputs), 1.0)}
    for layer, width in (("lstm1", inputs), ("lstm2", cells)):
        p[layer + ".in"] = noise(rng, (4, width, cells), 0.5)
        p[layer + ".out"] = noise(rng, (4, cells, cells), 0.4)
        p[layer + ".bias"] = noise(rng, (4, cells), 0.2)
    p["fc.weight"], p["fc.bias"] = noise(rng, (3, cells), 0.6), noise(rng, (3,), 0.1)
    x = [p["frames"][1][i * inputs:(i + 1) * inputs] for i in range(frames)]
    h1, c1 = run_lstm(x, inputs, cells, p["lstm1.in"][1], p["lstm1.out"][1], p["lstm1.bias"][1])
    h2, c2 = run_lstm(h1, cells, cells, p["lstm2.in"][1], p["lstm2.out"][1], p["lstm2.bias"][1])
    fc = dense(h2[-1], p["fc.weight"], p["fc.bias"][1])
    save(folder / "lstm.npz", p)
    write_encodings(folder / "lstm.encodings",
                    {"frames": p["frames"][1], "h1": sum(h1, []), "c1": c1, "h2": sum(h2, []), "c2": c2, "fc": fc},
                    {**{name: weights([p[name][1]]) for name in p if name.endswith((".in", ".out"))},
                     "fc.weight": weights(by_row(p["fc.weight"]))})


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    make_cnn(target)
    make_lstm(target)
