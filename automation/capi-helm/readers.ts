import { at, fields, items, text, type Fields } from "../../components/kube/objects/object";
import { furtherPorts, rootVolume as volume } from "../conversion/machine-readers";
import type { Reader } from "../conversion/taken";

/** Readers of values with a form of the chart's own. */

/** Reads the name of an image, which the chart treats as a template. */
export const machineImage: Reader = (value) =>
  String(value).includes("{{")
    ? { why: "is a Helm template: write the name that it results in" }
    : { value: String(value) };

export const rootVolume: Reader = (value) =>
  at(value, "diskSize") === undefined || at(value, "diskSize") === null ? undefined : volume(value);

/** Converts the chart's settings of a disk to those of a Cinder volume. */
function deviceOf(value: unknown): Fields | undefined {
  const { size, type = "Volume", volumeType } = fields(value);
  if (type !== "Volume" || size === undefined) return undefined;
  return { sizeGiB: Number(size), ...(text(volumeType) !== undefined && { type: volumeType }) };
}

export const blockDevice: Reader = (value) => {
  const device = deviceOf(value);
  return device === undefined
    ? { why: "is a path on the host, for which there is no setting" }
    : { value: device };
};

export const blockDevices: Reader = (value) => {
  const all = Object.entries(fields(value)).map(([name, device]) => ({ name, device: deviceOf(device) }));
  const lost = all.filter(({ device }) => device === undefined).map(({ name }) => name);
  return {
    value: all.flatMap(({ name, device }) => (device === undefined ? [] : [{ name, ...device }])),
    ...(lost.length > 0 && {
      remark: `${lost.join(", ")}: paths on the host, for which there is no setting`,
    }),
  };
};

/** Reads ports. The network of a port may be in one of its fixed IPs, as in former versions of the chart. */
export const ports: Reader = (value) => (items(value).length === 0 ? undefined : furtherPorts(value));

/** Reads mirrors by registry: URLs, or maps with URLs. */
export const mirrors: Reader = (value) => ({
  value: Object.fromEntries(
    Object.entries(fields(value)).flatMap(([registry, mirrorValue]) => {
      const all = Array.isArray(mirrorValue) ? mirrorValue : items(at(mirrorValue, "mirrors"));
      const urls = all.map((one) => text(one) ?? String(at(one, "url")));
      return urls.length === 0 ? [] : [[registry, urls]];
    }),
  ),
});

export const certificates: Reader = (value) => ({ value: Object.values(fields(value)) });

/** Reads configurations of admission plugins by their names. */
export const admission: Reader = (value) => ({
  value: { plugins: Object.entries(fields(value)).map(([name, configuration]) => ({ name, configuration })) },
});
