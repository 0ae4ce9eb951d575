import type { components, operations } from './schema.d.ts';

// The values of the API's enumerations come from its document: one that is new there reaches every list here.
export {
  alertEventValues as alertEvents,
  deliveryKindValues as deliveryKinds,
  deliveryStateValues as deliveryStates,
  pathsV1AdminDeliveriesGetParametersQueryErrorCodeValues as errorCodes,
  pathsV1AdminDestinationsHealthGetParametersQueryWindowValues as healthWindows,
  pathsV1AdminOverviewGetParametersQueryWindowValues as overviewWindows,
  pathsV1PoolsPoolWaiversGetParametersQueryStateValues as waiverStates,
  roleValues as roles,
  tokenScopeValues as tokenScopes,
} from './enumerations.ts';

type Schemas = components['schemas'];

type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

type Answer<Operation extends keyof operations, Status extends number = 200> = operations[Operation] extends {
  responses: { [status in Status]: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { 'application/json': infer Content } };
}
  ? Content
  : never;

export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type Attempt = Schemas['Attempt'];
export type Destination = Schemas['Destination'];
export type Pool = Schemas['Pool'];
export type WaiverRecord = Answer<'listWaivers'>['items'][number];
export type WaiverVersion = Schemas['WaiverVersion'];
export type WaiverState = NonNullable<Query<'listWaivers'>['state']>;
export type ErasedWaiver = Schemas['ErasedWaiver'];
export type WaiverDetail = Answer<'readWaiver'>;
export type BookingAnswer = Answer<'readBooking'>;
export type Installation = Answer<'listInstallations'>['items'][number];
export type BookingSystemItem = Answer<'listBookingSystems'>['items'][number];
export type BookingSystemDetail = Answer<'readBookingSystem'>;
export type CheckInLink = Answer<'listCheckInLinks'>['items'][number];
export type NewCheckInLink = Body<'createCheckInLink'>;
export type Invitations = Schemas['Invitations'];
export type InvitationLanguage = Schemas['MailLanguage'];
export type SentInvitation = Schemas['SentInvitation'];
export type InvitationRefusal = Schemas['InvitationRefusal'];
export type SigningDetails = Schemas['SigningDetails'];
export type Kiosk = Schemas['Kiosk'];
export type LateSigning = Schemas['LateSigning'];
export type UnmatchedWaiver = Schemas['UnmatchedWaiver'];
export type Day = Schemas['Day'];
export type DayBooking = Schemas['DayBooking'];
export type DayGuest = Schemas['DayGuest'];
export type DaySource = Schemas['DaySource'];
export type WalkIn = Schemas['WalkIn'];
export type FormItem = Schemas['Form'];
export type FormDetail = Answer<'readForm'>;
export type FormVersion = Answer<'listFormVersions'>['items'][number];
export type Webhook = Answer<'listWebhooks'>['items'][number];

/** Who is signed in. `pools`: null for all. */
export type Me = Answer<'readMe'>;
export type Role = Me['role'];

export type Lane = Schemas['Lane'];
export type LaneItem = Schemas['LaneItem'];
export type DestinationHealth = Answer<'listDestinationHealth'>;

export type DeliveryState = Delivery['state'];
export type DeliveryKind = Delivery['kind'];
export type Alert = Schemas['Alert'];
export type SentAlert = Schemas['SentAlert'];
export type AlertEvent = SentAlert['type'];
export type AccessToken = Schemas['AccessToken'];
export type TokenScope = AccessToken['scopes'][number];
export type Credential = Schemas['Credential'];
export type FirstSteps = Schemas['FirstSteps'];
export type Session = Schemas['Session'];
export type AuditEntry = Schemas['AuditEntry'];
export type ReadStep = Schemas['ReadStep'];
export type Overview = Answer<'readOverview'>;
export type OverviewWindow = NonNullable<Query<'readOverview'>['window']>;
export type HealthWindow = NonNullable<Query<'listDestinationHealth'>['window']>;

/** How lists are narrowed, as the API takes it. */
export type DeliveryFilter = Omit<Query<'listDeliveries'>, 'limit' | 'cursor'>;
export type AuditFilter = Omit<Query<'listAuditEntries'>, 'limit' | 'cursor'>;
export type WaiverFilter = Pick<Query<'listWaivers'>, 'bookingId' | 'state' | 'search'>;

export type ErrorCode = NonNullable<DeliveryFilter['errorCode']>;
