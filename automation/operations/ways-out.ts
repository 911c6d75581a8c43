/** A message of OpenStack about a refusal, and the related settings of the stack config. */
interface Refusal {
  /** Matches the message; its groups are the arguments of `wayOut`. */
  readonly message: RegExp;
  readonly wayOut: (...groups: readonly string[]) => string;
}

/** Messages of Nova, Neutron, Cinder and Octavia in their releases since 2023. */
const REFUSALS: readonly Refusal[] = [
  {
    message: /No valid host was found/,
    wayOut: () =>
      "no host has room for the server: take a smaller flavor under `flavors`, another zone under " +
      "`servers.<VDU>.availabilityZones`, or let servers share hosts with `placementPolicy: soft`",
  },
  {
    message: /Image (\S+) is not active/,
    wayOut: (image) => `the image ${image} is not active: name another under \`images\`, or activate it`,
  },
  {
    message: /requested availability zone is not available/,
    wayOut: () =>
      "the cloud has no such zone, or no host in it: correct `servers.<VDU>.availabilityZones`, or leave it out",
  },
  {
    message: /IP address (\S+) already allocated|The IP address (\S+) is in use/,
    wayOut: (address, other) =>
      `another port has the address ${address || other}: give another one under \`fixedAddresses\` of ` +
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
      `the network ${network} has no free address: name another under \`extVirtualLinks\`, or widen its allocation pool`,
  },
  {
    message: /Port (\S+) is still in use|on port (\S+) for network \S+\. Port already has an attached device/,
    wayOut: (port, other) =>
      `the port ${port || other} is another server's: \`openstack port show\` says whose; detach it there, then run again`,
  },
  {
    message: /External network (\S+) is not reachable from subnet/,
    wayOut: (network) =>
      `no router leads from the server's network to ${network}: correct \`floatingNetwork\`, or the router of the virtual link`,
  },
  {
    message: /disallowed by policy|Policy does(?:n't| not) allow/,
    wayOut: () =>
      "the cloud's policy forbids it to this user: leave out what asks for it (of a port `bindingProfile`, `vnicType`, " +
      "`portSecurity`, `fixedAddresses` on a network of another project), or have the role granted",
  },
  {
    message: /Invalid key_name provided/,
    wayOut: () =>
      "Nova has key pairs for each user, and that of the servers is of another user, who ran this stack before: " +
      "`pulumi up --refresh` makes it for this user too",
  },
  {
    message: /[Qq]uota exceeded|exceeded for quota|allowed \(\d+\) exceeded/,
    wayOut: () =>
      "the project's quota does not suffice: `openstack quota show --usage` has the figures; have it raised, or want less",
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
