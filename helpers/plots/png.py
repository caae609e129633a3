"""Small PNG files: 256 colors are enough for a figure, and a third in size."""

import numpy as np

COMMON = 96


def print_small_png(canvas, target, **_):
    """Write the canvas as a PNG of 256 colors: a third of the bytes."""
    from PIL import Image

    canvas.draw()
    size, dots = canvas.get_width_height(), canvas.buffer_rgba()
    image = Image.frombuffer("RGBA", size, dots)
    white = Image.new("RGBA", size, "white")
    image = Image.alpha_composite(white, image).convert("RGB")
    dpi = (canvas.figure.dpi,) * 2
    with_palette(image).save(target, format="png", optimize=True, dpi=dpi)


def with_palette(image):
    """Return an RGB image with 256 colors, the commonest of them exact.

    The others, mostly at the edges of letters, become the nearest color.
    """
    from PIL import Image

    pixels = np.asarray(image).reshape(-1, 3).astype(int)
    codes, place, count = np.unique(
        pixels @ (65536, 256, 1), return_inverse=True, return_counts=True
    )
    colors = codes[:, None] // (65536, 256, 1) % 256
    common = colors[np.argsort(-count, kind="stable")[:COMMON]]
    others = image.quantize(
        256 - len(common), method=Image.Quantize.MAXCOVERAGE
    ).getpalette()
    palette = np.vstack([common, np.reshape(others, (-1, 3))])
    palette = palette.astype(np.int16)  # holds any sum of three differences
    channels = zip(colors.T.astype(np.int16), palette.T, strict=True)
    gaps = sum(abs(np.subtract.outer(a, b)) for a, b in channels)
    nearest = gaps.argmin(axis=1)
    index = nearest[place].astype(np.uint8).tobytes()
    small = Image.frombytes("P", image.size, index)
    small.putpalette(palette.astype(np.uint8).tobytes())
    return small
