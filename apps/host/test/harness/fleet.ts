import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@waiver-service/testing';
import { type Program, startProgram } from './program.ts';

/** Hosts on one database, of which some go and others come. */
export interface Fleet {
  /** Those that live. */
  readonly hosts: readonly Program[];
  join(): Promise<Program>;
  /** Calls it no more; what becomes of it is the caller's. */
  leave(host: Program): void;
  /** A call to some host, and to another one where the connection breaks. It has to succeed; returns the body. */
  done: Program['done'];
  /** Every item of a list of some host, page by page. */
  all(path: string): Promise<{ readonly id: string; readonly destination: string }[]>;
}

/** A fleet without a host. */
export function createFleet(variables: Readonly<Record<string, string>>): Fleet {
  const hosts: Program[] = [];
  let turn = 0;
  const fleet: Fleet = {
    hosts,
    async join() {
      const host = await startProgram(variables);
      hosts.push(host);
      return host;
    },
    leave: (host) => void hosts.splice(hosts.indexOf(host), 1),
    async done(method, path, body) {
      for (;;) {
        turn += 1;
        const host = hosts[turn % hosts.length];
        const answer = await host?.call(method, path, body).catch(() => undefined);
        if (answer === undefined) await delay(10);
        else if (answer.status < 300) return answer.body;
        else throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      }
    },
    async all(path) {
      const page = await fleet.done('GET', `${path}limit=100`);
      let { items, next } = page;
      while (typeof next === 'string') {
        const more = await fleet.done('GET', `${path}limit=100&cursor=${encodeURIComponent(next)}`);
        items = [...items, ...more.items];
        next = more.next;
      }
      return items;
    },
  };
  return fleet;
}

/** Calls the hosts of a fleet in turn, as the waiver app of a pool. */
export function callInTurn({ hosts }: Pick<Fleet, 'hosts'>, token: string) {
  return async (method: string, path: string, body: unknown, turn: number): Promise<Answer> => {
    const host = hosts[turn % hosts.length];
    if (host === undefined) throw new Error('the fleet has no host');
    return host.call(method, path, body, { token });
  };
}
