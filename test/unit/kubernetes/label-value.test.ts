import { labelValue } from "../../../components/kube/cluster/label-value";

it.each([
  ["nova", "nova"],
  ["az-1.east_2", "az-1.east_2"],
  ["rack 1 / left", "rack-1-left"],
  ["(west)", "west"],
  ["Gebäude 7", "Geb-ude-7"],
  ["-._", ""],
  ["", ""],
  ["x".repeat(62) + "-y", "x".repeat(62)],
])("the conversion makes the value of a label of the zone %j", (zone, value) => {
  expect(labelValue(zone)).toBe(value);
});
