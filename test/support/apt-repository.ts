/** The lab's apt repository of Kubernetes 1.33.0, under the path that pkgs.k8s.io has it at. */
export const REPOSITORY = "http://198.19.0.1:5001/core:/stable:/v1.33/deb/";

/** The key that it is signed by. */
export async function repositoryKey(): Promise<string> {
  return (await fetch(`${REPOSITORY}Release.key`)).text();
}
