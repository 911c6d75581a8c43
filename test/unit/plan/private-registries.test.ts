import { registryWarnings } from "../../../components/plan/kubeadm/private-registries";
import { Secret } from "../../../components/base/secret";
import { placeOf } from "../places";

it("tells that a login goes over the network in plain", () => {
  const login = { username: "puller", password: new Secret("hidden") };
  const registries = [
    { connection_type: "0", server: "plain.example" },
    { connection_type: "1", server: "registry.example", ...login },
    { connection_type: "0", server: "other.example", ...login },
  ] as const;
  expect(registryWarnings(registries, placeOf("list"))).toEqual([
    'list[2].connection_type: "0" is HTTP, so each node sends the password of puller over the network in plain; have the registry serve HTTPS and write "1"',
  ]);
});
