"""Pipecat's evals as a library: runs the scenario whose number stands on a line, and says on another whether it passed."""

import asyncio
import json
import sys
from pathlib import Path

from loguru import logger
from pipecat.evals.scenario import EvalScenarioFile
from pipecat.evals.session import EvalSession, EvalSessionParams


async def main(url: str, file: str) -> None:
    scenarios = EvalScenarioFile.load(Path(file)).scenarios
    params = EvalSessionParams(default_timeout_ms=10_000, connect_timeout_s=60)
    while line := await asyncio.to_thread(sys.stdin.readline):
        scenario = scenarios[int(line)]
        session = EvalSession.from_scenario(scenario, f"{url}?at={int(line)}", params=params)
        result = await session.run()
        failures = [f"{scenario.name}: {failure}" for failure in result.failures]
        print(json.dumps(failures), flush=True)


logger.remove()
logger.add(sys.stderr, level="WARNING")
asyncio.run(main(*sys.argv[1:]))
