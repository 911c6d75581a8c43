const labels = { app: "web" };
const container = { name: "web", image: "nginx:1.27", imagePullPolicy: "IfNotPresent" };

/** A web server behind a load balancer, with its page on a Cinder volume: the Kubernetes objects. */
export const BALANCED_PAGE = [
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "page" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "csi-cinder-sc-delete",
      resources: { requests: { storage: "1Gi" } },
    },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { ...container, volumeMounts: [{ name: "page", mountPath: "/usr/share/nginx/html" }] },
          ],
          volumes: [{ name: "page", persistentVolumeClaim: { claimName: "page" } }],
        },
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 80 }] },
  },
];
