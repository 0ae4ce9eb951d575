export { judgeAnswer } from './answers.ts';
export { checkAccess } from './check.ts';
export { parseInbound } from './inbound.ts';
export { listBookings } from './list.ts';
export { fetchBooking } from './read.ts';
export { statusMap } from './status-map.ts';
export { webhooks } from './webhooks.ts';
export { pushWaiver, type WriteAccount, type WriteSettings } from './write.ts';
