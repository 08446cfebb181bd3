"""Makes static/media/awake.mp4, a video that keeps a screen on in browsers without a wake lock.

    pip install av && python tools/build_awake_video.py

It shows a still square for six seconds. The silent sound is needed: Firefox and Safari treat a
video without sound as a background image, and let the screen go dark.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av

SECONDS, SIDE, SAMPLES = 6, 16, 8000
TARGET = Path(__file__).parent.parent / "static" / "media" / "awake.mp4"


def build(target: Path) -> None:
    """Write the video to ``target``, so that it can be played while it is being downloaded."""
    with av.open(str(target), "w", options={"movflags": "faststart", "fflags": "bitexact"}) as film:
        picture = film.add_stream("libx264", rate=1, options={"x264-params": "keyint=99:bframes=0"})
        picture.width = picture.height = SIDE
        picture.pix_fmt = "yuv420p"
        # without the encoder's signature, which is longer than the film
        bare = av.BitStreamFilterContext("filter_units=remove_types=6", picture)
        sound = film.add_stream("aac", rate=SAMPLES, layout="mono", bit_rate=8000)
        for second in range(SECONDS):
            still = av.VideoFrame(SIDE, SIDE, "yuv420p")
            for plane, value in zip(still.planes, (16, 128, 128), strict=True):
                plane.update(bytes([value]) * plane.buffer_size)
            still.pts, still.time_base = second, Fraction(1)
            for packet in picture.encode(still):
                film.mux(bare.filter(packet))
        size = sound.codec_context.frame_size or 1024
        for start in range(0, SECONDS * SAMPLES, size):
            silence = av.AudioFrame("fltp", "mono", size)
            for plane in silence.planes:
                plane.update(bytes(plane.buffer_size))
            silence.sample_rate, silence.pts = SAMPLES, start
            silence.time_base = Fraction(1, SAMPLES)
            film.mux(sound.encode(silence))
        for packet in picture.encode(None):
            film.mux(bare.filter(packet))
        film.mux(sound.encode(None))


if __name__ == "__main__":
    build(TARGET)
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")
