import fc from "fast-check";
import { identityOf, type KubeObject } from "../../../components/kube/objects/object";
import { orderObjects } from "../../../components/kube/order/order";
import { placeOf } from "../places";

describe("for any set of objects", () => {
  const KINDS: [string, string][] = [
    ["v1", "Namespace"],
    ["v1", "ConfigMap"],
    ["v1", "Secret"],
    ["v1", "Service"],
    ["v1", "PersistentVolumeClaim"],
    ["v1", "Pod"],
    ["apps/v1", "Deployment"],
    ["apps/v1", "StatefulSet"],
    ["autoscaling/v2", "HorizontalPodAutoscaler"],
    ["apiregistration.k8s.io/v1", "APIService"],
    ["example.com/v1", "Site"],
    ["rbac.authorization.k8s.io/v1", "ClusterRole"],
  ];
  const arbitrary = fc
    .uniqueArray(
      fc.record({
        kind: fc.nat(KINDS.length - 1),
        name: fc.constantFrom("a", "b", "c"),
        uses: fc.constantFrom("a", "b", "c"),
      }),
      { selector: ({ kind, name }) => `${kind}/${name}`, maxLength: 20 },
    )
    .map((all) =>
      all.map(({ kind, name, uses }): KubeObject => {
        const [apiVersion, kindName] = KINDS[kind] ?? ["v1", "ConfigMap"];
        const volumes = [{ configMap: { name: uses } }, { persistentVolumeClaim: { claimName: uses } }];
        return {
          apiVersion,
          kind: kindName,
          metadata: /^(Namespace|Cluster|APIService)/.test(kindName) ? { name } : { name, namespace: "a" },
          spec: {
            volumes,
            template: { spec: { volumes } },
            serviceName: uses,
            siteRef: { kind: "Site", name: uses },
          },
        };
      }),
    );

  const order = (objects: readonly KubeObject[]): [string, string[]][] => {
    const place = placeOf();
    const ordered = orderObjects(objects, place);
    expect(place.findings.texts).toEqual([]);
    return ordered.map(({ object: each, dependsOn, madeAfter }) => [
      identityOf(each),
      [...dependsOn, ...madeAfter].map(identityOf),
    ]);
  };

  test("each is there once and after all it depends on", () => {
    fc.assert(
      fc.property(arbitrary, (objects) => {
        const done = new Set<string>();
        for (const [id, needs] of order(objects)) {
          expect(needs.filter((need) => !done.has(need))).toEqual([]);
          done.add(id);
        }
        expect(done.size).toBe(objects.length);
      }),
    );
  });

  test("the order of the files does not matter", () => {
    const shuffled = arbitrary.chain((objects) =>
      fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })),
    );
    fc.assert(fc.property(shuffled, ([objects, other]) => expect(order(other)).toEqual(order(objects))));
  });
});
