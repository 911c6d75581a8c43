/** The lab's apt repository of Kubernetes 1.33.0, under the path that pkgs.k8s.io has it at. */
export const REPOSITORY = "http://198.19.0.1:5001/core:/stable:/v1.33/deb/";

/** The setting `apt_repository` for it, with the key that it is signed by, which the lab has made. */
export async function aptRepository(): Promise<{ readonly url: string; readonly signed_by: string }> {
  return { url: REPOSITORY, signed_by: await (await fetch(`${REPOSITORY}Release.key`)).text() };
}
