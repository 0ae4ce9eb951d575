/** A slip that a person could make, planted by exchanging one piece of text for another. */
export interface PlantedFault {
  /** As a reviewer would put it: `a lease is extended that another host took over`. */
  readonly title: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /**
   * The test files that should notice, as vitest's filters of one project: few, since each fault runs them. None that
   * starts a process: nothing is built.
   */
  readonly noticedBy: readonly string[];
}

/** The faults of one area, and the vitest project whose tests should notice them. */
export interface PlantedArea {
  readonly area: string;
  readonly project: string;
  readonly faults: readonly PlantedFault[];
}
