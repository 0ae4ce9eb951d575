import { consoleHeader, endSession } from '../api/client.ts';

/** One server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Whether the host refuses more streams for now; then there is no use in asking again soon. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
}

// The host sends something every 15 seconds: after this long, the connection is lost.
const silentMs = 40_000;

function eventOf(text: string): StreamEvent | undefined {
  const lines = text.split('\n');
  const valueAt = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const event = valueAt('event');
  return event === undefined ? undefined : { event, data: JSON.parse(valueAt('data') ?? 'null') };
}

/** Splits a stream of text into events, whatever parts it comes in. */
export function createEventParser(onEvent: (event: StreamEvent) => void): (part: string) => void {
  let text = '';
  return (part) => {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) onEvent(event);
    }
  };
}

/**
 * Reads the live events until the host ends the stream or the signal aborts. An `EventSource` cannot send the header
 * without which the session counts for nothing.
 *
 * @throws StreamRefused, or whatever the connection failed by
 */
export async function readEventStream(
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const silence = new AbortController();
  const response = await fetch('/v1/admin/events', {
    headers: { ...consoleHeader, accept: 'text/event-stream' },
    signal: AbortSignal.any([signal, silence.signal]),
  });
  if (response.status === 401) endSession();
  if (!response.ok || response.body === null) {
    throw response.status === 429 || response.status === 503
      ? new StreamRefused()
      : new Error(`the stream of events was answered ${response.status}`);
  }
  const parse = createEventParser(onEvent);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silentMs);
      const { done, value } = await reader.read();
      if (done) return;
      parse(value);
    }
  } finally {
    clearTimeout(timer);
  }
}
