import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { Agent, type Dispatcher, request } from 'undici';
import { runInFlight } from '../harness/measuring.ts';

/** A message to send, without the waiver that it came from. */
export interface Message {
  readonly url: string;
  readonly body: string;
}

/** The headers of every message that the baselines send: the same as a guest webhook's (contract 4.3). */
export const messageHeaders = { 'cache-control': 'no-cache', 'content-type': 'application/json' };

const at = (index: number) => new Date(1_780_000_000_000 + index).toISOString();

/** Messages of the form and size of a guest webhook's, spread over the receivers in turn. */
export function guestMessages(origins: readonly string[], count: number): Message[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `${origins[index % origins.length]}/webhook`,
    body: JSON.stringify({
      guest: {
        id: `waiver-${index}`,
        pool: 'bench',
        activities: ['activity-1'],
        createdAt: at(index),
        updatedAt: at(index),
        lastVisit: at(index),
        deleted: false,
        feedback: '',
        currentPage: null,
        reservationsID: `booking-${index}`,
        reservationsService: 'standard',
      },
    }),
  }));
}

/** Messages of the form and size of one booking system's Guest Updates (contract 4.2), all to one address. */
export function guestUpdateMessages(origins: readonly string[], count: number): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const bookingId = `booking-${index}`;
    const bookingGuestId = `guest-${index}`;
    return {
      url: `${origins[0]}/bookings/${bookingId}/guests/${bookingGuestId}?bookingId=${bookingId}&bookingGuestId=${bookingGuestId}`,
      body: JSON.stringify({
        waiver: {
          id: `waiver-${index}`,
          pool: 'bench',
          bookingId,
          bookingGuestId,
          lastVisit: at(index),
          deleted: false,
          updatedAt: at(index),
        },
      }),
    };
  });
}

/** Messages in flight: the service's own `DELIVERY_CONCURRENCY`. */
export const inFlight = 64;

/** Posts one message. Rejects unless the answer is 200. */
async function post(dispatcher: Dispatcher, { url, body: sent }: Message): Promise<void> {
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: messageHeaders,
    body: sent,
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`a receiver answered ${statusCode}`);
}

/** Sends as fast as undici can, without storing or retrying anything. The upper limit for every sender. */
export const sendAll = (dispatcher: Dispatcher, messages: readonly Message[]): Promise<void> =>
  runInFlight(messages.length, inFlight, async (index) => {
    const message = messages[index];
    if (message !== undefined) await post(dispatcher, message);
  });

const insertedAtOnce = 1000;
const readAtOnce = 250;
const gatherMs = 10;

const tables = `
  create table pending (seq bigint generated always as identity primary key, url text not null, body text not null);
  create table attempt (seq bigint not null, at timestamptz not null, status smallint not null);`;

const fill = `insert into pending (url, body) select * from unnest($1::text[], $2::text[])`;

const readForward = {
  name: 'read forward',
  text: `select seq, url, body from pending where seq > $1 order by seq limit ${readAtOnce}`,
};

const record = {
  name: 'record',
  text: `with gone as (delete from pending where seq = any ($1::bigint[]) returning seq)
    insert into attempt (seq, at, status) select seq, now(), 200 from gone`,
};

interface Waiting extends Message {
  readonly seq: string;
}

/** Sends what is stored, and records each result. */
interface DurableFloor {
  /** Stores messages, as a backlog. */
  fill(messages: readonly Message[]): Promise<void>;
  /** Sends the backlog; resolves when its last result is recorded. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The least that loses nothing if it is killed: one table, read forward in ranges, and one statement for each batch of
 * results. It keeps no order, retries nothing, and cannot share its table with a second sender. The upper limit for an
 * outbox.
 */
export async function openDurableFloor(databaseUrl: string): Promise<DurableFloor> {
  const [reader, writer] = [
    new Client({ connectionString: databaseUrl }),
    new Client({ connectionString: databaseUrl }),
  ];
  await Promise.all([reader.connect(), writer.connect()]);
  await writer.query(tables);
  const dispatcher = new Agent();
  let left = 0;
  return {
    async fill(messages) {
      for (let from = 0; from < messages.length; from += insertedAtOnce) {
        const batch = messages.slice(from, from + insertedAtOnce);
        await writer.query(fill, [batch.map(({ url }) => url), batch.map(({ body }) => body)]);
      }
      left += messages.length;
    },
    async drain() {
      const sent: string[] = [];
      let range: readonly Waiting[] = [];
      let place = 0;
      const readAfter = async (seq: string) =>
        (await reader.query<Waiting>({ ...readForward, values: [seq] })).rows;
      let next = readAfter('0');
      async function take(): Promise<Waiting | undefined> {
        while (place >= range.length) {
          const reading = next;
          const read = await reading;
          // Another lane has gone on to this range meanwhile.
          if (next !== reading) continue;
          range = read;
          place = 0;
          const last = read.at(-1);
          if (last === undefined) return undefined;
          next = readAfter(last.seq);
        }
        place += 1;
        return range[place - 1];
      }
      const sending = runInFlight(left, inFlight, async () => {
        const message = await take();
        if (message === undefined) return;
        await post(dispatcher, message);
        sent.push(message.seq);
      });
      async function recording() {
        while (left > 0) {
          if (sent.length === 0) await Promise.race([wait(gatherMs), sending]);
          const batch = sent.splice(0, readAtOnce);
          if (batch.length > 0) await writer.query({ ...record, values: [batch] });
          left -= batch.length;
        }
      }
      await Promise.all([sending, recording()]);
    },
    async close() {
      await Promise.all([reader.end(), writer.end(), dispatcher.close()]);
    },
  };
}
