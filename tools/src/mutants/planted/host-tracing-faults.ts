import type { PlantedFault } from './planted-fault.ts';

/** Slips of traces and of the fields of log lines. The program's own test runs its build, which no fault is in. */
export const hostTracingFaults: readonly PlantedFault[] = [
  {
    title: 'the versions of a waiver share a trace',
    file: 'apps/host/src/tracing/trace-ids.ts',
    find: 'JSON.stringify([pool, waiverId, version])',
    replace: 'JSON.stringify([pool, waiverId])',
    noticedBy: ['tracing/trace-ids'],
  },
  {
    title: 'pool and waiver run together in the id of a trace',
    file: 'apps/host/src/tracing/trace-ids.ts',
    find: 'JSON.stringify([pool, waiverId, version])',
    replace: '`${pool}${waiverId}${version}`',
    noticedBy: ['tracing/trace-ids'],
  },
  {
    title: 'known ids are given to the spans after theirs',
    file: 'apps/host/src/tracing/trace-ids.ts',
    find: '      this.#own = undefined;\n',
    replace: '',
    noticedBy: ['tracing/trace-ids'],
  },
  {
    title: "a caller's trace of zeros is continued",
    file: 'apps/host/src/tracing/trace-ids.ts',
    find: 'if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;',
    replace: 'if (/^0+$/.test(traceId)) return undefined;',
    noticedBy: ['tracing/trace-ids'],
  },
  {
    title: 'each attempt has waited since the message was stored',
    file: 'apps/host/src/tracing/trace-attempts.ts',
    find: 'message.attempts === 0 && ',
    replace: '',
    noticedBy: ['tracing/trace-attempts'],
  },
  {
    title: 'a wait that ended before it began',
    file: 'apps/host/src/tracing/trace-attempts.ts',
    find: 'Math.min(queuedAt, startTime)',
    replace: 'queuedAt',
    noticedBy: ['tracing/trace-attempts'],
  },
  {
    title: 'the log names traces that are not recorded',
    file: 'apps/host/src/tracing/trace-attempts.ts',
    find: 'return isSampled(span) ? traceId : undefined;',
    replace: 'return traceId;',
    noticedBy: ['tracing/trace-attempts'],
  },
  {
    title: 'each failure of the collector is logged',
    file: 'apps/host/src/tracing/reporting-exporter.ts',
    find: 'if (isFailing === this.#isFailing) return;',
    replace: 'if (isFailing === this.#isFailing && !isFailing) return;',
    noticedBy: ['tracing/trace-attempts'],
  },
  {
    title: 'a pool that nobody vouches for is logged',
    file: 'apps/host/src/http/request-log.ts',
    find: "  if (!caller) return undefined;\n  if (caller.kind === 'pool') return caller.pool;",
    replace: "  if (caller?.kind === 'pool') return caller.pool;",
    noticedBy: ['tracing/untraced'],
  },
  {
    title: 'a key in the place of a pool is logged',
    file: 'apps/host/src/http/request-log.ts',
    find: "scrubSecrets(inPath(request, 'pool') ?? '')",
    replace: "(inPath(request, 'pool') ?? '')",
    noticedBy: ['tracing/untraced'],
  },
];
