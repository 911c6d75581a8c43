"""Build the lab's container images: `build.py LAYOUT ROOT PROGRAMS VERSION`

LAYOUT    the directory to write, an OCI image layout
ROOT      a Debian tree with iptables, conntrack, iproute2 and busybox
PROGRAMS  a directory with kubernetes, etcd, coredns, flanneld and pause
VERSION   of Kubernetes
"""
import os
import sys

import oci
import standins
import tools

# What kubeadm asks for: cmd/kubeadm/app/constants/constants.go. CoreDNS and
# pause are one build of ours, whatever the tag.
TAGS = {
    'v1.33.0': {'etcd': '3.5.21-0', 'coredns': 'v1.12.0', 'pause': '3.10'},
    'v1.34.4': {'etcd': '3.6.5-0', 'coredns': 'v1.12.1', 'pause': '3.10.1'},
}
# From 3.6 on etcdctl restores no snapshot.
ETCD_TOOLS = {'v1.33.0': ('etcdctl',), 'v1.34.4': ('etcdctl', 'etcdutl')}
# containerd's own, by its configuration in guest/kube
SANDBOX = '3.10'
CONTROL_PLANE = ('kube-apiserver', 'kube-controller-manager', 'kube-scheduler')


def main(directory, root, programs, version):
    tags = TAGS[version]
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
        layout.add(['registry.k8s.io/%s:%s' % (name, version)],
                   [kubernetes], Entrypoint=['/usr/local/bin/' + name])
    layout.add(['registry.k8s.io/kube-proxy:' + version],
               [network, kubernetes], Entrypoint=['/usr/local/bin/kube-proxy'])
    layout.add(['registry.k8s.io/etcd:' + tags['etcd']],
               [oci.layer(files={'/usr/local/bin/etcd':
                                 os.path.join(programs, 'etcd')},
                          links={'/usr/local/bin/' + name: 'etcd'
                                 for name in ETCD_TOOLS[version]})])
    layout.add(['registry.k8s.io/coredns/coredns:' + tags['coredns']],
               [program('coredns', '/coredns')], Entrypoint=['/coredns'])
    layout.add(['registry.k8s.io/pause:' + tag
                for tag in sorted({SANDBOX, tags['pause']})],
               [program('pause', '/pause')],
               Entrypoint=['/pause'], User='65535:65535')
    layout.add(['ghcr.io/flannel-io/flannel:v0.26.7'],
               [network, program('flanneld', '/opt/bin/flanneld')],
               Entrypoint=['/opt/bin/flanneld'])
    standins.add_to(layout, root)
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
