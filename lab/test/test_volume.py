"""Cinder volumes as disks of a server."""
import unittest

from cloud import CloudTest
from cloud import wait_for


class VolumeTest(CloudTest):

    def attach(self, server, volume):
        self.cloud.compute.create_volume_attachment(
            server, volume_id=volume.id)
        return self.cloud.block_storage.wait_for_status(
            volume, 'in-use', interval=.3)

    def by_id(self, volume):
        return '/dev/disk/by-id/virtio-' + volume.id[:20]

    def test_volume_of_a_running_server(self):
        server, volume = self.server('live'), self.volume('live')
        address, disk = server.address, self.by_id(volume)
        self.attach(server, volume)
        self.addCleanup(self.detach, server, volume)
        wait_for('the disk', lambda: self.ssh(
            address, 'readlink -f %s; test -b %s && echo yes'
            % (disk, disk)).split()[-1:] == ['yes'])
        self.assertEqual('/dev/vdb', self.ssh(address, 'readlink -f ' + disk))
        self.ssh(address, 'sudo mkfs.ext4 -q %s && sudo mkdir /data && '
                 "echo '%s /data ext4 defaults 0 2' | sudo tee -a /etc/fstab "
                 '&& sudo mount /data && echo kept | sudo tee /data/file'
                 % (disk, disk))
        # mounted by fstab, with the written data, after every kind of boot
        for boot in (lambda: self.cloud.compute.reboot_server(server, 'HARD'),
                     lambda: self.stop_and_start(server)):
            boot()
            self.status(server, 'ACTIVE')
            wait_for('the data', lambda: self.ssh(
                address, 'cat /data/file || true') == 'kept')
        self.ssh(address, 'sudo umount /data')
        self.detach(server, volume)
        wait_for('the disk to go', lambda: self.ssh(
            address, 'test -b /dev/vdb || echo gone') == 'gone')

    def stop_and_start(self, server):
        self.cloud.compute.stop_server(server)
        self.status(server, 'SHUTOFF')
        self.cloud.compute.start_server(server)

    def detach(self, server, volume):
        if self.cloud.block_storage.get_volume(volume.id).status == 'in-use':
            self.cloud.compute.delete_volume_attachment(server, volume)
            self.cloud.block_storage.wait_for_status(volume, 'available',
                                                     interval=.3)

    def test_volume_from_the_start(self):
        image = self.cloud.image.find_image('debian-12')
        volume = self.volume('boot')
        server = self.server('boot', block_device_mapping=[
            {'boot_index': 0, 'uuid': image.id, 'source_type': 'image',
             'destination_type': 'local', 'delete_on_termination': True},
            {'boot_index': -1, 'uuid': volume.id, 'source_type': 'volume',
             'destination_type': 'volume'}])
        self.ssh(server.address, 'test -b %s' % self.by_id(volume))
        self.delete_server(server)
        self.cloud.block_storage.wait_for_status(volume, 'available',
                                                 interval=.3)

    def test_boot_volume_that_outlives_its_server(self):
        image = self.cloud.image.find_image('debian-12')
        volume = self.volume('root', image_id=image.id)
        for number in (1, 2):
            server = self.server(
                'root-%d' % number, image_id='', block_device_mapping=[
                    {'boot_index': 0, 'uuid': volume.id,
                     'source_type': 'volume', 'destination_type': 'volume'}])
            self.assertEqual('%s-root-%d' % (self.name, number), self.ssh(
                server.address, 'hostname'))
            self.ssh(server.address, 'echo %d | sudo tee -a /etc/kept'
                     % number)
            lines = self.ssh(server.address, 'cat /etc/kept')
            self.delete_server(server)
            self.cloud.block_storage.wait_for_status(volume, 'available',
                                                     interval=.3)
        self.assertEqual('1\n2', lines)

    def test_boot_volume_that_goes_with_its_server(self):
        image = self.cloud.image.find_image('debian-12')
        server = self.server('own', image_id='', block_device_mapping=[
            {'boot_index': 0, 'uuid': image.id, 'source_type': 'image',
             'destination_type': 'volume', 'volume_size': 1,
             'delete_on_termination': True}])
        self.ssh(server.address, 'true')
        volume, = self.cloud.compute.get_server(server).attached_volumes
        self.delete_server(server)
        wait_for('the volume to go', lambda: not
                 self.cloud.block_storage.find_volume(volume.id))


if __name__ == '__main__':
    unittest.main()
