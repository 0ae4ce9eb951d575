import { Agent, request } from 'undici';

/** A pool, and what opens it. */
export interface OpenedPool {
  readonly id: string;
  readonly token: string;
}

/** The waiver apps of some pools, which read bookings. */
export interface BookingClient {
  /** Reads the booking with this index, of a pool that follows from it: `GET /v1/pools/{pool}/bookings/{id}`. */
  read(index: number): Promise<void>;
  close(): Promise<void>;
}

const idleAtMostMs = 4_000;

/** Opens connections to a host, kept. */
export function openBookingClient(hostUrl: string, pools: readonly OpenedPool[]): BookingClient {
  // While the other side of the row runs, connections are idle: none is used again that the server may be closing.
  const dispatcher = new Agent({ keepAliveMaxTimeout: idleAtMostMs });
  const calls = pools.map(({ id, token }) => ({
    url: `${hostUrl}/v1/pools/${id}/bookings`,
    headers: { authorization: `Bearer ${token}` },
  }));
  return {
    async read(index) {
      const { url, headers } = calls[index % calls.length] ?? {};
      const { statusCode, body } = await request(`${url}/booking-${index}`, { dispatcher, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`a read was answered with ${statusCode}`);
    },
    close: () => dispatcher.close(),
  };
}
