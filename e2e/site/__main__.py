"""Run the site for a person: `python -m e2e.site --port 8000`."""

import argparse
import threading

from e2e.site.endpoints.login import PASSWORD, USER
from e2e.site.site import Site


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m e2e.site", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    with Site(port=parser.parse_args().port) as site:
        print(f"{site.origin}  user: {USER}  password: {PASSWORD}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("stopped")


if __name__ == "__main__":
    main()
