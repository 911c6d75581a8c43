import { loadPackage } from "../../../components/vnfd/package";
import { packageOf, vnfd } from "./support";

test("a VNFD in one file gives the whole model", () => {
  const location = packageOf(vnfd);
  const loaded = loadPackage(location);
  expect(loaded.location).toBe(location);
  expect(loaded.vnfd).toEqual({
    descriptorId: "d-1",
    descriptorVersion: "1.0",
    provider: "Acme",
    productName: "Thing",
    softwareVersion: "2.0",
    flavours: {
      simple: {
        id: "simple",
        vdus: {
          VDU1: {
            id: "VDU1",
            name: "one",
            minInstances: 1,
            maxInstances: 4,
            initialInstances: 1,
            image: "image-one",
            flavor: undefined,
            vcpus: 2,
            memoryMiB: 512,
            diskGiB: 3,
            volumes: ["VOL1"],
            bootData: undefined,
          },
        },
        volumes: { VOL1: { id: "VOL1", sizeGiB: 2, image: "data-image", volumeType: "fast" } },
        connectionPoints: {
          CP1: {
            id: "CP1",
            vdu: "VDU1",
            order: 0,
            vnicType: "normal",
            virtualLink: undefined,
            externalLink: "virtual_link_ext",
          },
          CP2: {
            id: "CP2",
            vdu: "VDU1",
            order: 1,
            vnicType: undefined,
            virtualLink: "VL1",
            externalLink: undefined,
          },
        },
        virtualLinks: {
          VL1: {
            id: "VL1",
            subnets: [
              {
                cidr: "10.9.0.0/24",
                gatewayIp: "10.9.0.1",
                dhcpEnabled: false,
                ipv6AddressMode: undefined,
                ipAllocationPools: [],
              },
            ],
            mtu: undefined,
            vlanTransparent: false,
            externalLink: undefined,
          },
        },
        scalingAspects: {
          aspect1: { id: "aspect1", maxScaleLevel: 2, deltas: { VDU1: [1, 2] } },
        },
        instantiationLevels: {
          small: { id: "small", scaleLevels: { aspect1: 0 }, instances: { VDU1: 1 } },
          big: { id: "big", scaleLevels: { aspect1: 2 }, instances: { VDU1: 4 } },
        },
        defaultInstantiationLevel: "small",
        virtualIps: {},
        charts: [],
        placementGroups: [{ id: "apart", policy: "anti-affinity", scope: "nfvi_node", vdus: ["VDU1"] }],
        warnings: [],
      },
    },
  });
});
