/** A change of the sources that no test noticed. */
export interface Survivor {
  /** `packages/core/src/date-time.ts:12` */
  readonly place: string;
  /** The change: the operator's name and what it put there, or the title of a planted fault. */
  readonly change: string;
}

/** How many changes of one area were made, and which of them no test noticed. */
export interface AreaResult {
  readonly area: string;
  readonly made: number;
  readonly survivors: readonly Survivor[];
}
