"""From a Glance image to the layers of a guest tree.

An image's data is the line `guest: NAME`; the lab has the tree of that name.
A boot volume made from such an image starts with the same line.
"""
import os
import re

from nova import exception
from nova.image import glance

from .command import run

GUESTS = os.path.join(os.environ['VNFM_LAB'], 'guests')
LONGEST = 256


def guest_of(context, image_meta, root_volume):
    """What a server shall start from: the layers of a guest tree, the store,
    and the directory of disk and kernel if the image is a machine's."""
    if root_volume:
        with open(root_volume['file'], 'rb') as f:
            data = f.read(LONGEST)
    else:
        data = b''
        for chunk in glance.API().download(context, image_meta.id):
            data += chunk
            if len(data) >= LONGEST:
                break
    named = re.match(rb'guest: ([\w.-]+)\n', data)
    if not named:
        raise exception.ImageUnacceptable(
            image_id=image_meta.id if not root_volume else root_volume['id'],
            reason="the lab's servers boot images whose data is the line "
                   "'guest: NAME'; see lab/README.md")
    name = named[1].decode()
    try:
        with open(os.path.join(GUESTS, name)) as f:
            layers, store, disk = (f.read().split('\n') + [''])[:3]
    except FileNotFoundError:
        raise exception.ImageUnacceptable(
            image_id=image_meta.id,
            reason='the lab has no guest tree %s, only %s'
                   % (name, ', '.join(sorted(os.listdir(GUESTS)))))
    if disk and root_volume:
        raise exception.ImageUnacceptable(
            image_id=image_meta.id,
            reason='servers of %s boot from no volume' % name)
    return layers, store, disk


def copy_store(store, destination):
    """Give a machine the tree's containerd store, with the images in it.

    Hard links: containerd never changes a blob or an unpacked layer in place,
    only its databases, which are copied.
    """
    run('cp', '-al', store + '/.', destination)
    for directory, subdirectories, files in os.walk(destination):
        if os.path.basename(directory) == 'snapshots':
            subdirectories.clear()
        for name in files:
            if name.endswith('.db'):
                path = os.path.join(directory, name)
                run('cp', '--remove-destination', os.path.join(
                    store, os.path.relpath(path, destination)), path)
