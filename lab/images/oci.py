"""Write container images as an OCI image layout: a directory of blobs."""
import hashlib
import io
import json
import os
import tarfile

LAYER = 'application/vnd.oci.image.layer.v1.tar'
CONFIG = 'application/vnd.oci.image.config.v1+json'
MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
INDEX = 'application/vnd.oci.image.index.v1+json'


def layer(files=(), texts=(), links=(), directories=(), setuid=()):
    """One layer: files {path: source} and texts {path: content}, executable;
    links {path: target}, directories {path: mode}; those of the files that run
    as their owner, root."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode='w') as tar:
        def add(path, **attributes):
            content = attributes.pop('content', None)
            entry = tarfile.TarInfo(path.lstrip('/'))
            for name, value in attributes.items():
                setattr(entry, name, value)
            if content is not None:
                entry.size = len(content)
            tar.addfile(entry, content is not None and io.BytesIO(content))

        for path, mode in sorted(dict(directories).items()):
            add(path, type=tarfile.DIRTYPE, mode=mode)
        for path, source in sorted(dict(files).items()):
            with open(source, 'rb') as f:
                add(path, mode=0o4755 if path in setuid else 0o755,
                    content=f.read())
        for path, text in sorted(dict(texts).items()):
            add(path, mode=0o755, content=text.encode())
        for path, target in sorted(dict(links).items()):
            add(path, type=tarfile.SYMTYPE, mode=0o777, linkname=target)
    return buffer.getvalue()


class Layout:
    def __init__(self, directory):
        self.directory = directory
        self.manifests = []
        os.makedirs(os.path.join(directory, 'blobs', 'sha256'))

    def _blob(self, media_type, data):
        digest = hashlib.sha256(data).hexdigest()
        path = os.path.join(self.directory, 'blobs', 'sha256', digest)
        if not os.path.exists(path):
            with open(path, 'wb') as f:
                f.write(data)
        return {'mediaType': media_type, 'digest': 'sha256:' + digest,
                'size': len(data)}

    def add(self, names, layers, **config):
        """Add one image under all its names; config as in an OCI image."""
        config.setdefault('Env', [
            'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
        ])
        blobs = [self._blob(LAYER, data) for data in layers]
        manifest = self._blob(MANIFEST, _json({
            'schemaVersion': 2, 'mediaType': MANIFEST,
            'config': self._blob(CONFIG, _json({
                'architecture': 'amd64', 'os': 'linux', 'config': config,
                'rootfs': {'type': 'layers',
                           'diff_ids': [b['digest'] for b in blobs]}})),
            'layers': blobs}))
        for name in names:
            self.manifests.append(dict(manifest, annotations={
                'io.containerd.image.name': name,
                'org.opencontainers.image.ref.name': name.rpartition(':')[2],
            }))

    def close(self):
        for name, content in (
                ('oci-layout', {'imageLayoutVersion': '1.0.0'}),
                ('index.json', {'schemaVersion': 2, 'mediaType': INDEX,
                                'manifests': self.manifests})):
            with open(os.path.join(self.directory, name), 'wb') as f:
                f.write(_json(content))


def _json(value):
    return json.dumps(value, sort_keys=True).encode()
