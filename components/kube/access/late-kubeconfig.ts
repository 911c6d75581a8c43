/** Placeholder for a kubeconfig that a preview does not know. */
export const LATE_KUBECONFIG = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "late",
  contexts: [{ name: "late", context: { cluster: "late", user: "late" } }],
  clusters: [{ name: "late", cluster: { server: "https://known-only-in-the-run.invalid" } }],
  users: [{ name: "late", user: {} }],
});
