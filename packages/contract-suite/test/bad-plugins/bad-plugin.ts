import type { BookingSystemPlugin } from '@waiver-service/core';
import type { ContractSuiteOptions } from '../../src/index.ts';

/** A plugin that is wrong in one thing. */
export interface BadPlugin {
  readonly plugin: BookingSystemPlugin;
  readonly options?: ContractSuiteOptions;
  /** Further clauses of the same theme that the same fault must break. */
  readonly also?: readonly string[];
}

/** Bad plugins by the clause that each one breaks. */
export type BadPlugins = Readonly<Record<string, BadPlugin>>;
