import type { PlantedFault } from './planted-fault.ts';

/** Slips around what the host sends and tells of it. */
export const hostSendingFaults: readonly PlantedFault[] = [
  {
    title: "an answer of 2xx that may be a guest's data is kept",
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: "if (isSuccess(status) && (method === 'GET' || errorCode !== 'not_accepted')) return {};",
    replace: '',
    noticedBy: ['sending/kept-answers'],
  },
  {
    title: 'the answer of a write that was not accepted is not kept',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: "(method === 'GET' || errorCode !== 'not_accepted')",
    replace: "(method === 'GET' || errorCode === 'not_accepted')",
    noticedBy: ['sending/kept-answers'],
  },
  {
    title: 'the answer of a read is kept where the write was not accepted',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: "method === 'GET' || errorCode !== 'not_accepted'",
    replace: "errorCode !== 'not_accepted'",
    noticedBy: ['sending/kept-answers'],
  },
  {
    title: 'what was not written of a waiver is not kept',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: 'const { accepted, warnings } = pushed;',
    replace: 'const { accepted, warnings } = { ...pushed, warnings: [] };',
    noticedBy: ['sending/written-in-part'],
  },
  {
    title: 'what had no place anywhere counts as delivered',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: 'return accepted\n',
    replace: 'return accepted || warnings !== undefined\n',
    noticedBy: ['sending/written-in-part'],
  },
  {
    title: 'the reason why nothing was written is lost',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: 'reason: pushed.reason,',
    replace: 'reason: undefined,',
    noticedBy: ['sending/written-in-part'],
  },
  {
    title: "a fault of ours counts as the partner's",
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: "if (outcome.outcome === 'own-fault') throw error;",
    replace:
      "if (outcome.outcome === 'own-fault') return { durationMs: durationMs(), ...outcome, outcome: 'refused' };",
    noticedBy: ['sending/guest-update'],
  },
  {
    title: 'a Guest Update has its time limit a thousand times over',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: 'performance.now() + timeoutMs',
    replace: 'performance.now() + timeoutMs * 1_000',
    noticedBy: ['sending/kept-answers'],
  },
  {
    title: 'a Guest Update does not end with its lease',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: '        signal,\n',
    replace: '',
    noticedBy: ['sending/kept-answers'],
  },
  {
    title: 'a key that changed is used from the next start on',
    file: 'apps/host/src/sending/guest-update-sender.ts',
    find: 'connection = await connector.connect(message)',
    replace:
      "connection = await connector.connect({ destination: message.destination, settingsVersion: '' })",
    noticedBy: ['sending/guest-update'],
  },
  {
    title: 'attempts are not counted in the metrics',
    file: 'apps/host/src/sending/dispatcher-events.ts',
    find: '        metrics.countAttempt(event.message.kind, event.result.outcome);\n',
    replace: '',
    noticedBy: ['sending/guest-update'],
  },
  {
    title: 'a fault of ours is not in the log as an error',
    file: 'apps/host/src/sending/dispatcher-events.ts',
    find: 'if (error === undefined) log[level]',
    replace: 'if (error !== null) log[level]',
    noticedBy: ['sending/dispatcher-events'],
  },
  {
    title: 'what was accepted is logged as loudly as what was not',
    file: 'apps/host/src/sending/dispatcher-events.ts',
    find: "? 'debug' : 'info'",
    replace: "? 'info' : 'debug'",
    noticedBy: ['sending/dispatcher-events'],
  },
  {
    title: 'attempts are never pruned',
    file: 'apps/host/src/sending/create-sending.ts',
    find: '      pruner ??= startAttemptPruner({ outbox, retentionMs: settings.attemptRetention, onEvent });\n',
    replace: '',
    noticedBy: ['sending/create-sending'],
  },
  {
    title: 'the probe interval is taken for the time after which to pause',
    file: 'apps/host/src/sending/create-sending.ts',
    find: 'pauseAfterMs: settings.pauseAfter',
    replace: 'pauseAfterMs: settings.probeInterval',
    noticedBy: ['sending/create-sending'],
  },
];
