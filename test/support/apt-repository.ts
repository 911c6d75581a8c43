/** The lab's apt repository with Kubernetes 1.33.0, at the same path as on pkgs.k8s.io. */
export const REPOSITORY = "http://198.19.0.1:5001/core:/stable:/v1.33/deb/";

/** Returns the setting `apt_repository` for the repository, with the public key of the lab that signs it. */
export async function aptRepository(): Promise<{ readonly url: string; readonly signed_by: string }> {
  return { url: REPOSITORY, signed_by: await (await fetch(`${REPOSITORY}Release.key`)).text() };
}
