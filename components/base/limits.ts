const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The most that files which others wrote, and the plan that is made of them, may have: far above what anybody means,
 * and so little that it is read within seconds. Sizes are in bytes. docs/vnf-packages.md has them as a table.
 */
export const limits = {
  /** Files and folders of a package. */
  entries: 10_000,
  /** Characters of a path in a package. */
  pathLength: 1_000,
  /** Names in such a path. */
  pathDepth: 32,
  /** Size of all files of a package without its images, and of any file that is read. */
  packageBytes: 256 * MIB,
  /** Ratio of inflated to deflated size, of files larger than `ratioFrom`. */
  ratio: 100,
  ratioFrom: MIB,
  /** TOSCA.meta, and a package's manifest (`.mf`). */
  metadataBytes: 4 * MIB,
  /** The TOSCA files of a package together. */
  toscaBytes: 2 * MIB,
  /** The manifests of a CNF together. */
  manifestBytes: 16 * MIB,
  /** A script, or user data of a server. */
  textBytes: MIB,
  /**
   * Boot data of the VNFD in a server's user data: Nova accepts 65,535 bytes of base64, and vnfm's own part is in it
   * too.
   */
  bootDataBytes: 47_000,
  /** The archive or folder of a Helm chart. */
  chartBytes: 20 * MIB,
  /** Unpacked size of a chart with its subcharts: Helm's limit for one archive. */
  chartInflatedBytes: 100 * MIB,
  /** Archives of charts in each other. */
  chartDepth: 10,
  /** Objects and hooks that a chart is rendered to. */
  renderedBytes: 16 * MIB,
  /** Limits of time and memory for the rendering of a chart. */
  renderSeconds: 30,
  renderMemory: 1024 * MIB,
  /** Index of a chart repository, and the part of it about one chart. */
  chartIndexBytes: 64 * MIB,
  chartEntryBytes: 4 * MIB,
  /** Depth of nested mappings and lists, with resolved aliases. */
  yamlDepth: 200,
  /** Number of anchors and aliases in a YAML document. */
  yamlAliases: 2_000,
  /** Total size of resolved aliases in a YAML document, counted at each alias. */
  yamlAliasBytes: MIB,
  /** Documents of a YAML file. */
  yamlDocuments: 5_000,
  /** Number of reported errors in a YAML text: further ones are mostly consequences of these. */
  textFaults: 20,
  /** Kubernetes objects of a CNF. */
  objects: 2_000,
  /** Number of types between a type of a VNFD and the type of SOL001 that it is derived from. */
  derivation: 20,
  /** Entries of a mapping or list of a VNFD. */
  vnfdEntries: 10_000,
  /** Faults, and warnings, of a package. */
  findings: 1_000,
  scaleLevel: 10_000,
  /** VNFCs of an instance: servers, pods or machines. */
  instances: 10_000,
} as const;

/**
 * Returns the error message for a size above the limit, else undefined.
 * @param what name of the limited thing, such as "a script"
 */
export function tooLarge(bytes: number, most: number, what: string): string | undefined {
  return bytes > most ? `has ${bytes} bytes; ${what} may have at most ${most}` : undefined;
}
