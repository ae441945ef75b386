"""A worker that answers chats: put your model into `think`. Python 3.9 or newer, and nothing else."""
import json
import os
import re
import threading
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ.get("SWITCHBOARD_URL", "http://127.0.0.1:8000") + "/api/worker/tasks/"
HEADERS = {"content-type": "application/json"}
if "SWITCHBOARD_API_KEY" in os.environ:
    HEADERS["authorization"] = "Bearer " + os.environ["SWITCHBOARD_API_KEY"]
AT_A_TIME = 4


def think(turn):
    """Yields the words of the answer. Here: the sentence of the instructions that has most words of the question."""
    question = set(re.findall(r"\w{4,}", turn["messages"][-1]["content"].lower()))
    variables = turn["variables"]
    text = re.sub(r"{{\s*([\w.-]+)\s*}}", lambda name: str(variables.get(name[1], "")), turn["config"].get("instructions", ""))
    best = max(re.split(r"(?<=[.!?])\s+", text), key=lambda one: len(question & set(re.findall(r"\w{4,}", one.lower()))))
    if not question & set(re.findall(r"\w{4,}", best.lower())):
        best = "I am sorry, I have no information about that."
    yield from re.findall(r"\S+\s*", best)


def post(path, **body):
    with urlopen(Request(URL + path, json.dumps(body).encode(), HEADERS), timeout=60) as response:
        return json.load(response)


def answer(task):
    task_id, lease, ended = task["task_id"], {"lease_token": task["lease_token"]}, threading.Event()
    threading.Thread(target=keep, args=(task_id, lease, ended), daemon=True).start()
    try:
        said, shown = "", 0
        for count, words in enumerate(think(task["payload"])):
            said += words
            if count < 100 or count % 20 == 0:  # A turn takes 1,000 events: a long answer is shown some words at a time.
                post(f"{task_id}/events", **lease, events=[{"type": "words", "text": said[shown:]}])
                shown = len(said)
        post(f"{task_id}/complete", **lease, result={"content": said.strip()})
    except Exception as error:
        if not isinstance(error, HTTPError) or error.code != 409:
            post(f"{task_id}/fail", **lease, error=repr(error)[:500], retryable=True)
        else:  # Another worker has the task, or nobody waits for the answer any more.
            print(f"{task_id}: {error} {error.read().decode()}", flush=True)
    finally:
        ended.set()


def keep(task_id, lease, ended):
    while not ended.wait(10):  # Others get the task 30 seconds after the last sign of life.
        try:
            post(f"{task_id}/heartbeat", **lease)
        except Exception as error:
            print(f"{task_id}: {error!r}", flush=True)


def serve():
    while True:
        try:
            for task in post("claim", kind="chat_turn", capacity=1, wait_s=20)["tasks"]:
                answer(task)
        except Exception as error:  # The service is not there, refuses the key, or a proxy answers in its place.
            print(repr(error), flush=True)
            time.sleep(1)


for _ in range(AT_A_TIME):
    threading.Thread(target=serve).start()
