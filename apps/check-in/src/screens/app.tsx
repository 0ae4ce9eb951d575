import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Draft, guestsOf, type Signed } from '../draft/draft.ts';
import { nameOf, newDraft } from '../draft/people.ts';
import { type DraftStorage, deleteDrafts, openDraftStorage } from '../draft/storage.ts';
import { type CheckInSession, type RefusalCode, Refused, readSession, serviceNow } from '../host/calls.ts';
import { loadOutbox, sendWaiting } from '../outbox/load-outbox.ts';
import { waiting } from '../outbox/waiting.ts';
import { registerServiceWorker } from '../service-worker/take-over.ts';
import { browserLanguages } from '../text/formats.ts';
import {
  isPassing,
  loadPageTexts,
  type PageTexts,
  pageLanguages,
  pickLanguage,
  type TroubleCode,
  troubleText,
} from '../text/words.ts';
import { Done, DoneMark, Failure, Frame, Header } from './frame.tsx';
import { Signing } from './signing.tsx';
import { linkDelivery } from './use-sending.ts';

type View =
  | { readonly kind: 'trouble'; readonly code: TroubleCode }
  | { readonly kind: 'signing'; readonly draft: Draft }
  | { readonly kind: 'done'; readonly signed: Signed };

interface Opened {
  readonly session: CheckInSession;
  readonly storage: DraftStorage;
}

/** The first view of an opened link. */
async function viewOf({ session, storage }: Opened): Promise<View> {
  const kept = storage.read();
  if (kept?.signed !== undefined) return { kind: 'done', signed: kept.signed };
  if (kept?.draft !== undefined) {
    // The page was closed after the signing was written to the outbox, but before the guest was thanked.
    const { id, language, form } = kept.draft;
    const isWaiting = await loadOutbox()
      .then((outbox) => outbox?.isWaiting(id))
      .catch(() => false);
    const names = guestsOf(kept.draft).map((guest) => nameOf(form.content, guest));
    if (isWaiting) return { kind: 'done', signed: { id, language, names } };
  }
  const haveAllSigned = session.guests.length > 0 && session.guests.every(({ signed }) => signed);
  if (kept?.draft === undefined && haveAllSigned) {
    return { kind: 'trouble', code: session.link.kind === 'guest' ? 'already_signed' : 'everyone_signed' };
  }
  return { kind: 'signing', draft: kept?.draft ?? newDraft(session, browserLanguages(), new Date()) };
}

/** How long to wait for the network before using the stored session. */
const sessionPatienceMs = 4_000;

/** A link's session: from the service, or else the one stored on this device. */
async function openSession(token: string): Promise<{ session: CheckInSession; isKept: boolean }> {
  const abort = new AbortController();
  const read = readSession(token, abort.signal).then((session) => ({ session, isKept: false }));
  // Avoid unhandledRejection when the stored session wins the race.
  read.catch(() => undefined);
  const kept = async () => {
    const outbox = await loadOutbox();
    const session = await outbox?.readKeptSession(token).catch(() => undefined);
    return session && { session, isKept: true };
  };
  const late = new Promise<void>((resolve) => setTimeout(resolve, sessionPatienceMs)).then(kept);
  try {
    const first = await Promise.race([read, late]);
    return first ?? (await read);
  } catch (error) {
    const isOffline = error instanceof Refused && (error.isUncertain || error.code === 'too_many_requests');
    const found = isOffline ? await kept() : undefined;
    if (found === undefined) throw error;
    return found;
  } finally {
    abort.abort();
  }
}

const hasEnded = (code: RefusalCode | 'failed') =>
  code === 'link_revoked' || code === 'link_expired' || code === 'link_unknown';

/** Deletes a link's draft and session when it no longer works; waiting signings stay. */
async function forget(token: string): Promise<void> {
  deleteDrafts(token);
  const outbox = await loadOutbox();
  await outbox?.forgetSession(token).catch(() => undefined);
}

const keptDays = 30;

/** Until when the entries are kept. */
const endOf = ({ link }: CheckInSession) =>
  link.expiresAt ?? new Date(serviceNow().getTime() + keptDays * 86_400_000).toISOString();

const saveDelayMs = 250;

/** Whether only the screen has changed. */
function isUntouched({ step: _, ...draft }: Draft, { step: __, ...first }: Draft): boolean {
  const [values, firstValues] = [Object.values(draft), Object.values(first)];
  return values.length === firstValues.length && values.every((value, index) => value === firstValues[index]);
}

/**
 * Stores the draft on the device, shortly after each change and before the page is hidden. One in which nothing was
 * entered is not stored: the next tab would continue it instead of showing what was signed.
 */
function useKeptDraft(opened: Opened | undefined, draft: Draft | undefined): boolean {
  const [isKept, setKept] = useState(true);
  const first = useRef<Draft | undefined>(undefined);
  // A layout effect: a page closed between rendering and `useEffect` would save the previous draft.
  useLayoutEffect(() => {
    if (opened === undefined || draft === undefined) return;
    if (first.current?.self.key !== draft.self.key) first.current = draft;
    const until = endOf(opened.session);
    const isNew = opened.storage.read()?.draft === undefined && isUntouched(draft, first.current);
    const save = () => setKept(opened.storage.write(isNew ? { until } : { draft, until }));
    const timer = setTimeout(save, saveDelayMs);
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
    };
  }, [opened, draft]);
  return isKept;
}

