/*
 * The names and limits that the API and the database share.
 */

/**
 * The rights of a person or a program: an `owner` may do everything, an `operator` everything that its pools need, and
 * a `viewer` may read its pools without guests' data.
 */
export type Role = 'owner' | 'operator' | 'viewer';

/** The rights that an access token can have. */
export const tokenScopes = [
  'bookings:read',
  'waivers:write',
  'waivers:read',
  'waivers:list',
  'check-in:write',
] as const;

/** One of {@link tokenScopes}. */
export type TokenScope = (typeof tokenScopes)[number];

/** The states of waivers that a list can be limited to. */
export const waiverStates = ['signed', 'unfinished', 'voided', 'held'] as const;

/** `unfinished`: at a step before the last. `held`: kept by a hold, and in one of the other states as well. */
export type WaiverState = (typeof waiverStates)[number];

/**
 * A delivery's state as operators see it. `sending`: claimed by a host. `held`: waiting at a paused destination. Messages
 * to a closed destination are `cancelled`, even before that is recorded.
 */
export const deliveryStateNames = [
  'waiting',
  'sending',
  'delivered',
  'dead',
  'held',
  'superseded',
  'cancelled',
] as const;

/** One of {@link deliveryStateNames}. */
export type DeliveryStateName = (typeof deliveryStateNames)[number];

/** When guests are invited; `staff`: by hand. */
export const invitationOccasions = ['days-before', 'evening-before', 'morning-of', 'staff'] as const;

/** One of {@link invitationOccasions}. */
export type InvitationOccasion = (typeof invitationOccasions)[number];

/** The maximum number of guests in a signing. */
export const maxSignedGuests = 21;

/** The deliveries on each side of a lane are counted up to here, so that a long lane costs no more than a short one. */
export const maxCounted = 1_000;

/** The events of alerts. */
export const alertEvents = [
  'delivery.dead',
  'destination.failing',
  'destination.paused',
  'destination.recovered',
  'installation.auth_rejected',
  'installation.pending',
  'fault',
] as const;

/** One of {@link alertEvents}. */
export type AlertEvent = (typeof alertEvents)[number];

/** The maximum number of alerts for all pools: each is examined whenever something happens. */
export const maxAlerts = 100;
/** The maximum number of alerts per pool, counting only those limited to some pools. */
export const maxAlertsPerPool = 10;
