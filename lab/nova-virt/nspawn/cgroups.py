"""One cgroup per machine in each hierarchy: cgroup v1's and systemd's two."""
import os
import time

from .command import run

ROOT = '/sys/fs/cgroup'
PARENT = 'vnfm-lab'


def _hierarchies():
    return [h for h in sorted(os.listdir(ROOT))
            if os.path.isfile(os.path.join(ROOT, h, 'cgroup.procs'))]


def _path(hierarchy, *names):
    return os.path.join(ROOT, hierarchy, PARENT, *names)


def create(name, memory_mb):
    """Make the machine's cgroups; return the files a process joins them by."""
    for hierarchy in _hierarchies():
        os.makedirs(_path(hierarchy, name), exist_ok=True)
    if 'cpuset' in _hierarchies():     # a new cpuset is empty and takes nobody
        for setting in ('cpuset.cpus', 'cpuset.mems'):
            with open(os.path.join(ROOT, 'cpuset', setting)) as f:
                value = f.read()
            for directory in (_path('cpuset'), _path('cpuset', name)):
                with open(os.path.join(directory, setting), 'w') as f:
                    f.write(value)
    with open(_path('memory', name, 'memory.limit_in_bytes'), 'w') as f:
        f.write(str(memory_mb << 20))
    return [_path(h, name, 'cgroup.procs') for h in _hierarchies()]


def remove(name):
    _reclaim(name)
    for hierarchy in _hierarchies():
        top = _path(hierarchy, name)
        for _ in range(50):            # the last processes may still be dying
            for directory, _, _ in os.walk(top, topdown=False):
                try:
                    os.rmdir(directory)
                except OSError:
                    pass
            if not os.path.isdir(top):
                break
            time.sleep(.1)


def _reclaim(name):
    """What a machine has read would keep its memory cgroups, and those of its
    pods, in the kernel until memory is short: thousands after a day."""
    try:
        with open(_path('memory', name, 'memory.force_empty'), 'w') as f:
            f.write('0')
    except OSError:                    # it is gone, or going
        pass


def processes(name):
    """Every process of the machine, whatever cgroup it made for itself."""
    return run('find', _path('memory', name), '-name', 'cgroup.procs',
               '-exec', 'cat', '{}', '+', check=False).split()