/** Updates the last screen once a waiting signing has been sent. */
function useSentLater(view: View | undefined, onSent: (signed: Signed) => void): void {
  const signed = view?.kind === 'done' && view.signed.receivedAt === undefined ? view.signed : undefined;
  useEffect(() => {
    if (signed === undefined) return;
    const look = async () => {
      const outbox = await loadOutbox();
      if (outbox === undefined || (await outbox.isWaiting(signed.id).catch(() => true))) return;
      const copy = waiting.get().copies[signed.id];
      onSent({
        ...signed,
        receivedAt: serviceNow().toISOString(),
        ...(copy === undefined ? {} : { copies: [copy] }),
      });
    };
    void look();
    return waiting.watch(() => void look());
  }, [signed]);
}

export function App({ token }: { readonly token: string }) {
  const [opened, setOpened] = useState<Opened>();
  const [view, setView] = useState<View>();
  const [texts, setTexts] = useState<PageTexts>();
  const draft = view?.kind === 'signing' ? view.draft : undefined;
  const [delivery] = useState(() => linkDelivery(token));
  const isKept = useKeptDraft(opened, draft);

  const [hasFailed, setFailed] = useState(false);
  const [isOnlineOnly, setOnlineOnly] = useState(false);
  useSentLater(view, (signed) => {
    opened?.storage.write({ signed, until: endOf(opened.session) });
    setView({ kind: 'done', signed });
  });

  const loadTexts = async (language: string) => setTexts(await loadPageTexts(language));
  const show = async (next: View) => {
    const language =
      next.kind === 'signing' ? next.draft.language : next.kind === 'done' && next.signed.language;
    await loadTexts(language || pickLanguage(browserLanguages(), pageLanguages));
    setView(next);
  };
  const openLink = async () => {
    // Preload the likely language in parallel with the session, which determines it: serially takes twice as long.
    const likely = pickLanguage(browserLanguages(), pageLanguages);
    loadPageTexts(likely).catch(() => undefined);
    try {
      const { session, isKept } = await openSession(token);
      const storage = await openDraftStorage(token, session.link.kind === 'desk', serviceNow());
      const next = { session, storage };
      setOpened(next);
      await show(await viewOf(next));
      const outbox = await loadOutbox();
      const canKeep = outbox !== undefined && (await outbox.canKeep());
      setOnlineOnly(!canKeep);
      if (!canKeep) return;
      registerServiceWorker();
      if (!isKept) {
        // If this fails, the link only works online next time.
        await outbox.keepSession(token, session, endOf(session)).catch(() => undefined);
      }
    } catch (error) {
      const code = error instanceof Refused ? error.code : 'failed';
      if (hasEnded(code)) await forget(token);
      await show({ kind: 'trouble', code: code === 'offline' ? 'offline_at_start' : code });
      if (code === 'too_many_requests' && error instanceof Refused)
        setTimeout(open, Math.max(1_000, error.retryAfterMs));
    } finally {
      // Even if the link does not open: the service takes what was signed while it was good.
      void sendWaiting();
    }
  };
  // Without texts, no other screen could show the problem.
  const open = () => void openLink().catch(() => setFailed(true));
  useEffect(open, []);

  const change = (update: (draft: Draft) => Draft) =>
    setView((now) => (now?.kind === 'signing' ? { ...now, draft: update(now.draft) } : now));
  const changeLanguage = async (language: string) => {
    await loadTexts(language);
    // Consents and signatures were given to the texts in the previous language.
    change((now) => (now.language === language ? now : { ...now, language, acts: [] }));
  };
  const begin = (session: CheckInSession) => {
    opened?.storage.delete();
    history.replaceState({}, '', location.pathname);
    void show({
      kind: 'signing',
      draft: newDraft(session, [draft?.language ?? '', ...browserLanguages()], new Date()),
    });
  };
  const beginAnother = async () => {
    // Reread: others may have signed in the meantime.
    const session = await readSession(token).catch(() => opened?.session);
    if (opened === undefined || session === undefined) return;
    setOpened({ ...opened, session });
    begin(session);
  };

  if (hasFailed) return <Failure />;
  if (view === undefined || texts === undefined) return null;
  const { words, sentences, language } = texts;
  if (view.kind === 'trouble' || opened === undefined) {
    const code = view.kind === 'trouble' ? view.code : 'failed';
    return (
      <Frame
        words={words}
        screen={code}
        language={language}
        title={troubleText(words, code).title}
        header={
          opened && (
            <Header session={opened.session} words={words} language={language} languages={[language]} />
          )
        }
      >
        <p>{troubleText(words, code).text}</p>
        {isPassing(code) && (
          <button type="button" class="primary" onClick={open}>
            {words.trouble.tryAgain}
          </button>
        )}
        {code === 'everyone_signed' && opened && (
          <button type="button" class="secondary" onClick={() => begin(opened.session)}>
            {words.done.another}
          </button>
        )}
      </Frame>
    );
  }
  const { session, storage } = opened;
  if (view.kind === 'done') {
    const { signed } = view;
    return (
      <Frame
        words={words}
        screen="done"
        language={language}
        title={words.done.title}
        header={<Header session={session} words={words} language={language} languages={[language]} />}
        progress={<DoneMark />}
      >
        <Done
          session={session}
          words={words}
          signed={signed}
          onAnother={session.link.kind === 'guest' ? undefined : () => void beginAnother()}
        />
      </Frame>
    );
  }
  return (
    <Signing
      key={view.draft.self.key}
      delivery={delivery}
      session={session}
      words={words}
      sentences={sentences}
      draft={view.draft}
      change={change}
      isKept={isKept}
      isOnlineOnly={isOnlineOnly}
      onLanguage={changeLanguage}
      onSigned={(signed) => {
        storage.write({ signed, until: endOf(session) });
        history.replaceState({}, '', location.pathname);
        setView({ kind: 'done', signed });
      }}
      onStartAgain={() => begin(session)}
    />
  );
}
