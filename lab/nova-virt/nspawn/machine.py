"""A machine is a directory; everything that runs it reads it from there.

machine.json  what it is: name, compute, memory, layers, ports, volumes; the
              volume that it boots from, if there is one. For one that QEMU
              runs `image`, where its kernel and disk are, instead of layers
upper, work   its changes over the guest tree's layers; where it boots from a
              volume, `upper` is what it finds at its first boot
disk          that volume, with what guests wrote
containerd    /var/lib/containerd: an overlay cannot lie on an overlay
by-id         /dev/disk/by-id
console.log   what it printed
pid           its supervisor, while it runs
leader        its init, once it has its own /dev; or QEMU
"""
import contextlib
import json
import os
import signal
import shutil
import subprocess
import sys
import time

from . import cgroups
from . import emulator
from . import network
from . import volumes

HOME = os.environ['VNFM_LAB']
SERVERS = os.path.join(HOME, 'servers')


class Machine:
    def __init__(self, uuid):
        self.directory = os.path.join(SERVERS, uuid)
        self.name = 'srv-' + uuid[:8]     # its network namespace and cgroup

    def path(self, *names):
        return os.path.join(self.directory, *names)

    # --- the description
    def exists(self):
        return os.path.exists(self.path('machine.json'))

    @property
    def description(self):
        with open(self.path('machine.json')) as f:
            return json.load(f)

    def describe(self, **changes):
        """Write the description, or change some of it."""
        new = self.description if self.exists() else {}
        new.update(changes)
        for name in ('upper', 'work', 'disk', 'root', 'containerd',
                     'by-id'):
            os.makedirs(self.path(name), exist_ok=True)
        with open(self.path('machine.json.new'), 'w') as f:
            json.dump(new, f, indent=1)
        os.rename(self.path('machine.json.new'), self.path('machine.json'))

    @property
    def is_emulated(self):
        """Whether QEMU runs it."""
        return bool(self.description.get('image'))

    @property
    def disks(self):
        """What shows it its volumes."""
        return emulator if self.is_emulated else volumes

    @property
    def interfaces(self):
        """What gives it interfaces while it runs, and takes them."""
        if self.is_emulated:
            raise NotImplementedError('a whole machine keeps the interfaces '
                                      'of its boot')
        return network

    def forget(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    # --- the process
    def supervisor(self):
        """The supervisor's pid, if the machine is on."""
        try:
            with open(self.path('pid')) as f:
                pid, began = f.read().split()
        except (OSError, ValueError):
            return None
        return int(pid) if start_time(pid) == began else None

    def leader(self):
        """The pid of the machine's init."""
        with open(self.path('leader')) as f:
            return f.read().strip()

    def start(self):
        """Switch it on; return when its init runs and its ports are up."""
        if self.supervisor():
            return
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path('leader'))
        package = os.path.dirname(os.path.abspath(__file__))
        with open(self.path('supervisor.log'), 'ab') as log:
            child = subprocess.Popen(
                [sys.executable, '-m', 'nspawn.supervisor',
                 os.path.basename(self.directory)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd='/',
                env=dict(os.environ, PYTHONPATH=os.path.dirname(package)),
                start_new_session=True)
        with open(self.path('pid'), 'w') as f:
            f.write('%d %s' % (child.pid, start_time(child.pid)))
        for _ in range(600):
            if os.path.exists(self.path('leader')):
                return
            if child.poll() is not None:
                break
            time.sleep(.1)
        raise RuntimeError('machine %s did not start: %s'
                           % (self.name, self._last_words()))

    def stop(self, seconds=60):
        """Ask it to shut down; pull the plug after so many seconds, of which
        an emulated one gets more."""
        pid = self.supervisor()
        if self.is_emulated:
            seconds *= 10
        if pid:
            os.kill(pid, signal.SIGTERM)
            if not self._gone(seconds):
                self.kill()

    def kill(self):
        """Pull the plug."""
        pid = self.supervisor()
        if pid:
            os.kill(pid, signal.SIGINT)
            if not self._gone(60):
                raise RuntimeError('machine %s does not die' % self.name)

    def clean(self):
        """Take away what it has on this host; it must be off."""
        known = self.description
        for port in known.get('ports', []):
            network.unplug(known['compute'], port, '--no-wait')
        network.remove(self.name)
        for volume in known.get('volumes', []):
            volumes.disconnect(self, volume)
        cgroups.remove(self.name)

    def _gone(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.supervisor():
                return True
            time.sleep(.05)
        return False

    def _last_words(self):
        with open(self.path('supervisor.log')) as f:
            return f.read().strip().rpartition('\n')[2] or 'no reason given'


def start_time(pid):
    """When a process was started, in ticks since boot; None if it is dead.

    A pid alone may meanwhile belong to somebody else.
    """
    try:
        with open('/proc/%s/stat' % pid) as f:
            fields = f.read().rpartition(')')[2].split()
    except OSError:
        return None
    return None if fields[0] == 'Z' else fields[19]
