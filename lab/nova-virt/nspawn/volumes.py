"""A machine's volumes: loop devices over Cinder's files.

The guest finds a volume as /dev/vdX and under the name that udev gives a
virtio disk with nova's serial: /dev/disk/by-id/virtio-<20 letters of its id>.
"""
import contextlib
import os

from .command import run


def volume_of(connection_info, mountpoint):
    """What the machine must know of one of nova's volumes."""
    return {'id': connection_info['data']['volume_id'],
            'file': connection_info['data']['device_path'],
            'device': '/dev/' + os.path.basename(mountpoint)}


def loop_of(volume):
    """The loop device over the volume's file, if there is one."""
    return run('losetup', '-n', '-O', 'NAME', '-j', volume['file']) or None


def connect(machine, volume):
    """Make the loop device and the link to the guest's name for it."""
    loop = loop_of(volume) or run('losetup', '-f', '--show', volume['file'])
    link = _link(machine, volume)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(link)
    os.symlink('../../' + os.path.basename(volume['device']), link)
    return loop


def disconnect(machine, volume):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(_link(machine, volume))
    loop = loop_of(volume)
    if loop:
        run('losetup', '-d', loop, check=False)


def grow(volume):
    """Let the loop device see that its file has grown."""
    loop = loop_of(volume)
    if loop:
        run('losetup', '-c', loop)


def show(machine, volume):
    """Let a running guest see a volume."""
    number = os.stat(connect(machine, volume)).st_rdev
    _in_guest(machine, 'mknod', volume['device'], 'b',
              str(os.major(number)), str(os.minor(number)))


def hide(machine, volume):
    """Take a volume from a running guest."""
    # a volume that was there at boot is a bind mount, not a plain node
    _in_guest(machine, 'umount', '-l', volume['device'], check=False)
    _in_guest(machine, 'rm', '-f', volume['device'])


def _link(machine, volume):
    return machine.path('by-id', 'virtio-' + volume['id'][:20])


def _in_guest(machine, *words, check=True):
    run('nsenter', '-t', machine.leader(), '-m', '-p', *words, check=check)
