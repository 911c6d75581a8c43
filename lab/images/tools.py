"""Programs of a Debian tree, with all they need, for use in an image."""
import os
import re
import subprocess

XTABLES = '/usr/lib/x86_64-linux-gnu/xtables'
PROGRAMS = ('/usr/sbin/xtables-nft-multi', '/usr/sbin/conntrack',
            '/usr/bin/dash', '/usr/bin/cat', '/usr/bin/cp', '/usr/bin/mv',
            '/usr/bin/mkdir', '/usr/bin/sleep', '/usr/bin/ip')
BUSYBOX = '/usr/bin/busybox'
MERGED_USR = {'/bin': 'usr/bin', '/sbin': 'usr/sbin', '/lib': 'usr/lib',
              '/lib64': 'usr/lib64'}
IPTABLES = [family + kind for family in ('iptables', 'ip6tables')
            for kind in ('', '-save', '-restore')]


def network_tools(root, *more):
    """Files and links of iptables, ip, conntrack, a shell and more programs.

    iptables loads its extensions by name, some of them only links, and those
    link to libraries that the program itself does not.
    """
    extensions, links = [], {'/usr/bin/sh': 'dash'}
    for name in os.listdir(root + XTABLES):
        path = os.path.join(XTABLES, name)
        if os.path.islink(root + path):
            links[path] = os.readlink(root + path)
        elif name.endswith('.so'):
            extensions.append(path)
    for name in IPTABLES:
        links['/usr/sbin/' + name] = 'xtables-nft-multi'
    return programs(root, [*PROGRAMS, *more, *extensions], links)


def busybox(root):
    """Files and links of busybox and all its applets."""
    applets = subprocess.run(['chroot', root, BUSYBOX, '--list'],
                             capture_output=True, text=True,
                             check=True).stdout.split()
    links = {'/usr/bin/' + name: 'busybox' for name in applets
             if name != 'busybox'}
    return programs(root, [BUSYBOX], links)


def programs(root, paths, links):
    """The files, with the libraries that they link to; merged /usr."""
    files = set(paths)
    for path in paths:
        files.update(_libraries(root, path))
    return ({path: _source(root, path) for path in files},
            dict(links, **MERGED_USR))


def _libraries(root, path):
    said = subprocess.run(['chroot', root, 'ldd', path],
                          capture_output=True, text=True).stdout
    # as merged /usr has it: an image's /lib is a link
    return ['/usr' + library if library.startswith('/lib') else library
            for library in re.findall(r'(/\S+) \(0x', said)]


def _source(root, path):
    """Where the file is, following links as inside the tree."""
    found = subprocess.run(['chroot', root, 'readlink', '-f', path],
                           capture_output=True, text=True, check=True)
    return root + found.stdout.strip()
