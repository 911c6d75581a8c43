// Cheap resources of each service; the environment says what has changed since.
const { blockstorage, compute, identity, networking } = require("@pulumi/openstack");
const { mergeOptions, runtime } = require("@pulumi/pulumi");

// the plugin of the engine that is tested, not the one that the npm package is of
const version = "5.5.1";
runtime.registerStackTransformation(({ props, opts }) => ({ props, opts: mergeOptions(opts, { version }) }));

const { CIDR, DESCRIPTION, ONLY_NETWORK_NAMED, SIZE } = process.env;

if (ONLY_NETWORK_NAMED) {
  // The stack that has imported the network of the other one.
  new networking.Network("net", { name: ONLY_NETWORK_NAMED, adminStateUp: true, description: DESCRIPTION });
} else {
  const network = new networking.Network("net", { adminStateUp: true, description: DESCRIPTION });
  const subnet = new networking.Subnet("subnet", { networkId: network.id, cidr: CIDR, enableDhcp: true });
  const group = new networking.SecGroup("group", { deleteDefaultRules: true });
  new networking.SecGroupRule("ssh", {
    direction: "ingress", ethertype: "IPv4", protocol: "tcp", portRangeMin: 22, portRangeMax: 22,
    remoteIpPrefix: CIDR, securityGroupId: group.id,
  });
  const port = new networking.Port("port", {
    networkId: network.id, adminStateUp: true, fixedIps: [{ subnetId: subnet.id }], securityGroupIds: [group.id],
    allowedAddressPairs: [{ ipAddress: "10.250.0.9" }],
  });
  const router = new networking.Router("router", { adminStateUp: true });
  new networking.RouterInterface("router-interface", { routerId: router.id, subnetId: subnet.id });
  const keypair = new compute.Keypair("keypair", {});
  const servers = new compute.ServerGroup("servers", { policies: "anti-affinity" });
  const volume = new blockstorage.Volume("volume", { size: Number(SIZE), enableOnlineResize: true });
  const credential = new identity.ApplicationCredential("credential", {});

  exports.networkId = network.id;
  exports.networkName = network.name;
  exports.found = networking.getNetworkOutput({ networkId: network.id }, { version }).name;
  exports.subnetId = subnet.id;
  exports.portId = port.id;
  exports.address = port.allFixedIps.apply(([first]) => first);
  exports.volumeId = volume.id;
  exports.volumeSize = volume.size;
  exports.serverGroup = servers.name;
  exports.privateKey = keypair.privateKey;
  exports.secret = credential.secret;
}
