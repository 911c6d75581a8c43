"""Build the images of Cluster API and what it stands on:
`images.py LAYOUT ROOT PROGRAMS`

LAYOUT    the directory to write, an OCI image layout
ROOT      a Debian tree
PROGRAMS  a directory with the programs of the toolchain's group `platform`

Under the names of the released images, and with their users. Versions are
those of the toolchain's go.mod files.
"""
import os
import sys

import oci
import tools

# (program, its path in the image, user, names of the image)
PROGRAMS = [
    (name, '/manager', '65532',
     ['registry.k8s.io/cluster-api/%s:v1.13.4' % name])
    for name in ('cluster-api-controller', 'kubeadm-bootstrap-controller',
                 'kubeadm-control-plane-controller')
] + [
    ('capi-openstack-controller', '/manager', '65532',
     ['registry.k8s.io/capi-openstack/capi-openstack-controller:v0.14.7']),
    ('openstack-resource-controller', '/manager', '65532',
     ['quay.io/orc/openstack-resource-controller:v2.4.0']),
] + [
    ('cert-manager-' + name, '/app/cmd/%s/%s' % (name, name), '1000',
     ['quay.io/jetstack/cert-manager-%s:v1.11.5' % name])
    for name in ('acmesolver', 'cainjector', 'controller', 'ctl', 'webhook')
]


def program(programs, name, path, **more):
    """A layer of one static program."""
    return oci.layer(files={path: os.path.join(programs, name)},
                     directories={'tmp': 0o1777}, **more)


def add_programs(layout, programs, table):
    """Images of one program each, which is the entrypoint."""
    for name, path, user, images in table:
        layout.add(images, [program(programs, name, path)],
                   Entrypoint=[path], User=user, WorkingDir='/')


def main(directory, root, programs):
    layout = oci.Layout(directory)
    add_programs(layout, programs, PROGRAMS)
    # an init container of flannel's chart copies the plugin to the node
    files, links = tools.programs(root, ['/usr/bin/cp'], {})
    layout.add(['ghcr.io/flannel-io/flannel-cni-plugin:v1.6.2-flannel1'],
               [oci.layer(files=files, links=links),
                program(programs, 'flannel-cni-plugin', '/flannel')])
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
