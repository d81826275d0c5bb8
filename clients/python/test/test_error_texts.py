"""What errors tell besides their class."""

from __future__ import annotations

import socket

import pytest
from bursar import Bursar, BursarConnectionError, FeeRange, UsernameTakenError


def test_a_refused_connection_is_told_once() -> None:
    with socket.socket() as unused:
        # Bound, and nobody listens.
        unused.bind(("127.0.0.1", 0))
        client = Bursar(f"http://127.0.0.1:{unused.getsockname()[1]}", "brs_0123456789", total_timeout_seconds=0.1)
        with pytest.raises(BursarConnectionError) as raised:
            client.account.retrieve()
    assert str(raised.value).count("refused") == 1


def test_a_username_that_is_taken_always_has_a_fee() -> None:
    assert UsernameTakenError("taken").fee == FeeRange(min_cents=0, max_cents=0)
