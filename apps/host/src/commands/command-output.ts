/** Where a command writes. */
export interface CommandOutput {
  /** A line of the result, on standard output. */
  readonly print: (line: string) => void;
  /** Progress and remarks, on standard error. */
  readonly note: (line: string) => void;
}
