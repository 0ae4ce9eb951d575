import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { AttemptEvent } from '@waiver-service/integration';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ReportingExporter, traceAttempt } from '../../src/tracing/open-tracing.ts';
import { idsOfChange, parentOf, TraceIds } from '../../src/tracing/request-trace.ts';

// A UUID version 7 of this moment.
const storedAt = Date.UTC(2026, 10, 22);

const time = storedAt.toString(16).padStart(12, '0');

const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;

const attemptOf = (message: Partial<AttemptEvent['message']> = {}): AttemptEvent => ({
  type: 'attempt',
  message: {
    id,
    kind: 'guest-webhook',
    pool: 'p',
    destination: 't',
    bookingSystem: null,
    waiverId: 'w',
    version: 1,
    attempts: 0,
    trigger: 'schedule',
    ...message,
  },
  result: { outcome: 'accepted', durationMs: 5, status: 200, errorCode: undefined },
  decision: 'delivered',
});

function startTracer(ratio: number) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    sampler: new TraceIdRatioBasedSampler(ratio),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('test');
  return {
    trace: (event: AttemptEvent) => traceAttempt(tracer, event),
    names: () => exporter.getFinishedSpans().map(({ name }) => name),
    spans: () => exporter.getFinishedSpans(),
  };
}

test('only a first attempt by the schedule has waited since the message was stored', () => {
  const { trace, names, spans } = startTracer(1);
  trace(attemptOf());
  expect(names()).toEqual(['queued', 'send guest-webhook']);
  expect(spans()[0]?.startTime).toEqual([storedAt / 1000, 0]);
  for (const message of [{ attempts: 1 }, { trigger: 'manual' }, { trigger: 'probe' }] as const) {
    trace(attemptOf(message));
  }
  expect(names().filter((name) => name === 'queued')).toHaveLength(1);
});

test('a message of a host whose clock is ahead has waited for no time, not for a negative one', () => {
  const { trace, spans } = startTracer(1);
  trace(attemptOf({ id: 'ffffffff-ffff-7000-8000-000000000000' }));
  const [queued, sent] = spans();
  expect(queued?.duration).toEqual([0, 0]);
  expect(queued?.startTime).toEqual(sent?.startTime);
});

test('an alert is in no trace', () => {
  const { trace, names } = startTracer(1);
  expect(trace(attemptOf({ kind: 'alert' }))).toBeUndefined();
  expect(names()).toEqual([]);
});

test('all hosts sample the same traces, and a trace that is not sampled has no id in the log', () => {
  const [one, other] = [startTracer(0.5), startTracer(0.5)];
  const idsOf = ({ trace }: typeof one) =>
    Array.from({ length: 200 }, (_, index) => trace(attemptOf({ waiverId: `w${index}` })));
  const ids = idsOf(one);
  expect(idsOf(other)).toEqual(ids);
  const recorded = ids.filter((traceId) => traceId !== undefined);
  expect(recorded.length).toBeGreaterThan(60);
  expect(recorded.length).toBeLessThan(140);
  expect(new Set(recorded).size).toBe(recorded.length);
});

test('a collector that fails is in the log once, and once when it works again', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  let error: Error | undefined;
  const collector = {
    export: (_: unknown, done: (result: { code: number; error?: Error }) => void) =>
      done(error === undefined ? { code: 0 } : { code: 1, error }),
    shutdown: async () => {},
  };
  const processor = new BatchSpanProcessor({ exporter: new ReportingExporter(collector, log) });
  const tracer = new TracerProvider({
    sampler: new TraceIdRatioBasedSampler(1),
    spanProcessors: [processor],
  }).getTracer('test');
  for (const outcome of [undefined, new Error('refused'), new Error('refused'), undefined, undefined]) {
    error = outcome;
    traceAttempt(tracer, attemptOf());
    await processor.forceFlush().catch(() => {});
  }
  expect(lines).toEqual([expect.stringContaining('traces cannot be sent'), 'traces are sent again']);
});

const change = { pool: 'p', waiverId: 'w', version: 1 };

const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

test('the ids of a change follow from pool, waiver and version, and from nothing else', () => {
  const ids = idsOfChange(change);
  expect(idsOfChange({ ...change })).toEqual(ids);
  expect(ids.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect([ids.requestSpanId, ids.changeSpanId].map((id) => id.length)).toEqual([16, 16]);
  const others = [
    { ...change, version: 2 },
    { ...change, pool: 'pw', waiverId: '' },
    { ...change, pool: '', waiverId: 'pw' },
  ];
  const all = [ids, ...others.map(idsOfChange)];
  expect(new Set(all.flatMap((each) => Object.values(each))).size).toBe(all.length * 3);
});

test('spans have random ids, but those whose ids are known', () => {
  const ids = new TraceIds();
  const both = () => ({ traceId: ids.generateTraceId(), spanId: ids.generateSpanId() });
  const own = { traceId: trace, spanId: span };
  expect(ids.startAs(own, both)).toEqual(own);
  expect(() =>
    ids.startAs(own, () => {
      throw new Error('no span');
    }),
  ).toThrow('no span');
  expect(both()).not.toMatchObject({ traceId: trace });
  expect(both().spanId).not.toBe(both().spanId);
});

test('a valid traceparent names a parent; its sampled flag is not taken over', () => {
  const parent = { traceId: trace, spanId: span, traceFlags: 0, isRemote: true };
  expect(parentOf(`00-${trace}-${span}-01`)).toEqual(parent);
  expect(parentOf(`cc-${trace}-${span}-01-what-comes-later`)).toEqual(parent);
});

test.each([
  undefined,
  '',
  ['00'],
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  `ff-${trace}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-01\n`,
  `cc-${trace}-${span}-01-${'x'.repeat(100)}`,
])('a malformed traceparent names none: %s', (header) => {
  expect(parentOf(header)).toBeUndefined();
});
