const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Limits of files from others, and of plans made from them: far above all real uses, and low enough to be read within
 * seconds. Sizes are in bytes. docs/vnf-packages.md lists them.
 */
export const limits = {
  /** Number of files and folders in a package. */
  entries: 10_000,
  /** Number of characters in a path in a package. */
  pathLength: 1_000,
  /** Number of names in such a path. */
  pathDepth: 32,
  /** Size of all files of a package without its images, and of any single file. */
  packageBytes: 256 * MIB,
  /** Ratio of inflated to deflated size, for files larger than `ratioFrom`. */
  ratio: 100,
  ratioFrom: MIB,
  /** Size of TOSCA.meta, and of a package's manifest (`.mf`). */
  metadataBytes: 4 * MIB,
  /** Size of all TOSCA files of a package together. */
  toscaBytes: 2 * MIB,
  /** Size of all manifests of a CNF together. */
  manifestBytes: 16 * MIB,
  /** Size of a script, or of a server's user data. */
  textBytes: MIB,
  /**
   * Size of the VNFD's boot data in a server's user data: Nova accepts 65,535 bytes of base64, which also contain
   * vnfm's own part.
   */
  bootDataBytes: 47_000,
  /** Size of a Helm chart's archive or folder. */
  chartBytes: 20 * MIB,
  /** Unpacked size of a chart with its subcharts: Helm's limit for one archive. */
  chartInflatedBytes: 100 * MIB,
  /** Depth of chart archives in chart archives. */
  chartDepth: 10,
  /** Size of the rendered objects and hooks of a chart. */
  renderedBytes: 16 * MIB,
  /** Time and memory for rendering a chart. */
  renderSeconds: 30,
  renderMemory: 1024 * MIB,
  /** Size of a chart repository's index, and of the part about one chart. */
  chartIndexBytes: 64 * MIB,
  chartEntryBytes: 4 * MIB,
  /** Depth of nested mappings and lists, with resolved aliases. */
  yamlDepth: 200,
  /** Number of anchors and aliases in a YAML document. */
  yamlAliases: 2_000,
  /** Total size of resolved aliases in a YAML document, counted at each alias. */
  yamlAliasBytes: MIB,
  /** Number of documents in a YAML file. */
  yamlDocuments: 5_000,
  /** Number of reported errors in a YAML text: most others would be consequences of these. */
  textFaults: 20,
  /** Number of Kubernetes objects of a CNF. */
  objects: 2_000,
  /** Number of types between a type of a VNFD and the type of SOL001 that it is derived from. */
  derivation: 20,
  /** Number of entries in a mapping or list of a VNFD. */
  vnfdEntries: 10_000,
  /** Number of errors, and of warnings, about a package. */
  findings: 1_000,
  scaleLevel: 10_000,
  /** Number of VNFCs of an instance: servers, pods or machines. */
  instances: 10_000,
} as const;

/**
 * Returns the error message for a size above the limit, else undefined.
 * @param what name of the limited thing, such as "a script"
 */
export function tooLarge(bytes: number, most: number, what: string): string | undefined {
  return bytes > most ? `has ${bytes} bytes; ${what} may have at most ${most}` : undefined;
}
