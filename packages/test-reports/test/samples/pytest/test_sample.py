import pytest


def test_adds_up():
    assert 1 + 1 == 2


@pytest.mark.parametrize("value", ["ä", 2])
def test_with(value):
    assert value == 2


@pytest.mark.skip(reason="left out")
def test_left_out():
    assert False


@pytest.mark.xfail
def test_known_to_fail():
    assert False


@pytest.fixture
def stock():
    raise RuntimeError("the stock cannot be read")


@pytest.fixture
def till():
    yield
    raise RuntimeError("the till does not close")


def test_without_stock(stock):
    pass


def test_passes_then_errors(till):
    pass


def test_fails_then_errors(till):
    assert False
