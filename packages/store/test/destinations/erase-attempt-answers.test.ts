import { expect, test } from 'vitest';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';
import { openSession } from '../setup/open-session.ts';

async function openWithAttempts() {
  const opened = await openOutbox();
  const { store, query } = opened;
  // More attempts than one batch, some of them with warnings alone, at two destinations of the pool.
  await Promise.all(['w1', 'w2', 'w3'].map((id) => store.waivers.create(waiver({ id }))));
  await query(`insert into attempt (pool, delivery, at, duration_ms, outcome, status, response, warnings, trigger)
    select d.pool, d.id, now(), 5, 'refused', 500, case when n % 2 = 0 then 'sorry, Ann' end,
      case when n % 2 = 1 then '[]' end, 'schedule'
    from delivery d cross join generate_series(1, 700) n`);
  const kept = async () =>
    Object.fromEntries(
      (
        await query(`select d.kind, count(a.response)::int as answers, count(a.warnings)::int as warnings
          from attempt a join delivery d on d.id = a.delivery group by d.kind`)
      ).map(({ kind, ...counts }) => [kind, counts]),
    );
  return { ...opened, kept };
}

const all = { answers: 1_050, warnings: 1_050 };
const none = { answers: 0, warnings: 0 };

test('an uninstall erases the stored responses of the installation’s attempts, and no others', async () => {
  const { store, kept } = await openWithAttempts();
  await store.installations.uninstall({ bookingSystem: 'standard', pool: 'p1' });
  await expect.poll(kept).toEqual({ 'guest-update': none, 'guest-webhook': all });
});

test('removing a webhook erases the stored responses of its attempts, and no others', async () => {
  const { store, kept, endpoint } = await openWithAttempts();
  await store.webhooks.remove('p1', endpoint?.endpoint.id ?? '');
  await expect.poll(kept).toEqual({ 'guest-update': all, 'guest-webhook': none });
});

test('responses that are still to be erased are not shown', async () => {
  const { store, kept, query, url } = await openWithAttempts();
  const shown = async () => {
    const [delivery] = await query(`select id from delivery where kind = 'guest-update' limit 1`);
    const { attempts = [] } = (await store.deliveries.get(String(delivery?.id))) ?? {};
    return {
      attempts: attempts.length,
      answers: attempts.filter(({ response }) => response !== undefined).length,
      warnings: attempts.filter(({ warnings }) => warnings !== undefined).length,
    };
  };
  expect(await shown()).toEqual({ attempts: 700, answers: 350, warnings: 350 });
  // A locked message delays the cancellation of the rest, and the erasure of the responses.
  const other = await openSession(url);
  await other.query('begin');
  await other.query('select from pending for update');
  await store.installations.uninstall({ bookingSystem: 'standard', pool: 'p1' });
  expect(await kept()).toEqual({ 'guest-update': all, 'guest-webhook': all });
  expect(await shown()).toEqual({ attempts: 700, answers: 0, warnings: 0 });
});
