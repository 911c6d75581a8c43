import { openNodePorts, parseNodePorts } from "../../../components/kube/cluster/node-ports";

it.each([
  ["30000-32767", [30000, 32767]],
  ["20000+100", [20000, 20100]],
  [" 80 ", [80, 80]],
  ["0-10", undefined],
  ["10-9", undefined],
  ["65000-65536", undefined],
  ["a-b", undefined],
  ["", undefined],
])("ports %j are read as %j", (text, range) => {
  expect(parseNodePorts(text)).toEqual(range);
});

it.each<[[number, number], [number, number][]]>([
  [[30000, 32767], [[30000, 32767]]],
  [
    [80, 32767],
    [
      [80, 2378],
      [2382, 10247],
      [10260, 32767],
    ],
  ],
  [[2379, 2381], []],
  [[10250, 10300], [[10260, 10300]]],
])("the ports %j have security groups open %j, and no port of the nodes themselves", (range, open) => {
  expect(openNodePorts(range)).toEqual(open);
});
