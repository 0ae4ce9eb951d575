import type {
  AnswerOf,
  BodyOf,
  createCheckInLink,
  ItemOf,
  listAccessTokens,
  listAlerts,
  listAuditEntries,
  listBookingSystems,
  listCheckInLinks,
  listCredentials,
  listDeliveries,
  listDestinations,
  listErasedWaivers,
  listForms,
  listFormVersions,
  listInstallations,
  listInvitationRefusals,
  listKiosks,
  listLateSignings,
  listPools,
  listSentAlerts,
  listSentInvitations,
  listSessions,
  listUnmatchedWaivers,
  listWaivers,
  listWaiverVersions,
  listWebhooks,
  QueryOf,
  readBooking,
  readBookingSystem,
  readDay,
  readDelivery,
  readFirstSteps,
  readForm,
  readInvitations,
  readLane,
  readMe,
  readOverview,
  readSigning,
  readWaiver,
} from '@waiver-service/api';

export type Delivery = ItemOf<typeof listDeliveries>;
export type DeliveryDetail = AnswerOf<typeof readDelivery>;
export type Attempt = DeliveryDetail['attempts'][number];
export type Destination = ItemOf<typeof listDestinations>;
export type Pool = ItemOf<typeof listPools>;
export type WaiverRecord = ItemOf<typeof listWaivers>;
export type WaiverVersion = ItemOf<typeof listWaiverVersions>;
export type WaiverState = NonNullable<QueryOf<typeof listWaivers>['state']>;
export type ErasedWaiver = ItemOf<typeof listErasedWaivers>;
export type WaiverDetail = AnswerOf<typeof readWaiver>;
export type BookingAnswer = AnswerOf<typeof readBooking>;
export type Installation = ItemOf<typeof listInstallations>;
export type BookingSystemItem = ItemOf<typeof listBookingSystems>;
export type BookingSystemDetail = AnswerOf<typeof readBookingSystem>;
export type CheckInLink = ItemOf<typeof listCheckInLinks>;
export type NewCheckInLink = BodyOf<typeof createCheckInLink>;
export type Invitations = AnswerOf<typeof readInvitations>;
export type SentInvitation = ItemOf<typeof listSentInvitations>;
export type InvitationRefusal = ItemOf<typeof listInvitationRefusals>;
export type SigningDetails = AnswerOf<typeof readSigning>;
export type Kiosk = ItemOf<typeof listKiosks>;
export type LateSigning = ItemOf<typeof listLateSignings>;
export type UnmatchedWaiver = ItemOf<typeof listUnmatchedWaivers>;
export type Day = AnswerOf<typeof readDay>;
export type DayBooking = Day['bookings'][number];
export type DayGuest = NonNullable<DayBooking['guests']>[number];
export type DaySource = Day['sources'][number];
export type WalkIn = NonNullable<Day['walkIns']>[number];
export type FormItem = ItemOf<typeof listForms>;
export type FormDetail = AnswerOf<typeof readForm>;
export type FormVersion = ItemOf<typeof listFormVersions>;
export type Webhook = ItemOf<typeof listWebhooks>;

/** Who is signed in. `pools`: null for all. */
export type Me = AnswerOf<typeof readMe>;
export type Role = Me['role'];

export type Lane = AnswerOf<typeof readLane>;
export type LaneItem = Lane['before']['items'][number];

export type DeliveryState = Delivery['state'];
export type DeliveryKind = Delivery['kind'];
export type Alert = ItemOf<typeof listAlerts>;
export type SentAlert = ItemOf<typeof listSentAlerts>;
export type AlertEvent = SentAlert['type'];
export type AccessToken = ItemOf<typeof listAccessTokens>;
export type TokenScope = AccessToken['scopes'][number];
export type Credential = ItemOf<typeof listCredentials>;
export type FirstSteps = AnswerOf<typeof readFirstSteps>;
export type Session = ItemOf<typeof listSessions>;
export type AuditEntry = ItemOf<typeof listAuditEntries>;
export type ReadStep = NonNullable<BookingAnswer['explanation']>['steps'][number];
export type Overview = AnswerOf<typeof readOverview>;
export type OverviewWindow = NonNullable<QueryOf<typeof readOverview>['window']>;

/** How lists are narrowed, as the API takes it. */
export type DeliveryFilter = Omit<QueryOf<typeof listDeliveries>, 'limit' | 'cursor'>;
export type AuditFilter = Omit<QueryOf<typeof listAuditEntries>, 'limit' | 'cursor'>;
export type WaiverFilter = Pick<QueryOf<typeof listWaivers>, 'bookingId' | 'state' | 'search'>;

export type ErrorCode = NonNullable<DeliveryFilter['errorCode']>;

export type InvitationLanguage = NonNullable<Invitations['language']>;
