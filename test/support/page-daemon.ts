/**
 * A web server on each node of a cluster, masters too, which says in its log who has asked: pods of `app=page`.
 * @param page what it answers
 */
export function pageDaemon(page: string): object {
  const labels = { app: "page" };
  const serve = `echo ${page} >/tmp/index.html; exec httpd -f -v -p 80 -h /tmp`;
  const container = {
    ...{ name: "page", image: "docker.io/library/busybox:1.36" },
    command: ["sh", "-c", serve],
  };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "page", namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { tolerations: [{ operator: "Exists" }], containers: [container] },
      },
    },
  };
}

/** The command of a pod's shell that asks an address; Debian's busybox has a wget that crashes. */
export const ASK_PAGE = ["sh", "-c", "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 5 \"$0\" 80"];
