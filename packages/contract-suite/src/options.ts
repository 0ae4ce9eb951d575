import type { NativeScenarios } from './native/native-scenarios.ts';

/** What a vendor's own API needs; a plugin that follows the contract needs none of it. */
export interface ContractSuiteOptions {
  /** The booking system's settings, before the plugin's `settingsSchema` reads them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * What an installation brings besides `accountId` and `apiKey`. A text here or in `settings` that begins with
   * `planted-` is a secret: no error may show it.
   */
  readonly account?: Readonly<Record<string, unknown>>;
  /** Needed where the plugin reads the form `native`. */
  readonly native?: NativeScenarios;
}
