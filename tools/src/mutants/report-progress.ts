import type { MutantResult } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import type { MutationTestingPlanReadyEvent, Reporter } from '@stryker-mutator/api/report';
import { survivorOf } from './survivor-of.ts';

const intervalMs = 10_000;

/** Reports on stderr how far a run is, and what it finds: stdout has only the results. */
class ProgressOnStderr implements Reporter {
  #tested = 0;
  #unnoticed = 0;
  #timedOut = 0;
  #planned = 0;
  #saidAt = Date.now();

  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    this.#planned = mutantPlans.length;
    console.error(`  ${this.#planned} changes to try`);
  }

  onMutantTested(mutant: Readonly<MutantResult>): void {
    this.#tested += 1;
    const survivor = survivorOf(mutant);
    if (survivor !== undefined) {
      this.#unnoticed += 1;
      console.error(`  not noticed: ${survivor.place}  ${survivor.change}`);
    }
    if (mutant.status === 'Timeout') this.#timedOut += 1;
    if (Date.now() - this.#saidAt < intervalMs) return;
    this.#saidAt = Date.now();
    console.error(
      `  ${this.#tested} of ${this.#planned} tried, ${this.#unnoticed} not noticed, ${this.#timedOut} only by a time limit`,
    );
  }
}

/** Read by Stryker: the plugins of this module. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'stderr', ProgressOnStderr)];
