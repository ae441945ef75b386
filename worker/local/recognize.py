"""Recognizes speech: reads paths of WAV files (mono, 16 bit), a line each, and answers each with a line of JSON."""

import array
import json
import sys
import wave

from moonshine_voice import ModelArch, Transcriber, get_model_path

# The caller has cut the recording already: to cut it again makes words out of its pauses.
OPTIONS = {"vad_threshold": "0.0"}
transcriber = Transcriber(str(get_model_path("tiny-en")), ModelArch.TINY, options=OPTIONS)


def recognize(path: str) -> str:
    with wave.open(path) as file:
        if file.getnchannels() != 1 or file.getsampwidth() != 2:
            raise ValueError("not a WAV file of one channel and 16 bits")
        samples = array.array("h", file.readframes(file.getnframes()))
        rate = file.getframerate()
    transcript = transcriber.transcribe_without_streaming([sample / 32768 for sample in samples], rate)
    return " ".join(line.text.strip() for line in transcript.lines)


print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    try:
        answer = {"text": recognize(line.rstrip("\n"))}
    except Exception as error:  # One bad file must not end the process.
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
