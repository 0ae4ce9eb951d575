import { errorTexts, texts } from '../text/english.ts';
import type {
  AlertEvent,
  DeliveryKind,
  DeliveryState,
  ErrorCode,
  OverviewWindow,
  Role,
  WaiverState,
} from './resources.ts';
import { serviceNow } from './service-time.ts';

// The API's values are types here: each value has a text, or this does not compile, and the texts list the values.
export const namesOf = <Name extends string>(named: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(named).filter((name): name is Name => name in named);

export const alertEvents = namesOf<AlertEvent>(texts.alertEvents);
export const deliveryKinds = namesOf<DeliveryKind>(texts.deliveryKinds);
export const deliveryStates = namesOf<DeliveryState>(texts.deliveryStates);
export const errorCodes = namesOf<ErrorCode>(errorTexts);
export const roles = namesOf<Role>(texts.roles);

/** The states of records, and `erased`, for waivers of which no record is left. */
export type ListedState = WaiverState | 'erased';
export const listedStates = namesOf<ListedState>(texts.waiverStates);

export const overviewWindows: readonly OverviewWindow[] = ['1h', '24h', '7d'];

/** Which guests of a day are shown, if not all. */
export const shownGuests = ['missing', 'not-arrived', 'flags'] as const;
export type ShownGuests = (typeof shownGuests)[number];

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
export const sinceOf = (
  period: Period | undefined,
  now: number = serviceNow().getTime(),
): string | undefined => (period === undefined ? undefined : new Date(now - lengthMs[period]).toISOString());
