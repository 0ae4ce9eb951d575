export { percentEncode } from '@waiver-service/outbound';

export {
  type AnsweredRequest,
  type RequestPurpose,
  raiseForStatus,
  vendorMessageIn,
} from './answers.ts';
export { type Catalogue, createCatalogue } from './catalogue.ts';
export { bookingSegment, invalidIdReason } from './contract.ts';
export {
  type ContextInput,
  type ContextMaker,
  createBookingSystemContext,
  type InstallationInput,
  prepareAuthorization,
  prepareBookingSystemContext,
} from './create-context.ts';
export {
  type BookingSystemDefinition,
  type ContractDefinition,
  defineBookingSystem,
  installedAccountSchema,
  type NoSettings,
  noSettingsSchema,
  type VendorDefinition,
} from './define-booking-system.ts';
export {
  type ChangeSearch,
  changesWithOverlap,
  type ListPage,
  listedBooking,
  listedId,
  listPage,
  type PagePlace,
  readAllPages,
  readListCursor,
  requiredList,
} from './listing.ts';
export { requiredCount, requiredText } from './reading/fields.ts';
export { expectObject, isJsonObject, type JsonObject, kindOf, quoted } from './reading/json.ts';
export { finishNativeBooking, type ListedObject, requiredObjects } from './reading/native-booking.ts';
export { detectForm, readBooking, readCurrentBooking, readLegacyBooking } from './reading/read-booking.ts';
export { Reading, statusGroupOf, warnOfUnknownStatus } from './reading/reading.ts';
export {
  definedFields,
  isCopyOf,
  isTimeZone,
  objectOf,
  objectsIn,
  type Person,
  participantTypeOf,
  textOf,
  textsByLabel,
  utcOfLocalDateTime,
  vendorContact,
  vendorDateTime,
  vendorPerson,
  vendorSession,
  vendorText,
} from './reading/vendor-fields.ts';
export { isSameSecret } from './secrets.ts';
export {
  type AuthorizationCode,
  authorizationCode,
  type ClientCredentials,
  clientCredentials,
  codeChallengeOf,
  createCodeVerifier,
  sessionOfTokenAnswer,
} from './sessions/oauth.ts';
export {
  BookingSystemNotConfigured,
  type IssuedSession,
  isDueForRenewal,
  keepSessionInMemory,
  type PreparedAuthorization,
  type RenewSession,
  type SessionKeeper,
} from './sessions/prepare-sessions.ts';
export { type ListedWebhook, oneWebhook, type WebhookRequests } from './webhooks/one-webhook.ts';
export {
  answerForField,
  type FilledForm,
  type FormField,
  fillFields,
  findGuest,
  requireOwnId,
  sharedNameOf,
} from './writing/fill-fields.ts';
export {
  answersInNote,
  normalizeNote,
  noteLineOf,
  noteMarkerOf,
  ownNoteLines,
  pushNoteLine,
  type VendorNote,
  withNoteLine,
  withoutNoteLines,
  withoutOwnNoteLine,
} from './writing/note-line.ts';
