import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];

type Answer<Operation extends keyof operations, Status extends number = 200> = operations[Operation] extends {
  responses: { [status in Status]: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type Attempt = Schemas['Attempt'];
export type Destination = Schemas['Destination'];
export type Pool = Schemas['Pool'];
export type WaiverRecord = Answer<'listWaivers'>['items'][number];
export type WaiverVersion = Schemas['WaiverVersion'];
export type WaiverState = NonNullable<NonNullable<operations['listWaivers']['parameters']['query']>['state']>;
export const waiverStates = [
  'signed',
  'unfinished',
  'voided',
  'held',
] as const satisfies readonly WaiverState[];
export type ErasedWaiver = Schemas['ErasedWaiver'];
export type WaiverDetail = Answer<'readWaiver'>;
export type BookingAnswer = Answer<'readBooking'>;
export type Installation = Answer<'listInstallations'>['items'][number];
export type BookingSystemItem = Answer<'listBookingSystems'>['items'][number];
export type BookingSystemDetail = Answer<'readBookingSystem'>;
export type UnmatchedWaiver = Schemas['UnmatchedWaiver'];
export type Webhook = Answer<'listWebhooks'>['items'][number];

/** Who is signed in. `pools`: null for all. */
export type Me = Answer<'readMe'>;
export type Role = Me['role'];

export type Lane = Schemas['Lane'];
export type LaneItem = Schemas['LaneItem'];
export type DestinationHealth = Answer<'listDestinationHealth'>;

export type DeliveryState = Delivery['state'];
export type DeliveryKind = Delivery['kind'];
export const deliveryStates = [
  'waiting',
  'sending',
  'delivered',
  'dead',
  'held',
  'superseded',
  'cancelled',
] as const satisfies readonly DeliveryState[];
export const deliveryKinds = [
  'guest-update',
  'guest-webhook',
  'alert',
] as const satisfies readonly DeliveryKind[];
export type Alert = Schemas['Alert'];
export type SentAlert = Schemas['SentAlert'];
export type AlertEvent = SentAlert['type'];
export const alertEvents = [
  'delivery.dead',
  'destination.failing',
  'destination.paused',
  'destination.recovered',
  'installation.auth_rejected',
  'installation.pending',
  'fault',
] as const satisfies readonly AlertEvent[];
export type AccessToken = Schemas['AccessToken'];
export type TokenScope = AccessToken['scopes'][number];
export const tokenScopes = [
  'bookings:read',
  'waivers:write',
  'waivers:read',
  'waivers:list',
] as const satisfies readonly TokenScope[];
export type Credential = Schemas['Credential'];
export type FirstSteps = Schemas['FirstSteps'];
export type Session = Schemas['Session'];
export type AuditEntry = Schemas['AuditEntry'];
export type ReadStep = Schemas['ReadStep'];
export type Overview = Answer<'readOverview'>;
export type OverviewWindow = '1h' | '24h' | '7d';
export type HealthWindow = '24h' | '7d';

/** Which deliveries to list, as the API takes it. */
export type DeliveryFilter = Omit<
  NonNullable<operations['listDeliveries']['parameters']['query']>,
  'limit' | 'cursor'
>;
export const errorCodes = [
  'http_status',
  'timeout',
  'not_accepted',
  'connection_refused',
  'connection_reset',
  'dns_error',
  'tls_error',
  'redirect',
  'response_too_large',
  'blocked_address',
] as const satisfies readonly NonNullable<DeliveryFilter['errorCode']>[];
