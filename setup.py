"""Put data/ into the package, so that `pip install` brings it along."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithData(build_py):
    """Copies data/ to helpers/data; an installation in place needs no copy."""

    def run(self):
        """Build, then copy."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib, "helpers", "data")
            shutil.copytree("data", target, dirs_exist_ok=True)


setup(cmdclass={"build_py": WithData})
