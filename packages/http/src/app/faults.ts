import type { ServiceIdentifier } from 'inversify';

/** Reports faults of the service itself, so that operators are alerted. */
export interface Faults {
  /**
   * @param subject - the part that failed, from a small set: repeats are counted, not alerted again
   * @param detail - a sentence for people, without secrets or guests' data
   */
  report(subject: string, detail: string): void;
}
export const Faults: ServiceIdentifier<Faults> = Symbol('Faults');
