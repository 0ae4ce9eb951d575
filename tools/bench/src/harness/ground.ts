import { createEmptyDatabase, type TestDatabase } from '@waiver-service/store/testing';
import { type Receivers, startReceivers } from '../receivers/start-receivers.ts';
import { describeServer } from './describe-server.ts';
import { startDurablePostgres } from './durable-postgres.ts';

type Undo = () => unknown;

/** What rows stand on: one PostgreSQL and one process of receivers for all of them, a database for each that asks. */
export interface Ground {
  /** Aborts when the benchmarks are given up. */
  readonly signal: AbortSignal;
  /** A number of messages or lanes or milliseconds, made smaller where the run is only to see that it works. */
  size(usual: number): number;
  /** A fresh database without tables on the run's PostgreSQL. Removed after the row. */
  database(): Promise<TestDatabase>;
  /** The process that answers what is sent. */
  receivers(): Promise<Receivers>;
  /** Has something undone after the row, the last one first. */
  defer(undo: Undo): void;
}

/** The ground, and what ends it. */
export interface OwnedGround extends Ground {
  /** Which PostgreSQL the rows ran on, in words. */
  describePostgres(): Promise<string>;
  /** Undoes what a row deferred. */
  clear(): Promise<void>;
  /** Ends the receivers and PostgreSQL too. */
  close(): Promise<void>;
}

/** What {@link createGround} is told. */
export interface GroundOptions {
  readonly signal: AbortSignal;
  /** 1 for a measurement; less makes every size smaller. */
  readonly scale: number;
  /** A PostgreSQL that is there already; left out, one is started, with the settings that users run it with. */
  readonly serverUrl?: string;
}

const smallest = 8;

/** Makes the ground. Nothing is started before a row asks for it. */
export function createGround({ signal, scale, serverUrl }: GroundOptions): OwnedGround {
  const ofRun = new AsyncDisposableStack();
  let ofRow = new AsyncDisposableStack();
  let server: Promise<string> | undefined = serverUrl === undefined ? undefined : Promise.resolve(serverUrl);
  let receivers: Promise<Receivers> | undefined;
  async function database() {
    server ??= startDurablePostgres().then(({ url, stop }) => {
      ofRun.defer(stop);
      return url;
    });
    const made = await createEmptyDatabase(await server);
    ofRow.defer(() => made.drop());
    return made;
  }
  async function clear() {
    const done = ofRow;
    ofRow = new AsyncDisposableStack();
    await done.disposeAsync();
  }
  return {
    signal,
    database,
    size: (usual) => Math.max(Math.min(usual, smallest), Math.round(usual * scale)),
    async receivers() {
      receivers ??= startReceivers().then((started) => {
        ofRun.defer(() => started.close());
        return started;
      });
      return receivers;
    },
    defer: (undo) =>
      ofRow.defer(async () => {
        await undo();
      }),
    async describePostgres() {
      if (server === undefined) return 'no row needed PostgreSQL';
      return describeServer(await server);
    },
    clear,
    async close() {
      await clear().finally(() => ofRun.disposeAsync());
    },
  };
}
