"""What a server finds at first boot: its name, its user data."""
import base64
import json
import os

from nova.api.metadata import base as instance_metadata
from nova.virt import configdrive


def write(machine, instance, ports):
    """Write into the machine's upper layer, before it ever ran."""
    def put(path, text, mode=0o644):
        path = machine.path('upper', *path.split('/'))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = text if isinstance(text, bytes) else text.encode()
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, mode), 'wb') as f:
            f.write(data)

    name = instance.hostname
    put('etc/hostname', name + '\n')
    put('etc/hosts', '127.0.0.1 localhost\n127.0.1.1 %s\n'
        '::1 localhost ip6-localhost ip6-loopback\n' % name)
    put('etc/machine-id', instance.uuid.replace('-', '') + '\n')
    servers = dict.fromkeys(s for port in ports for s in port['dns'])
    put('etc/resolv.conf', ''.join('nameserver %s\n' % s for s in servers))

    keys = [instance.key_data] if instance.key_data else []
    metadata = {'instance-id': instance.uuid, 'local-hostname': name,
                'public-keys': keys}
    seed = 'var/lib/cloud/seed/nocloud/'
    put(seed + 'meta-data', json.dumps(metadata))
    put(seed + 'user-data', base64.b64decode(instance.user_data or ''), 0o600)


def write_config_drive(machine, instance, injected_files, network_info):
    """A config drive as Nova makes it for every hypervisor."""
    metadata = instance_metadata.InstanceMetadata(
        instance, content=injected_files, network_info=network_info)
    with configdrive.ConfigDriveBuilder(instance_md=metadata) as drive:
        drive.make_drive(machine.path('config.iso'))
