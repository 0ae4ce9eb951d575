import { createServer } from 'node:net';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { beginOutage, listenLocally, textAt, until } from '@waiver-service/testing';
import { startMailServer } from '@waiver-service/testing/mail';
import { Webhook } from 'standardwebhooks';
import { expect, type TestContext, test } from 'vitest';
import { type AlertingHostOptions, startAlertingHost } from '../setup/alerting-host.ts';

const alerts = '/v1/admin/alerts';
const from = 'alerts@waivers.example.com';

const mailBy = (port: number, password: string) => ({
  server: { host: '127.0.0.1', port, secure: false, user: 'mailer', password },
  from,
});

type Cleanup = Pick<TestContext, 'onTestFinished'>;

async function startHost({ onTestFinished }: Cleanup, { mail, settings }: AlertingHostOptions = {}) {
  const host = await startAlertingHost({
    settings: { retrySchedule: [0], ...settings },
    ...(mail && { mail }),
  });
  onTestFinished(() => host.close());
  return host;
}

async function startReceiver({ onTestFinished }: Cleanup) {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

test.concurrent('a dead letter is alerted by a signed webhook, which no list of guests’ messages shows', async ({
  onTestFinished,
}) => {
  const [host, operators, guests] = await Promise.all([
    startHost({ onTestFinished }),
    startReceiver({ onTestFinished }),
    startReceiver({ onTestFinished }),
  ]);
  const app = await host.makePool('rafting');
  guests.faults.always('webhook', { kind: 'status', status: 503, body: 'down' });
  await host.admin('POST', '/v1/admin/pools/rafting/webhooks', { url: guests.url, auth: { type: 'none' } });
  const settings = { name: 'On call', url: operators.url, auth: { type: 'none' }, signing: true };
  const { body: alert } = await host.admin('POST', alerts, settings);
  await app('POST', '/v1/pools/rafting/waivers', { answers: { name: 'Zoë Bäcker' } });

  const [request] = await operators.untilReceived('webhook', 1);
  const body = JSON.parse(String(request?.body));
  const { items } = (await host.admin('GET', '/v1/admin/destinations')).body;
  const [{ id: destination }] = items;
  expect(items).toHaveLength(1);
  expect(body).toEqual({
    type: 'delivery.dead',
    at: expect.any(String),
    pool: 'rafting',
    destination,
    message: expect.stringContaining('did not take a message'),
    leftOut: 0,
    link: `${host.url}/console/deliveries?state=dead&destination=${destination}&pool=rafting`,
  });
  expect(String(request?.body)).not.toContain('Zoë');
  const headers = Object.fromEntries(
    Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  new Webhook(textAt(alert, 'signingSecret')).verify(String(request?.body), headers);

  const list = async (query: string) => (await host.admin('GET', `/v1/admin/deliveries${query}`)).body.items;
  expect((await list('')).map(({ kind }: { kind: string }) => kind)).toEqual(['guest-webhook']);
  const [delivery] = await until(async () => {
    const found = await list('?kind=alert&state=delivered');
    return found.length > 0 && found;
  }, 'the alert to be recorded');
  expect(delivery).toMatchObject({ kind: 'alert', pool: '', destination: textAt(alert, 'destination') });
  expect(headers['webhook-id']).toBe(delivery.id);
  expect((await host.admin('GET', `/v1/admin/deliveries/${delivery.id}`)).body).toMatchObject({ body });
  expect((await host.admin('GET', '/v1/admin/sent-alerts')).body.items).toMatchObject([
    {
      id: delivery.id,
      type: 'delivery.dead',
      alertName: 'On call',
      pool: 'rafting',
      state: 'delivered',
      leftOut: 0,
    },
  ]);
  expect((await host.admin('GET', '/v1/admin/overview')).body).toMatchObject({ delivered: 0, dead: 1 });
  const recovered = await host.admin('POST', '/v1/admin/deliveries/recover', {
    since: '2020-01-01T00:00:00Z',
    state: 'delivered',
  });
  expect(recovered.body).toMatchObject({ recovered: 0 });
});

test.concurrent('failure and recovery are alerted by mail, without header injection', async ({
  onTestFinished,
}) => {
  const server = await startMailServer({ hideSTARTTLS: true, allowInsecureAuth: true });
  onTestFinished(() => server.close());
  const password = 'p@ss/w:rd';
  const guests = await startReceiver({ onTestFinished });
  const host = await startHost(
    { onTestFinished },
    { settings: { retrySchedule: [0, 3_600_000] }, mail: mailBy(server.port, password) },
  );
  for (const email of [
    'ops@example.com\r\nBcc: all@example.com',
    'ops@example.com, all@example.com',
    'Ops <ops@example.com>',
    'ops',
    `${'o'.repeat(65)}@example.com`,
    `o@${'example.'.repeat(40)}com`,
    '@example.com',
  ]) {
    const answer = await host.admin('POST', alerts, { name: 'Mail', email });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'email' }] } });
  }
  const pool = 'rafting\r\nBcc: all@example.com';
  expect((await host.admin('PUT', `/v1/admin/pools/${encodeURIComponent(pool)}`, { name: 'x' })).status).toBe(
    200,
  );
  const webhook = { url: guests.url, auth: { type: 'none' } };
  await host.admin('POST', `/v1/admin/pools/${encodeURIComponent(pool)}/webhooks`, webhook);
  const name = 'Mail\r\nBcc: all@example.com';
  const { body: alert } = await host.admin('POST', alerts, { name, email: 'ops@example.com' });
  expect(await host.admin('POST', `${alerts}/${alert.id}/test`)).toMatchObject({ body: { ok: true } });

  const send = () =>
    host.admin('POST', `/v1/pools/${encodeURIComponent(pool)}/waivers`, { answers: { name: 'Ada' } });
  guests.faults.always('webhook', { kind: 'status', status: 503, body: 'down' });
  await beginOutage(host.databaseUrl);
  await send();
  await until(() => server.mails.length === 2, 'the alert of the failure');
  guests.faults.clear();
  await send();
  await until(() => server.mails.length === 3, 'the alert of the recovery');
  const subjects = server.mails.map(({ raw }) =>
    /^Subject: (.*(?:\r\n .*)*)/m.exec(raw)?.[1]?.replace(/\r\n/g, ''),
  );
  expect(subjects).toEqual([
    '[Waiver service] A test',
    expect.stringContaining('[Waiver service] A destination fails'),
    expect.stringContaining('[Waiver service] A destination works again'),
  ]);
  for (const mail of server.mails) {
    expect(mail).toMatchObject({ from, to: ['ops@example.com'], user: 'mailer' });
    expect(mail.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
    expect(mail.raw).toContain('/console/');
  }
  expect(server.mails[1]?.raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@waivers\.example\.com>$/im);
  expect(host.lines.join('')).not.toContain(password);
  expect(host.lines.join('')).not.toContain(encodeURIComponent(password));
});

