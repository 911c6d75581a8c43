import { groupKind } from "./kinds";
import { fields, type KubeObject } from "./object";

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Returns the error about an object that is too large: its values if it is a ConfigMap (core/v1 MaxConfigMapSize) or a
 * Secret (MaxSecretSize), its annotations (apimachinery's TotalAnnotationSizeLimitB), or the whole object (etcd's
 * --max-request-bytes, 1.5 MiB by default).
 */
export function sizeProblem(object: KubeObject): string | undefined {
  const annotations = Object.entries(object.metadata.annotations ?? {}).flat();
  return (
    above(MIB, valuesOf(object), "values", "split it, or store large files on a volume or in an image") ??
    above(256 * KIB, sum(annotations, bytes), "annotations", "shorten them") ??
    above(1.5 * MIB, bytes(JSON.stringify(object)), "content", "split it")
  );
}

function above(limit: number, size: number, what: string, way: string): string | undefined {
  if (size <= limit) return undefined;
  return `has ${shownSize(size)} of ${what}, and the API accepts ${shownSize(limit)}; ${way}`;
}

/** Size in bytes of the values of a ConfigMap or a Secret, decoded. */
function valuesOf(object: KubeObject): number {
  const [data, binaryData, stringData] = ["data", "binaryData", "stringData"].map((key) =>
    fields(object[key]),
  );
  switch (groupKind(object)) {
    case "/ConfigMap":
      return sum(Object.values(data ?? {}), bytes) + sum(Object.values(binaryData ?? {}), decodedBytes);
    case "/Secret": {
      // one that is in both has the text of stringData
      const rest = Object.entries(data ?? {}).filter(([key]) => !Object.hasOwn(stringData ?? {}, key));
      return (
        sum(Object.values(stringData ?? {}), bytes) +
        sum(
          rest.map(([, value]) => value),
          decodedBytes,
        )
      );
    }
    default:
      return 0;
  }
}

function sum(values: readonly unknown[], size: (value: unknown) => number): number {
  return values.reduce((total: number, value) => total + size(value), 0);
}

function bytes(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0;
}

function decodedBytes(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value, "base64") : 0;
}

function shownSize(size: number): string {
  // rounded up, so that a size above a limit is never printed as the limit
  return size < MIB ? `${Math.ceil(size / KIB)} KiB` : `${Math.ceil((size / MIB) * 100) / 100} MiB`;
}
