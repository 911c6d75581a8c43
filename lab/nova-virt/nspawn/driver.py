"""Nova's side: turn its calls into machines."""
import os

from nova.compute import power_state
from nova.conf import CONF
from nova import exception
from nova.objects import fields
from nova.virt import driver
from nova.virt import hardware
from oslo_log import log as logging
from oslo_serialization import jsonutils

from . import emulator
from . import image
from . import network
from . import seed
from . import volumes
from .machine import Machine
from .machine import SERVERS

LOG = logging.getLogger(__name__)
CONSOLE_BYTES = 128 << 10


def _ports(network_info):
    return [network.port_of(vif) for vif in network_info or []]


def _volumes(block_device_info):
    """The data volumes, and the boot volume if there is one."""
    data, root = [], None
    info = block_device_info or {}
    for mapping in info.get('block_device_mapping', []):
        volume = volumes.volume_of(mapping['connection_info'],
                                   mapping['mount_device'])
        if mapping['mount_device'] == info.get('root_device_name'):
            root = volume
        else:
            data.append(volume)
    return data, root


class NspawnDriver(driver.ComputeDriver):
    capabilities = dict(
        driver.ComputeDriver.capabilities,
        supports_attach_interface=True, supports_extend_volume=True,
        supports_evacuate=False, supports_migrate_to_same_host=False,
        supports_image_type_raw=True)

    # Every compute host reports ample resources: only this one machine has limits.
    inventory = {'VCPU': 64, 'MEMORY_MB': 65536, 'DISK_GB': 4000}

    # --- this compute
    def init_host(self, host):
        os.makedirs(SERVERS, exist_ok=True)

    def get_available_nodes(self, refresh=False):
        return [CONF.host]

    def get_available_resource(self, nodename):
        return {
            'vcpus': self.inventory['VCPU'], 'vcpus_used': 0,
            'memory_mb': self.inventory['MEMORY_MB'], 'memory_mb_used': 0,
            'local_gb': self.inventory['DISK_GB'], 'local_gb_used': 0,
            'disk_available_least': self.inventory['DISK_GB'],
            'hypervisor_type': 'nspawn', 'hypervisor_version': 252,
            'hypervisor_hostname': nodename, 'numa_topology': None,
            'cpu_info': jsonutils.dumps({'arch': 'x86_64'}),
            'supported_instances': [(
                fields.Architecture.X86_64, fields.HVType.LXC,
                fields.VMMode.EXE), (
                fields.Architecture.X86_64, fields.HVType.QEMU,
                fields.VMMode.HVM)]}

    def update_provider_tree(self, provider_tree, nodename, allocations=None):
        provider_tree.update_inventory(nodename, {
            resource: {'total': total, 'min_unit': 1, 'max_unit': total,
                       'step_size': 1, 'reserved': 0, 'allocation_ratio': 1.0}
            for resource, total in self.inventory.items()})

    def get_host_uptime(self):
        with open('/proc/uptime') as f:
            return 'up %s seconds' % f.read().split('.')[0]

    def list_instance_uuids(self):
        return [uuid for uuid in os.listdir(SERVERS)
                if Machine(uuid).exists()
                and Machine(uuid).description.get('compute') == CONF.host]

    def list_instances(self):
        return self.list_instance_uuids()

    def get_host_ip_addr(self):
        return CONF.my_ip

    def get_volume_connector(self, instance):
        return {'host': CONF.host}

    def default_root_device_name(self, instance, image_meta, root_bdm):
        return '/dev/vda'

    # --- a server's life
    def spawn(self, context, instance, image_meta, injected_files,
              admin_password, allocations, network_info=None,
              block_device_info=None, power_on=True, accel_info=None):
        machine = Machine(instance.uuid)
        boot_volume = _volumes(block_device_info)[1]
        layers, store, disk = image.guest_of(context, image_meta, boot_volume)
        if disk:
            machine.describe(hostname=instance.hostname, image=disk)
            emulator.make_disk(machine, disk, instance.flavor.root_gb)
            seed.write_config_drive(machine, instance, injected_files,
                                    network_info)
        else:
            self._make_container(machine, instance, layers, store,
                                 network_info, boot_volume)
        self._place(machine, instance, network_info, block_device_info)
        if power_on:
            machine.start()

    def _make_container(self, machine, instance, layers, store, network_info,
                        boot_volume):
        if boot_volume:
            volumes.format_boot_volume(boot_volume)
        machine.describe(hostname=instance.hostname, layers=layers,
                         boot_volume=boot_volume)
        if store:
            image.copy_store(store, machine.path('containerd'))
        seed.write(machine, instance, _ports(network_info))

    def _place(self, machine, instance, network_info, block_device_info):
        """Describe what may change between two boots."""
        machine.describe(
            compute=CONF.host, memory_mb=instance.flavor.memory_mb,
            vcpus=instance.flavor.vcpus,
            ports=_ports(network_info),
            volumes=_volumes(block_device_info)[0])

    def destroy(self, context, instance, network_info, block_device_info=None,
                destroy_disks=True, destroy_secrets=True):
        machine = Machine(instance.uuid)
        if machine.exists():
            machine.kill()
            machine.clean()
            if destroy_disks:
                machine.forget()

    def cleanup(self, context, instance, network_info, block_device_info=None,
                destroy_disks=True, migrate_data=None, destroy_vifs=True,
                destroy_secrets=True):
        self.destroy(context, instance, network_info, block_device_info,
                     destroy_disks)

    def power_off(self, instance, timeout=0, retry_interval=0):
        Machine(instance.uuid).stop(timeout or 60)

    def power_on(self, context, instance, network_info, block_device_info=None,
                 accel_info=None, share_info=None):
        machine = Machine(instance.uuid)
        self._place(machine, instance, network_info, block_device_info)
        machine.start()

    def reboot(self, context, instance, network_info, reboot_type,
               block_device_info=None, bad_volumes_callback=None,
               accel_info=None, share_info=None):
        machine = Machine(instance.uuid)
        machine.kill() if reboot_type == 'HARD' else machine.stop()
        self.power_on(context, instance, network_info, block_device_info)

    def resume_state_on_host_boot(self, context, instance, network_info,
                                  share_info, block_device_info=None):
        self.power_on(context, instance, network_info, block_device_info)

    def get_info(self, instance, use_cache=True):
        machine = Machine(instance.uuid)
        if not machine.exists():
            raise exception.InstanceNotFound(instance_id=instance.uuid)
        return hardware.InstanceInfo(
            state=power_state.RUNNING if machine.supervisor()
            else power_state.SHUTDOWN)

    def get_console_output(self, context, instance):
        with open(Machine(instance.uuid).path('console.log'), 'rb') as f:
            f.seek(max(0, os.fstat(f.fileno()).st_size - CONSOLE_BYTES))
            return f.read()

    def snapshot(self, context, instance, image_id, update_task_state):
        raise NotImplementedError(
            "the lab's servers cannot be made into images")

    # --- its volumes
    def attach_volume(self, context, connection_info, instance, mountpoint,
                      disk_bus=None, device_type=None, encryption=None):
        machine = Machine(instance.uuid)
        volume = volumes.volume_of(connection_info, mountpoint)
        if machine.supervisor():
            machine.disks.show(machine, volume)
        others = [v for v in machine.description['volumes']
                  if v['id'] != volume['id']]
        machine.describe(volumes=others + [volume])

    def detach_volume(self, context, connection_info, instance, mountpoint,
                      encryption=None):
        machine = Machine(instance.uuid)
        volume = volumes.volume_of(connection_info, mountpoint)
        if machine.supervisor():
            machine.disks.hide(machine, volume)
        volumes.disconnect(machine, volume)
        machine.describe(volumes=[v for v in machine.description['volumes']
                                  if v['id'] != volume['id']])

    def extend_volume(self, context, connection_info, instance,
                      requested_size):
        machine = Machine(instance.uuid)
        machine.disks.grow(machine, volumes.volume_of(connection_info, ''))

    # --- its interfaces
    def attach_interface(self, context, instance, image_meta, vif):
        machine, port = Machine(instance.uuid), network.port_of(vif)
        others = [p for p in machine.description['ports']
                  if p['id'] != port['id']]
        if machine.supervisor():
            machine.interfaces.attach(machine, port)
        machine.describe(ports=others + [port])

    def detach_interface(self, context, instance, vif):
        machine, port = Machine(instance.uuid), network.port_of(vif)
        if machine.supervisor():
            machine.interfaces.detach(machine, port)
        machine.describe(ports=[p for p in machine.description['ports']
                                if p['id'] != port['id']])

    # --- resize and cold migration: the directory is shared by all computes
    def migrate_disk_and_power_off(self, context, instance, dest, flavor,
                                   network_info, block_device_info=None,
                                   timeout=0, retry_interval=0):
        self.power_off(instance, timeout)
        return ''

    def finish_migration(self, context, migration, instance, disk_info,
                         network_info, image_meta, resize_instance,
                         allocations, block_device_info=None, power_on=True,
                         share_info=None):
        self._move_here(instance, network_info, block_device_info, power_on)

    def finish_revert_migration(self, context, instance, network_info,
                                migration, block_device_info=None,
                                power_on=True, share_info=None):
        self._move_here(instance, network_info, block_device_info, power_on)

    def _move_here(self, instance, network_info, block_device_info, power_on):
        machine = Machine(instance.uuid)
        machine.clean()               # what it still has on the other compute
        self._place(machine, instance, network_info, block_device_info)
        if machine.is_emulated:
            emulator.grow_disk(machine, instance.flavor.root_gb)
        if power_on:
            machine.start()

    def check_instance_shared_storage_local(self, context, instance):
        return {'directory': Machine(instance.uuid).directory}

    def check_instance_shared_storage_remote(self, context, data):
        return os.path.isdir(data['directory'])

    def confirm_migration(self, context, migration, instance, network_info):
        LOG.debug('nothing of it is left here', instance=instance)
