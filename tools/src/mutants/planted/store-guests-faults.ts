import type { PlantedFault } from './planted-fault.ts';

const erasures = 'packages/store/src/guests/erasures.ts';
const erasing = 'packages/store/src/guests/erasure-job.ts';
const bookings = 'packages/store/src/guests/erase-bookings.ts';
const finding = 'packages/store/src/guests/find-guest.ts';
const waivers = 'packages/store/src/retention/prune-waivers.ts';
const deliveries = 'packages/store/src/retention/prune-deliveries.ts';

/** Slips around erasures, holds and retention. */
export const storeGuestsFaults: readonly PlantedFault[] = [
  {
    title: 'an erasure takes records with a hold, too',
    file: erasures,
    find: 'const free = found.filter(({ isHeld }) => !isHeld).map(({ id }) => id);',
    replace: 'const free = found.map(({ id }) => id);',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'a repeated request begins another erasure',
    file: erasures,
    find: 'free.length === 0 ? await repeatedErasure(transaction, pool, guest) : undefined;',
    replace: 'undefined;',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'the tombstones of other pools are listed',
    file: erasures,
    find: 'from erasure e join waiver w on w.erasure = e.id where e.pool = ${pool} and ${after}',
    replace: 'from erasure e join waiver w on w.erasure = e.id where e.pool <> ${pool} and ${after}',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'stored bookings stay where the guest has not signed',
    file: erasures,
    find: "if ('email' in guest) await eraseBookingsNaming(transaction, pool, [guest.email]);",
    replace: '',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'the bookings of erased records stay',
    file: erasing,
    find: `  await eraseBookings(
    transaction,
    formers.flatMap((former) => bookingOf(former) ?? []),
  );
`,
    replace: '',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'the versions of an erased record stay',
    file: erasing,
    find: 'delete from waiver_version where pool = ${pool} and waiver_id = any (${[...changed]}::text[])',
    replace: 'delete from waiver_version where false',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'the hash of the answers stays',
    file: erasing,
    find: "set erased_at = updated_at, content_hash = ''",
    replace: 'set erased_at = updated_at',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'messages that are in doubt keep their answers',
    file: erasing,
    find: 'if (next && (await withdrawAnswers(transaction, former, next))) withdrawn.push(former.id);',
    replace: 'if (next === undefined) withdrawn.push(former.id);',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'a dead letter that takes a record back is removed at once',
    file: erasing,
    find: '  const isOver = erasure.isLate\n    ? sql`true`',
    replace: '  const isOver = !erasure.isLate\n    ? sql`true`',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'nothing is cancelled after seven days',
    file: erasing,
    find: 'if (erasure.isLate && (await cancelMessages(transaction, waiting)))',
    replace: 'if (erasure.isLate && (await cancelMessages(transaction, sql`${waiting} and false`)))',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'an erasure ends before its messages are gone',
    file: erasing,
    find: 'where id = ${erasure.id} and not exists (select from ${deliveriesOf(erasure)})',
    replace: 'where id = ${erasure.id}',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'an erasure that fails has the next turn, too',
    file: erasing,
    find: 'if (erasure !== undefined) await lookAgain(database, erasure).catch(() => {});',
    replace: '',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'a dead letter is sent again at every look',
    file: erasing,
    find: "select from attempt a where a.delivery = d.id and a.at > now() - interval '1 day')",
    replace: 'select from attempt a where false)',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'addresses in stored bookings are compared with their case',
    file: bookings,
    find: 'position(lower(t.email) in lower(b.fetched)) > 0',
    replace: 'position(t.email in b.fetched) > 0',
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'the addresses of records are compared as they were written',
    file: finding,
    find: '      and normalized_email(w.answers) = ${guest.email}`',
    replace: "      and w.answers::json ->> 'email' = ${guest.email}`",
    noticedBy: ['guests/erasures'],
  },
  {
    title: 'retention takes records with a hold, too',
    file: waivers,
    find: '  w.hold_reason is null and w.erasure is null\n',
    replace: '  w.erasure is null\n',
    noticedBy: ['retention/prune-waivers'],
  },
  {
    title: 'a record goes although its message waits',
    file: waivers,
    find: 'and ${isOfDays(daysOf(pool))} and not ${hasWaiting}',
    replace: 'and ${isOfDays(daysOf(pool))}',
    noticedBy: ['retention/prune-waivers'],
  },
  {
    title: 'the id of a removed waiver stays taken',
    file: waivers,
    find: 'freed as (delete from waiver_id i using gone g where i.id = g.id)',
    replace: 'freed as (delete from waiver_id i using gone g where false)',
    noticedBy: ['retention/prune-waivers'],
  },
  {
    title: 'a message that waits for more than a month keeps its record',
    file: waivers,
    find: 'if (await cancelOverdue(database, pool)) waitMs = afterCancelMs;',
    replace: '',
    noticedBy: ['retention/prune-waivers'],
  },
  {
    title: 'a pool that fails is tried for ever',
    file: waivers,
    find: '    // One that fails has its next turn in the next round, and keeps no other pool waiting.\n    current = undefined;',
    replace: '    current = pool;',
    noticedBy: ['retention/prune-waivers'],
  },
  {
    title: 'dead letters go with the others',
    file: deliveries,
    find: "  const isOld = sql`case when e.state = 'dead'",
    replace: "  const isOld = sql`case when e.state = 'never'",
    noticedBy: ['retention/prune-deliveries'],
  },
  {
    title: 'a newer version goes before the dead letter of an older one',
    file: deliveries,
    find: 'sql<boolean>`${isOld} and not ${isHeld} and not ${hasOlderDead} and not ${isListedAlert}`',
    replace: 'sql<boolean>`${isOld} and not ${isHeld} and not ${isListedAlert}`',
    noticedBy: ['retention/prune-deliveries'],
  },
  {
    title: 'what was sent of a record with a hold goes',
    file: deliveries,
    find: 'sql<boolean>`${isOld} and not ${isHeld} and not ${hasOlderDead} and not ${isListedAlert}`',
    replace: 'sql<boolean>`${isOld} and not ${hasOlderDead} and not ${isListedAlert}`',
    noticedBy: ['retention/prune-deliveries'],
  },
];
