import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Signed } from '../draft/draft.ts';
import { onText, verbatim } from '../fields/field.tsx';
import type { CheckInSession } from '../host/calls.ts';
import { type Waiting, waiting } from '../outbox/waiting.ts';
import { formatList, formatStart, languageName } from '../text/formats.ts';
import { directionOf, fill, fillCounted, type Words } from '../text/words.ts';
import { setDocumentLanguage } from '../translation/translation.tsx';

interface LanguageChoiceProps {
  readonly words: Words;
  readonly language: string;
  readonly languages: readonly string[];
  readonly onLanguage: (language: string) => void;
}

/** The choice of a language, each in its own name. */
export function LanguageChoice({ words, language, languages, onLanguage }: LanguageChoiceProps) {
  return (
    <label class="language">
      <span class="visually-hidden">{words.language}</span>
      <select {...verbatim} value={language} {...onText(onLanguage)}>
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {languageName(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface HeaderProps {
  readonly session: CheckInSession;
  readonly words: Words;
  readonly language: string;
  readonly languages: readonly string[];
  readonly onLanguage?: ((language: string) => void) | undefined;
}

/** The pool, the activity, and the choice of a language. */
export function Header({ session, words, language, languages, onLanguage }: HeaderProps) {
  const [first] = session.booking?.sessions ?? [];
  const start = first && formatStart(language, first.startsAt, session.day.timeZone);
  return (
    <header class="top">
      <div class="top-inner">
        <div class="where">
          <p class="pool">
            <bdi>{session.pool.name}</bdi>
          </p>
          {first && (
            <p class="activity">
              <bdi>{first.activityName}</bdi>
              {first.activityName && start && ' · '}
              {start}
            </p>
          )}
        </div>
        {onLanguage && languages.length > 1 && (
          <LanguageChoice {...{ words, language, languages, onLanguage }} />
        )}
      </div>
    </header>
  );
}

export function useWaiting(): Waiting {
  const [shown, setShown] = useState(waiting.get);
  useEffect(() => {
    setShown(waiting.get());
    return waiting.watch(() => setShown(waiting.get()));
  }, []);
  return shown;
}

/** A line on every screen while a signing waits on this device, and after it was sent. */
function WaitingLine({ words }: { readonly words: Words }) {
  const { count, stuck, sent } = useWaiting();
  return (
    <div role="status">
      {stuck > 0 && <p class="note">{fillCounted(words.waiting.stuck, stuck)}</p>}
      {count > stuck && <p class="note">{fillCounted(words.waiting.count, count - stuck)}</p>}
      {count === 0 && sent > 0 && <p class="note sent">{words.waiting.sent}</p>}
    </div>
  );
}

interface FrameProps {
  /** The screen's name: when it changes, the heading gets the focus. */
  readonly screen: string;
  readonly words: Words;
  readonly language: string;
  readonly title: string;
  readonly header?: ComponentChildren;
  readonly progress?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Whether the page has shown no screen yet. */
let isFirst = true;

export function Frame({ screen, words, language, title, header, progress, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setDocumentLanguage(language);
    document.documentElement.dir = directionOf(language);
    document.title = title;
  }, [language, title]);
  useEffect(() => {
    // Not on first load, when a screen reader starts at the top anyway.
    if (!isFirst) {
      scrollTo(0, 0);
      // The preview must not take the focus from the console around it.
      if (parent === window || document.hasFocus()) heading.current?.focus({ preventScroll: true });
    }
    isFirst = false;
  }, [screen]);
  return (
    <>
      {header}
      <main>
        {progress}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <WaitingLine words={words} />
        {children}
      </main>
    </>
  );
}

interface DoneProps {
  readonly session: CheckInSession;
  readonly words: Words;
  readonly signed: Signed;
  /** Starts another signing; undefined for a link to one guest. */
  readonly onAnother: (() => void) | undefined;
}

export const DoneMark = () => (
  <svg class="done-mark" viewBox="0 0 48 48" aria-hidden="true">
    <path d="M13 25l8 8 15-18" />
  </svg>
);

/** The next steps, and the guest's copy. */
export function Done({ session, words, signed, onAnother }: DoneProps) {
  const names = signed.names.filter((name) => name !== '');
  return (
    <>
      {names.length > 0 && (
        <p class="lead">{fill(words.done.signedFor, { names: formatList(signed.language, names) })}</p>
      )}
      {signed.receivedAt === undefined ? (
        <p>{words.done.waits}</p>
      ) : (
        <>
          <p>{words.done.next}</p>
          <Copies words={words} signed={signed} />
        </>
      )}
      {onAnother && (
        <button type="button" class="secondary" onClick={onAnother}>
          {session.link.kind === 'desk' ? words.done.nextGuest : words.done.another}
        </button>
      )}
    </>
  );
}

function Copies({ words, signed: { copies = [] } }: Pick<DoneProps, 'words' | 'signed'>) {
  if (copies.length === 0) return <p class="help">{words.done.noCopy}</p>;
  return (
    <>
      {copies.map((url) => (
        <a key={url} class="button primary" href={url} target="_blank" rel="noopener noreferrer">
          {words.done.copy}
        </a>
      ))}
      <p class="help">{words.done.copyLasts}</p>
    </>
  );
}

/** Deletes what was entered, once the guest has confirmed that. */
export function StartAgain({ words, onConfirm }: { readonly words: Words; readonly onConfirm: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <div class="start-again">
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        {words.startAgain}
      </button>
      <dialog ref={dialog} aria-labelledby="start-again-question">
        <h2 id="start-again-question">{words.startAgainQuestion}</h2>
        <div class="actions">
          <button
            type="button"
            class="primary"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {words.startAgainConfirm}
          </button>
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            {words.cancel}
          </button>
        </div>
      </dialog>
    </div>
  );
}

/** Shown if rendering or loading the texts fails, in the only language certain to be available. */
export function Failure() {
  return (
    <main>
      <h1 lang="en">This page could not be shown</h1>
      <p lang="en">
        What you entered is kept. Please reload the page; if that does not help, sign at the desk.
      </p>
    </main>
  );
}

export class ErrorBoundary extends Component<{ children: ComponentChildren }, { isFailed: boolean }> {
  override state = { isFailed: false };

  static override getDerivedStateFromError() {
    return { isFailed: true };
  }

  override render() {
    return this.state.isFailed ? <Failure /> : this.props.children;
  }
}
