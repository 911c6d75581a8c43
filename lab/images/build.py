"""Build the lab's container images: `build.py LAYOUT ROOT PROGRAMS`

LAYOUT    the directory to write, an OCI image layout
ROOT      a Debian tree with iptables, conntrack, iproute2 and busybox
PROGRAMS  a directory with kubernetes, etcd, coredns, flanneld and pause
"""
import os
import sys

import oci
import standins
import tools

KUBERNETES = 'v1.33.0'
CONTROL_PLANE = ('kube-apiserver', 'kube-controller-manager', 'kube-scheduler')


def main(directory, root, programs):
    layout = oci.Layout(directory)

    def program(name, path):
        return oci.layer(files={path: os.path.join(programs, name)},
                         directories={'tmp': 0o1777})

    # One binary that looks at its name, in one layer that four images share.
    kubernetes = oci.layer(
        files={'/usr/local/bin/kubernetes':
               os.path.join(programs, 'kubernetes')},
        links={'/usr/local/bin/' + name: 'kubernetes'
               for name in CONTROL_PLANE + ('kube-proxy',)},
        directories={'tmp': 0o1777})
    files, links = tools.network_tools(root)
    network = oci.layer(files=files, links=links)

    for name in CONTROL_PLANE:
        layout.add(['registry.k8s.io/%s:%s' % (name, KUBERNETES)],
                   [kubernetes], Entrypoint=['/usr/local/bin/' + name])
    layout.add(['registry.k8s.io/kube-proxy:' + KUBERNETES],
               [network, kubernetes], Entrypoint=['/usr/local/bin/kube-proxy'])
    layout.add(['registry.k8s.io/etcd:3.5.21-0'],
               [oci.layer(files={'/usr/local/bin/etcd':
                                 os.path.join(programs, 'etcd')},
                          links={'/usr/local/bin/etcdctl': 'etcd'})])
    layout.add(['registry.k8s.io/coredns/coredns:v1.12.0'],
               [program('coredns', '/coredns')], Entrypoint=['/coredns'])
    layout.add(['registry.k8s.io/pause:3.10'], [program('pause', '/pause')],
               Entrypoint=['/pause'], User='65535:65535')
    layout.add(['ghcr.io/flannel-io/flannel:v0.26.7'],
               [network, program('flanneld', '/opt/bin/flanneld')],
               Entrypoint=['/opt/bin/flanneld'])
    standins.add_to(layout, root)
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
