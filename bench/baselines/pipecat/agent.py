"""An agent of Pipecat in one room, with the models and the patience of the agents that it is compared with."""

import asyncio
import os
import sys

from loguru import logger
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.transports.livekit.transport import LiveKitParams, LiveKitTransport
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

# Silence after which the library of the other agents takes speech to be over: part of the whole wait.
VAD_STOP_S = 0.25


async def main(url: str, token: str, room: str) -> None:
    wait_s = float(os.environ["ENDPOINTING_MS"]) / 1000
    access = {"api_key": "key", "base_url": os.environ["MODELS_URL"]}
    transport = LiveKitTransport(
        url, token, room, LiveKitParams(audio_in_enabled=True, audio_out_enabled=True)
    )
    stt = OpenAISTTService(**access, settings=OpenAISTTService.Settings(model="model"))
    llm = OpenAILLMService(
        **access,
        settings=OpenAILLMService.Settings(model="model", system_instruction="Be brief."),
    )
    tts = OpenAITTSService(
        **access, settings=OpenAITTSService.Settings(model="model", voice="alloy")
    )
    stop = SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=wait_s - VAD_STOP_S)
    # The thresholds of the other agents' detector, which is Silero too and does not look at the volume.
    vad = SileroVADAnalyzer(
        params=VADParams(confidence=0.5, start_secs=0.05, stop_secs=VAD_STOP_S, min_volume=0)
    )
    user, assistant = LLMContextAggregatorPair(
        LLMContext(),
        user_params=LLMUserAggregatorParams(
            vad_analyzer=vad, user_turn_strategies=UserTurnStrategies(stop=[stop])
        ),
    )
    steps = [transport.input(), stt, user, llm, tts, transport.output(), assistant]
    worker = PipelineWorker(Pipeline(steps), params=PipelineParams(), idle_timeout_secs=None)
    runner = WorkerRunner()
    await runner.add_workers(worker)
    await runner.run()


logger.remove()
logger.add(sys.stderr, level="WARNING")
asyncio.run(main(*sys.argv[1:]))
