"""Build the images of Cluster API and of what runs on its clusters:
`images.py LAYOUT ROOT PROGRAMS`

LAYOUT    the directory to write, an OCI image layout
ROOT      a Debian tree with the programs that make and mount file systems
PROGRAMS  a directory with the programs of the toolchain's group `platform`

Under the names of the released images, and with their users. Versions are
those of the toolchain's go.mod files; a second tag is what the chart of that
version asks for.
"""
import os
import sys

import oci
import tools

CAPI = 'v1.13.4'
CERT_MANAGER = 'v1.11.5'
CSI = 'registry.k8s.io/sig-storage/'
ROOT_USER, NOBODY = '0', '65532'

# One static program, which is the entrypoint:
# (program, its path in the image, user, names of the image)
PROGRAMS = [
    (name, '/manager', NOBODY,
     ['registry.k8s.io/cluster-api/%s:%s' % (name, CAPI)])
    for name in ('cluster-api-controller', 'kubeadm-bootstrap-controller',
                 'kubeadm-control-plane-controller')
] + [
    ('capi-openstack-controller', '/manager', NOBODY,
     ['registry.k8s.io/capi-openstack/capi-openstack-controller:v0.14.7']),
] + [
    ('cert-manager-' + name, '/app/cmd/%s/%s' % (name, name), '1000',
     ['quay.io/jetstack/cert-manager-%s:%s' % (name, CERT_MANAGER)])
    for name in ('acmesolver', 'cainjector', 'controller', 'ctl', 'webhook')
] + [
    ('metrics-server', '/metrics-server', '65534',
     ['registry.k8s.io/metrics-server/metrics-server:' + tag
      for tag in ('v0.8.0', 'v0.7.2')]),
] + [
    (name, '/' + name, ROOT_USER, [CSI + image for image in images])
    for name, *images in (
        ('csi-attacher', 'csi-attacher:v4.12.0', 'csi-attacher:v4.10.0'),
        ('csi-provisioner', 'csi-provisioner:v5.3.0'),
        ('csi-resizer', 'csi-resizer:v1.14.0'),
        ('csi-snapshotter', 'csi-snapshotter:v8.3.0'),
        ('livenessprobe', 'livenessprobe:v2.17.0'),
        ('node-driver-registrar', 'csi-node-driver-registrar:v2.15.0'))
]

# The image's entrypoint is empty: manifests name the program first.
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

    def program(name, path, **more):
        return oci.layer(files={path: os.path.join(programs, name)},
                         directories={'tmp': 0o1777}, **more)

    for name, path, user, images in PROGRAMS:
        layout.add(images, [program(name, path)],
                   Entrypoint=[path], User=user, WorkingDir='/')

    name = 'openstack-cloud-controller-manager'
    layout.add([image % name for image in CLOUD],
               [program(name, '/usr/bin/' + name,
                        links={'/bin': 'usr/bin'})],
               Cmd=['/bin/' + name], WorkingDir='/')

    name = 'cinder-csi-plugin'
    files, links = tools.programs(root, FILE_SYSTEMS, FILE_SYSTEM_LINKS)
    layout.add([image % name for image in CLOUD],
               [oci.layer(files=files, links=links),
                program(name, '/usr/bin/' + name)],
               Cmd=['/bin/' + name], WorkingDir='/')

    # an init container of flannel's chart copies the plugin to the node
    files, links = tools.programs(root, ['/usr/bin/cp'], {})
    layout.add(['ghcr.io/flannel-io/flannel-cni-plugin:v1.6.2-flannel1'],
               [oci.layer(files=files, links=links),
                program('flannel-cni-plugin', '/flannel')])
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
