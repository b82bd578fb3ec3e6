#!/usr/bin/env python3
"""Sends solutions of hexagonal Tetris to a server of Ludion, as in the contest of 2015.

    LUDION_TOKEN=... python3 submit.py TEAM solutions.json [URL]

Needs nothing beyond Python itself. The server answers with the score of every
solution, because the request accepts JSON; without that it says `created`.
"""

import base64
import json
import os
import sys
import urllib.error
import urllib.request


def submit(url, team, token, solutions):
    """Posts a list of solutions; returns them with their scores."""
    password = base64.b64encode(f":{token}".encode()).decode()
    request = urllib.request.Request(
        f"{url}/teams/{team}/solutions",
        data=json.dumps(solutions).encode(),
        headers={
            "Authorization": f"Basic {password}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def main():
    if len(sys.argv) not in (3, 4) or "LUDION_TOKEN" not in os.environ:
        sys.exit(__doc__)
    team, path = sys.argv[1:3]
    url = sys.argv[3] if len(sys.argv) == 4 else "http://127.0.0.1:4748"
    try:
        with open(path, encoding="utf-8") as file:
            solutions = json.load(file)
        created = submit(url, team, os.environ["LUDION_TOKEN"], solutions)
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {error.read().decode().strip()}")
    except urllib.error.URLError as error:
        sys.exit(f"{url} does not answer: {error.reason}")
    except (OSError, ValueError) as error:
        sys.exit(f"{path} cannot be read: {error}")
    for one in created:
        print(f"problem {one['problemId']} seed {one['seed']}: {one['score']} ({one['status']})")


if __name__ == "__main__":
    main()
