import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defineBookingSystem,
  installedAccountSchema,
  noSettingsSchema,
  prepareBookingSystemContext,
} from '../src/index.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';
import { apiKey, byPath, setupContexts } from './setup.ts';

let server: RecordingServer;
let setup: ReturnType<typeof setupContexts>;
beforeAll(async () => {
  server = await startRecordingServer();
  setup = setupContexts(server.baseUrl);
});
afterAll(async () => {
  await setup.outbound.close();
  await server.close();
});

let calls = 0;
const signing = defineBookingSystem({
  ...byPath,
  settingsSchema: noSettingsSchema,
  accountSchema: installedAccountSchema,
  headers: ({ account }) => {
    calls += 1;
    return { 'X-Signature': `${account.apiKey} of call ${calls}` };
  },
});

test('each call of a prepared installation has its own signal, observer and authentication', async () => {
  const contextFor = prepareBookingSystemContext({
    plugin: signing,
    outbound: setup.outbound,
    baseUrl: server.baseUrl,
    pool: 'p1',
    settings: {},
    account: { accountId: 1, apiKey },
    purpose: 'guest-update',
  });
  const told: string[] = [];
  const use = (name: string, signal: AbortSignal) =>
    contextFor({ signal, onExchange: ({ status }) => told.push(`${name} ${status}`) });
  const first = use('first', new AbortController().signal);
  const second = use('second', AbortSignal.abort());
  const third = use('third', new AbortController().signal);

  await expect(second.http.get('x')).rejects.toMatchObject({ outboundErrorCode: 'timeout', inDoubt: false });
  expect(second.signal.aborted).toBe(true);
  await first.http.get('x');
  expect(server.takeRequest().headers['x-signature']).toBe(`${apiKey} of call 1`);
  await third.http.get('x');
  expect(server.takeRequest().headers['x-signature']).toBe(`${apiKey} of call 3`);
  expect(told).toEqual(['second undefined', 'first 200', 'third 200']);
});
