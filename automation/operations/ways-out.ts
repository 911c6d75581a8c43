/** An error message of OpenStack, and advice about the related settings. */
interface Refusal {
  /** Matches the message; its groups are the arguments of `wayOut`. */
  readonly message: RegExp;
  readonly wayOut: (...groups: readonly string[]) => string;
}

/** Error messages of Nova, Neutron, Cinder and Octavia, in all releases since 2023. */
const REFUSALS: readonly Refusal[] = [
  {
    message: /No valid host was found/,
    wayOut: () =>
      "no compute host has room for the server: use a smaller flavor under `flavors`, another zone under " +
      "`servers.<VDU>.availabilityZones`, or allow servers to share hosts with `placementPolicy: soft`",
  },
  {
    message: /Image (\S+) is not active/,
    wayOut: (image) => `the image ${image} is not active: set another one under \`images\`, or activate it`,
  },
  {
    message: /requested availability zone is not available/,
    wayOut: () =>
      "the cloud has no such zone, or no host in it: correct or remove `servers.<VDU>.availabilityZones`",
  },
  {
    message: /IP address (\S+) already allocated|The IP address (\S+) is in use/,
    wayOut: (address, other) =>
      `another port has the address ${address || other}: set another one under \`fixedAddresses\` of ` +
      "`extVirtualLinks`, or delete that port",
  },
  {
    message: /IP address (\S+) is not a valid IP for (?:any of the subnets|the specified subnet)/,
    wayOut: (address) =>
      `the address ${address} is in no subnet of its network: correct \`fixedAddresses\` of \`extVirtualLinks\``,
  },
  {
    message: /No more IP addresses available on network (\S+?)\.(?:"|\s|$)/,
    wayOut: (network) =>
      `the network ${network} has no free address: set another network under \`extVirtualLinks\`, or extend its allocation pool`,
  },
  {
    message: /Port (\S+) is still in use|on port (\S+) for network \S+\. Port already has an attached device/,
    wayOut: (port, other) =>
      `the port ${port || other} belongs to another server, which \`openstack port show\` shows; detach it there, then run again`,
  },
  {
    message: /External network (\S+) is not reachable from subnet/,
    wayOut: (network) =>
      `no router connects the server's network to ${network}: correct \`floatingNetwork\`, or the router of the virtual link`,
  },
  {
    message: /disallowed by policy|Policy does(?:n't| not) allow/,
    wayOut: () =>
      "the cloud's policy forbids this to this user: remove the setting that needs it (for a port `bindingProfile`, `vnicType`, " +
      "`portSecurity`, `fixedAddresses` on a network of another project), or request the role",
  },
  {
    message: /[Qq]uota exceeded|exceeded for quota|allowed \(\d+\) exceeded/,
    wayOut: () =>
      "the project's quota does not suffice: `openstack quota show --usage` shows the figures; request a higher quota, or use less",
  },
];

/** Advice for the refusals of the cloud in the messages of a failed run, without duplicates. */
export function waysOut(text: string): readonly string[] {
  const found = REFUSALS.flatMap(({ message, wayOut }) =>
    [...text.matchAll(new RegExp(message, "g"))].map(([, ...groups]) =>
      wayOut(...groups.map((group: string | undefined) => group?.replace(/[.,"']+$/, "") ?? "")),
    ),
  );
  return [...new Set(found)];
}
