"""A nova virt driver whose servers are systemd-nspawn machines.

driver, image, seed   run inside nova-compute
emulator              QEMU, for images that have a kernel of their own
supervisor            one process per running machine; survives nova-compute
machine               what both know: a directory with its description
network, volumes, cgroups, command   what they do to this host
"""
