import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { Agent } from 'undici';
import { runInFlight } from '../in-flight.ts';
import type { Message } from './message.ts';
import { inFlight, post } from './undici-loop.ts';

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
export interface DurableFloor {
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
