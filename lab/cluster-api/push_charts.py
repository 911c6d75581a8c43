"""Push every Helm chart of a directory to a registry: `push_charts.py
DIRECTORY URL`

As `helm push` does it: charts/NAME:VERSION, whose one layer is the chart's
file, so its digest is that of the chart repository's index.
"""
import glob
import hashlib
import json
import os
import sys
import tarfile

import oci
import push
import yaml

CONFIG = 'application/vnd.cncf.helm.config.v1+json'
CONTENT = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'


def described(media_type, data):
    return {'mediaType': media_type, 'size': len(data),
            'digest': 'sha256:' + hashlib.sha256(data).hexdigest()}


def main(directory, url):
    registry = push.Registry(url)
    for path in sorted(glob.glob(os.path.join(directory, '*.tgz'))):
        with tarfile.open(path) as tar:
            top = tar.getnames()[0].partition('/')[0]
            chart = yaml.safe_load(tar.extractfile(top + '/Chart.yaml'))
        with open(path, 'rb') as f:
            content = f.read()
        config = json.dumps(chart, sort_keys=True).encode()
        # a tag has no '+', which a version may have
        repository = 'charts/' + chart['name']
        where = '/v2/%s/manifests/%s' % (
            repository, chart['version'].replace('+', '_'))
        manifest = {'schemaVersion': 2, 'mediaType': oci.MANIFEST,
                    'config': described(CONFIG, config),
                    'layers': [described(CONTENT, content)]}
        registry.push_blob(repository, manifest['config'], config)
        registry.push_blob(repository, manifest['layers'][0], content)
        registry.call('PUT', where, json.dumps(manifest).encode(),
                      Content_Type=oci.MANIFEST)
        print('pushed', where, flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
