"""Start nova-compute with the driver beside this file.

Nova loads drivers from its own package nova.virt only; adding this directory
to that package's path needs nothing installed into the virtual environment.
"""
import os

from nova.cmd import compute  # first: it patches the threading model
import nova.virt

nova.virt.__path__.append(os.path.dirname(os.path.abspath(__file__)))
compute.main()
