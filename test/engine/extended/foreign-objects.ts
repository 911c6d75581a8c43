import type { Cluster } from "../../support/cluster";
import { TestStack } from "../../support/stack";
import { objectsCnf } from "../../support/workload-cluster";

const definition = (plural: string, kind: string) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.guests.example.com` },
  spec: {
    ...{ group: "guests.example.com", names: { kind, plural }, scope: "Namespaced" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
});
const WIDGETS = definition("widgets", "Widget");
const UNUSED = definition("gadgets", "Gadget");
const SHARED = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shared" } };
/** Objects of the CNF itself, which do not prevent a deletion. */
const OWN = [
  { apiVersion: "guests.example.com/v1", kind: "Widget", metadata: { name: "own", namespace: "shared" } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "own", namespace: "shared" } },
];

const OF_WIDGETS =
  "CustomResourceDefinition widgets.guests.example.com would also delete 2 objects (2 Widget in namespace default) of others";
const OF_SHARED = "Namespace shared would also delete 1 object (1 ConfigMap in namespace shared) of others";

/**
 * A CNF on the cluster `vnf-a` of another stack. Others have objects of its CRD, and in its Namespace. The steps build
 * on each other.
 *
 * @param subject the stack of the cluster
 */
export function describeForeignObjects(
  subject: () => { readonly stack: TestStack; readonly cluster: Cluster },
): void {
  describe("objects of others in what a CNF has brought", () => {
    let guests: TestStack;

    const configure = (objects: readonly object[], more: object = {}) => {
      const vim = { stack: subject().stack.name, vim_name: "kubernetes_vim_vnf-a" };
      guests.configure({ guest: { ...objectsCnf(guests.folder, "guest", vim, objects), ...more } });
    };
    const preview = async () => {
      const { status, stdout, stderr } = await guests.pulumi("preview", "--stack", guests.name);
      return { isRefused: status !== 0, text: stdout + stderr };
    };
    const theirs = () =>
      subject().cluster.kubectl([
        ...["get", "widgets.guests.example.com", "-n"],
        ...["default", "-o", "name", "--ignore-not-found"],
      ]);
    const configMaps = () =>
      subject().cluster.kubectl(["get", "configmap", "own", "theirs", "-n", "shared", "-o", "name"]);

    beforeAll(async () => {
      guests = await TestStack.create("guests", {}, { beside: subject().stack });
    });
    afterAll(() => guests?.remove());

    it("are told with their number, kind and namespace where the definition leaves, and it stays", async () => {
      const { cluster } = subject();
      configure([WIDGETS, UNUSED, SHARED, ...OWN]);
      await guests.mustUp();
      expect(await guests.changes()).toEqual([]);
      for (const name of ["a", "b"])
        await cluster.kubectl(
          ["create", "-f", "-"],
          JSON.stringify({
            ...{ apiVersion: "guests.example.com/v1", kind: "Widget" },
            metadata: { name, namespace: "default" },
          }),
        );
      await cluster.kubectl(["create", "configmap", "theirs", "-n", "shared"]);
      configure([UNUSED, SHARED, OWN[1] ?? {}]);
      const { isRefused, text } = await preview();
      expect(isRefused).toBe(true);
      expect(text).toContain(`vnfm:vnfs.guest: ${OF_WIDGETS}`);
      expect(text).not.toContain("Namespace shared takes");
      expect((await guests.up()).status).not.toBe(0);
      expect(await theirs()).toContain("/a\n");
    });

    it("let a definition go that nobody uses", async () => {
      configure([WIDGETS, SHARED, ...OWN]);
      expect(await guests.changes()).toContain(
        "delete guest-customresourcedefinition-gadgets.guests.example.com",
      );
      await guests.mustUp();
      expect(await guests.changes()).toEqual([]);
    });

    it("refuse the end of the CNF, in its preview", async () => {
      guests.configure({});
      const { isRefused, text } = await preview();
      expect(isRefused).toBe(true);
      expect(text).toContain(OF_WIDGETS);
      expect(text).toContain(OF_SHARED);
    });

    it("refuse the end of the stack, which runs no program, before anything is gone", async () => {
      configure([WIDGETS, SHARED, ...OWN]);
      const { status, stdout, stderr } = await guests.pulumi("destroy", "--yes", "--stack", guests.name);
      expect(status).not.toBe(0);
      expect(stdout + stderr).toContain(OF_WIDGETS);
      expect(stdout + stderr).toContain(OF_SHARED);
      expect(await configMaps()).toBe("configmap/own\nconfigmap/theirs\n");
      expect(await guests.changes()).toEqual([]);
    });

    it("go with it where the setting says so, in a run before", async () => {
      configure([WIDGETS, SHARED, ...OWN], { protectForeignObjects: false });
      await guests.mustUp();
      expect(await theirs()).toContain("/a\n");
      guests.configure({});
      await guests.mustUp();
      const { cluster } = subject();
      const get = ["get", "namespace/shared", "customresourcedefinition/widgets.guests.example.com"];
      expect(await cluster.kubectl([...get, "-o", "name", "--ignore-not-found"])).toBe("");
    });
  });
}
