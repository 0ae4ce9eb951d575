import { randomUUID } from 'node:crypto';
import type { ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import { readObject, refuse } from './bookeo-booking.ts';

/** A webhook of the account's API key. */
export interface BookeoWebhook {
  readonly id: string;
  readonly url: string;
  readonly domain: string;
  readonly type: string;
  /** Set once Bookeo has stopped calling it. */
  readonly blockedTime?: string;
  readonly blockedReason?: string;
}

const domains = ['bookings', 'seatblocks', 'resourceblocks', 'customers', 'payments'];
const types = ['created', 'updated', 'deleted'];

const webhookPath = /^\/webhooks(?:\/([^/]+))?$/;

export const isWebhookPath = (path: string): boolean => webhookPath.test(path);

// Tests listen on localhost, without TLS.
const isCallable = (url: unknown): url is string =>
  typeof url === 'string' && /^(?:https:\/\/|http:\/\/127\.0\.0\.1[:/])/.test(url) && URL.canParse(url);

/** The webhooks of one API key: at most one for each domain and type. */
export class BookeoWebhooks {
  readonly all: BookeoWebhook[] = [];

  /** Stops calling a webhook, as Bookeo does after too many failures. */
  block(id: string): void {
    const index = this.all.findIndex((hook) => hook.id === id);
    const hook = this.all[index];
    if (hook === undefined) throw new Error(`there is no webhook ${id}`);
    const blockedTime = new Date().toISOString();
    this.all[index] = { ...hook, blockedTime, blockedReason: 'too many consecutive failures' };
  }

  answer({ method, path, body }: ReceivedRequest<string>): SimulatedAnswer {
    const id = webhookPath.exec(path.split('?')[0] ?? '')?.[1];
    if (id !== undefined) return this.#answerForOne(method, decodeURIComponent(id));
    if (method === 'GET') {
      const info = { totalItems: this.all.length, totalPages: 1, currentPage: 1 };
      return { status: 200, body: { data: [...this.all], info } };
    }
    return method === 'POST' ? this.#create(readObject(body)) : refuse(405, 'no such method');
  }

  #answerForOne(method: string, id: string): SimulatedAnswer {
    const index = this.all.findIndex((hook) => hook.id === id);
    if (index < 0) return refuse(404, 'there is no such webhook');
    if (method === 'GET') return { status: 200, body: this.all[index] };
    if (method !== 'DELETE') return refuse(405, 'no such method');
    this.all.splice(index, 1);
    return { status: 200, body: {} };
  }

  #create(sent: ReturnType<typeof readObject>): SimulatedAnswer {
    const { url, domain, type, ...others } = sent ?? {};
    if (!isCallable(url)) return refuse(400, 'the url must be https');
    if (typeof domain !== 'string' || !domains.includes(domain)) return refuse(400, 'no such domain');
    if (typeof type !== 'string' || !types.includes(type)) return refuse(400, 'no such type');
    if (Object.keys(others).length > 0) return refuse(400, `unknown fields: ${Object.keys(others)}`);
    const replaced = this.all.findIndex((hook) => hook.domain === domain && hook.type === type);
    if (replaced >= 0) this.all.splice(replaced, 1);
    const hook = { id: randomUUID(), url, domain, type };
    this.all.push(hook);
    return { status: 201, headers: { Location: `/v2/webhooks/${hook.id}` }, body: hook };
  }
}
