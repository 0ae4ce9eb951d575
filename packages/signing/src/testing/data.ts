// For tests of rows.
export { newSigning, prepareReturningGuest, publishForm, type SigningGuest } from './new-signing.ts';
