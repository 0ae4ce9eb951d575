import { once } from 'node:events';
import { connect } from 'node:net';

/** The response to bytes written to a connection. */
export interface RawAnswer {
  /** `undefined` where the connection was closed without an answer. */
  readonly status: number | undefined;
  readonly head: string;
  readonly body: string;
}

const withinMs = 60_000;

/**
 * Writes bytes to a server as they are, and reads until the connection ends. With `halfClose` the writing side is
 * closed after them, as by a caller who breaks off.
 * @throws where it has not ended in a minute
 */
export async function rawCall(
  url: string,
  bytes: string | Buffer,
  { halfClose = false }: { halfClose?: boolean } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  // A server may reset the connection of who sends garbage.
  socket.on('error', () => {});
  const ended = Promise.race([once(socket, 'end'), once(socket, 'close')]);
  if (halfClose) socket.end(bytes);
  else socket.write(bytes);
  const timer = setTimeout(() => socket.destroy(new Error('late')), withinMs);
  const started = performance.now();
  await ended.catch(() => {});
  clearTimeout(timer);
  socket.destroy();
  const text = Buffer.concat(parts).toString('latin1');
  if (performance.now() - started >= withinMs) {
    throw new Error(`the connection did not end in ${withinMs} ms; it brought: ${text.slice(0, 200)}`);
  }
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
  const body = rest.join('\r\n\r\n');
  return {
    status: status === undefined ? undefined : Number(status),
    head,
    body: /^transfer-encoding: chunked/im.test(head) ? unchunked(body) : body,
  };
}

function unchunked(text: string): string {
  const [line = ''] = text.split('\r\n', 1);
  const length = Number.parseInt(line, 16);
  if (!(length > 0)) return '';
  const start = line.length + 2;
  return text.slice(start, start + length) + unchunked(text.slice(start + length + 2));
}
