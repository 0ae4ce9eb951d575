import type { PublishedForm, Signing } from '@waiver-service/forms';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, guestsOf, newId, type Signed } from '../draft/draft.ts';
import { nameOf } from '../draft/people.ts';
import { toSigning, toSigningDraft } from '../draft/to-signing.ts';
import {
  type CheckInSession,
  call,
  type FinishedPage,
  post,
  Refused,
  type StoredSigning,
} from '../host/calls.ts';
import { loadOutbox, type Outbox } from '../outbox/load-outbox.ts';
import type { SigningToKeep } from '../outbox/outbox.ts';
import type { TroubleCode } from '../text/words.ts';

/** How a page sends its signings to the service. */
export interface Delivery {
  /** Sealed together with the signing. */
  readonly proof: Omit<SigningToKeep, 'signing'>;
  /** Idempotent: the same signing may be sent again. @throws Refused */
  readonly send: (signing: Signing, timeoutMs?: number) => Promise<StoredSigning>;
  /** Sends a finished page; undefined if only whole signings are sent. @throws Refused */
  readonly sendPage?: (signing: string, page: FinishedPage, signal: AbortSignal) => Promise<void>;
}

/** Delivers with a link's token. */
export const linkDelivery = (token: string): Delivery => ({
  proof: { token },
  send: (signing, timeoutMs) => post(token, '/signings', signing, timeoutMs),
  async sendPage(signing, page, signal) {
    await call(`/signings/${signing}/page`, { token, method: 'PUT', body: page, signal });
  },
});

interface SendingProps {
  /** Undefined in a form preview. */
  readonly delivery: Delivery | undefined;
  readonly session: CheckInSession;
  readonly draft: Draft;
  readonly change: (update: (draft: Draft) => Draft) => void;
  readonly onSigned: (signed: Signed) => void;
}

interface SendingEvents {
  readonly onFormChanged: (form: PublishedForm) => void;
  /** @returns false if there is nothing that the guest could correct */
  readonly onInvalid: () => boolean;
}

/** The service's limit. */
const maxBytes = 4 * 1024 * 1024;

/** @returns the outbox that now has the signing; undefined if the browser cannot store it */
async function keep(
  { sealing }: CheckInSession,
  { proof }: Delivery,
  signing: Signing,
): Promise<Outbox | undefined> {
  const outbox = await loadOutbox();
  if (outbox === undefined || !(await outbox.canKeep())) return undefined;
  try {
    await outbox.keepSigning(sealing, { ...proof, signing });
    return outbox;
  } catch {
    await outbox.dropSigning(signing.id).catch(() => undefined);
    return undefined;
  }
}

/**
 * Sends finished pages and, at the end, the signing, which is first written to the device: if no response arrives, the
 * guest has signed all the same, and the outbox sends it later. If the browser cannot store it, the guest waits for a
 * response, and only the same signing is sent again.
 */
export function useSending(
  { delivery, session, draft, change, onSigned }: SendingProps,
  { onFormChanged, onInvalid }: SendingEvents,
) {
  const [state, setState] = useState<'ready' | 'sending'>('ready');
  const [trouble, setTrouble] = useState<TroubleCode>();
  const signingOf = (confirmed: Draft, signedAt: string) =>
    toSigning(confirmed, confirmed.form, session.day, new Date(signedAt));
  /** Sent, but without a response so far; possibly before the page was reloaded. */
  const [sent, setSent] = useState(() =>
    draft.signedAt === undefined ? undefined : signingOf(draft, draft.signedAt),
  );
  /** Set at once, unlike the state: a second press may come before the next rendering. */
  const isUnderWay = useRef(false);
  const pagesUnderWay = useRef<AbortController | undefined>(undefined);

  // Each page includes the previous ones, so a lost request is made up for by the next.
  const abandonPage = () => pagesUnderWay.current?.abort();
  const finishPage = (page: string) => {
    const pages = [...draft.pages, { page, at: new Date().toISOString() }];
    change((now) => ({ ...now, pages }));
    if (delivery?.sendPage === undefined || draft.form.content.pages.length < 2) return;
    abandonPage();
    const controller = new AbortController();
    pagesUnderWay.current = controller;
    const { language, guests, signer } = toSigningDraft(draft, draft.form);
    const { form, version } = draft.form;
    delivery
      .sendPage(draft.id, { form, version, language, guests, signer, page }, controller.signal)
      .catch(() => undefined);
  };

  const goOnAfter = async ({ code, body }: Refused) => {
    setSent(undefined);
    // The operator voided what was sent before, or something else was signed with the id: never thank for that. The
    // next attempt is a new signing.
    const isNew = code === 'waiver_voided' || code === 'signing_exists';
    change(({ signedAt: _, ...now }) => (isNew ? { ...now, id: newId() } : now));
    if (code === 'form_changed' && body.form !== undefined) onFormChanged(body.form);
    else if (code !== 'signing_invalid' || !onInvalid()) setTrouble(code);
  };

  const attempt = async () => {
    if (delivery === undefined) {
      setTrouble('preview');
      return;
    }
    abandonPage();
    const signedAt = new Date().toISOString();
    const signing = sent ?? signingOf(draft, signedAt);
    if (new Blob([JSON.stringify(signing)]).size > maxBytes) {
      setTrouble('too_large');
      return;
    }
    const names = guestsOf(draft).map((guest) => nameOf(draft.form.content, guest));
    const { id, language } = draft;
    setState('sending');
    setTrouble(undefined);
    setSent(signing);
    if (sent === undefined) change((now) => ({ ...now, signedAt }));
    const outbox = await keep(session, delivery, signing);
    try {
      const { receivedAt, copy } = await delivery.send(signing, outbox?.attendedMs);
      // If the deletion fails, the signing is sent again, which is harmless: the service has it.
      outbox?.dropSigning(id).catch(() => undefined);
      onSigned({ id, receivedAt, copies: [copy.url], names, language });
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused('refused');
      if (outbox !== undefined && (refused.isUncertain || refused.code === 'too_many_requests')) {
        onSigned({ id, names, language });
        await outbox.leaveSigning(id);
        return;
      }
      await outbox?.dropSigning(id).catch(() => undefined);
      setState('ready');
      if (refused.isUncertain) setTrouble(refused.code);
      else await goOnAfter(refused);
    }
  };
  const send = async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    await attempt();
    isUnderWay.current = false;
  };

  const isUncertain = sent !== undefined && state === 'ready';
  useEffect(() => {
    if (!isUncertain) return;
    const sendIfVisible = () => {
      if (document.visibilityState === 'visible' && navigator.onLine) void send();
    };
    addEventListener('online', sendIfVisible);
    document.addEventListener('visibilitychange', sendIfVisible);
    return () => {
      removeEventListener('online', sendIfVisible);
      document.removeEventListener('visibilitychange', sendIfVisible);
    };
  }, [isUncertain]);

  return { state, trouble, isLocked: sent !== undefined, send, finishPage };
}
