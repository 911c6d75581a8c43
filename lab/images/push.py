"""Push every image of an OCI layout to a registry: `push.py LAYOUT URL`

The registry serves as a mirror, so an image's own registry is left out of its
name there: registry.k8s.io/pause:3.10 becomes pause:3.10.
"""
import json
import os
import sys
import urllib.error
import urllib.request


class Registry:
    def __init__(self, url):
        self.url = url

    def call(self, method, path, data=None, **headers):
        request = urllib.request.Request(
            path if path.startswith('http') else self.url + path,
            method=method, data=data,
            headers={k.replace('_', '-'): v for k, v in headers.items()})
        return urllib.request.urlopen(request)

    def has(self, path):
        try:
            self.call('HEAD', path, Accept='*/*')
            return True
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            return False

    def push_blob(self, repository, descriptor, data):
        digest = descriptor['digest']
        if self.has('/v2/%s/blobs/%s' % (repository, digest)):
            return
        upload = self.call('POST', '/v2/%s/blobs/uploads/' % repository, b'')
        location = upload.headers['Location']
        self.call('PUT', '%s%sdigest=%s' % (
            location, '&' if '?' in location else '?', digest),
            data, Content_Type='application/octet-stream')


def main(layout, url):
    def read(descriptor):
        with open(os.path.join(layout, 'blobs', 'sha256',
                               descriptor['digest'].partition(':')[2]),
                  'rb') as f:
            return f.read()

    registry = Registry(url)
    with open(os.path.join(layout, 'index.json')) as f:
        index = json.load(f)
    for descriptor in index['manifests']:
        name = descriptor['annotations']['io.containerd.image.name']
        repository, _, tag = name.partition('/')[2].rpartition(':')
        where = '/v2/%s/manifests/' % repository
        if (registry.has(where + descriptor['digest'])
                and registry.has(where + tag)):
            continue
        manifest = json.loads(read(descriptor))
        for blob in [manifest['config'], *manifest['layers']]:
            registry.push_blob(repository, blob, read(blob))
        registry.call('PUT', where + tag, read(descriptor),
                      Content_Type=descriptor['mediaType'])
        print('pushed', name, flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
