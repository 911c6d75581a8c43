"""Run one machine: prepare its parts, boot it, boot it again when it reboots,
take its parts away when it is off. `python -m nspawn.supervisor UUID`

SIGTERM asks the guest to shut down, SIGINT pulls the plug.
"""
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time

from . import cgroups
from . import emulator
from . import network
from . import volumes
from .command import run
from .machine import Machine

REBOOT = 133          # nspawn's exit code when the guest asks to be restarted
DEVICES = '/dev/kmsg', '/dev/fuse', '/dev/net/tun'
# kubeadm reads the options of a kernel without /proc/config.gz from this file
KERNEL_OPTIONS = '/boot/config-' + os.uname().release


class Supervisor:
    def __init__(self, uuid):
        self.machine = Machine(uuid)
        self.process = None
        self.wanted = True
        signal.signal(signal.SIGTERM, self.shut_down)
        signal.signal(signal.SIGINT, self.pull_the_plug)

    def shut_down(self, *_):
        self.wanted = False
        if self.process:
            self.process.terminate()      # nspawn turns this into an orderly halt

    def pull_the_plug(self, *_):
        self.wanted = False
        for pid in cgroups.processes(self.machine.name):
            os.kill(int(pid), signal.SIGKILL)

    def run(self):
        code = REBOOT
        while code == REBOOT and self.wanted:
            self.machine.clean()          # a crash may have left mounts
            try:
                code = self.boot()
            finally:
                self.machine.clean()
        print('%s ended with code %s' % (self.machine.name, code), flush=True)

    def boot(self):
        """Boot once; return nspawn's exit code when the machine is off."""
        machine, is_ = self.machine, self.machine.description
        joins = cgroups.create(machine.name, is_['memory_mb'])
        network.create(machine.name)
        for number, port in enumerate(is_['ports']):
            network.plug(machine.name, is_['compute'], number, port)
        with open(machine.path('console.log'), 'ab') as console:
            self.process = subprocess.Popen(
                ['sh', '-ec', self.script(joins, is_)], stdout=console,
                stderr=console, stdin=subprocess.DEVNULL)
        if not self.wanted:               # told to stop while it prepared
            self.process.kill()
        self.find_leader()
        return self.process.wait()

    def script(self, joins, is_):
        # The overlay lives in a mount namespace of its own, and nspawn dies
        # with this process: nothing outlives a crash.
        machine = self.machine
        disk, lower, mount = machine.path(), is_['layers'], ''
        if is_.get('boot_volume'):
            # the volume contains the changes that the guest wrote; the guest tree is
            # the lower layer
            disk = machine.path('disk')
            lower = '%s:%s' % (machine.path('upper'), lower)
            mount = 'mount -o loop,offset=%d %s %s && ' % (
                volumes.CHANGES_AT, shlex.quote(is_['boot_volume']['file']),
                shlex.quote(disk))
        overlay = 'lowerdir=%s,upperdir=%s,workdir=%s' % (
            lower, os.path.join(disk, 'upper'), os.path.join(disk, 'work'))
        nspawn = [
            'systemd-nspawn', '--quiet', '--boot', '--register=no',
            '--keep-unit', '--directory=' + machine.path('root'),
            '--machine=' + machine.name, '--hostname=' + is_['hostname'],
            '--network-namespace-path=/run/netns/' + machine.name,
            '--console=read-only', '--link-journal=no', '--resolv-conf=off',
            '--timezone=off',
            # required by a container runtime, the kubelet and nfs-ganesha
            '--capability=all',
            '--system-call-filter=@keyring bpf open_by_handle_at',
            *('--bind=' + device for device in DEVICES
              if os.path.exists(device)),
            *(['--bind-ro=' + KERNEL_OPTIONS]
              if os.path.exists(KERNEL_OPTIONS) else []),
            '--bind=%s:/var/lib/containerd' % machine.path('containerd'),
            '--bind=%s:/dev/disk/by-id' % machine.path('by-id')]
        nspawn += ['--bind=%s:%s' % (volumes.connect(machine, volume),
                                     volume['device'])
                   for volume in is_['volumes']]
        inner = mount + 'mount -t overlay overlay -o %s %s && exec %s' % (
            shlex.quote(overlay), machine.path('root'), shlex.join(nspawn))
        return ''.join('echo $$ >%s;' % join for join in joins) + (
            'export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=%d'
            ' SYSTEMD_NSPAWN_API_VFS_WRITABLE=network;' % cgroups.UNIFIED +
            'exec setpriv --pdeathsig KILL unshare --mount'
            ' --propagation slave sh -ec ' + shlex.quote(inner))

    def find_leader(self):
        while self.process.poll() is None:
            for pid in run('pgrep', '-P', str(self.process.pid),
                           check=False).split():
                if _is_init(pid) and os.path.ismount('/proc/%s/root/dev' % pid):
                    with open(self.machine.path('leader'), 'w') as f:
                        f.write(pid)
                    return
            time.sleep(.02)


def _is_init(pid):
    """nspawn has a child of its own for a moment, which sees the same root."""
    with contextlib.suppress(OSError), open('/proc/%s/status' % pid) as f:
        for line in f:
            if line.startswith('NSpid:'):
                return line.split()[-1] == '1'
    return False


class EmulatorSupervisor(Supervisor):
    """Of a machine that QEMU runs, which boots again by itself."""

    def shut_down(self, *_):
        self.wanted = False
        if self.process:
            with contextlib.suppress(OSError):    # it has ended
                emulator.press_power_button(self.machine)

    def boot(self):
        machine, is_ = self.machine, self.machine.description
        joins = cgroups.create(machine.name,
                               is_['memory_mb'] + emulator.OVERHEAD_MB)
        for port in is_['ports']:
            network.plug_tap(is_['compute'], port)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(machine.path('qmp'))
        script = ''.join('echo $$ >%s;' % join for join in joins)
        self.process = subprocess.Popen(
            ['sh', '-ec', script + 'exec ' + shlex.join(
                emulator.command(machine))], stdin=subprocess.DEVNULL)
        if not self.wanted:               # told to stop while it prepared
            self.process.kill()
        while self.process.poll() is None and not emulator.is_ready(machine):
            time.sleep(.05)
        if self.process.poll() is None:
            with open(machine.path('leader'), 'w') as f:
                f.write(str(self.process.pid))
        return self.process.wait()


if __name__ == '__main__':
    emulated = Machine(sys.argv[1]).is_emulated
    (EmulatorSupervisor if emulated else Supervisor)(sys.argv[1]).run()
