import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type SimulatedBookingSystem,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
} from '@waiver-service/simulator';
import { adminToken, call, documentedOperations, startSystemFor } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, documentedBlock, pagesWithCurl, variablesOf } from '../harness/documented-blocks.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

/** The curl commands of a page, each on one line. */
function commandsOf(page: string): string[] {
  return blocksOf(page).flatMap(({ text }) =>
    text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('curl ')),
  );
}

// The pages are in a reader's order. A command needs what others create, so some run last; the last of all first here.
const lateSteps = [
  /-X DELETE .*\/v1\/admin\//,
  /-X DELETE/,
  /\/void"/,
  /\$URL\/(v1\/admin\/(deliveries|recoveries|destinations|pools\/\w+\/(waivers|days))|[a-z.]+")/,
  /\$URL\/v1\/pools\//,
];
function stepOf(command: string): number {
  const index = lateSteps.findIndex((pattern) => pattern.test(command));
  return index === -1 ? 0 : lateSteps.length - index;
}
const commands = pagesWithCurl.flatMap(commandsOf).toSorted((one, other) => stepOf(one) - stepOf(other));

/** The shell variables that the pages take from earlier responses. */
const learned: readonly { command: RegExp; variable: string; path: readonly (string | number)[] }[] = [
  { command: /POST .*\/access-tokens"/, variable: 'TOKEN', path: ['token'] },
  { command: /POST .*\/alerts"/, variable: 'ALERT_ID', path: ['id'] },
  { command: /POST .*\/webhooks"/, variable: 'WEBHOOK_ID', path: ['id'] },
  { command: /curl -sS ".*\/waivers\/W-1"/, variable: 'DELIVERY_ID', path: ['deliveries', 0, 'id'] },
  { command: /POST .*\/forms"/, variable: 'FORM_ID', path: ['id'] },
  { command: /POST .*\/check-in-links"/, variable: 'LINK_ID', path: ['id'] },
  { command: /POST .*\/kiosks"/, variable: 'KIOSK_ID', path: ['id'] },
  { command: /\/changes\?/, variable: 'NEXT', path: ['next'] },
  { command: /\/destinations"/, variable: 'DESTINATION_ID', path: ['items', 0, 'id'] },
];

// Waivers are detached after they are voided. The booking system of these tests follows the contract, which has no list
// of bookings. Its booking does not change. Waivers are stored by an app, so that there is no evidence of them. There is no mail server.
const isRefusedRightly = (command: string, code: unknown) =>
  (command.includes('/bookings?from=') && code === 'listing_not_supported') ||
  (/\/(document|evidence|signing|copy)"/.test(command) && code === 'no_evidence') ||
  (command.includes('/waivers/W-1/booking"') && code === 'waiver_voided') ||
  (command.includes('/check-in-links/find"') && code === 'link_not_found') ||
  (command.includes('/late-signings/') && code === 'late_signing_not_found') ||
  (command.includes('/BK-1001/invitations') && code === 'mail_not_configured') ||
  (command.includes('/refusals/') && code === 'refusal_not_found') ||
  (command.includes('/unmatched-waivers/') && code === 'unmatched_waiver_not_found');

const valueAt = (body: unknown, path: readonly (string | number)[]) =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([name]) => name === `${step}`)?.[1]
        : value,
    body,
  );

function requestOf(command: string) {
  const [, method = 'GET'] = / -X ([A-Z]+) /.exec(command) ?? [];
  const [, url = ''] = / "(http[^"]*)"/.exec(command) ?? [];
  const [, body] = / -d '([^']*)'/.exec(command) ?? [];
  const headers = Object.fromEntries(
    [...command.matchAll(/ -H "([^":]+): ([^"]*)"/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  );
  return { method, url, body, headers };
}

let host: TestHost;
let system: SimulatedBookingSystem;
let receiver: SimulatedWebhookReceiver;

beforeAll(async () => {
  [host, system, receiver] = await Promise.all([
    startTestHost(),
    startSystemFor('standard'),
    startWebhookReceiver({ auth: { type: 'none' } }),
  ]);
  await host.call('POST', '/console/api/session', { token: adminToken }, { token: null });
});
afterAll(async () => {
  await host.close();
  await Promise.all([system.close(), receiver.close()]);
});

test('every command in the pages about the HTTP API succeeds', async () => {
  const variables = new Map([
    ['URL', host.url],
    ['ADMIN', `Authorization: Bearer ${adminToken}`],
    ['AUTH', 'Authorization: Bearer $TOKEN'],
    ['JSON', 'Content-Type: application/json'],
  ]);
  const fill = (text: string): string =>
    text.replaceAll(/\$([A-Z_]+)/g, (all, name) => {
      const value = variables.get(name);
      return value === undefined ? all : fill(value);
    });
  const failed: unknown[] = [];
  for (const command of commands) {
    const { url, body, ...options } = requestOf(
      fill(command)
        .replace('https://booking.example.com/api', system.url)
        .replace('https://receiver.example.com/guests', receiver.url)
        .replace('https://operators.example.com/alerts', receiver.url)
        .replace('wait=30', 'wait=1')
        .replace('$(cat .data/admin-token)', adminToken),
    );
    const answer = await call(url, body, options);
    if (answer.status >= 300 && !isRefusedRightly(command, answer.body.code))
      failed.push([command, answer.status, answer.body]);
    for (const { variable, path } of learned.filter((one) => one.command.test(command)))
      variables.set(variable, String(valueAt(answer.body, path)));
  }
  expect(failed).toEqual([]);
  expect(commands.length).toBeGreaterThan(40);
});

test('the pages set the variables that their commands use', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'waiver-service-shell-'));
  try {
    mkdirSync(join(cwd, '.data'));
    writeFileSync(join(cwd, '.data/admin-token'), `${adminToken}\n`);
    const json = 'Content-Type: application/json';
    for (const block of [
      documentedBlock('docs/operating.md', 'URL='),
      documentedBlock('docs/admin-api.md', 'URL='),
    ]) {
      expect(await variablesOf(block, ['URL', 'ADMIN', 'JSON'], { cwd })).toEqual({
        URL: 'http://127.0.0.1:8080',
        ADMIN: `Authorization: Bearer ${adminToken}`,
        JSON: json,
      });
    }
    const caller = documentedBlock('docs/http-api.md', 'URL=');
    expect(await variablesOf(caller, ['TOKEN', 'AUTH', 'JSON'], { cwd })).toEqual({
      TOKEN: 'wst_…',
      AUTH: 'Authorization: Bearer wst_…',
      JSON: json,
    });
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

test('every operation of the admin API and of the pools that takes a body has a command', async () => {
  const requests = commands.map((command) => requestOf(command.replace('$URL', 'http://host')));
  const operations = await documentedOperations(host.url);
  const missing = operations
    // Others are their method and path in the OpenAPI document.
    .filter(({ path, bodyFields }) => path.startsWith('/v1/') && bodyFields !== undefined)
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^http://host${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`);
      return !requests.some((request) => request.method === method && pattern.test(request.url));
    });
  const listed = missing.map(({ method, path }) => `${method} ${path}`);
  expect(listed, `add a curl command for each to one of ${pagesWithCurl.join(', ')}`).toEqual([]);
});
