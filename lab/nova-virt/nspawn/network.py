"""A machine's ports: veth pairs between its network namespace and br-int.

The machine's end has the port's MAC and addresses; br-int's end tells OVN
which port it is. OVN enforces port security, address pairs and groups.
QEMU has a tap on br-int instead, and its machine asks OVN for its addresses.
"""
import ipaddress
import itertools
import json
import os

from .command import run


def port_of(vif):
    """What the machine must know of one of nova's VIFs."""
    network = vif['network']
    port = {'id': vif['id'], 'mac': vif['address'],
            'device': vif['devname'][:14],
            'mtu': network.get_meta('mtu') or 1400,
            'addresses': [], 'gateways': [], 'routes': [], 'dns': []}
    for subnet in network['subnets']:
        prefix = ipaddress.ip_network(subnet['cidr']).prefixlen
        port['addresses'] += ['%s/%d' % (ip['address'], prefix)
                              for ip in subnet['ips']]
        if subnet['gateway'] and subnet['gateway']['address']:
            port['gateways'].append(subnet['gateway']['address'])
        port['routes'] += [[route['cidr'], route['gateway']['address']]
                           for route in subnet['routes']]
        port['dns'] += [server['address'] for server in subnet['dns']]
    return port


def first_of_each_family(addresses):
    """The first IPv4 address and the first IPv6 address of some."""
    return [family[0] for family in (
        [address for address in addresses if ':' not in address],
        [address for address in addresses if ':' in address]) if family]


def _vsctl(compute, *words):
    run('ovs-vsctl', '--timeout=60', '--db=unix:%s/run/ovs-%s/db.sock'
        % (os.environ['VNFM_LAB'], compute), *words)


def create(namespace):
    run('ip', 'netns', 'add', namespace)
    run('ip', '-n', namespace, 'link', 'set', 'lo', 'up')
    # announce every address; otherwise neighbours keep the MAC address of its last owner
    run('ip', 'netns', 'exec', namespace, 'sysctl', '-qw',
        'net.ipv4.conf.default.arp_notify=1')


def remove(namespace):
    run('ip', 'netns', 'del', namespace, check=False)


def plug(namespace, compute, number, port):
    """Add the port as eth<number> and wait until OVN has made it work."""
    unplug(compute, port)
    guest, host, mtu = 'eth%d' % number, port['device'], str(port['mtu'])
    hypervisor = 'hv-' + compute
    run('ip', '-n', hypervisor, 'link', 'add', host, 'mtu', mtu,
        'type', 'veth', 'peer', 'name', guest, 'netns', namespace,
        'address', port['mac'], 'mtu', mtu)
    run('ip', '-n', hypervisor, 'link', 'set', host, 'up')
    # userspace Open vSwitch does not compute checksums
    run('ip', 'netns', 'exec', namespace, 'ethtool', '-K', guest, 'tx', 'off')
    _bind(compute, port)
    for address in port['addresses']:
        # without duplicate address detection, because Neutron assigns the addresses
        run('ip', '-n', namespace, 'addr', 'add', address, 'dev', guest,
            *(['nodad'] if ':' in address else []))
    run('ip', '-n', namespace, 'link', 'set', guest, 'up')
    for gateway in first_of_each_family(port['gateways']):
        # only the first port sets the default gateway, as on a real server
        run('ip', '-n', namespace, 'route', 'add', 'default', 'via', gateway,
            'dev', guest, check=number == 0)
    for destination, via in port['routes']:
        run('ip', '-n', namespace, 'route', 'add', destination, 'via', via,
            'dev', guest)


def attach(machine, port):
    """Give a running machine one more interface, with the next free number,
    and configure it, as the guest's own hotplug would."""
    links = json.loads(run('ip', '-n', machine.name, '-j', 'link'))
    taken = [link['ifname'] for link in links]
    number = next(n for n in itertools.count() if 'eth%d' % n not in taken)
    plug(machine.name, machine.description['compute'], number, port)


def detach(machine, port):
    """Take an interface from a running machine, whatever its number."""
    unplug(machine.description['compute'], port)


def plug_tap(compute, port):
    """Add the port for QEMU and wait until OVN has made it work."""
    unplug(compute, port)
    hypervisor, device = 'hv-' + compute, port['device']
    run('ip', '-n', hypervisor, 'tuntap', 'add', 'dev', device, 'mode', 'tap')
    run('ip', '-n', hypervisor, 'link', 'set', device, 'mtu',
        str(port['mtu']), 'up')
    _bind(compute, port)


def _bind(compute, port):
    device = port['device']
    _vsctl(compute, 'add-port', 'br-int', device,
           '--', 'set', 'Interface', device,
           'external-ids:iface-id=' + port['id'],
           'external-ids:attached-mac=' + port['mac'])
    _vsctl(compute, 'wait-until', 'Interface', device,
           'external-ids:ovn-installed=true')


def unplug(compute, port, *options):
    """Remove the port; with '--no-wait' also from a dead Open vSwitch."""
    _vsctl(compute, *options, '--if-exists', 'del-port', 'br-int',
           port['device'])
    run('ip', '-n', 'hv-' + compute, 'link', 'del', port['device'],
        check=False)
