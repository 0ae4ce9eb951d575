import {
  type BookingSystemContext,
  type BookingSystemManifest,
  type BookingSystemResponse,
  type ContractChoices,
  isBodyRejected,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
} from '@waiver-service/core';
import { raiseForFailure } from '../answers/raise-for-status.ts';
import { isJsonObject, quoted } from '../reading/json.ts';
import { guestUpdatePath } from './guest-update-path.ts';

type PluginInfo = Pick<BookingSystemManifest, 'displayName'> & Pick<ContractChoices, 'guestId'>;

function notAccepted(
  plugin: PluginInfo,
  response: BookingSystemResponse,
  { secrets }: BookingSystemContext,
): WaiverRejected {
  const { data, status } = response;
  const reason = isJsonObject(data) && typeof data.message === 'string' ? data.message : undefined;
  const reply = reason === undefined ? 'without saying why' : `saying ${quoted(secrets.redact(reason))}`;
  return new WaiverRejected(`${plugin.displayName} did not take the waiver, ${reply}`, {
    retry: 'schedule',
    upstreamStatus: status,
    outboundErrorCode: 'not_accepted',
  });
}

function rejected(plugin: PluginInfo, status: number): WaiverRejected {
  const details = { upstreamStatus: status, outboundErrorCode: 'http_status' as const };
  return status === 410
    ? new WaiverRejected(`${plugin.displayName} will not take this waiver any more (status 410)`, {
        ...details,
        retry: 'never',
      })
    : new WaiverRejected(`${plugin.displayName} refused the waiver as it is (status ${status})`, {
        ...details,
        retry: 'three-attempts',
      });
}

/** Writes one waiver to a system that follows the contract, by Guest Update (4.2). */
export async function pushContractWaiver(
  plugin: PluginInfo,
  context: BookingSystemContext,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const { bookingId, bookingGuestId } = waiver;
  const response = await context.http.post(guestUpdatePath(plugin, waiver), JSON.stringify({ waiver }), {
    params: { bookingId, bookingGuestId },
  });
  const { status, data } = response;
  if (status === 410 || isBodyRejected(status)) throw rejected(plugin, status);
  if (status < 200 || status >= 300) raiseForFailure(response, plugin.displayName);
  if (isJsonObject(data) && data.success === false) throw notAccepted(plugin, response, context);
  return { accepted: true, warnings: [] };
}
