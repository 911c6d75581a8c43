import { at, fields, items, text, without, type Fields } from "../../components/kube/objects/object";
import { hasLogin } from "./conversion";
import { namesOf, number, ofCloud, some, textOf } from "./readers";
import type { Reader } from "./taken";
import { hasVariable } from "./variables";

/** Readers of fields of machines: volumes, ports, metadata and files. */

export const rootVolume: Reader = (value) => {
  const disk = fields(value);
  const size = number(disk["sizeGiB"] ?? disk["diskSize"]);
  const type = text(disk["type"]) ?? text(disk["volumeType"]);
  const zone = text(disk["availabilityZone"]) ?? text(at(disk, "availabilityZone", "name"));
  if (size === undefined || "why" in size) return { why: "has no size" };
  return {
    value: {
      sizeGiB: size.value,
      ...(type !== undefined && { type }),
      ...(zone !== undefined && { availabilityZone: zone }),
    },
  };
};

/** Tag of the volume for etcd, here as in most templates. */
const ETCD = "etcd";

/** Reads volumes of machines without those for etcd. */
export const volumes: Reader = (value) => {
  const all = items(value).filter((one) => at(one, "name") !== ETCD);
  const [cinders, others] = [all.filter(isOfCinder), all.filter((one) => !isOfCinder(one))];
  const remark =
    others.length === 0
      ? {}
      : { remark: `${namesOf(others)}: paths on the host, for which there is no setting` };
  return all.length === 0 ? undefined : { value: cinders.map(volumeOf), ...remark };
};

export const etcdVolume: Reader = (value) => {
  const volume = items(value).find((one) => at(one, "name") === ETCD && isOfCinder(one));
  return volume === undefined ? undefined : { value: without(volumeOf(volume), "name") };
};

function isOfCinder(device: unknown): boolean {
  return at(device, "storage", "type") !== "Local";
}

function volumeOf(device: unknown): Fields {
  const type = text(at(device, "storage", "volume", "type"));
  return { name: at(device, "name"), sizeGiB: at(device, "sizeGiB"), ...(type !== undefined && { type }) };
}

/** Keys of a port with a setting. */
const PORT = [
  "network",
  "fixedIPs",
  "vnicType",
  "trunk",
  "disablePortSecurity",
  "portSecurity",
  "allowedAddressPairs",
];

/** Reads ports of machines without the first one, which is on the cluster's network. */
export const furtherPorts: Reader = (value) => {
  const [first, ...others] = items(value);
  const isOfCluster = at(first, "network") === undefined;
  const further = isOfCluster ? others : [first, ...others];
  const lost = [
    ...(isOfCluster ? Object.keys(fields(first)) : []),
    ...further.flatMap((port) => Object.keys(fields(port)).filter((key) => !PORT.includes(key))),
  ];
  const noneOfCluster = isOfCluster
    ? ""
    : "every machine has a port on the cluster's network, but none of these is on it: remove the port that was meant for it; ";
  const remark = [
    noneOfCluster,
    lost.length > 0 ? `${[...new Set(lost)].join(", ")} of ports: there is no setting for them` : "",
  ].join("");
  if (further.length === 0) return lost.length === 0 ? undefined : { why: remark };
  return { value: further.map(portOf), ...(remark !== "" && { remark: remark.replace(/; $/, "") }) };
};

function portOf(port: unknown): Fields {
  const [address] = items(at(port, "fixedIPs"));
  const network = ofCloud(at(port, "network"));
  const subnet = at(address, "subnet");
  const ofSubnet = subnet === undefined ? undefined : ofCloud(subnet);
  const vnicType = text(at(port, "vnicType"));
  const allowed = items(at(port, "allowedAddressPairs")).map((pair) =>
    blockOf(String(at(pair, "ipAddress"))),
  );
  return {
    ...(network && "value" in network && { network: network.value }),
    ...(ofSubnet && "value" in ofSubnet && { subnet: ofSubnet.value }),
    ...(vnicType !== undefined && { vnicType }),
    ...(at(port, "trunk") === true && { trunk: true }),
    ...(at(port, "disablePortSecurity") === true && { portSecurity: false }),
    ...(allowed.length > 0 && { allowedAddresses: allowed }),
  };
}

/** The CIDR that contains only this address. */
function blockOf(address: string): string {
  if (address.includes("/")) return address;
  return `${address}/${address.includes(":") ? 128 : 32}`;
}

/** Reads Nova's metadata: a map, or a list of keys and values. */
export const metadata: Reader = (value) => {
  const pairs = Array.isArray(value)
    ? value.map((one) => [String(at(one, "key")), at(one, "value")] as const)
    : Object.entries(fields(value));
  return some(Object.fromEntries(pairs.map(([key, entry]) => [key, String(entry)])));
};

/** Files with the configuration of a cloud, which controllers get from their addons. */
const FILES_OF_CLOUD = ["/etc/kubernetes/cloud.conf", "/etc/certs/cacert"];

/** Reads files of machines whose text is in the manifest and contains no login. */
export const files: Reader = (value) => {
  const all = items(value).map(fields);
  const read = all.map((file) => ({ path: String(file["path"]), file: fileOf(file) }));
  const kept = read.flatMap(({ file }) => (typeof file === "string" ? [] : [file]));
  const remarks = read.flatMap(({ path, file }) => (typeof file === "string" ? [`${path} ${file}`] : []));
  if (kept.length === 0) return remarks.length === 0 ? undefined : { why: remarks.join("; ") };
  return { value: kept, ...(remarks.length > 0 && { remark: remarks.join("; ") }) };
};

/** A file as a setting, or the reason why it cannot be one. */
function fileOf(file: Fields): Fields | string {
  const { path, content, encoding, permissions } = file;
  if (FILES_OF_CLOUD.includes(String(path))) return "belongs to the cloud's controllers, which are addons";
  if (file["contentFrom"] !== undefined)
    return "has its content in a Secret: write it as `content`, encrypted by `pulumi config set --secret --path`";
  if (hasVariable(content)) return "is a variable without a value: set it in the environment";
  if (file["append"] === true) return "is appended to a file: append it by a command of preKubeadmCommands";
  if (encoding !== undefined && encoding !== "base64") return `is encoded as ${textOf(encoding)}`;
  const text =
    encoding === "base64" ? Buffer.from(String(content), "base64").toString() : textOf(content ?? "");
  if (hasLogin(text) || /PRIVATE KEY-----/.test(text))
    return "may contain a secret: write it as `content`, encrypted by `pulumi config set --secret --path`";
  return { path, content: text, ...(permissions !== undefined && { permissions: modeOf(permissions) }) };
}

function modeOf(permissions: unknown): string {
  return typeof permissions === "number"
    ? `0${permissions.toString(8)}`
    : String(permissions).replace(/^(?=[0-7]{3}$)/, "0");
}
