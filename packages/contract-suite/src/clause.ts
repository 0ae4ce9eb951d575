import type { BookingSystemPlugin } from '@waiver-service/core';
import type { ClauseKit } from './kit/clause-kit.ts';

/** One thing that every plugin must do, and how it is checked. */
export interface Clause {
  /** Theme and name, such as `read/auth-header`. */
  readonly id: string;
  /** Where it is written: the contract's section, or a page of this repository. */
  readonly section: string;
  /** What a user would notice. */
  readonly title: string;
  /** Whether it can be asked of a plugin, judged by its manifest alone. Every plugin where absent. */
  readonly appliesTo?: (plugin: BookingSystemPlugin) => boolean;
  /** Rejects where the plugin does not keep the clause. */
  readonly run: (kit: ClauseKit) => Promise<void> | void;
}
