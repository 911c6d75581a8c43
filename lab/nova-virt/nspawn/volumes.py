"""A machine's volumes: loop devices over Cinder's files.

The guest finds a volume as /dev/vdX and under the name that udev gives a
virtio disk with nova's serial: /dev/disk/by-id/virtio-<20 letters of its id>.
"""
import contextlib
import os
import tempfile

from .command import run

# A boot volume contains a line with the name of the guest tree, and after it
# an ext4 file system with the changes.
CHANGES_AT = 1 << 20
EXT4_MAGIC_AT, EXT4_MAGIC = CHANGES_AT + 1024 + 56, b'\x53\xef'


def volume_of(connection_info, mountpoint):
    """What the machine must know of one of nova's volumes."""
    return {'id': connection_info['data']['volume_id'],
            'file': connection_info['data']['device_path'],
            'device': '/dev/' + os.path.basename(mountpoint)}


def format_boot_volume(volume):
    """Make the file system of a boot volume, unless a server has used it."""
    with open(volume['file'], 'rb') as f:
        size = os.fstat(f.fileno()).st_size
        f.seek(EXT4_MAGIC_AT)
        if f.read(len(EXT4_MAGIC)) == EXT4_MAGIC:
            return
    with tempfile.TemporaryDirectory() as empty:
        for name in ('upper', 'work'):
            os.mkdir(os.path.join(empty, name), 0o755)
        run('mkfs.ext4', '-q', '-F', '-E', 'offset=%d' % CHANGES_AT,
            '-d', empty, volume['file'], '%dk' % ((size - CHANGES_AT) >> 10))


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


def grow(_machine, volume):
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
    # a volume that was attached at boot is a bind mount, not a device node
    _in_guest(machine, 'umount', '-l', volume['device'], check=False)
    _in_guest(machine, 'rm', '-f', volume['device'])


def _link(machine, volume):
    return machine.path('by-id', 'virtio-' + volume['id'][:20])


def _in_guest(machine, *words, check=True):
    run('nsenter', '-t', machine.leader(), '-m', '-p', *words, check=check)
