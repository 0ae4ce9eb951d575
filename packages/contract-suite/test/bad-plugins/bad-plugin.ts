import type { BookingSystemPlugin } from '@waiver-service/core';
import type { ContractSuiteOptions } from '../../src/index.ts';

/** A plugin with one fault. */
export interface BadPlugin {
  readonly plugin: BookingSystemPlugin;
  readonly options?: ContractSuiteOptions;
  /** Other clauses of the same theme that the fault violates. */
  readonly also?: readonly string[];
}

/** Bad plugins by the id of the clause that each violates. */
export type BadPlugins = Readonly<Record<string, BadPlugin>>;