test.concurrent('a mail server’s refusal is shown, and a silent one times out', async ({
  onTestFinished,
}) => {
  const refusing = await startMailServer({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('no such user'), { responseCode: 550 })),
  });
  onTestFinished(() => refusing.close());
  const silent = createServer(() => {});
  const silentPort = await listenLocally(silent);
  onTestFinished(() => void silent.close());
  const results = await Promise.all(
    [
      { port: refusing.port, outboundTimeout: 20_000 },
      { port: silentPort, outboundTimeout: 700 },
      { port: 9, outboundTimeout: 20_000 },
    ].map(async ({ port, outboundTimeout }) => {
      const host = await startHost(
        { onTestFinished },
        { settings: { role: 'api', outboundTimeout }, mail: mailBy(port, 'the-password') },
      );
      const { body: alert } = await host.admin('POST', alerts, { name: 'Mail', email: 'ops@example.com' });
      const { body, text } = await host.admin('POST', `${alerts}/${alert.id}/test`);
      expect(host.lines.join('') + text).not.toContain('the-password');
      return body;
    }),
  );
  expect(results).toMatchObject([
    { ok: false, status: 550, errorCode: 'not_accepted', response: expect.stringContaining('no such user') },
    { ok: false, errorCode: 'timeout' },
    { ok: false, errorCode: 'connection_refused' },
  ]);
  expect(results[1].durationMs).toBeLessThan(15_000);
});
