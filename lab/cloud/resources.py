"""What a tenant finds in the cloud: networks, flavors, images, a volume type.

`resources.py HOST CIDR COMPUTES GUEST...`: a zone for each of the computes, one
image per guest tree.
"""
import ipaddress
import sys

import openstack

FLAVORS = {   # name: (vcpus, MiB, GiB)
    'm1.tiny': (1, 512, 5),
    'm1.small': (1, 2048, 20),
    'm1.medium': (2, 4096, 40),
    'm1.large': (4, 8192, 80),
}


def make_flavors(cloud):
    have = {flavor.name for flavor in cloud.compute.flavors()}
    for name, (vcpus, ram, disk) in FLAVORS.items():
        if name not in have:
            cloud.compute.create_flavor(
                name=name, vcpus=vcpus, ram=ram, disk=disk)


def make_public_network(cloud, host, cidr):
    """The external network: shared, so that servers may live on it too."""
    network = cloud.network.find_network('public')
    if not network:
        network = cloud.network.create_network(
            name='public', is_shared=True, is_router_external=True,
            provider_network_type='flat', provider_physical_network='public')
    if not network.subnet_ids:
        addresses = list(ipaddress.ip_network(cidr))
        cloud.network.create_subnet(
            name='public', network_id=network.id, ip_version=4, cidr=cidr,
            gateway_ip=host, dns_nameservers=[host],
            allocation_pools=[{'start': str(addresses[20]),
                               'end': str(addresses[250])}])


def make_volume_type(cloud):
    if not any(kind.name == 'file' for kind in cloud.block_storage.types()):
        cloud.block_storage.create_type(
            name='file', extra_specs={'volume_backend_name': 'file'})


def make_zone(cloud, compute):
    name = 'zone-' + compute
    aggregate = (cloud.compute.find_aggregate(name)
                 or cloud.compute.create_aggregate(name=name,
                                                   availability_zone=name))
    if compute in (aggregate.hosts or []):
        return
    try:
        cloud.compute.add_host_to_aggregate(aggregate, compute)
    except openstack.exceptions.ConflictException as error:
        # Nova cannot move a compute host with servers to another zone
        print('%s is not in its zone yet: %s' % (compute, error))


def make_image(cloud, guest, is_machine):
    image = cloud.image.find_image(guest)
    if image and image.status != 'active':   # its upload was interrupted
        cloud.image.delete_image(image)
        image = None
    if not image:
        distro = guest.split('-')[0]   # cloud-init's default user has its name
        cloud.image.create_image(
            name=guest, data=b'guest: %s\n' % guest.encode(),
            disk_format='raw', container_format='bare', visibility='public',
            min_disk=10 if is_machine else 1,
            os_distro=distro, os_admin_user=distro,
            **({'img_hv_type': 'qemu'} if is_machine else {}))


def main(host, cidr, computes, *guests):
    cloud = openstack.connect(cloud='lab-admin')
    make_flavors(cloud)
    make_public_network(cloud, host, cidr)
    make_volume_type(cloud)
    for compute in computes.split():
        make_zone(cloud, compute)
    for guest in guests:
        make_image(cloud, guest, guest == 'debian-12-machine')


if __name__ == '__main__':
    main(*sys.argv[1:])
