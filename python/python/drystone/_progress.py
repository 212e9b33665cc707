"""How far long work is: a bar on a terminal, a line for every tenth part otherwise; on standard error."""

from __future__ import annotations

import sys
import time

_WIDTH = 30


class Progress:
    """The progress of a number of jobs, or of what else is counted, some of which are there already."""

    def __init__(self, jobs: int, there: int, shown: bool, what: str = "jobs") -> None:
        self._jobs, self._there, self._done, self._failed, self._what = jobs, there, 0, 0, what
        self._start, self._drawn, self._shown = time.monotonic(), 0.0, shown
        if there:
            self.say(f"{there} of {jobs} {what} are there already")

    def advance(self, done: int, failed: int) -> None:
        """More jobs are done, some of which failed."""
        before = self._there + self._done
        self._done, self._failed = self._done + done, self._failed + failed
        now = self._there + self._done
        if not self._shown:
            return
        if not sys.stderr.isatty():
            if now * 10 // self._jobs != before * 10 // self._jobs:
                self.say(f"{now} of {self._jobs} {self._what} done, {self._failed} failed")
        elif time.monotonic() - self._drawn > 0.1 or now == self._jobs:
            self._drawn = time.monotonic()
            passed = self._drawn - self._start
            left = passed / self._done * (self._jobs - now) if self._done else 0.0
            bar = "#" * (_WIDTH * now // self._jobs)
            sys.stderr.write(f"\r[{bar:<{_WIDTH}}] {now}/{self._jobs}, {self._failed} failed, {left:.0f} s left \033[K")
            sys.stderr.flush()

    def finish(self) -> None:
        """Says what was done."""
        passed = time.monotonic() - self._start
        before = f"; {self._there} were there" if self._there else ""
        self.say(f"{self._done} {self._what} done in {passed:.1f} s, {self._failed} of them failed{before}")

    def say(self, text: str) -> None:
        """A line, in place of the bar, which comes again below it."""
        if self._shown:
            print(("\r\033[K" if sys.stderr.isatty() else "") + text, file=sys.stderr)
