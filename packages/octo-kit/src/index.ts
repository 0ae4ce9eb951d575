export { judgeAnswer, statusMap } from './answers.ts';
export { parseInbound, webhooks } from './inbound.ts';
export { checkAccess, listBookings } from './list.ts';
export { fetchBooking } from './read.ts';
export { pushWaiver, type WriteAccount, type WriteSettings } from './write.ts';
