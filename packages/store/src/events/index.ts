export { type ChangeAnnouncer, createEventChannel } from './event-channel.ts';
export { createLiveEvents, type LiveChange, type LiveEvents, type LiveListener } from './live-events.ts';
