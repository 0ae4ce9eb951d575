import { createServer, type IncomingMessage } from 'node:http';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export interface EchoingPartner {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A booking system and webhook receiver that refuses whatever it is sent by quoting it.
 * @param bookings - the Booking Details responses, by booking id
 */
export async function startEchoingPartner(
  bookings: Readonly<Record<string, unknown>>,
): Promise<EchoingPartner> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const id = /^\/bookings\/([^/?]+)(?:\?|$)/.exec(request.url ?? '')?.[1] ?? '';
    const booking = request.method === 'GET' ? bookings[id] : undefined;
    response.writeHead(booking === undefined ? 422 : 200, { 'content-type': 'application/json' });
    response.end(
      booking === undefined ? `{"success":false,"message":${JSON.stringify(body)}}` : JSON.stringify(booking),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the partner does not listen');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
