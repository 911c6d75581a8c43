import { identitySecret } from "../objects/cluster-api";
import { groupKind, isBuiltIn } from "../objects/kinds";
import { at, fields, groupOf, identity, isFields, items, text, type KubeObject } from "../objects/object";
import { attachedNetworks, mounted, podTemplate, walk } from "../objects/pods";

const RBAC = "rbac.authorization.k8s.io";

/**
 * Returns the identities of the objects that an object refers to, and that must exist before it: mounts of its pods,
 * roles and subjects of a binding, the target of an autoscaler, Services and Secrets of an Ingress.
 */
export function references(object: KubeObject): string[] {
  const local = (group: string, kind: string, name: unknown, namespace?: unknown): string[] => {
    const known = text(name);
    return known === undefined
      ? []
      : [identity(group, kind, text(namespace) ?? object.metadata.namespace, known)];
  };
  const cluster = (group: string, kind: string, name: unknown): string[] => {
    const known = text(name);
    return known === undefined ? [] : [identity(group, kind, undefined, known)];
  };
  const spec = fields(object["spec"]);
  return [
    ...cluster("", "Namespace", object.metadata.namespace),
    ...podReferences(object, local, cluster),
    ...ofKind(),
  ];

  function ofKind(): string[] {
    switch (groupKind(object)) {
      case "/ServiceAccount":
        // not .secrets: a token Secret names its ServiceAccount, which comes first
        return items(object["imagePullSecrets"]).flatMap((entry) => local("", "Secret", at(entry, "name")));
      case "/Secret":
        return local(
          "",
          "ServiceAccount",
          at(object.metadata, "annotations", "kubernetes.io/service-account.name"),
        );
      case "/Binding":
      case "policy/Eviction":
        return local("", "Pod", object.metadata.name);
      case "authentication.k8s.io/TokenRequest":
        return local("", "ServiceAccount", object.metadata.name);
      case "/Endpoints":
        return local("", "Service", object.metadata.name);
      case "/PersistentVolume":
        return secretsAnywhere(spec);
      case "/PersistentVolumeClaim":
        return [
          ...cluster("", "PersistentVolume", spec["volumeName"]),
          ...cluster("storage.k8s.io", "StorageClass", spec["storageClassName"]),
          ...[spec["dataSource"], spec["dataSourceRef"]].flatMap((source) =>
            local(text(at(source, "apiGroup")) ?? "", text(at(source, "kind")) ?? "", at(source, "name")),
          ),
        ];
      case `${RBAC}/RoleBinding`:
      case `${RBAC}/ClusterRoleBinding`:
        return bindingReferences();
      case "apps/StatefulSet":
        return [
          ...local("", "Service", spec["serviceName"]),
          ...items(spec["volumeClaimTemplates"]).flatMap((claim) =>
            cluster("storage.k8s.io", "StorageClass", at(claim, "spec", "storageClassName")),
          ),
        ];
      case "autoscaling/HorizontalPodAutoscaler":
        return typedReference(spec["scaleTargetRef"]);
      case "networking.k8s.io/Ingress":
        return [
          ...ingressReferences(),
          ...cluster("networking.k8s.io", "IngressClass", spec["ingressClassName"]),
        ];
      case "admissionregistration.k8s.io/MutatingWebhookConfiguration":
      case "admissionregistration.k8s.io/ValidatingWebhookConfiguration":
        return items(object["webhooks"]).flatMap((hook) => servedBy(at(hook, "clientConfig", "service")));
      case "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding":
        return cluster("admissionregistration.k8s.io", "ValidatingAdmissionPolicy", spec["policyName"]);
      case "apiregistration.k8s.io/APIService":
        return servedBy(spec["service"]);
      default:
        return isBuiltIn(object) ? [] : customReferences(spec);
    }
  }

  function bindingReferences(): string[] {
    const role = fields(object["roleRef"]);
    const roles =
      role["kind"] === "Role"
        ? local(RBAC, "Role", role["name"])
        : cluster(RBAC, "ClusterRole", role["name"]);
    const subjects = items(object["subjects"])
      .filter((subject) => at(subject, "kind") === "ServiceAccount")
      .flatMap((subject) => local("", "ServiceAccount", at(subject, "name"), at(subject, "namespace")));
    return [...roles, ...subjects];
  }

  function ingressReferences(): string[] {
    const found: string[] = [];
    walk(spec, (key, value) => {
      if (key === "service") found.push(...local("", "Service", at(value, "name")));
      if (key === "serviceName") found.push(...local("", "Service", value));
      if (key === "secretName") found.push(...local("", "Secret", value));
    });
    return found;
  }

  function servedBy(service: unknown): string[] {
    return local("", "Service", at(service, "name"), at(service, "namespace"));
  }

  /** Returns the objects to which a custom resource refers by kind, and its Secrets and ConfigMaps. */
  function customReferences(value: unknown): string[] {
    const found: string[] = mounted(value).flatMap(({ kind, name }) => local("", kind, name));
    walk(value, (key, inner) => {
      if (isFields(inner)) found.push(...typedReference(inner));
      found.push(...local("", "Secret", identitySecret(key, inner)));
    });
    return found;
  }

  function typedReference(value: unknown): string[] {
    const { kind, name, namespace, apiVersion, apiGroup, group } = fields(value);
    if (text(kind) === undefined || text(name) === undefined) return [];
    const inGroup =
      text(apiVersion) === undefined
        ? (text(apiGroup) ?? text(group) ?? groupOf(object))
        : groupOf({ apiVersion: String(apiVersion) });
    return [...local(inGroup, String(kind), name, namespace), ...cluster(inGroup, String(kind), name)];
  }
}

type Refer = (group: string, kind: string, name: unknown, namespace?: unknown) => string[];

function podReferences(object: KubeObject, local: Refer, cluster: Refer): string[] {
  const template = podTemplate(object);
  if (template === undefined) return [];
  const spec = fields(template["spec"]);
  return [
    ...mounted(spec).flatMap(({ kind, name }) => local("", kind, name)),
    ...local("", "ServiceAccount", spec["serviceAccountName"] ?? spec["serviceAccount"]),
    ...cluster("scheduling.k8s.io", "PriorityClass", spec["priorityClassName"]),
    ...cluster("node.k8s.io", "RuntimeClass", spec["runtimeClassName"]),
    ...items(spec["resourceClaims"]).flatMap((claim) => [
      ...local("resource.k8s.io", "ResourceClaim", at(claim, "resourceClaimName")),
      ...local("resource.k8s.io", "ResourceClaimTemplate", at(claim, "resourceClaimTemplateName")),
    ]),
    ...attachedNetworks(template).flatMap((network) => {
      const [name, namespace] = network.split("/").reverse();
      return local("k8s.cni.cncf.io", "NetworkAttachmentDefinition", name, namespace);
    }),
  ];
}

/** Secrets to which a volume refers with a namespace. */
function secretsAnywhere(value: unknown): string[] {
  const found: string[] = [];
  walk(value, (key, inner) => {
    const { name, namespace } = fields(inner);
    if (!/secretref$/i.test(key) || text(name) === undefined || text(namespace) === undefined) return;
    found.push(identity("", "Secret", String(namespace), String(name)));
  });
  return found;
}
