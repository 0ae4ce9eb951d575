// For tests of rows.
export { newSigning, publishForm, type SigningGuest } from './new-signing.ts';
