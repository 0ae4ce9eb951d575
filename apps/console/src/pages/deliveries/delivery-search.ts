import { type DeliveryFilter, deliveryKinds, deliveryStates, errorCodes } from '../../api/resources.ts';
import { oneOf, textIn } from '../../shell/search-params.ts';

/** How far back a list reaches. */
export const periods = ['1h', '24h', '7d', '30d'] as const;
export type Period = (typeof periods)[number];

const hourMs = 3_600_000;
const lengthMs: Readonly<Record<Period, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
};

const minuteMs = 60_000;

/** The start of a period that ends now, rounded to the minute to keep query keys stable. */
export function sinceOf(period: Period | undefined, now: number = Date.now()): string | undefined {
  if (period === undefined) return undefined;
  return new Date(Math.floor((now - lengthMs[period]) / minuteMs) * minuteMs).toISOString();
}

export interface DeliverySearch extends Omit<DeliveryFilter, 'since' | 'until'> {
  readonly period?: Period | undefined;
}

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
