import type { NativeScenarios } from './native/native-scenarios.ts';

/** Options for a vendor with its own API; a plugin that follows the contract needs none. */
export interface ContractSuiteOptions {
  /** The booking system's settings, parsed by the plugin's `settingsSchema`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Account fields in addition to `accountId` and `apiKey`. A text here or in `settings` that begins with `planted-` is a
   * secret that no error may show.
   */
  readonly account?: Readonly<Record<string, unknown>>;
  /** Required if the plugin reads the form `native`. */
  readonly native?: NativeScenarios;
}
