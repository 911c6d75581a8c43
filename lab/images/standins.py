"""Small stand-ins, made of busybox, for images that manifests ask for.

They start, stay up, answer on the port of the real one and understand its
command line; nothing more.
"""
import os

import oci
import tools

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'standins')
FREE5GC = '/go/src/free5gc'
FUNCTIONS = ('amf', 'ausf', 'n3iwf', 'nrf', 'nssf', 'pcf', 'smf', 'udm', 'udr')


def _script(name):
    with open(os.path.join(SCRIPTS, name)) as f:
        return f.read()


def add_to(layout, root):
    files, links = tools.busybox(root)
    busybox = oci.layer(
        files=files, links=links,
        texts={'/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
               '/etc/group': 'root:x:0:\n'},
        directories={'root': 0o700, 'tmp': 0o1777})
    layout.add(['docker.io/library/busybox:1.36',
                'docker.io/library/busybox:latest'], [busybox], Cmd=['sh'])

    nginx = oci.layer(
        texts={'/usr/sbin/nginx': _script('nginx.sh')},
        directories={'usr/share/nginx/html': 0o755})
    for version in ('1.27', '1.28'):
        names = ['docker.io/library/nginx:' + version]
        if version == '1.28':
            names.append('docker.io/library/nginx:latest')
        layout.add(names, [busybox, nginx], Cmd=['/usr/sbin/nginx'],
                   Env=['PATH=/usr/sbin:/bin', 'NGINX_VERSION=' + version],
                   ExposedPorts={'80/tcp': {}})

    mongo = oci.layer(
        texts={'/usr/bin/mongod': _script('mongod.sh'),
               '/usr/bin/mongo': _script('mongo.sh')},
        links={'/usr/bin/mongosh': 'mongo'},
        directories={'data/db': 0o755})
    layout.add(['docker.io/library/mongo:latest',
                'docker.io/free5gmano/free5gc-mongodb:latest'],
               [busybox, mongo], Cmd=['/usr/bin/mongod'],
               Env=['PATH=/usr/bin:/bin'], ExposedPorts={'27017/tcp': {}})

    function = _script('free5gc.sh')
    free5gc = oci.layer(
        texts={FREE5GC + path: function for path in
               ['/bin/' + name for name in FUNCTIONS]
               + ['/webconsole/bin/webconsole',
                  '/NFs/upf/build/bin/free5gc-upfd']},
        directories={FREE5GC[1:] + '/config': 0o755})
    layout.add(['docker.io/eno/free5gc:latest'], [busybox, free5gc],
               WorkingDir=FREE5GC, Cmd=['sh'])

    vortex = oci.layer(texts={'/go/bin/server': _script('vortex-server.sh'),
                              '/go/bin/client': _script('vortex-client.sh')})
    layout.add(['docker.io/sdnvortex/network-controller:v0.4.9'],
               [busybox, vortex], WorkingDir='/go', Cmd=['/go/bin/server'])
