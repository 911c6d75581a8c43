"""What the tests share: a project's key and groups, servers, SSH."""
import base64
import os
import socket
import subprocess
import tempfile
import time
import unittest

import openstack

IMAGE = 'debian-12'


def wait_for(what, condition, seconds=60):
    """Poll until the condition is true; return its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError('%s: not after %d s' % (what, seconds))
        time.sleep(.3)


class CloudTest(unittest.TestCase):
    """Everything made through `self.made` is deleted in reverse order."""

    @classmethod
    def setUpClass(cls):
        cls.cloud = openstack.connect(cloud='lab')
        cls.directory = tempfile.TemporaryDirectory(prefix='vnfm-lab-test.')
        cls.addClassCleanup(cls.directory.cleanup)
        cls.name = 'test-%s-%d' % (cls.__name__.lower(), os.getpid())
        cls.key = os.path.join(cls.directory.name, 'id')
        subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '',
                        '-f', cls.key], check=True)
        with open(cls.key + '.pub') as f:
            cls.made(cls.cloud.compute, 'keypair', name=cls.name,
                     public_key=f.read())
        cls.group = cls.made(cls.cloud.network, 'security_group',
                             name=cls.name)
        cls.allow(protocol='tcp', port_range_min=22, port_range_max=22)
        cls.allow(remote_group_id=cls.group.id)

    @classmethod
    def made(cls, service, kind, **attributes):
        thing = getattr(service, 'create_' + kind)(**attributes)
        cls.addClassCleanup(getattr(service, 'delete_' + kind), thing,
                            ignore_missing=True)
        return thing

    @classmethod
    def allow(cls, **rule):
        cls.cloud.network.create_security_group_rule(
            security_group_id=cls.group.id, direction='ingress', **rule)

    @classmethod
    def server(cls, suffix, network='public', flavor='m1.tiny', user_data='',
               **more):
        """A server that answers SSH; .address is where."""
        cloud = cls.cloud
        networks = more.pop('networks', None) or [
            {'uuid': cloud.network.find_network(network).id}]
        image = more.pop('image_id', cloud.image.find_image(IMAGE).id)
        server = cloud.compute.create_server(
            name='%s-%s' % (cls.name, suffix), networks=networks,
            image_id=image,
            flavor_id=cloud.compute.find_flavor(flavor).id,
            key_name=cls.name, security_groups=[{'name': cls.name}],
            user_data=base64.b64encode(user_data.encode()).decode(), **more)
        cls.addClassCleanup(cls.delete_server, server)
        server = cls.status(server, 'ACTIVE')
        server.address = next(iter(server.addresses.values()))[0]['addr']
        return server

    @classmethod
    def delete_server(cls, server):
        cls.cloud.compute.delete_server(server, ignore_missing=True)
        cls.cloud.compute.wait_for_delete(server, interval=.5)

    @classmethod
    def status(cls, server, wanted):
        def reached():
            now = cls.cloud.compute.get_server(server.id)
            if now.status == 'ERROR' and wanted != 'ERROR':
                raise AssertionError('server in ERROR: %s' % now.fault)
            return now if now.status == wanted else None
        return wait_for('server ' + wanted, reached)

    @classmethod
    def volume(cls, suffix, **more):
        storage = cls.cloud.block_storage
        volume = cls.made(storage, 'volume', name='%s-%s' % (cls.name, suffix),
                          size=1, **more)
        return storage.wait_for_status(volume, 'available', interval=.5)

    @classmethod
    def ssh(cls, address, command, user='debian', check=True, stdin=''):
        """Run a command on a server, as soon as it lets us in."""
        wait_for('SSH on ' + address, lambda: port_open(address, 22))
        words = ['ssh', '-i', cls.key, '-o', 'StrictHostKeyChecking=no',
                 '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR',
                 '-o', 'ConnectTimeout=5', '-o', 'BatchMode=yes',
                 user + '@' + address, command]

        def attempt():
            done = subprocess.run(words, capture_output=True, text=True,
                                  input=stdin)
            # 255 is an error of SSH: cloud-init may not have created the user yet
            return done if done.returncode != 255 or not check else None
        done = wait_for('login on ' + address, attempt, 30)
        if check and done.returncode:
            raise AssertionError('%s: %s' % (command, done.stderr))
        return done.stdout.strip() if check else done


def port_open(address, port):
    try:
        socket.create_connection((address, port), 1).close()
        return True
    except OSError:
        return False
