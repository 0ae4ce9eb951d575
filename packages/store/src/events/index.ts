export { type ChangeAnnouncer, createEventChannel, type EventChannel } from './event-channel.ts';
export { createLiveEvents, type LiveChange, type LiveEvents, type LiveListener } from './live-events.ts';
