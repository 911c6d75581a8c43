/**
 * Returns a DaemonSet with a web server on every node, also on control-plane nodes: pods with the label `app=page`,
 * which log the address of each client.
 * @param page text of the page
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

/** Command in a pod that requests the page of an address, without wget: that of Debian's busybox crashes. */
export const REQUEST_PAGE = ["sh", "-c", "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 5 \"$0\" 80"];
