import { sign } from "aws4";
import { jsonData } from "../../components/base/json";
import { download } from "../../components/gather/download";
import type { Script } from "../stack/stack-state";
import { snapshotOf, type Kept, type Snapshot } from "./etcd-snapshots";

/** Folder with the snapshots of one cluster in a bucket of an S3 service. */
export interface BucketFolder {
  /** URL of the service, without the bucket and without a final slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Maximum size of a list of objects: S3 lists up to 1000 of them. */
const LIST_BYTES = 2 * 1024 * 1024;
/** Size of the beginning of a snapshot that has its first line: a signature and the header. */
const HEADER_BYTES = 4096;
/** Names that snapshot-bucket.sh gives its objects. */
const OBJECT = /<Key>[^<]*\/(snapshot-\d{4}-\d\d-\d\dT\d{6}Z)<\/Key>/g;

/**
 * The bucket of the step control-plane-store.sh, as of the last run.
 * @returns undefined if the cluster has no bucket
 */
export function bucketOf(store: Pick<Script, "stdin">): BucketFolder | undefined {
  const { data } = jsonData(store.stdin, "the data of a step") as { readonly data: Record<string, string> };
  const { bucket_endpoint: endpoint = "", bucket_region: region = "", bucket_name: bucket = "" } = data;
  const {
    bucket_prefix: prefix = "",
    bucket_access_key: accessKey = "",
    bucket_secret_key: secretKey = "",
  } = data;
  return endpoint === "" ? undefined : { endpoint, region, bucket, prefix, accessKey, secretKey };
}

/**
 * Lists the snapshots in a bucket, from this machine. Their signatures are checked by the server that uses one.
 * @throws Error with the reason if the bucket cannot be read
 */
export async function keptInBucket(folder: BucketFolder): Promise<Pick<Kept, "copy" | "snapshots" | "age">> {
  const query = `?list-type=2&prefix=${encodeURIComponent(`${folder.prefix}/`)}`;
  const list = await get(folder, query, LIST_BYTES);
  const names = [...list.toString("utf8").matchAll(OBJECT)].map(([, name = ""]) => name);
  const found = await Promise.all(
    names
      .sort()
      .reverse()
      .map((name) => snapshotIn(folder, name)),
  );
  const snapshots = found.filter((one) => one !== undefined);
  const [newest] = snapshots;
  return {
    copy: null,
    snapshots,
    age: newest === undefined ? null : (Date.now() - Date.parse(newest.time)) / 1000,
  };
}

/** Reads the header of a snapshot. @returns undefined if the object has none of its time */
async function snapshotIn(folder: BucketFolder, name: string): Promise<Snapshot | undefined> {
  const range = { Range: `bytes=0-${HEADER_BYTES - 1}` };
  const begin = await get(folder, `/${folder.prefix}/${name}`, HEADER_BYTES, range);
  const [line = ""] = begin.toString("latin1").split("\n", 1);
  const snapshot = snapshotOf(line.slice(line.indexOf(" ") + 1));
  return name === `snapshot-${snapshot?.time.replaceAll(":", "")}` ? snapshot : undefined;
}

function get(
  { endpoint, region, bucket, accessKey, secretKey }: BucketFolder,
  path: string,
  most: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const url = new URL(`${endpoint}/${bucket}${path}`);
  const { host, pathname, search } = url;
  const request = { service: "s3", region, method: "GET", host, path: pathname + search, headers };
  const { headers: signed } = sign(request, { accessKeyId: accessKey, secretAccessKey: secretKey });
  return download(url, most, signed as Record<string, string>);
}
