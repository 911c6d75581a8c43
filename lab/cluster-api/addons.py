"""Build the images of what runs on a cluster of OpenStack servers:
`addons.py LAYOUT ROOT PROGRAMS`

As images.py, of the toolchain's group `addons`. The second tag of an image is
what the chart of that version asks for.
"""
import sys

import images
import oci
import tools

CSI = 'registry.k8s.io/sig-storage/'
PROGRAMS = [
    ('metrics-server', '/metrics-server', '65534',
     ['registry.k8s.io/metrics-server/metrics-server:' + tag
      for tag in ('v0.8.0', 'v0.7.2')]),
] + [
    (name, '/' + name, '0', [CSI + image for image in names])
    for name, *names in (
        ('csi-attacher', 'csi-attacher:v4.12.0', 'csi-attacher:v4.10.0'),
        ('csi-provisioner', 'csi-provisioner:v5.3.0'),
        ('csi-resizer', 'csi-resizer:v1.14.0'),
        ('csi-snapshotter', 'csi-snapshotter:v8.3.0'),
        ('livenessprobe', 'livenessprobe:v2.17.0'),
        ('node-driver-registrar', 'csi-node-driver-registrar:v2.15.0'))
]

# Their entrypoint is empty: manifests name the program first.
CLOUD = ['registry.k8s.io/provider-os/%s:' + tag
         for tag in ('v1.34.1', 'v1.34.0')]

# What cinder-csi-plugin calls: tools/csi-deps.sh of its module, without XFS,
# btrfs and udev.
FILE_SYSTEMS = [
    '/usr/bin/' + name for name in
    ('dash', 'mount', 'umount', 'findmnt', 'lsblk')] + [
    '/usr/sbin/' + name for name in
    ('blkid', 'blockdev', 'fsck', 'e2fsck', 'mke2fs', 'dumpe2fs',
     'resize2fs')] + ['/etc/mke2fs.conf']
FILE_SYSTEM_LINKS = {
    '/usr/bin/sh': 'dash',
    '/usr/sbin/mkfs.ext4': 'mke2fs', '/usr/sbin/mkfs.ext3': 'mke2fs',
    '/usr/sbin/fsck.ext4': 'e2fsck', '/usr/sbin/fsck.ext3': 'e2fsck'}


def main(directory, root, programs):
    layout = oci.Layout(directory)
    images.add_programs(layout, programs, PROGRAMS)
    files, links = tools.programs(root, FILE_SYSTEMS, FILE_SYSTEM_LINKS)
    base = {'openstack-cloud-controller-manager':
            oci.layer(links={'/bin': 'usr/bin'}),
            'cinder-csi-plugin': oci.layer(files=files, links=links),
            'k8s-keystone-auth': oci.layer(links={'/bin': 'usr/bin'})}
    for name, layer in base.items():
        layout.add([image % name for image in CLOUD],
                   [layer, images.program(programs, name, '/usr/bin/' + name)],
                   Cmd=['/bin/' + name], WorkingDir='/')
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
