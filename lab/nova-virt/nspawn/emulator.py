"""A whole machine: QEMU without KVM, with the kernel of its image.

system.qcow2  what it wrote, over the image's disk
config.iso    its config drive
qmp           where QEMU takes orders

It has what Debian's cloud image finds on a cloud: virtio's devices, a power
button, a config drive. Translated code is an order of magnitude slower than
the machine itself.
"""
import contextlib
import json
import os
import socket
import time

from .command import run

# The size of QEMU's store of translated code. When the store is full, QEMU
# empties it and translates everything again. A boot fills up to half of this
# one. With 256 MB a master translates so much that its API server fails.
TRANSLATED_MB = 1024
OVERHEAD_MB = 512 + TRANSLATED_MB

# The processor has everything that QEMU can emulate, except what is slower to
# emulate than to do without: a fifth level of page tables (la57), copying by
# single bytes (erms, fsrm) and registers of 256 bits (avx, avx2).
CPU = 'max,la57=off,erms=off,fsrm=off,avx=off,avx2=off'


def make_disk(machine, image, gib):
    """The disk of a new machine, over its image's."""
    run('qemu-img', 'create', '-q', '-f', 'qcow2', '-F', 'raw',
        '-b', os.path.join(image, 'disk.raw'), machine.path('system.qcow2'))
    grow_disk(machine, gib)


def grow_disk(machine, gib):
    """As large as its flavor says; it never shrinks. The machine is off."""
    disk = machine.path('system.qcow2')
    size = json.loads(run('qemu-img', 'info', '--output=json', disk))
    if size['virtual-size'] < gib << 30:
        run('qemu-img', 'resize', '-q', disk, '%dG' % gib)


def command(machine):
    """QEMU's command line, in the network namespace of the compute."""
    is_ = machine.description
    with open(os.path.join(is_['image'], 'options')) as f:
        options = f.read().strip()
    words = [
        'ip', 'netns', 'exec', 'hv-' + is_['compute'],
        'setpriv', '--pdeathsig', 'KILL',
        'qemu-system-x86_64', '-name', machine.name, '-nodefaults',
        '-no-user-config', '-display', 'none', '-machine', 'pc', '-accel',
        'tcg,thread=multi,tb-size=%d' % TRANSLATED_MB,
        '-cpu', CPU, '-smp', str(is_['vcpus']),
        '-m', str(is_['memory_mb']),
        '-kernel', os.path.join(is_['image'], 'vmlinuz'),
        '-initrd', os.path.join(is_['image'], 'initrd'),
        '-append', options,
        '-chardev', 'file,id=console,append=on,path='
        + machine.path('console.log'), '-serial', 'chardev:console',
        '-qmp', 'unix:%s,server=on,wait=off' % machine.path('qmp'),
        '-device', 'virtio-rng-pci',
        '-drive', 'if=virtio,format=qcow2,file='
        + machine.path('system.qcow2'),
        '-device', 'virtio-scsi-pci',
        '-drive', 'if=none,id=config,format=raw,readonly=on,file='
        + machine.path('config.iso'), '-device', 'scsi-cd,drive=config']
    for number, port in enumerate(is_['ports']):
        words += ['-netdev', 'tap,id=net%d,ifname=%s,script=no,downscript=no,'
                  'vnet_hdr=off' % (number, port['device']),
                  '-device', 'virtio-net-pci,netdev=net%d,mac=%s,host_mtu=%d'
                  % (number, port['mac'], port['mtu'])]
    for volume in is_['volumes']:
        words += ['-blockdev', json.dumps(_block(volume)),
                  '-device', json.dumps(_disk(volume))]
    return words


def is_ready(machine):
    """Whether QEMU takes orders."""
    with contextlib.suppress(OSError), _Orders(machine) as orders:
        orders.give('query-status')
        return True
    return False


def press_power_button(machine):
    with _Orders(machine) as orders:
        orders.give('system_powerdown')


def show(machine, volume):
    """Let a running machine see a volume."""
    with _Orders(machine) as orders:
        orders.give('blockdev-add', **_block(volume))
        orders.give('device_add', **_disk(volume))


def hide(machine, volume):
    """Take a volume from a running machine, which has to let it go."""
    disk = _disk(volume)
    with _Orders(machine) as orders:
        orders.give('device_del', id=disk['id'])
        for _ in range(600):
            there = orders.give('qom-list', path='/machine/peripheral')
            if disk['id'] not in (part['name'] for part in there):
                break
            time.sleep(.1)
        else:
            raise RuntimeError('machine %s does not let go of %s'
                               % (machine.name, volume['device']))
        orders.give('blockdev-del', **{'node-name': disk['drive']})


def grow(machine, volume):
    """Let a running machine see that a volume has grown."""
    with _Orders(machine) as orders:
        orders.give('block_resize', size=os.path.getsize(volume['file']),
                    **{'node-name': _disk(volume)['drive']})


def _block(volume):
    return {'driver': 'raw', 'node-name': 'v' + volume['id'][:20],
            'file': {'driver': 'file', 'filename': volume['file']}}


def _disk(volume):
    return {'driver': 'virtio-blk-pci', 'id': 'd' + volume['id'][:20],
            'drive': 'v' + volume['id'][:20], 'serial': volume['id'][:20]}


class _Orders:
    """QEMU's machine protocol: a line of JSON each way."""

    def __init__(self, machine):
        self.machine = machine

    def __enter__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        try:
            self.socket.connect(self.machine.path('qmp'))
            self.lines = self.socket.makefile('rw')
            self.lines.readline()         # its greeting
            self.give('qmp_capabilities')
        except BaseException:
            self.socket.close()
            raise
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()

    def give(self, execute, **arguments):
        self.lines.write(json.dumps(
            {'execute': execute, 'arguments': arguments}) + '\n')
        self.lines.flush()
        for line in self.lines:           # events come between
            answer = json.loads(line)
            if 'error' in answer:
                raise RuntimeError('%s: %s' % (
                    execute, answer['error']['desc']))
            if 'return' in answer:
                return answer['return']
        raise OSError('QEMU ended')
