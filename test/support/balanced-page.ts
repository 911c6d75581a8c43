/**
 * Returns the Kubernetes objects of a web server with its page on a volume: the claim `page`, and a Deployment.
 * @param name name of the Deployment, and of its label `app`
 */
export function pageOnVolume(name: string, storageClassName: string): readonly object[] {
  const labels = { app: name };
  const container = { name, image: "nginx:1.27", imagePullPolicy: "IfNotPresent" };
  return [
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "page" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName,
        resources: { requests: { storage: "1Gi" } },
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
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
  ];
}

/** A web server behind a load balancer, with its page on a Cinder volume: the Kubernetes objects. */
export const BALANCED_PAGE = [
  ...pageOnVolume("web", "csi-cinder-sc-delete"),
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }] },
  },
];
