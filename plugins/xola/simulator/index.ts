import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';

/** An item of an order; additional fields are served unchanged. */
interface XolaItem {
  readonly id: string;
  readonly name: string;
  readonly experience: { readonly id: string };
  readonly arrival?: string;
  readonly arrivalDatetime?: string | null;
  readonly quantity: number;
  readonly status: number;
  readonly guests: readonly { readonly id: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

/** An order as Xola serves it; additional fields are served unchanged. */
interface XolaOrder {
  readonly id: string;
  readonly customerName: string;
  readonly customerEmail?: string;
  readonly phone?: string;
  readonly seller: { readonly id: string };
  readonly items: readonly XolaItem[];
  readonly [field: string]: unknown;
}

/** An order of two activities, each for two people. */
export const xolaOrder: XolaOrder = {
  id: '6440f1a2b3c4d5e6f7a8b9c0',
  customerName: 'Siobhán Ní Dhúill',
  customerEmail: 'siobhan@example.com',
  phone: '+353 1 555 0100',
  seller: { id: '6440f1a2b3c4d5e6f7a80001' },
  notes: [{ text: 'Arrives by bus' }],
  waivers: [],
  items: [
    {
      id: '6440f1a2b3c4d5e6f7a8b9d1',
      name: 'Sea kayaking',
      experience: { id: '6440f1a2b3c4d5e6f7a8b9e1' },
      event: { id: '6440f1a2b3c4d5e6f7a8b9f1' },
      arrival: '2027-06-12',
      arrivalDatetime: '2027-06-12T09:30:00+01:00',
      arrivalTime: 930,
      quantity: 2,
      status: 200,
      guests: [
        { id: '6440f1a2b3c4d5e6f7a8b9a1', ticketCode: 'K1', guestStatus: 'pending' },
        { id: '6440f1a2b3c4d5e6f7a8b9a2', ticketCode: 'K2', guestStatus: 'pending' },
      ],
    },
    {
      id: '6440f1a2b3c4d5e6f7a8b9d2',
      name: 'Coasteering',
      experience: { id: '6440f1a2b3c4d5e6f7a8b9e2' },
      arrival: '2027-06-12',
      arrivalDatetime: '2027-06-12T14:00:00+01:00',
      arrivalTime: 1400,
      quantity: 2,
      status: 201,
      guests: [],
    },
  ],
};

/** The route for which faults can be planned: reading an order. */
export type XolaRoute = 'read';

export interface XolaOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly apiKey: string;
  /** The version for requests without one: the day on which the seller's account was created. */
  readonly sellerVersion?: string;
  /** Default: {@link xolaOrder}. */
  readonly orders?: Iterable<XolaOrder>;
}

/** Xola's API over real HTTP; `url` includes the base path. */
export interface SimulatedXola extends RecordingServer<XolaRoute> {
  /** By id. */
  readonly orders: ReadonlyMap<string, XolaOrder>;
  /** Adds an order, or replaces the one with the same id. */
  put(order: XolaOrder): void;
  /** Sends Xola's webhook about an event, such as `order.update`. Returns the status of the response. */
  announce(webhookUrl: string, eventName: string, data: unknown): Promise<number>;
}

const orderPath = /^\/api\/orders\/([^/?]+)$/;
const refuse = (status: number, message: string): SimulatedAnswer => ({
  status,
  body: { code: status, message },
});

const firstVersionWithItems = '2017-09-28';

// Before orders had items, they showed a single experience, whatever else was booked.
function withoutItems({ items: [item], ...order }: XolaOrder): object {
  const { experience, arrival, quantity, status, guests } = item ?? {};
  return { ...order, experience, arrival, quantity, status, guests };
}

/** Starts Xola's API on 127.0.0.1. */
export async function startXola({
  port,
  apiKey,
  sellerVersion = '2016-03-01',
  orders: initialOrders = [xolaOrder],
}: XolaOptions): Promise<SimulatedXola> {
  const orders = new Map([...initialOrders].map((order) => [order.id, order]));
  function answer({ headers, path, method }: ReceivedRequest<XolaRoute>): SimulatedAnswer {
    if (headers['x-api-key'] !== apiKey) return refuse(401, 'the API key is not valid');
    const version = String(headers['x-api-version'] ?? sellerVersion);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(version)) return refuse(400, 'there is no such version');
    const id = method === 'GET' ? orderPath.exec(path)?.[1] : undefined;
    const order = id === undefined ? undefined : orders.get(decodeURIComponent(id));
    if (order === undefined) return refuse(404, 'not found');
    return { status: 200, body: version < firstVersionWithItems ? withoutItems(order) : order };
  }
  const server = await startRecordingServer<XolaRoute>({
    port,
    routeOf: (method, path) => (method === 'GET' && orderPath.test(path) ? 'read' : 'other'),
    answer,
  });
  return {
    ...server,
    url: `${server.url}/api`,
    orders,
    put: (order) => void orders.set(order.id, order),
    async announce(webhookUrl, eventName, data) {
      const body = JSON.stringify({ eventName, data });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status;
    },
  };
}
