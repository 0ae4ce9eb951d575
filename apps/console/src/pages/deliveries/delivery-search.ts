import { deliveryKinds, deliveryStates, errorCodes } from '../../api/choices.ts';
import { periods } from '../../api/periods.ts';
import { oneOf, searchOf, textIn } from '../../shell/search-params.ts';

/** An HTTP status; undefined for anything else. */
export function statusIn(value: unknown): number | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}

export const readDeliverySearch = searchOf({
  pool: textIn,
  state: (value) => oneOf(deliveryStates, value),
  kind: (value) => oneOf(deliveryKinds, value),
  destination: textIn,
  waiverId: textIn,
  errorCode: (value) => oneOf(errorCodes, value),
  status: statusIn,
  period: (value) => oneOf(periods, value),
});
