import type * as api from '@waiver-service/api';
import type { AnswerOf, BodyOf, ItemOf, QueryOf } from '@waiver-service/api';

export type Delivery = ItemOf<typeof api.listDeliveries>;
export type DeliveryDetail = AnswerOf<typeof api.readDelivery>;
export type Attempt = DeliveryDetail['attempts'][number];
export type Destination = ItemOf<typeof api.listDestinations>;
export type Pool = ItemOf<typeof api.listPools>;
export type WaiverRecord = ItemOf<typeof api.listWaivers>;
export type WaiverVersion = ItemOf<typeof api.listWaiverVersions>;
export type WaiverState = NonNullable<QueryOf<typeof api.listWaivers>['state']>;
export type ErasedWaiver = ItemOf<typeof api.listErasedWaivers>;
export type WaiverDetail = AnswerOf<typeof api.readWaiver>;
export type BookingAnswer = AnswerOf<typeof api.readBooking>;
export type Installation = ItemOf<typeof api.listInstallations>;
export type BookingSystemItem = ItemOf<typeof api.listBookingSystems>;
export type BookingSystemDetail = AnswerOf<typeof api.readBookingSystem>;
export type CheckInLink = ItemOf<typeof api.listCheckInLinks>;
export type NewCheckInLink = BodyOf<typeof api.createCheckInLink>;
export type Invitations = AnswerOf<typeof api.readInvitations>;
export type SentInvitation = ItemOf<typeof api.listSentInvitations>;
export type InvitationRefusal = ItemOf<typeof api.listInvitationRefusals>;
export type SigningDetails = AnswerOf<typeof api.readSigning>;
export type Kiosk = ItemOf<typeof api.listKiosks>;
export type LateSigning = ItemOf<typeof api.listLateSignings>;
export type UnmatchedWaiver = ItemOf<typeof api.listUnmatchedWaivers>;
export type Day = AnswerOf<typeof api.readDay>;
export type DayBooking = Day['bookings'][number];
export type DayGuest = NonNullable<DayBooking['guests']>[number];
export type DaySource = Day['sources'][number];
export type WalkIn = NonNullable<Day['walkIns']>[number];
export type FormItem = ItemOf<typeof api.listForms>;
export type FormDetail = AnswerOf<typeof api.readForm>;
export type FormVersion = ItemOf<typeof api.listFormVersions>;
export type Webhook = ItemOf<typeof api.listWebhooks>;

/** Who is signed in. `pools`: null for all. */
export type Me = AnswerOf<typeof api.readMe>;
export type Role = Me['role'];

export type Lane = AnswerOf<typeof api.readLane>;
export type LaneItem = Lane['before']['items'][number];

export type DeliveryState = Delivery['state'];
export type DeliveryKind = Delivery['kind'];
export type Alert = ItemOf<typeof api.listAlerts>;
export type SentAlert = ItemOf<typeof api.listSentAlerts>;
export type AlertEvent = SentAlert['type'];
export type AccessToken = ItemOf<typeof api.listAccessTokens>;
export type TokenScope = AccessToken['scopes'][number];
export type Credential = ItemOf<typeof api.listCredentials>;
export type FirstSteps = AnswerOf<typeof api.readFirstSteps>;
export type Session = ItemOf<typeof api.listSessions>;
export type AuditEntry = ItemOf<typeof api.listAuditEntries>;
export type ReadStep = NonNullable<BookingAnswer['explanation']>['steps'][number];
export type Overview = AnswerOf<typeof api.readOverview>;
export type OverviewWindow = NonNullable<QueryOf<typeof api.readOverview>['window']>;

/** How lists are narrowed, as the API takes it. */
export type DeliveryFilter = Omit<QueryOf<typeof api.listDeliveries>, 'limit' | 'cursor'>;
export type AuditFilter = Omit<QueryOf<typeof api.listAuditEntries>, 'limit' | 'cursor'>;
export type WaiverFilter = Pick<QueryOf<typeof api.listWaivers>, 'bookingId' | 'state' | 'search'>;

export type ErrorCode = NonNullable<DeliveryFilter['errorCode']>;

export type InvitationLanguage = NonNullable<Invitations['language']>;
