import { loadSentences, type Sentences } from '@waiver-service/forms';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Draft, Signed } from '../draft/draft.ts';
import { newDraft } from '../draft/new-draft.ts';
import { type DraftStorage, openDraftStorage } from '../draft/storage.ts';
import { Refused, readSession } from '../host/calls.ts';
import type { CheckInSession } from '../host/session.ts';
import type { Words } from '../text/english.ts';
import { browserLanguages } from '../text/formats.ts';
import { pickLanguage } from '../text/languages.ts';
import { loadWords, pageLanguages } from '../text/words.ts';
import { Done, DoneMark } from './done.tsx';
import { Frame } from './frame.tsx';
import { Header } from './header.tsx';
import { Signing } from './signing.tsx';
import { isPassing, type TroubleCode, troubleText } from './trouble.ts';

/** The view that the page shows. */
type View =
  | { readonly kind: 'trouble'; readonly code: TroubleCode }
  | { readonly kind: 'signing'; readonly draft: Draft }
  | { readonly kind: 'done'; readonly signed: Signed; readonly note?: TroubleCode };

interface Opened {
  readonly session: CheckInSession;
  readonly storage: DraftStorage;
}

/** The screen of a link that was opened. */
function viewOf({ session, storage }: Opened): View {
  const kept = storage.read();
  if (kept?.signed !== undefined) return { kind: 'done', signed: kept.signed };
  const haveAllSigned = session.guests.length > 0 && session.guests.every(({ signed }) => signed);
  if (kept?.draft === undefined && haveAllSigned) {
    return { kind: 'trouble', code: session.link.kind === 'guest' ? 'already_signed' : 'everyone_signed' };
  }
  return { kind: 'signing', draft: kept?.draft ?? newDraft(session, browserLanguages(), new Date()) };
}

const keptDays = 30;

/** Until when what is entered is kept. */
const endOf = ({ link }: CheckInSession) =>
  link.expiresAt ?? new Date(Date.now() + keptDays * 86_400_000).toISOString();

const saveDelayMs = 250;

/** Keeps the draft on the device, a moment after each change and before the page goes. */
function useKeptDraft(opened: Opened | undefined, draft: Draft | undefined): boolean {
  const [isKept, setKept] = useState(true);
  // Before the change is drawn: a page that goes between drawing and `useEffect` would save the former draft.
  useLayoutEffect(() => {
    if (opened === undefined || draft === undefined) return;
    const save = () => setKept(opened.storage.write({ draft, until: endOf(opened.session) }));
    const timer = setTimeout(save, saveDelayMs);
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
    };
  }, [opened, draft]);
  return isKept;
}

/** The page behind a link. */
export function App({ token }: { readonly token: string }) {
  const [opened, setOpened] = useState<Opened>();
  const [view, setView] = useState<View>();
  const [texts, setTexts] = useState<{ language: string; words: Words; sentences: Sentences }>();
  const draft = view?.kind === 'signing' ? view.draft : undefined;
  const isKept = useKeptDraft(opened, draft);

  const loadTexts = async (language: string) => {
    const [words, sentences] = await Promise.all([loadWords([language]), loadSentences(language)]);
    setTexts({ language, words, sentences });
  };
  const show = async (next: View) => {
    const language =
      next.kind === 'signing' ? next.draft.language : next.kind === 'done' && next.signed.language;
    await loadTexts(language || pickLanguage(browserLanguages(), pageLanguages));
    setView(next);
  };
  const open = async () => {
    // Beside the session, which says the language: one after the other, they take twice as long on a slow connection.
    const likely = pickLanguage(browserLanguages(), pageLanguages);
    Promise.all([loadWords([likely]), loadSentences(likely)]).catch(() => undefined);
    try {
      const session = await readSession(token);
      const storage = openDraftStorage(token, session.link.kind === 'desk');
      const next = { session, storage };
      setOpened(next);
      await show(viewOf(next));
    } catch (error) {
      const code = error instanceof Refused ? error.code : 'failed';
      await show({ kind: 'trouble', code: code === 'offline' ? 'offline_at_start' : code });
    }
  };
  useEffect(() => void open(), []);

  const change = (update: (draft: Draft) => Draft) =>
    setView((now) => (now?.kind === 'signing' ? { ...now, draft: update(now.draft) } : now));
  const changeLanguage = async (language: string) => {
    await loadTexts(language);
    // The guest read the text, and agreed to it, in the former language.
    change((now) => ({ ...now, language, acts: [] }));
  };
  const begin = (session: CheckInSession) => {
    history.replaceState({}, '', location.pathname);
    void show({
      kind: 'signing',
      draft: newDraft(session, [draft?.language ?? '', ...browserLanguages()], new Date()),
    });
  };
  const beginAnother = async () => {
    // Who has signed in the meantime.
    const session = await readSession(token).catch(() => opened?.session);
    if (opened === undefined || session === undefined) return;
    setOpened({ ...opened, session });
    begin(session);
  };

  if (view === undefined || texts === undefined) return null;
  const { words, sentences, language } = texts;
  if (view.kind === 'trouble' || opened === undefined) {
    const code = view.kind === 'trouble' ? view.code : 'failed';
    return (
      <Frame
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
          <button type="button" class="primary" onClick={() => void open()}>
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
    const { signed, note } = view;
    return (
      <Frame
        screen="done"
        language={language}
        title={words.done.title}
        header={<Header session={session} words={words} language={language} languages={[language]} />}
        progress={<DoneMark />}
      >
        {note && <p class="note">{troubleText(words, note).text}</p>}
        <Done
          token={token}
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
      key={view.draft.id}
      token={token}
      session={session}
      words={words}
      sentences={sentences}
      draft={view.draft}
      change={change}
      isKept={isKept}
      onLanguage={changeLanguage}
      onSigned={(signed, note) => {
        storage.write({ signed, until: endOf(session) });
        history.replaceState({}, '', location.pathname);
        setView({ kind: 'done', signed, ...(note === undefined ? {} : { note }) });
      }}
      onStartAgain={() => begin(session)}
    />
  );
}
