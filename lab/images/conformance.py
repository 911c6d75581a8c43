"""Build the images that the conformance tests of Kubernetes run:
`conformance.py LAYOUT ROOT PROGRAMS`

LAYOUT    the directory to write, an OCI image layout
ROOT      a Debian tree with busybox and the packages of CONFORMANCE_PACKAGES
PROGRAMS  a directory with coredns and with links to agnhost, nonewprivs and
          sample-apiserver, beside which is what else their images have

Under the names that test/utils/image/manifest.go of Kubernetes has for 1.33.
The programs of the tests are built from Kubernetes' own source, and stand on
busybox and Debian's programs where the released images stand on Alpine's.
httpd and nginx are made of busybox: the tests only start them, roll them out
and ask them for a page.
"""
import os
import sys

import oci
import tools

E2E = 'registry.k8s.io/e2e-test-images/'
# What the tests call in agnhost and in jessie-dnsutils, by its path there.
CALLED = {
    '/usr/bin/bash': '/usr/bin/bash',
    '/usr/bin/curl': '/usr/bin/curl',
    '/usr/bin/dig': '/usr/bin/dig',
    '/usr/bin/iperf': '/usr/bin/iperf',
    '/usr/bin/nc': '/usr/bin/nc.openbsd',
    '/usr/bin/ip': '/usr/bin/ip',
    '/usr/bin/getent': '/usr/bin/getent'}
# getent finds hosts by these, which it links to by name alone
RESOLVERS = ['/usr/lib/x86_64-linux-gnu/libnss_%s.so.2' % name
             for name in ('dns', 'files')]
ACCOUNTS = {'/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n'
                           'user-defined-in-image:x:1000:1000::/:/bin/sh\n',
            '/etc/group': 'root:x:0:\nuser-defined-in-image:x:1000:\n'
                          'group-defined-in-image:x:50000:'
                          'user-defined-in-image\n',
            '/etc/nsswitch.conf': 'hosts: files dns\n'}
# The shell of Debian's busybox does not pass on variables with a dash in their
# names, which tests of ConfigMaps and of Secrets look for; bash does. It words
# errors otherwise than busybox, whose words another test looks for.
SH = '''#!/usr/bin/bash
while IFS= read -rd '' variable; do
  [[ ${variable%%=*} != *-* ]] || exec -a "$0" /usr/bin/bash "$@"
done </proc/self/environ
exec -a "$0" /usr/bin/busybox "$@"
'''
HTTPD = '/usr/local/apache2/htdocs'
NGINX = '/usr/share/nginx/html'


def web_server(program, page):
    """Layer of a program that serves the directory of a page on port 80."""
    return oci.layer(texts={
        program: "#!/bin/sh\ntrap 'exit 0' TERM QUIT WINCH\n"
                 'httpd -f -p 80 -h %s &\nwait\n' % os.path.dirname(page),
        page: '<html><body><h1>It works!</h1></body></html>\n'})


def main(directory, root, programs):
    layout = oci.Layout(directory)

    def program(name, path, **more):
        return oci.layer(files={path: os.path.join(programs, name)}, **more)

    files, links = tools.busybox(root)
    bash, _ = tools.programs(root, ['/usr/bin/bash'], {})
    del links['/usr/bin/sh']
    system = oci.layer(files=dict(files, **bash), links=links,
                       texts=dict(ACCOUNTS, **{'/usr/bin/sh': SH}),
                       directories={'root': 0o700, 'tmp': 0o1777})
    files, links = tools.programs(
        root, [*CALLED.values(), *RESOLVERS], {})
    files = dict(files, **{path: root + source
                           for path, source in CALLED.items()})
    called = oci.layer(files=files, links=links)
    agnhost = program('agnhost', '/agnhost', links={'/agnhost-2': 'agnhost'},
                      directories={'uploads': 0o755})
    coredns = program('coredns', '/coredns')
    built = os.path.dirname(os.path.realpath(programs + '/agnhost'))

    def more(name):
        """Layer of the files of an image that are no program."""
        folder = os.path.join(built, 'images', name)
        return oci.layer(files={'/' + file: os.path.join(folder, file)
                                for file in os.listdir(folder)})

    layout.add([E2E + 'agnhost:2.53'],
               [system, called, coredns, agnhost, more('agnhost')],
               Entrypoint=['/agnhost'], Cmd=['pause'], WorkingDir='/')
    layout.add([E2E + 'jessie-dnsutils:1.7'], [system, called, coredns],
               Cmd=['sh'])
    layout.add([E2E + 'busybox:1.36.1-1'], [system], Cmd=['sh'])
    for name in ('nautilus', 'kitten'):
        layout.add([E2E + name + ':1.7'], [system, agnhost, more(name)],
                   Entrypoint=['/agnhost'], Cmd=['test-webserver'],
                   WorkingDir='/')
    nnp = '/usr/local/bin/nnp'
    layout.add([E2E + 'nonewprivs:1.3'],
               [system, program('nonewprivs', nnp, setuid=[nnp])], Cmd=['nnp'])
    layout.add([E2E + 'sample-apiserver:1.29.2'],
               [program('sample-apiserver', '/sample-apiserver',
                        directories={'tmp': 0o1777})],
               Entrypoint=['/sample-apiserver'])
    layout.add([E2E + 'httpd:' + tag for tag in ('2.4.38-4', '2.4.39-4')],
               [system, web_server('/usr/local/bin/httpd-foreground',
                                   HTTPD + '/index.html')],
               Cmd=['httpd-foreground'], ExposedPorts={'80/tcp': {}})
    layout.add([E2E + 'nginx:' + tag for tag in ('1.14-4', '1.15-4')],
               [system, web_server('/usr/sbin/nginx', NGINX + '/index.html')],
               Cmd=['nginx', '-g', 'daemon off;'], ExposedPorts={'80/tcp': {}})
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
