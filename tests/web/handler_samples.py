"""What the tests of a worker's jobs share: a handler, and the sample pictures as bytes."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from sudoku_vision.vision.digits import load_model
from sudoku_vision.web import endpoints
from sudoku_vision.web.job_handler import JobHandler

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
KEY = b"a key of the tests, 32 bytes long"


_ROUTES = [route for route in endpoints.router.routes if isinstance(route, APIRoute)]
MODELS: dict[str, Any] = {route.name: TypeAdapter(route.response_model) for route in _ROUTES}
MODELS["check_photo"] = MODELS["check"]
"""The model of the answer of each job."""


class DescribedHandler(JobHandler):
    """Compares each of its answers with its model, which must lose nothing of it."""

    def __getattribute__(self, name: str) -> Any:
        job = super().__getattribute__(name)
        if name not in MODELS or name == "picture":
            return job

        def described(*args: Any, **kwargs: Any) -> dict[str, Any]:
            answer: dict[str, Any] = json.loads(json.dumps(job(*args, **kwargs)))
            model = MODELS[name]
            assert model.dump_python(model.validate_python(answer), exclude_unset=True) == answer
            return answer

        return described


@cache
def handler() -> Any:
    """A handler with the model of the package."""
    return DescribedHandler(load_model(), KEY)


def sample(name: str) -> bytes:
    """The bytes of a sample picture."""
    return (SAMPLES / name).read_bytes()


@cache
def solved(name: str) -> dict[str, Any]:
    """The answer of a handler to a sample picture."""
    answer: dict[str, Any] = handler().solve(sample(name))
    return answer


def state_of(name: str, grid: int = 0) -> str:
    """The state of a grid of a sample picture."""
    text: str = solved(name)["view"]["grids"][grid]["state"]
    return text
