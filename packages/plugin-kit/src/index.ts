export { percentEncode } from '@waiver-service/outbound';
export { raiseForRefusedWaiver, rejectNotFound } from './answers/raise-for-refused-waiver.ts';
export {
  type AnswerSubject,
  raiseForFailure,
  raiseForStatus,
} from './answers/raise-for-status.ts';
export {
  type ContextInput,
  type ContextMaker,
  createBookingSystemContext,
  type InstallationInput,
  prepareAuthorization,
  prepareBookingSystemContext,
} from './create-context.ts';
export { readCurrentBooking } from './current/read-current-booking.ts';
export {
  type BookingSystemDefinition,
  type ContractDefinition,
  defineBookingSystem,
  installedAccountSchema,
  type NoSettings,
  noSettingsSchema,
  type VendorDefinition,
} from './define-booking-system.ts';
export { createInstallationCache, type InstallationCache } from './installation-cache.ts';
export { readLegacyBooking } from './legacy/read-legacy-booking.ts';
export {
  listedBooking,
  listedId,
  raiseForList,
  readListCursor,
  requiredList,
} from './listing/listed-booking.ts';
export { BookingSystemNotConfigured } from './not-configured.ts';
export { expectObject } from './reading/expect-object.ts';
export { dateTime, optionalDateTime, optionalText, requiredCount, requiredText } from './reading/fields.ts';
export { isJsonObject, type JsonObject, kindOf, quoted } from './reading/json.ts';
export { isTimeZone, utcOfLocalDateTime } from './reading/local-date-time.ts';
export { finishNativeBooking, type ListedObject, requiredObjects } from './reading/native-booking.ts';
export { detectForm, readBooking } from './reading/read-booking.ts';
export { Reading } from './reading/reading.ts';
export { statusGroupOf, warnOfUnknownStatus } from './reading/status-group.ts';
export { vendorContact, vendorSession } from './reading/vendor-booking.ts';
export { nonEmptyText, vendorDateTime } from './reading/vendor-fields.ts';
export { isCopyOf, type Person, participantTypeOf, vendorPerson } from './reading/vendor-person.ts';
export { definedFields, objectOf, objectsIn, textOf, textsByLabel } from './reading/vendor-text.ts';
export { isSameSecret } from './same-secret.ts';
export { type AuthorizationCode, authorizationCode } from './sessions/authorization-code.ts';
export { type ClientCredentials, clientCredentials } from './sessions/client-credentials.ts';
export { keepSessionInMemory } from './sessions/keep-session-in-memory.ts';
export { codeChallengeOf, createCodeVerifier } from './sessions/pkce.ts';
export type { PreparedAuthorization } from './sessions/prepare-sessions.ts';
export { type IssuedSession, isDueForRenewal } from './sessions/renewal-time.ts';
export type { RenewSession, SessionKeeper } from './sessions/session-keeper.ts';
export { sessionOfTokenAnswer } from './sessions/token-answer.ts';
export { bookingSegment, invalidIdReason } from './url-ids.ts';
export { answerForField, sharedNameOf } from './writing/answer-for-field.ts';
export { type FilledForm, type FormField, fillFields } from './writing/fill-fields.ts';
export { findGuest } from './writing/find-guest.ts';
export {
  answersInNote,
  normalizeNote,
  noteLineOf,
  noteMarkerOf,
  ownNoteLines,
  withNoteLine,
  withoutNoteLines,
  withoutOwnNoteLine,
} from './writing/note-line.ts';
export { requireOwnId } from './writing/require-own-id.ts';
