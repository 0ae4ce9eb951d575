export {
  type Answers,
  answersBytes,
  areAnswersTooLarge,
  type JsonValue,
  maxAnswersBytes,
  removedAnswers,
} from './answers.ts';
export { bodyWithOnly, bodyWithout, type DestinationKind, listedProperties } from './bodies.ts';
export {
  type BookingGuest,
  draftFollowing,
  type FollowedBooking,
  type FollowedWaivers,
  type FollowingChange,
  type FollowingWaiver,
  followBooking,
  maxFollowed,
  proposeGuests,
} from './follow-booking.ts';
export { isInTimeRange, lastMomentOf, type VisitSession } from './last-visit.ts';
export { isMaskedEmail } from './masked-email.ts';
export type { GuestUpdateRecipient, Recipients, WaiverMessage, WebhookRecipient } from './messages.ts';
export {
  type ChangeContext,
  type ChangeRefusal,
  type CreationContext,
  type CreationPlan,
  type Draft,
  type DraftResult,
  draftEnd,
  draftPage,
  draftUpdate,
  draftVoid,
  type MissingReference,
  type PlanContext,
  planChange,
  planCreation,
  planErasure,
  type WaiverPlan,
} from './plan.ts';
export {
  type Actor,
  type AnswerChange,
  type FieldChange,
  type VersionChanges,
  type VersionedField,
  versionedFields,
} from './version.ts';
export {
  type BookingKey,
  bookingOf,
  isSameBooking,
  type LastVisitSource,
  type NewWaiver,
  type WaiverChange,
  type WaiverContent,
  type WaiverRecord,
} from './waiver.ts';
