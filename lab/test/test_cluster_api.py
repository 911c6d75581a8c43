"""What `lab.sh cluster-api` serves fits together."""
import hashlib
import json
import os
import re
import unittest
import urllib.request

import yaml

HOST = 'http://198.19.0.1'
WEB = os.path.join(os.environ['VNFM_LAB'], 'web')


def get(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(
            HOST + url, headers=headers)) as answer:
        return answer.read()


def manifest(image):
    repository, _, tag = image.rpartition(':')
    return json.loads(get(
        ':5000/v2/%s/manifests/%s' % (repository, tag),
        Accept='application/vnd.oci.image.manifest.v1+json'))


@unittest.skipUnless(os.path.isdir(WEB), 'lab.sh cluster-api has not run')
class ClusterApi(unittest.TestCase):
    def test_release_files_name_images_of_the_registry(self):
        images = set()
        for directory, _, names in os.walk(os.path.join(WEB, 'releases')):
            for name in names:
                path = os.path.relpath(os.path.join(directory, name), WEB)
                text = get(':5002/' + path).decode()
                # the images in templates are OpenStack's
                if name.endswith('components.yaml') or name == 'install.yaml':
                    images.update(re.findall(r'^ +image: (\S+:\S+)$', text,
                                             re.MULTILINE))
        self.assertEqual(len(images), 5, images)
        for image in images:
            manifest(image.partition('/')[2])

    def test_charts_are_the_same_over_http_and_oci(self):
        index = yaml.safe_load(get(':5002/charts/index.yaml'))
        self.assertIn('cert-manager', index['entries'])
        for name, (entry,) in index['entries'].items():
            data = get(':5002/charts/' + entry['urls'][0])
            digest = hashlib.sha256(data).hexdigest()
            self.assertEqual(entry['digest'], digest)
            layer, = manifest('charts/%s:%s' % (
                name, entry['version']))['layers']
            self.assertEqual(layer['digest'], 'sha256:' + digest)
