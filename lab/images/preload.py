"""Write the images that every node of a cluster has to standard output, as an
archive of an OCI layout that `ctr images import` takes: `preload.py LAYOUT`"""
import io
import json
import os
import sys
import tarfile

# Kubernetes' own; and those whose manifests say imagePullPolicy: Never.
PRELOADED = ('registry.k8s.io/', 'ghcr.io/flannel-io/', 'docker.io/eno/',
             'docker.io/sdnvortex/')


def main(layout):
    with open(os.path.join(layout, 'index.json')) as f:
        index = json.load(f)
    index['manifests'] = [
        manifest for manifest in index['manifests'] if manifest['annotations'][
            'io.containerd.image.name'].startswith(PRELOADED)]
    data = json.dumps(index).encode()
    entry = tarfile.TarInfo('index.json')
    entry.size = len(data)
    with tarfile.open(fileobj=sys.stdout.buffer, mode='w|') as tar:
        tar.add(os.path.join(layout, 'oci-layout'), 'oci-layout')
        tar.addfile(entry, io.BytesIO(data))
        for name in sorted(os.listdir(os.path.join(layout, 'blobs/sha256'))):
            tar.add(os.path.join(layout, 'blobs/sha256', name),
                    'blobs/sha256/' + name)


if __name__ == '__main__':
    main(sys.argv[1])
