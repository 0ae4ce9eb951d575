import type { AlertEvent } from '@waiver-service/api';

export interface AlertFacts {
  readonly event: AlertEvent;
  /** The destination that it is about, or the name of a fault. */
  readonly subject: string;
  readonly pool: string | null;
  /** The install name, if the subject is an installation. */
  readonly bookingSystem: string | null;
  /** Its address, if the subject is a webhook. */
  readonly webhookUrl: string | null;
  /** Whether the subject is a pool's e-mail to guests. */
  readonly isGuestMail: boolean;
  readonly since: Date | null;
  readonly consecutiveFailures: number;
  readonly lastFailure: string | null;
  readonly detail: string | null;
  /** How often it happened before, since its last alert. */
  readonly leftOut: number;
}

const minuteOf = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function nameOf({ bookingSystem, webhookUrl, isGuestMail, pool }: AlertFacts): string {
  const ofPool = `of pool ${pool ?? ''}`;
  if (bookingSystem !== null) return `The booking system ${bookingSystem} ${ofPool}`;
  if (isGuestMail) return `The mail server, for the guests ${ofPool},`;
  const host = webhookUrl !== null && URL.canParse(webhookUrl) ? new URL(webhookUrl).host : undefined;
  return `The webhook at ${host ?? 'an address that was removed'} ${ofPool}`;
}

function failing({ since, consecutiveFailures, lastFailure }: AlertFacts): string {
  const cause = lastFailure === null ? '' : `, the last time with ${lastFailure}`;
  const start = since === null ? '' : ` since ${minuteOf(since)}`;
  return `has only failed${start}: ${consecutiveFailures} times in a row${cause}`;
}

function sentenceOf(facts: AlertFacts): string {
  const name = nameOf(facts);
  switch (facts.event) {
    case 'delivery.dead':
      return facts.leftOut === 0
        ? `${name} did not take a message, which is given up. Retry it when the cause is mended.`
        : `${name} did not take ${facts.leftOut + 1} messages, which are given up. Retry them when the cause is mended.`;
    case 'destination.failing':
      return `${name} ${failing(facts)}. Messages are retried.`;
    case 'destination.paused':
      return `${name} ${failing(facts)}. It is paused: messages are kept, and one is sent now and then as a probe.`;
    case 'destination.recovered':
      return `${name} works again.`;
    case 'installation.auth_rejected':
      return `${name} rejects the service's key or authorization. Install or authorize it again.`;
    case 'installation.pending':
      return `${name} has installed itself and waits for approval.`;
    case 'fault':
      return facts.detail ?? 'The service failed; the log says how.';
  }
}

/** The message of an alert, for people, without secrets or guests' data. */
export function alertMessage(facts: AlertFacts): string {
  const { leftOut } = facts;
  // A count is part of the sentence already.
  if (leftOut === 0 || facts.event === 'delivery.dead') return sentenceOf(facts);
  return `${sentenceOf(facts)} (It happened ${leftOut === 1 ? 'once' : `${leftOut} times`} before, since the last alert.)`;
}

/** The console page with more details, relative to the public base address. */
export function alertPath({ event, pool, subject }: Pick<AlertFacts, 'event' | 'pool' | 'subject'>): string {
  const ofPool = pool === null ? '' : `pool=${encodeURIComponent(pool)}`;
  switch (event) {
    case 'delivery.dead':
      return `/console/deliveries?state=dead&destination=${encodeURIComponent(subject)}&${ofPool}`;
    case 'destination.failing':
    case 'destination.paused':
    case 'destination.recovered':
      return `/console/destinations?${ofPool}`;
    case 'installation.auth_rejected':
    case 'installation.pending':
      return `/console/pools/${encodeURIComponent(pool ?? '')}`;
    case 'fault':
      return '/console/';
  }
}
