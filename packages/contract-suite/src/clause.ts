import type { Condition } from './conditions.ts';
import type { ClauseKit } from './kit/clause-kit.ts';

/** A requirement on every plugin, and its test. */
export interface Clause {
  /** Theme and name, such as `read/auth-header`. */
  readonly id: string;
  /** Its source: a section of the contract, or a page of this repository. */
  readonly section: string;
  /** The requirement, as a user would notice it. */
  readonly title: string;
  /** Whether the clause applies to a plugin, decided only by the plugin's declarations. Default: always. */
  readonly appliesTo?: Condition;
  /** Throws or rejects if the plugin violates the clause. */
  readonly run: (kit: ClauseKit) => Promise<void> | void;
}
