"""One cgroup per machine: in each hierarchy of cgroup v1, systemd's two among
them; or in the only one of cgroup v2, where it is delegated to the machine.
"""
import os
import time

from .command import run

ROOT = '/sys/fs/cgroup'
PARENT = 'vnfm-lab'
# True if cgroup v2 has the controllers, without v1.
UNIFIED = os.path.exists(os.path.join(ROOT, 'cgroup.controllers'))


def _hierarchies():
    if UNIFIED:
        return ['']
    return [h for h in sorted(os.listdir(ROOT))
            if os.path.isfile(os.path.join(ROOT, h, 'cgroup.procs'))]


def _path(hierarchy, *names):
    return os.path.join(ROOT, hierarchy, PARENT, *names)


def _of_memory(name, *names):
    """Where the memory of a machine is counted."""
    return _path('' if UNIFIED else 'memory', name, *names)


def create(name, memory_mb):
    """Make the machine's cgroups; return the files a process joins them by."""
    for hierarchy in _hierarchies():
        os.makedirs(_path(hierarchy, name), exist_ok=True)
    if UNIFIED:
        for directory in (ROOT, _path('')):
            _pass_on_controllers(directory)
    elif 'cpuset' in _hierarchies():   # a new cpuset is empty, so no process can join it
        for setting in ('cpuset.cpus', 'cpuset.mems'):
            with open(os.path.join(ROOT, 'cpuset', setting)) as f:
                value = f.read()
            for directory in (_path('cpuset'), _path('cpuset', name)):
                with open(os.path.join(directory, setting), 'w') as f:
                    f.write(value)
    limit = 'memory.max' if UNIFIED else 'memory.limit_in_bytes'
    with open(_of_memory(name, limit), 'w') as f:
        f.write(str(memory_mb << 20))
    return [_path(h, name, 'cgroup.procs') for h in _hierarchies()]


def _pass_on_controllers(directory):
    """Let the cgroups in a directory have the controllers that it has."""
    with open(os.path.join(directory, 'cgroup.controllers')) as f:
        controllers = f.read().split()
    with open(os.path.join(directory, 'cgroup.subtree_control'), 'w') as f:
        f.write(' '.join('+' + controller for controller in controllers))


def remove(name):
    _reclaim(name)
    for hierarchy in _hierarchies():
        top = _path(hierarchy, name)
        for _ in range(50):            # the last processes may still be ending
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
    order = ('memory.reclaim', '1T') if UNIFIED else ('memory.force_empty', '0')
    try:
        with open(_of_memory(name, order[0]), 'w') as f:
            f.write(order[1])
    except OSError:                    # the maximum, or the cgroup no longer exists
        pass


def processes(name):
    """Every process of the machine, whatever cgroup it made for itself."""
    return run('find', _of_memory(name), '-name', 'cgroup.procs',
               '-exec', 'cat', '{}', '+', check=False).split()
