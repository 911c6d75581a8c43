"""Service users, endpoints, the demo project. `identity.py HOST`"""
import sys

import openstack

SERVICES = {   # service user: (service name, type, URL)
    'placement': [('placement', 'placement', ':8778')],
    'glance': [('glance', 'image', ':9292')],
    'nova': [('nova', 'compute', ':8774/v2.1')],
    'neutron': [('neutron', 'network', ':9696')],
    'cinder': [('cinderv3', 'volumev3', ':8776/v3/%(project_id)s'),
               ('cinder', 'block-storage', ':8776/v3/%(project_id)s')],
    'octavia': [('octavia', 'load-balancer', ':9876')],
}
ROLES = ('admin', 'member', 'reader', 'service', 'creator',
         'load-balancer_member', 'load-balancer_admin')


def main(host):
    identity = openstack.connect(cloud='lab-admin').identity
    domain = identity.find_domain('Default').id

    def project(name):
        return (identity.find_project(name, domain_id=domain)
                or identity.create_project(name=name, domain_id=domain))

    def user(name):
        return (identity.find_user(name, domain_id=domain)
                or identity.create_user(name=name, password='lab',
                                        domain_id=domain))

    roles = {name: identity.find_role(name) or identity.create_role(name=name)
             for name in ROLES}

    def grant(who, where, *names):
        for name in names:
            identity.assign_project_role_to_user(where, who, roles[name])

    for name in SERVICES:
        grant(user(name), project('service'), 'admin', 'service')
    grant(user('demo'), project('demo'), 'member', 'load-balancer_member')
    for name in ('admin', 'demo'):
        grant(user('admin'), project(name), 'admin', 'load-balancer_admin')

    services = {service.type: service for service in identity.services()}
    have = {(it.service_id, it.interface) for it in identity.endpoints()}
    for name, kind, url in [s for group in SERVICES.values() for s in group]:
        service = (services.get(kind)
                   or identity.create_service(name=name, type=kind))
        for interface in ('public', 'internal', 'admin'):
            if (service.id, interface) not in have:
                identity.create_endpoint(
                    service_id=service.id, interface=interface,
                    url='http://' + host + url, region_id='RegionOne')


if __name__ == '__main__':
    main(sys.argv[1])
