"""Build the images of Velero and its plugin for S3:
`backup.py LAYOUT ROOT PROGRAMS`

LAYOUT    the directory to write, an OCI image layout
ROOT      a Debian tree, of which nothing is needed
PROGRAMS  a directory with the programs of the toolchain's group `backup`

Under the names of the released images. Versions are those of the toolchain's
go.mod file.
"""
import os
import sys

import oci

# Velero keeps the caches of its repositories below its home
HOME = '/home/cnb'


def main(directory, root, programs):
    layout = oci.Layout(directory)

    def program(name, path):
        return oci.layer(files={path: os.path.join(programs, name)},
                         directories={'tmp': 0o1777, HOME[1:]: 0o1777})

    layout.add(['docker.io/velero/velero:v1.18.3'],
               [program('velero', '/velero'),
                program('velero-restore-helper', '/velero-restore-helper')],
               User='1002:1000', Env=['PATH=/', 'HOME=' + HOME])
    layout.add(['docker.io/velero/velero-plugin-for-aws:v1.14.3'],
               [program('velero-plugin-for-aws',
                        '/plugins/velero-plugin-for-aws'),
                program('cp-plugin', '/bin/cp-plugin')],
               User='65532:65532',
               Entrypoint=['cp-plugin', '/plugins/velero-plugin-for-aws',
                           '/target/velero-plugin-for-aws'])
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
