"""Build the stand-in for cluster-autoscaler: `autoscaler.py LAYOUT ROOT PROGRAMS`

ROOT      a Debian tree with busybox
PROGRAMS  a directory with the program that is all of Kubernetes, kubectl among
          them: the name that it is called by selects one
"""
import os
import sys

import oci
import tools

HERE = os.path.dirname(os.path.abspath(__file__))
IMAGE = 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0'


def main(directory, root, programs):
    layout = oci.Layout(directory)
    files, links = tools.busybox(root)
    with open(os.path.join(HERE, 'autoscaler.sh')) as script:
        texts = {'/cluster-autoscaler': script.read()}
    files['/usr/bin/kubectl'] = os.path.join(programs, 'kubernetes')
    layout.add([IMAGE], [oci.layer(files=files, links=links, texts=texts,
                                   directories={'tmp': 0o1777})],
               Cmd=['/cluster-autoscaler'], User='65532')
    layout.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
