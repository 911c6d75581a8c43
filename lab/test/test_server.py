"""A server's life: cloud-init, console, stop, reboot, rebuild, resize."""
import os
import subprocess
import time
import unittest

from cloud import CloudTest
from cloud import port_open
from cloud import wait_for

USER_DATA = """#cloud-config
users:
- default
- name: ops
  plain_text_passwd: unused
  lock_passwd: true
  ssh_authorized_keys: ['%(key)s']
write_files:
- {path: /etc/written, content: 'by cloud-init'}
runcmd:
- [touch, /etc/has-run]
ssh_keys:
  ed25519_private: |
%(private)s
  ed25519_public: '%(public)s'
"""


def memory_limit(server):
    """What this machine lets the server have, in bytes."""
    for path in ('/sys/fs/cgroup/memory/vnfm-lab/srv-%s/memory.limit_in_bytes',
                 '/sys/fs/cgroup/vnfm-lab/srv-%s/memory.max'):
        if os.path.exists(path % server[:8]):
            with open(path % server[:8]) as f:
                return int(f.read())
    raise AssertionError('server %s has no memory cgroup' % server)


class ServerTest(CloudTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        began = time.monotonic()
        cls.it = cls.server('plain')
        cls.ssh(cls.it.address, 'true')
        cls.seconds = time.monotonic() - began

    def test_it_answers_soon(self):
        print('ACTIVE and logged in after %.1f s' % self.seconds)
        self.assertLess(self.seconds, 30)

    def test_hostname_and_user(self):
        self.assertEqual(self.it.name, self.ssh(self.it.address, 'hostname'))
        self.assertEqual('0', self.ssh(self.it.address, 'sudo id -u'))
        root = self.ssh(self.it.address, 'true', user='root', check=False)
        self.assertIn('rather than the user "root"', root.stdout)

    def test_console_shows_the_host_keys(self):
        def shown():
            text = self.cloud.compute.get_server_console_output(
                self.it)['output']
            return '-----BEGIN SSH HOST KEY KEYS-----' in text
        wait_for('host keys on the console', shown)

    def test_user_data(self):
        key = self.directory.name + '/host'
        subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '',
                        '-C', '', '-f', key], check=True)
        with open(key) as f:
            private = f.read()
        with open(key + '.pub') as f:
            public = f.read().strip()
        with open(self.key + '.pub') as f:
            mine = f.read().strip()
        server = self.server('data', user_data=USER_DATA % {
            'key': mine, 'public': public,
            'private': '\n'.join('    ' + x for x in private.splitlines())})
        self.ssh(server.address, 'cloud-init status --wait')
        self.assertEqual('by cloud-init',
                         self.ssh(server.address, 'cat /etc/written'))
        self.ssh(server.address, 'test -e /etc/has-run')
        self.ssh(server.address, 'true', user='ops')
        offered = subprocess.run(
            ['ssh-keyscan', server.address], capture_output=True,
            text=True).stdout.split('\n')
        self.assertEqual(['%s %s' % (server.address, public)],
                         [line for line in offered if line])

    def test_reboot_from_inside(self):
        before = self.start_marker()
        self.ssh(self.it.address, 'sudo systemctl reboot', check=False)
        self.wait_for_another_boot(before)

    def start_marker(self):
        """When the server's init was started."""
        return self.ssh(self.it.address, "cut -d' ' -f22 /proc/1/stat")

    def wait_for_another_boot(self, before):
        wait_for('another boot', lambda: self.start_marker() != before)

    def test_reboot_soft_and_hard(self):
        for kind in ('SOFT', 'HARD'):
            before = self.start_marker()
            self.cloud.compute.reboot_server(self.it, kind)
            self.status(self.it, 'ACTIVE')
            self.wait_for_another_boot(before)
        self.status(self.it, 'ACTIVE')

    def test_stop_and_start(self):
        self.ssh(self.it.address, 'sudo touch /etc/stays')
        self.cloud.compute.stop_server(self.it)
        self.status(self.it, 'SHUTOFF')
        self.assertFalse(port_open(self.it.address, 22))
        self.cloud.compute.start_server(self.it)
        self.status(self.it, 'ACTIVE')
        self.ssh(self.it.address, 'test -e /etc/stays')

    def test_rebuild(self):
        server = self.server('rebuilt')
        self.ssh(server.address, 'sudo touch /etc/goes')
        self.cloud.compute.rebuild_server(server, image=server.image.id)
        self.status(server, 'REBUILD')
        self.status(server, 'ACTIVE')
        self.ssh(server.address, 'test ! -e /etc/goes')

    def test_resize_to_another_compute_and_back(self):
        compute = self.cloud.compute
        server = self.server('resized')
        self.ssh(server.address, 'sudo touch /etc/stays')
        for finish in (compute.revert_server_resize,
                       compute.confirm_server_resize):
            compute.resize_server(server, compute.find_flavor('m1.small').id)
            self.status(server, 'VERIFY_RESIZE')
            self.ssh(server.address, 'test -e /etc/stays')
            finish(server)
            self.status(server, 'ACTIVE')
            self.ssh(server.address, 'test -e /etc/stays')
        self.assertEqual(2048 << 20, memory_limit(server.id))

    def test_power_off_from_inside(self):
        server = self.server('off')
        self.ssh(server.address, 'sudo systemctl poweroff', check=False)
        self.status(server, 'SHUTOFF')


if __name__ == '__main__':
    unittest.main()
