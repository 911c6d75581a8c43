"""Build the images of networks beside flannel:
`networks.py LAYOUT ROOT PROGRAMS`

LAYOUT    the directory to write, an OCI image layout
ROOT      a Debian tree with iptables, ipset, conntrack and iproute2
PROGRAMS  a directory with the programs of the toolchain's group `networks`

Under the names of the released images. Versions are those of the toolchain's
go.mod files.
"""
import os
import sys

import oci
import tools

MULTUS = '/usr/src/multus-cni/bin/multus'


def main(directory, root, programs):
    layout = oci.Layout(directory)
    files, links = tools.network_tools(root, '/usr/sbin/ipset')
    path = '/usr/local/bin/kube-router'
    layout.add(['docker.io/cloudnativelabs/kube-router:v2.1.0'],
               [oci.layer(files=files, links=links,
                          directories={'tmp': 0o1777}),
                oci.layer(files={path: os.path.join(programs,
                                                    'kube-router')})],
               Entrypoint=[path])
    # the plugin, which the entrypoint copies to the node
    layout.add(['ghcr.io/k8snetworkplumbingwg/multus-cni:v4.2.0'],
               [oci.layer(files={
                   MULTUS: os.path.join(programs, 'multus'),
                   '/thin_entrypoint': os.path.join(programs,
                                                    'thin_entrypoint')},
                   directories={'tmp': 0o1777})],
               Entrypoint=['/thin_entrypoint'])
    layout.add(['ghcr.io/kube-vip/kube-vip:v1.0.0'],
               [oci.layer(files={
                   '/kube-vip': os.path.join(programs, 'kube-vip')},
                   directories={'tmp': 0o1777})],
               Entrypoint=['/kube-vip'])
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
