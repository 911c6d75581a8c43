"""Neutron ports of a running server: attached, detached, and after a boot."""
import unittest

from cloud import CloudTest
from cloud import wait_for


class InterfaceTest(CloudTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.it = cls.server('it')
        cls.network = cls.made(cls.cloud.network, 'network', name=cls.name)
        cls.made(cls.cloud.network, 'subnet', name=cls.name, ip_version=4,
                 network_id=cls.network.id, cidr='10.7.0.0/24')

    def port(self):
        return self.made(self.cloud.network, 'port', name=self.name,
                         network_id=self.network.id)

    def attach(self, port):
        self.cloud.compute.create_server_interface(self.it, port_id=port.id)

    def detach(self, port):
        self.cloud.compute.delete_server_interface(port.id, self.it)

    def interfaces(self):
        """Names of interfaces, each with its address, but the loopback."""
        text = self.ssh(self.it.address, 'ip -4 -br addr')
        rows = [line.split() for line in text.split('\n')]
        return {row[0].split('@')[0]: row[2].split('/')[0]
                for row in rows if row[0] != 'lo' and len(row) > 2}

    def test_ports_of_a_running_server(self):
        first, second = self.port(), self.port()
        address = {port.id: port.fixed_ips[0]['ip_address']
                   for port in (first, second)}
        self.attach(first)
        self.assertEqual({'eth0': self.it.address, 'eth1': address[first.id]},
                         self.interfaces())
        self.attach(second)
        self.detach(first)
        wait_for('the end of the interface', lambda: self.interfaces() == {
            'eth0': self.it.address, 'eth2': address[second.id]})
        wait_for('a free port', lambda: not self.cloud.network.get_port(
            first.id).device_id)
        # numbers are given anew at a boot
        self.cloud.compute.reboot_server(self.it, 'HARD')
        self.status(self.it, 'ACTIVE')
        self.assertEqual({'eth0': self.it.address, 'eth1': address[second.id]},
                         self.interfaces())
        self.detach(second)
        wait_for('the end of the interface', lambda: self.interfaces() == {
            'eth0': self.it.address})
        wait_for('a free port', lambda: not self.cloud.network.get_port(
            second.id).device_id)


if __name__ == '__main__':
    unittest.main()
