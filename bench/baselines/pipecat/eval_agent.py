"""An agent of Pipecat for its evals, which says and calls what its model decides: `/ws?at=1` is the agent of scenario 1."""

import json
import os
import sys

from loguru import logger
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.evals.transport import EvalTransportParams
from pipecat.frames.frames import FunctionCallResultProperties
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.runner.run import main
from pipecat.runner.utils import create_transport
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

with open(os.environ["SCENARIOS"]) as file:
    SCENARIOS = json.load(file)


async def bot(runner_args):
    # The runner has set it to log each frame of interest.
    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    asked = SCENARIOS[int(runner_args.websocket.query_params["at"])]
    answers = list(asked["answers"])

    async def answer(params):
        result, ends_call = answers.pop(0)
        # The end of a call has nothing more to say.
        properties = FunctionCallResultProperties(run_llm=not ends_call)
        await params.result_callback(result, properties=properties)

    transport = await create_transport(runner_args, {"eval": EvalTransportParams})
    llm = OpenAILLMService(
        api_key="key",
        base_url=os.environ["MODEL_URL"],
        settings=OpenAILLMService.Settings(
            model="rules", system_instruction=asked["instructions"]
        ),
    )
    llm.register_function(None, answer)
    tools = ToolsSchema(standard_tools=[FunctionSchema(**tool) for tool in asked["tools"]])
    # Nobody speaks: without a model that listens for the end of a turn, which would be loaded for each session.
    stop = UserTurnStrategies(stop=[SpeechTimeoutUserTurnStopStrategy()])
    user, assistant = LLMContextAggregatorPair(
        LLMContext(tools=tools), user_params=LLMUserAggregatorParams(user_turn_strategies=stop)
    )
    # Answers are in the context before the output tells the evals that they are over, which send the next words at once:
    # behind the output, as with a voice, the interruption by these cuts some of them.
    worker = PipelineWorker(
        Pipeline([transport.input(), user, llm, assistant, transport.output()])
    )
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


main()
