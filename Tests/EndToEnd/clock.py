"""A wall clock that a test moves for one program, by a library that answers in front of libc (clock.c)."""
import os
import pathlib
import subprocess


class Clock:
    """It shows the time of the machine until it is put forward. Whoever starts with `environment` reads it."""

    def __init__(self, folder):
        library, self.file = folder / "clock.so", folder / "clock"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, pathlib.Path(__file__).with_name("clock.c")], check=True, timeout=60)
        self.file.touch()
        self.environment = {"LD_PRELOAD": str(library), "TEST_CLOCK": str(self.file)}

    def forward(self, hours):
        """At once, also for a program that runs: the library looks at the length of the file each time."""
        os.truncate(self.file, self.file.stat().st_size + hours)
