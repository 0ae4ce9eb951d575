import type { CallOptions, ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerRequest } from '../kit/partner.ts';
import { writes } from '../manifest-predicates.ts';

const failure = { status: 500, body: { success: false } };

/** The first request of a call, to which the response is a failure. */
async function requestOf(
  kit: ClauseKit,
  method: string,
  call: () => Promise<unknown>,
): Promise<PartnerRequest> {
  const before = kit.partner.requests.length;
  kit.partner.willAnswer(method, failure);
  await call().catch(() => undefined);
  const [request] = kit.partner.requests.slice(before);
  if (!request) throw new Error(`no ${method} was made`);
  return request;
}

/** The first request of a read and, if the plugin writes, of a Guest Update, for one booking id. */
export async function firstRequests(
  kit: ClauseKit,
  bookingId: string,
  options?: CallOptions,
): Promise<readonly PartnerRequest[]> {
  const read = await requestOf(kit, kit.readMethod, () => kit.read(bookingId, options));
  if (!writes(kit.plugin)) return [read];
  const waiver = { ...kit.waiver, bookingId };
  return [read, await requestOf(kit, kit.writeMethod, () => kit.push(waiver, options))];
}
