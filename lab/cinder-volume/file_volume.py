"""A Cinder driver: a volume is a sparse file, a connection is its path."""
import contextlib
import os

from cinder.image import image_utils
from cinder import interface
from cinder.volume import configuration
from cinder.volume import driver
from oslo_concurrency import processutils
from oslo_config import cfg
from oslo_utils import units

OPTS = [cfg.StrOpt('file_volume_directory', help='Where the volumes lie.')]
cfg.CONF.register_opts(OPTS, group=configuration.SHARED_CONF_GROUP)


@interface.volumedriver
class FileDriver(driver.VolumeDriver):
    VERSION = '1.0'
    CI_WIKI_NAME = 'none'

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.configuration.append_config_values(OPTS)
        self.directory = self.configuration.file_volume_directory

    def _path(self, volume_or_snapshot):
        return os.path.join(self.directory, volume_or_snapshot.name)

    def check_for_setup_error(self):
        os.makedirs(self.directory, exist_ok=True)

    def create_volume(self, volume):
        with open(self._path(volume), 'wb') as f:
            f.truncate(volume.size * units.Gi)

    def extend_volume(self, volume, new_size):
        os.truncate(self._path(volume), new_size * units.Gi)

    def delete_volume(self, volume):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path(volume))

    delete_snapshot = delete_volume

    def _copy(self, source, destination):
        processutils.execute('cp', '--sparse=always', self._path(source),
                             self._path(destination))

    def create_snapshot(self, snapshot):
        self._copy(snapshot.volume, snapshot)

    def create_cloned_volume(self, volume, src_vref):
        self._copy(src_vref, volume)
        self.extend_volume(volume, volume.size)

    create_volume_from_snapshot = create_cloned_volume

    def copy_image_to_volume(self, context, volume, image_service, image_id,
                             disable_sparse=False):
        image_utils.fetch_to_raw(context, image_service, image_id,
                                 self._path(volume), '1M', size=volume.size)
        self.extend_volume(volume, volume.size)

    def initialize_connection(self, volume, connector):
        return {'driver_volume_type': 'local',
                'data': {'device_path': self._path(volume),
                         'volume_id': volume.id}}

    def terminate_connection(self, volume, connector, **kwargs):
        pass

    def create_export(self, context, volume, connector):
        pass

    def ensure_export(self, context, volume):
        pass

    def remove_export(self, context, volume):
        pass

    def _update_volume_stats(self):
        self._stats = {'volume_backend_name': 'file', 'vendor_name': 'lab',
                       'driver_version': self.VERSION,
                       'storage_protocol': 'file', 'multiattach': False,
                       'total_capacity_gb': 4000, 'free_capacity_gb': 4000,
                       'thin_provisioning_support': True,
                       'thick_provisioning_support': False,
                       'max_over_subscription_ratio': 20,
                       'reserved_percentage': 0}
