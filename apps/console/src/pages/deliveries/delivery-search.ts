import { deliveryKinds, deliveryStates, errorCodes } from '../../api/choices.ts';
import { periods, type WithPeriod } from '../../api/periods.ts';
import type { DeliveryFilter } from '../../api/resources.ts';
import { oneOf, textIn } from '../../shell/search-params.ts';

export type DeliverySearch = WithPeriod<DeliveryFilter>;

/** An HTTP status; undefined for anything else. */
export function statusIn(value: unknown): number | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}

/** Parses the URL's parameters, ignoring invalid ones. */
export const readDeliverySearch = (search: Readonly<Record<string, unknown>>): DeliverySearch => ({
  pool: textIn(search.pool),
  state: oneOf(deliveryStates, search.state),
  kind: oneOf(deliveryKinds, search.kind),
  destination: textIn(search.destination),
  waiverId: textIn(search.waiverId),
  errorCode: oneOf(errorCodes, search.errorCode),
  status: statusIn(search.status),
  period: oneOf(periods, search.period),
});
