export { GuestMail } from './data/copies.ts';
export { SigningStore, type Signings } from './data/signing-store.ts';

export { documentStyleSource } from './documents/document-page.ts';
export { maxBackgroundJobs, printDocument } from './documents/print-document.ts';
export { signingDocument } from './documents/signing-document.ts';
export { chooseForm, type NamedForm, publishedForms } from './forms/published-forms.ts';
export { GuestBudgets, guestSourceOf, takeOtherGuests } from './links/guest-budgets.ts';
export { GuestTurns } from './links/guest-turns.ts';
export { FindKiosk, isKiosk, kioskCaller, type UsedKiosk } from './links/link-access.ts';
export { OpenedBookings } from './links/link-booking.ts';
export { copyUrl } from './links/link-routes.ts';
export { guestLabel } from './links/session-route.ts';
export { signingModule } from './signing-module.ts';
export { SigningSettings } from './signing-settings.ts';
export { kioskPlace, readKeptBody } from './signings/late-signing.ts';
export { answerSigning, signingShare } from './signings/signing-route.ts';
