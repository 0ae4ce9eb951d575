import { errorTexts } from '../text/english/deliveries.ts';
import { texts } from '../text/english.ts';
import type {
  AlertEvent,
  DeliveryKind,
  DeliveryState,
  ErrorCode,
  OverviewWindow,
  Role,
  TokenScope,
  WaiverState,
} from './resources.ts';

// The API's values are types here: each value has a text, or this does not compile, and the texts list the values.
const namesOf = <Name extends string>(named: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(named).filter((name): name is Name => name in named);

export const alertEvents = namesOf<AlertEvent>(texts.alertEvents);
export const deliveryKinds = namesOf<DeliveryKind>(texts.deliveryKinds);
export const deliveryStates = namesOf<DeliveryState>(texts.deliveryStates);
export const errorCodes = namesOf<ErrorCode>(errorTexts);
export const roles = namesOf<Role>(texts.roles);
export const tokenScopes = namesOf<TokenScope>(texts.accessTokens.scopes);

/** The states of records, and `erased`, for waivers of which no record is left. */
export type ListedState = WaiverState | 'erased';
export const listedStates = namesOf<ListedState>(texts.waiverStates);

export const overviewWindows: readonly OverviewWindow[] = ['1h', '24h', '7d'];
