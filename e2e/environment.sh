#!/usr/bin/env bash
# Makes the virtual environment that the lock file describes: with uv where it is, else with the
# newest Python >= 3.12 that can be found and its own venv and pip.
set -euo pipefail
venv=${1:?usage: environment.sh DIRECTORY}

newest_python() {
  local candidate
  for candidate in python3.14 python3.13 python3.12 python3 python \
      "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "No Python 3.12 or newer was found. Install one (or uv, which brings its own) and try again." >&2
  return 1
}

echo "Making the environment in $venv …" >&2
if command -v uv >/dev/null; then
  uv venv --quiet --allow-existing --python '>=3.12' "$venv"
  uv pip install --quiet --python "$venv/bin/python" --require-hashes -r requirements.lock
  uv pip install --quiet --python "$venv/bin/python" --no-deps --editable .
else
  python=$(newest_python)
  "$python" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes -r requirements.lock
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --no-deps --editable .
fi
