import { randomUUID } from 'node:crypto';
import { PeekRefusal } from './peek-refusal.ts';

/** A webhook of the account. */
export interface PeekWebhook {
  readonly id: string;
  readonly event: string;
  readonly url: string;
}

function objectFrom(body: string): Readonly<Record<string, unknown>> {
  try {
    const sent: unknown = JSON.parse(body);
    if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return { ...sent };
  } catch {
    // Refused below.
  }
  throw new PeekRefusal('BAD_REQUEST', 'the body is no JSON object');
}

/** The account's webhooks. Duplicates are accepted: Peek does not document that it refuses them. */
export class PeekWebhooks {
  readonly all: PeekWebhook[] = [];

  carryOut(method: string, id: string | undefined, body: string): unknown {
    if (method === 'GET' && id === undefined) return this.all;
    if (method === 'POST' && id === undefined) return this.#create(objectFrom(body));
    const index = this.all.findIndex((hook) => hook.id === id);
    if (method !== 'DELETE' || index < 0) throw new PeekRefusal('BAD_REQUEST', 'there is no such webhook');
    return this.all.splice(index, 1)[0];
  }

  #create({ event, url }: Readonly<Record<string, unknown>>): PeekWebhook {
    if (event !== 'booking_update') throw new PeekRefusal('BAD_REQUEST', 'there is no such event');
    if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new PeekRefusal('BAD_REQUEST', 'the url is not fully formed');
    const hook = { id: `octohook_${randomUUID()}`, event, url };
    this.all.push(hook);
    return hook;
  }
}
