import { until } from './test-host.ts';

/** One event, with its data. */
export interface StreamedEvent {
  readonly event: string;
  readonly data: { readonly pool?: string };
}

/** A reader of `GET /v1/admin/events`. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Every event so far. */
  readonly events: readonly StreamedEvent[];
  /** Resolves when the host has ended the stream. */
  readonly ended: Promise<void>;
  /** How often a pool was told of. */
  changesOf(pool: string): number;
  close(): Promise<void>;
}

function eventOf(text: string): StreamedEvent | undefined {
  const [, event] = /^event: (.+)$/m.exec(text) ?? [];
  const [, data = '{}'] = /^data: (.+)$/m.exec(text) ?? [];
  return event === undefined ? undefined : { event, data: JSON.parse(data) };
}

/** Opens a stream and reads whatever comes. */
export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<EventReader> {
  const closing = new AbortController();
  const response = await fetch(`${url}/v1/admin/events${query}`, { headers, signal: closing.signal });
  const events: StreamedEvent[] = [];
  async function readAll(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      events.push(...parts.flatMap((one) => eventOf(one) ?? []));
    }
  }
  const ended = readAll().catch(() => {});
  if (response.status === 200) await until(() => events.length > 0, 'the first event');
  return {
    status: response.status,
    headers: response.headers,
    events,
    ended,
    changesOf: (pool) => events.filter(({ data }) => data.pool === pool).length,
    async close() {
      closing.abort();
      await ended;
    },
  };
}
