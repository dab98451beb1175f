"""Runs a program and writes what it and the processes that it waited for cost, as JSON.

    usage.py FILE PROGRAM ARGUMENT…

Linux. SIGTERM is passed on.
"""

import json
import os
import signal
import sys
import time

began = time.monotonic()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
_, status, used = os.wait4(child, 0)
cost = {
    "seconds": time.monotonic() - began,
    "cpuSeconds": used.ru_utime + used.ru_stime,
    "peakBytes": used.ru_maxrss * 1024,
}
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(cost, file)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
