export { type DecodedMail, decodedMail } from './decoded-mail.ts';
export { type ReceivedMail, startMailServer } from './mail-server.ts';
