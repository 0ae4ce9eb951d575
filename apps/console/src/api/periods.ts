/** How far back a list reaches. */
export const periods = ['1h', '24h', '7d', '30d'] as const;
export type Period = (typeof periods)[number];

/** A list's filter, with a period that ends whenever the list is read in place of fixed times. */
export type WithPeriod<Filter> = Omit<Filter, 'since' | 'until'> & { readonly period?: Period | undefined };

const hourMs = 3_600_000;
const lengthMs: Readonly<Record<Period, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
};

/** The start of a period that ends now. */
export const sinceOf = (period: Period | undefined, now: number = Date.now()): string | undefined =>
  period === undefined ? undefined : new Date(now - lengthMs[period]).toISOString();
