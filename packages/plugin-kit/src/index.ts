export { percentEncode } from '@waiver-service/outbound';
export { raiseForRefusedWaiver } from './answers/raise-for-refused-waiver.ts';
export {
  type AnswerSubject,
  raiseForFailure,
  raiseForStatus,
  raiseRateLimited,
} from './answers/raise-for-status.ts';
export { bookingSegment } from './booking-segment.ts';
export { BookingSystemNotConfigured } from './booking-system-not-configured.ts';
export {
  type ContextInput,
  type ContextMaker,
  createBookingSystemContext,
  type InstallationInput,
  prepareBookingSystemContext,
} from './create-context.ts';
export { readCurrentBooking } from './current/read-current-booking.ts';
export {
  type BookingSystemDefinition,
  type ContractBookingSystemDefinition,
  defineBookingSystem,
  installedAccountSchema,
  type NoSettings,
  noSettingsSchema,
} from './define-booking-system.ts';
export { readLegacyBooking } from './legacy/read-legacy-booking.ts';
export { dateTime, optionalDateTime, optionalText, requiredCount, requiredText } from './reading/fields.ts';
export { isJsonObject, type JsonObject, kindOf, quoted } from './reading/json.ts';
export { isTimeZone, utcOfLocalDateTime } from './reading/local-date-time.ts';
export { type ListedObject, nativeBooking, requiredObjects } from './reading/native-booking.ts';
export { detectForm, readBooking } from './reading/read-booking.ts';
export { Reading } from './reading/reading.ts';
export { statusGroupOf } from './reading/status-group.ts';
export { vendorContact, vendorSession } from './reading/vendor-booking.ts';
export { filledText, vendorDateTime } from './reading/vendor-fields.ts';
export { isCopyOf, type Person, vendorPerson } from './reading/vendor-person.ts';
export { filledFields, objectOf, objectsIn, textOf } from './reading/vendor-text.ts';
export { expectObject } from './reading/what-came.ts';
export { refusalOfId } from './sendable-id.ts';
export { answerForField } from './writing/answer-for-field.ts';
export { type FilledForm, type FormField, fillFields } from './writing/fill-fields.ts';
export { guestOf } from './writing/guest-of.ts';
export { noteLineOf, withNoteLine, withoutNoteLines } from './writing/note-line.ts';
export { rejectNotFound } from './writing/reject-not-found.ts';
