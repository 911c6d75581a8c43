"""Tenant networks: a router, floating IPs, security groups, allowed address
pairs, a load balancer; all of it enforced and carried by OVN."""
import os
import socket
import struct
import subprocess
import sys
import time
import unittest

from cloud import CloudTest
from cloud import port_open
from cloud import wait_for

sys.path.append(os.path.join(os.path.dirname(__file__), '../nova-virt'))
from nspawn.network import first_of_each_family  # noqa: E402

BRIDGE = 'br-under'
ARP = 0x0806


def hardware_addresses(address, seconds=2):
    """Of all who answer to an ARP request for the address on the bridge."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                       socket.htons(ARP)) as raw:
        raw.bind((BRIDGE, ARP))
        mine = raw.getsockname()[4]
        raw.send(b'\xff' * 6 + mine + struct.pack(
            '!HHHBBH6s4s6s4s', ARP, 1, 0x0800, 6, 4, 1, mine,
            bytes(4), bytes(6), socket.inet_aton(address)))
        found = set()
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            raw.settimeout(left)
            try:
                packet = raw.recv(64)
            except TimeoutError:
                break
            operation, sender, of = struct.unpack('!H6s4s', packet[20:32])
            if operation == 2 and of == socket.inet_aton(address):
                found.add(sender.hex(':'))
        return found


class UnderlayTest(unittest.TestCase):

    def test_one_device_answers_for_a_compute(self):
        """Where two do, its tunnels lose packets by who was last."""
        for address in '172.30.0.11', '172.30.0.12', '172.30.0.13':
            self.assertEqual(1, len(hardware_addresses(address)), address)


class DefaultRouteTest(unittest.TestCase):

    def test_one_of_each_family(self):
        """A network's subnet of IPv6 may be the first, or the only one."""
        first = first_of_each_family
        self.assertEqual(['10.6.0.1', 'fd00::1'],
                         first(['fd00::1', '10.6.0.1', '10.7.0.1']))
        self.assertEqual(['fd00::1'], first(['fd00::1']))
        self.assertEqual([], first([]))


class NetworkTest(CloudTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        network = cls.cloud.network
        cls.tenant = cls.made(network, 'network', name=cls.name)
        cls.subnet = cls.made(
            network, 'subnet', name=cls.name, network_id=cls.tenant.id,
            ip_version=4, cidr='10.6.0.0/24',
            allocation_pools=[{'start': '10.6.0.10', 'end': '10.6.0.99'}])
        cls.public = network.find_network('public')
        cls.router = cls.made(
            network, 'router', name=cls.name,
            external_gateway_info={'network_id': cls.public.id})
        network.add_interface_to_router(cls.router, subnet_id=cls.subnet.id)
        cls.addClassCleanup(network.remove_interface_from_router, cls.router,
                            subnet_id=cls.subnet.id)
        group = cls.made(cls.cloud.compute, 'server_group', name=cls.name,
                         policy='anti-affinity')
        # on two compute hosts, so that packets pass through a tunnel
        cls.one, cls.other = (
            cls.server(suffix, networks=[{'uuid': cls.tenant.id}],
                       scheduler_hints={'group': group.id})
            for suffix in ('one', 'other'))
        cls.address = cls.floating(cls.port_of(cls.one))

    @classmethod
    def port_of(cls, server):
        return next(cls.cloud.network.ports(device_id=server.id))

    @classmethod
    def floating(cls, port):
        return cls.made(cls.cloud.network, 'ip', port_id=port.id,
                        floating_network_id=cls.public.id).floating_ip_address

    def serve_name(self, server, port):
        """HTTP on a server without a floating IP: started from the first."""
        with open(self.key) as f:
            self.ssh(self.address, 'cat >id && chmod 600 id', stdin=f.read())
        self.ssh(self.address, 'ssh -i id -o StrictHostKeyChecking=no %s '
                 '"hostname >index.html; nohup timeout 300 python3 -m '
                 'http.server %d >/dev/null 2>&1 </dev/null &"'
                 % (server.address, port))

    def test_floating_ip_and_tunnel(self):
        self.assertEqual(self.one.name, self.ssh(self.address, 'hostname'))
        self.ssh(self.address, 'ping -c 1 -W 3 ' + self.other.address)

    def test_security_group_is_enforced(self):
        self.ssh(self.address, 'nohup timeout 60 python3 -m http.server 8000 '
                 '>/dev/null 2>&1 </dev/null &')
        self.assertFalse(port_open(self.address, 8000))
        self.allow(protocol='tcp', port_range_min=8000, port_range_max=8000)
        wait_for('the new rule', lambda: port_open(self.address, 8000), 10)

    def test_allowed_address_pair(self):
        # OVN's remote groups contain only the fixed addresses of ports
        self.allow(protocol='icmp', remote_ip_prefix='10.6.0.0/24')
        # packets from another address, which no port of the subnet gets, are
        # dropped unless the port allows it
        self.ssh(self.address, 'sudo ip addr add 10.6.0.200/24 dev eth0')
        ping = 'ping -c 1 -W 1 -I 10.6.0.200 %s || true' % self.other.address
        self.assertIn('100% packet loss', self.ssh(self.address, ping))
        self.cloud.network.update_port(
            self.port_of(self.one),
            allowed_address_pairs=[{'ip_address': '10.6.0.200'}])
        wait_for('the allowed pair', lambda: ' 0% packet loss' in self.ssh(
            self.address, ping), 10)

    def test_load_balancer(self):
        balancing = self.cloud.load_balancer
        self.serve_name(self.other, 8080)
        balancer = balancing.create_load_balancer(
            name=self.name, vip_subnet_id=self.subnet.id)
        self.addClassCleanup(self.delete_balancer, balancer)
        self.settle(balancer)
        listener = balancing.create_listener(
            name=self.name, protocol='TCP', protocol_port=80,
            load_balancer_id=balancer.id)
        self.settle(balancer)
        pool = balancing.create_pool(
            name=self.name, protocol='TCP', listener_id=listener.id,
            lb_algorithm='SOURCE_IP_PORT')
        self.settle(balancer)
        balancing.create_member(
            pool, address=self.other.address, protocol_port=8080,
            subnet_id=self.subnet.id)
        self.settle(balancer)
        self.assertEqual(self.other.name, self.ssh(
            self.address, 'curl -sf -m 5 http://%s/' % balancer.vip_address))
        self.allow(protocol='tcp', port_range_min=8080, port_range_max=8080)
        address = self.floating(
            self.cloud.network.get_port(balancer.vip_port_id))
        answer = wait_for('an answer from outside', lambda: subprocess.run(
            ['curl', '-sf', '-m', '5', 'http://%s/' % address],
            capture_output=True, text=True).stdout.strip(), 30)
        self.assertEqual(self.other.name, answer)

    def settle(self, balancer):
        wait_for('the load balancer to be ACTIVE', lambda: (
            self.cloud.load_balancer.get_load_balancer(balancer.id)
            .provisioning_status == 'ACTIVE'))

    def delete_balancer(self, balancer):
        balancing = self.cloud.load_balancer
        balancing.delete_load_balancer(balancer, cascade=True)
        wait_for('the load balancer to go', lambda: not any(
            lb.id == balancer.id for lb in balancing.load_balancers()))


if __name__ == '__main__':
    unittest.main()
