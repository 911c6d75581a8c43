"""What of the cloud is up. `ready.py COMPUTE...` prints one line per part and
ends with 1 if any is missing; `--wait SECONDS` first waits until none is."""
import argparse
import sys
import time

import openstack

APIS = {
    'nova-api': lambda cloud: cloud.compute.flavors(),
    'neutron': lambda cloud: cloud.network.networks(),
    'glance': lambda cloud: cloud.image.images(),
    'octavia-api': lambda cloud: cloud.load_balancer.load_balancers(),
}


def look(computes):
    """Yield (part, what is wrong with it or None)."""
    try:
        cloud = openstack.connect(cloud='lab-admin')
        cloud.authorize()
    except Exception as error:
        yield 'keystone', error
        return
    yield 'keystone', None
    for name, call in APIS.items():
        try:
            list(call(cloud))
            yield name, None
        except Exception as error:
            yield name, error
    services = [('nova-conductor', 'ctl'), ('nova-scheduler', 'ctl')]
    services += [('nova-compute', compute) for compute in computes]
    yield from states(services, cloud.compute.services)
    volumes = ['ctl@file'] + ['ctl@zone-' + it for it in computes[1:]]
    yield from states([('cinder-scheduler', 'ctl')]
                      + [('cinder-volume', host) for host in volumes],
                      cloud.block_storage.services)
    try:
        known = {node.name for node in cloud.compute.hypervisors()}
    except Exception:
        known = set()
    for compute in computes:
        yield ('hypervisor ' + compute,
               None if compute in known else 'nova does not know it yet')


def states(wanted, listing):
    try:
        found = {(s.binary, s.host): s.state for s in listing()}
    except Exception as error:
        found = error
    for binary, host in wanted:
        if isinstance(found, Exception):
            wrong = found
        else:
            state = found.get((binary, host), 'not registered')
            wrong = None if state == 'up' else state
        yield '%s %s' % (binary, host), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--wait', type=int, default=0)
    parser.add_argument('computes', nargs='+')
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.wait
    while True:
        parts = list(look(arguments.computes))
        missing = [part for part, wrong in parts if wrong]
        if not missing or time.monotonic() > end:
            break
        time.sleep(1)
    for part, wrong in parts:
        print('%-28s %s' % (part, str(wrong)[:90] if wrong else 'up'))
    sys.exit(bool(missing))


if __name__ == '__main__':
    main()
