"""Recognizes speech: reads paths of WAV files (mono, 16 bit), a line each, and answers each with a line of JSON."""

import array
import json
import sys
import wave

from moonshine_voice import ModelArch, Transcriber, get_model_path

# The caller has cut the recording already: to cut it again makes words out of its pauses.
OPTIONS = {"vad_threshold": "0.0"}
# Without a pause around it the model guesses the first and last word: "Hello, this is" became "How of this is".
PAUSE_S = 0.5
# Quieter edges of a recording are its pauses, whose noise the model takes for words ("Oh, you can hang up").
QUIET = 60
transcriber = Transcriber(str(get_model_path("tiny-en")), ModelArch.TINY, options=OPTIONS)


def recognize(path: str) -> str:
    with wave.open(path) as file:
        if file.getnchannels() != 1 or file.getsampwidth() != 2:
            raise ValueError("not a WAV file of one channel and 16 bits")
        samples = array.array("h", file.readframes(file.getnframes()))
        rate = file.getframerate()
    loud = [place for place, sample in enumerate(samples) if abs(sample) >= QUIET]
    if not loud:
        return ""
    pause = [0.0] * int(PAUSE_S * rate)
    speech = pause + [sample / 32768 for sample in samples[loud[0] : loud[-1] + 1]] + pause
    transcript = transcriber.transcribe_without_streaming(speech, rate)
    return " ".join(line.text.strip() for line in transcript.lines)


print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    try:
        answer = {"text": recognize(line.rstrip("\n"))}
    except Exception as error:  # One bad file must not end the process.
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
