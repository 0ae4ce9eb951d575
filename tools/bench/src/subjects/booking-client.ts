import { Agent, request } from 'undici';

/** A pool and its access token. */
export interface OpenedPool {
  readonly id: string;
  readonly token: string;
}

/** The waiver apps of some pools, which read bookings. */
export interface BookingClient {
  /** Reads the booking with this index, which also selects the pool: `GET /v1/pools/{pool}/bookings/{id}`. */
  read(index: number): Promise<void>;
  close(): Promise<void>;
}

const idleAtMostMs = 4_000;

/** Opens persistent connections to a host. */
export function openBookingClient(hostUrl: string, pools: readonly OpenedPool[]): BookingClient {
  // Connections idle while the other side of the row runs: do not reuse one that the server may be closing.
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
