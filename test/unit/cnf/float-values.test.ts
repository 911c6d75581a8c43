import { floatWarnings } from "../../../components/plan/workload/float-values";
import type { Values } from "../../../components/plan/workload/chart-values";
import { Secret } from "../../../components/base/secret";
import { placeOf } from "../places";

const container = (image: string, runAsUser: number) => ({
  ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "site" } },
  spec: { securityContext: { runAsUser }, containers: [{ name: "web", image }] },
});

const warnings = (values: Values, image: string, runAsUser = 0) =>
  floatWarnings({
    ...{ place: placeOf("param", 0), name: "web", namespace: "site", values, attributes: [], atomic: false },
    chart: { path: "", objects: [container(image, runAsUser)], hooks: [], definitions: [], random: [] },
  });

test("a number that the chart has put into a text with an exponent is named with its key and its object", () => {
  expect(warnings({ image: { tags: [1, 20161216] } }, "web:2.0161216e+07")).toEqual([
    "param[0].values: image.tags[1] is 20161216, and the chart renders it as 2.0161216e+07 in Pod site/web, as it does " +
      'with a number of a values file: write it as a string under values, "20161216"',
  ]);
  expect(warnings({ low: -1000000 }, "web:-1e+06")).toHaveLength(1);
});

test("a secret number is named by its key alone", () => {
  expect(warnings({ tag: new Secret(20161217) }, "web:2.0161217e+07")).toEqual([
    "param[0].values: tag is a large number, and the chart renders it as 2.0161216e+07 in Pod site/web, as it does " +
      "with a number of a values file: write it as a string under values",
  ]);
});

test.each<[string, Values, string, number]>([
  ["six digits", { tag: 999999 }, "web:999999", 0],
  ["a text", { tag: "20161216" }, "web:20161216", 0],
  ["a number that stays one", { user: 1000650000 }, "web:1", 1000650000],
  ["a fraction", { share: 1234567.5 }, "web:1.2345675e+06", 0],
])("nothing is said of %s", (_, values, image, user) => {
  expect(warnings(values, image, user)).toEqual([]);
});
