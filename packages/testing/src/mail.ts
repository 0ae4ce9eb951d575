export { type DecodedMail, decodedMail } from './decoded-mail.ts';
export { type ReceivedMail, startMailServer } from './mail-server.ts';

/** How a host is to send its mail through a server on this machine. */
export const serverOnPort = (port: number) => ({
  server: { host: '127.0.0.1', port, secure: false, user: undefined, password: undefined },
  from: 'waivers@operator.example',
});
