import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { beginOutage, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const docs = join(import.meta.dirname, '../../../../docs');
const read = (name: string) => readFileSync(join(docs, name), 'utf8');

const dashboardSchema = z.object({
  title: z.string(),
  panels: z
    .array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }))
    .min(10),
});

const ruleNames = [...read('observability/prometheus-rules.yaml').matchAll(/- alert: (\w+)/g)].map(
  ([, name = '']) => name,
);
const ruleExpressions = [...read('observability/prometheus-rules.yaml').matchAll(/^ +expr: (.+)$/gm)].map(
  ([, expression = '']) => expression,
);

// Added to each scrape by Prometheus itself.
const ofPrometheus = new Set(['up']);
const metricsIn = (expression: string) =>
  [
    ...expression
      .replaceAll(/\{[^}]*\}|"[^"]*"/g, '')
      .matchAll(/\b(?:up|(?:http|waiver_service|process|nodejs)_\w+)/g),
  ].map(([name]) => name);

let host: TestHost;
let metrics: string;

beforeAll(async () => {
  const receiver = await startWebhookReceiver();
  host = await startTestHost();
  const app = await host.makePool('p');
  await host.admin('POST', '/v1/admin/pools/p/webhooks', { url: receiver.url, auth: { type: 'none' } });
  await app('POST', '/v1/pools/p/waivers', { answers: { name: 'Ada' } });
  await receiver.untilReceived('webhook', 1);
  metrics = await until(async () => {
    // The record of the attempt would end it.
    await beginOutage(host.databaseUrl);
    const { text } = await host.as(null)('GET', '/metrics');
    return text.includes('outcome="accepted"') && text.includes('destinations 1') && text;
  }, 'the attempt and the outage to be counted');
  await receiver.close();
});
afterAll(() => host?.close());

// A gauge with labels has no line where nothing is counted, but always its type.
const isServed = (name: string) =>
  metrics.includes(`# TYPE ${name} `) ||
  metrics.includes(`# TYPE ${name.replace(/_(?:bucket|count|sum)$/, '')} histogram`);

test('every metric of the dashboard and of the alert rules is one that a host serves', () => {
  const dashboard = dashboardSchema.parse(JSON.parse(read('observability/grafana-dashboard.json')));
  const expressions = [
    ...ruleExpressions,
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(ruleExpressions).toHaveLength(ruleNames.length);
  expect(ruleNames.length).toBeGreaterThan(10);
  const names = new Set(expressions.flatMap(metricsIn));
  expect(names.size).toBeGreaterThan(12);
  for (const expression of expressions)
    expect([expression, metricsIn(expression)]).not.toEqual([expression, []]);
  expect([...names].filter((name) => !ofPrometheus.has(name) && !isServed(name))).toEqual([]);
});

test('the page for operators has every metric of ours, and every rule with its threshold', () => {
  const page = read('operating.md');
  const served = [...metrics.matchAll(/^# TYPE (waiver_service_\w+|http_\w+)/gm)].map(
    ([, name = '']) => name,
  );
  expect(served.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(ruleNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every rule has a test in which it stays quiet, and one in which it fires', () => {
  const tests = read('observability/prometheus-rules.test.yaml');
  const tested = (pattern: RegExp) =>
    [...new Set([...tests.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
  expect(tested(/alertname: (\w+), exp_alerts: \[\]/g)).toEqual(ruleNames.toSorted());
  expect(tested(/alertname: (\w+)\n +exp_alerts:\n +- exp_labels/g)).toEqual(ruleNames.toSorted());
});

// It comes with Prometheus, which is on few machines.
test.skipIf(spawnSync('promtool', ['--version']).status !== 0)('the tests of the rules succeed', () => {
  const { stdout, stderr } = spawnSync(
    'promtool',
    ['test', 'rules', join(docs, 'observability/prometheus-rules.test.yaml')],
    { encoding: 'utf8' },
  );
  expect(`${stdout}${stderr}`).toContain('SUCCESS');
});

test('the figures are those of the database', () => {
  expect(metrics).toContain('waiver_service_failing_destinations 1');
  expect(metrics).toContain('waiver_service_paused_destinations 0');
  expect(metrics).toContain('waiver_service_dead_letters 0');
  expect(metrics).toContain('waiver_service_dispatchers 1');
  expect(metrics).toContain('waiver_service_first_attempt_delay_seconds 0');
});
