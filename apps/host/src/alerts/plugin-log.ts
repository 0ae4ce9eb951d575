import type { FastifyBaseLogger } from 'fastify';
import type { PluginLog } from '../booking-systems/load-plugins.ts';
import type { Faults } from './fault-reporter.ts';

/** Logs each plugin that cannot be used, and reports it as a fault. */
export const reportPlugins = (log: Pick<FastifyBaseLogger, 'warn'>, faults: Faults): PluginLog => ({
  warn(fields, sentence) {
    log.warn(fields, sentence);
    // Without the reason: the plugin wrote it, and it may contain anything.
    const name = fields.package;
    faults.report(`plugin ${name}`, `The plugin ${name} is not used. The log says why.`);
  },
});
