import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { encode } from 'uqr';
import type { Draft, Signed } from '../draft/draft.ts';
import { newDraft } from '../draft/people.ts';
import type { CheckInSession } from '../host/calls.ts';
import { sendWaiting } from '../outbox/load-outbox.ts';
import { waiting } from '../outbox/waiting.ts';
import { DoneMark, Failure, Frame, LanguageChoice } from '../screens/frame.tsx';
import { Signing } from '../screens/signing.tsx';
import { registerServiceWorker, takeOver } from '../service-worker/take-over.ts';
import { browserLanguages, formatList } from '../text/formats.ts';
import {
  fill,
  loadPageTexts,
  type PageTexts,
  pageLanguages,
  pickLanguage,
  type Words,
} from '../text/words.ts';
import { checkInSessionOf, type KioskBooking } from './day.ts';
import { Idle } from './idle.tsx';
import { Start } from './start.tsx';
import { Pairing, Staff } from './team.tsx';
import { type KioskWords, loadKioskWords } from './text/words.ts';
import './kiosk.css';
import {
  addManifest,
  keepAwake,
  keepCredential,
  kioskDelivery,
  openTablet,
  usePairedKiosk,
} from './device.ts';

/** The link to a copy as a code, for the guest's phone: dark on light in every theme, with the margin that cameras need. */
function CopyCode({ url, words }: { readonly url: string; readonly words: KioskWords }) {
  const { data, size } = encode(url, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('');
  return (
    <figure class="copy-code">
      <svg
        role="img"
        aria-label={words.done.copyCode}
        viewBox={`0 0 ${size} ${size}`}
        shape-rendering="crispEdges"
      >
        <path fill="#ffffff" d={`M0 0h${size}v${size}h-${size}z`} />
        <path fill="#000000" d={path} />
      </svg>
      <figcaption>{words.done.copy}</figcaption>
    </figure>
  );
}

interface KioskHeaderProps {
  readonly name: string;
  readonly words: Words;
  readonly language: string;
  readonly onLanguage: (language: string) => void;
}

/** The pool's name, and the choice of a language. */
function KioskHeader({ name, words, language, onLanguage }: KioskHeaderProps) {
  return (
    <header class="top kiosk">
      <div class="top-inner">
        <div class="where">
          <p class="pool">
            <bdi>{name}</bdi>
          </p>
        </div>
        <LanguageChoice {...{ words, language, onLanguage }} languages={pageLanguages} />
      </div>
    </header>
  );
}

/*
 * The screens of a kiosk:
 *
 *   pairing ── code ──▶ start ── booking, or none ──▶ signing ── signed ──▶ done
 *                         ▲  └── team ──▶ staff          │                   │
 *                         └── idle, or the guest is done ────────────────────┘
 */
type View =
  | { readonly kind: 'pairing'; readonly hasEnded: boolean }
  | { readonly kind: 'start' }
  | { readonly kind: 'staff' }
  | { readonly kind: 'no-form' }
  | {
      readonly kind: 'signing';
      readonly session: CheckInSession;
      readonly booking: KioskBooking | null;
      readonly draft: Draft;
    }
  | { readonly kind: 'done'; readonly signed: Signed };

interface Texts extends PageTexts {
  readonly kiosk: KioskWords;
}

const doneS = 15;
/** Time to find the phone and scan the code; the texts name it. */
const copyCodeS = 40;
const ownLanguage = () => pickLanguage(browserLanguages(), pageLanguages);

async function loadTexts(language: string): Promise<Texts> {
  const [texts, kiosk] = await Promise.all([loadPageTexts(language), loadKioskWords([language])]);
  return { ...texts, kiosk };
}

/** A shared tablet on which guests sign, one after the other. */
export function Kiosk() {
  const [view, setView] = useState<View>();
  const [texts, setTexts] = useState<Texts>();
  const [hasFailed, setFailed] = useState(false);
  const [canKeep, setCanKeep] = useState(true);
  /** How often the first screen was returned to: each time, it is a new one, with nothing of the last guest's. */
  const [turn, setTurn] = useState(0);
  const { paired, pair, refresh, unpair } = usePairedKiosk((hasEnded) =>
    setView({ kind: 'pairing', hasEnded }),
  );
  const token = paired?.token;
  const known = paired?.known;

  const open = async () => {
    setTexts(await loadTexts(ownLanguage()));
    const opened = await openTablet();
    setCanKeep(opened.canKeep);
    const { pairing } = opened;
    if (typeof pairing === 'string') {
      setView({ kind: 'pairing', hasEnded: pairing === 'ended' });
      return;
    }
    pair(pairing);
    setView({ kind: 'start' });
    await refresh(pairing.token);
  };
  useEffect(() => {
    // Never add history entries: going back must not show what a previous guest typed.
    history.pushState = (_state, unused, url) => history.replaceState({}, unused, url);
    addManifest();
    registerServiceWorker();
    void navigator.storage?.persist?.();
    void sendWaiting();
    open().catch(() => setFailed(true));
    return keepAwake();
  }, []);

  const returnToStart = useCallback(() => {
    history.replaceState({}, '', location.pathname);
    setView({ kind: 'start' });
    setTurn((now) => now + 1);
    void loadTexts(ownLanguage()).then(setTexts);
    // Nothing can be lost between two guests.
    void takeOver();
  }, []);
  useEffect(() => {
    if (view?.kind !== 'done') return;
    const shownS = view.signed.copies === undefined ? doneS : copyCodeS;
    const timer = setTimeout(returnToStart, shownS * 1_000);
    return () => clearTimeout(timer);
  }, [view?.kind]);

  if (hasFailed) return <Failure />;
  if (view === undefined || texts === undefined) return null;
  const { language, words, kiosk } = texts;
  const changeLanguage = async (next: string) => setTexts(await loadTexts(next));
  const begin = async (booking: KioskBooking | null) => {
    const session = known && checkInSessionOf(known.day, booking, waiting.get().guests);
    if (session === undefined) {
      setView({ kind: 'no-form' });
      return;
    }
    const draft = newDraft(session, [language], new Date());
    setTexts(await loadTexts(draft.language));
    setView({ kind: 'signing', session, booking, draft });
  };
  const frame = (title: string, children: ComponentChildren, progress?: ComponentChildren) => (
    <Frame
      key={turn}
      screen={view.kind}
      words={words}
      language={language}
      title={title}
      header={
        <KioskHeader
          name={known?.day.pool.name ?? ''}
          words={words}
          language={language}
          onLanguage={(next) => void changeLanguage(next)}
        />
      }
      progress={progress}
    >
      {children}
    </Frame>
  );
  const withIdle = (content: ComponentChildren) => (
    <>
      {content}
      {known && <Idle afterS={known.day.kiosk.returnAfterS} words={kiosk} onReturn={returnToStart} />}
    </>
  );

  if (view.kind === 'pairing') {
    const onPaired = async (credential: string) => {
      try {
        await keepCredential(credential);
      } catch {
        setCanKeep(false);
        return;
      }
      pair({ token: credential, known: undefined });
      setView({ kind: 'start' });
      await refresh(credential);
    };
    return frame(
      kiosk.pair.title,
      <Pairing
        words={kiosk}
        canKeep={canKeep}
        hasEnded={view.hasEnded}
        onPaired={(credential) => void onPaired(credential)}
      />,
    );
  }
  if (known === undefined || token === undefined) return frame(kiosk.start.title, <p>{words.loading}</p>);
  if (view.kind === 'start') {
    return frame(
      kiosk.start.title,
      <>
        {!canKeep && <p class="note">{words.onlineOnly}</p>}
        <Start
          key={language}
          words={kiosk}
          language={language}
          known={known}
          onChoose={(booking) => void begin(booking)}
          onTeam={() => setView({ kind: 'staff' })}
          isOwnLanguage={language === ownLanguage()}
          onLeftAlone={returnToStart}
        />
      </>,
    );
  }
  if (view.kind === 'staff') {
    return withIdle(
      frame(
        kiosk.staff.title,
        <Staff
          words={kiosk}
          language={language}
          pin={known.day.kiosk.pin}
          canKeep={canKeep}
          at={known.at}
          timeZone={known.day.timeZone}
          onClose={returnToStart}
          onUnpair={() => void unpair()}
        />,
      ),
    );
  }
  if (view.kind === 'no-form') {
    return withIdle(
      frame(
        kiosk.start.title,
        <>
          <p class="note">{kiosk.start.noForm}</p>
          <button type="button" class="secondary" onClick={returnToStart}>
            {words.back}
          </button>
        </>,
      ),
    );
  }
  if (view.kind === 'done') {
    const { signed } = view;
    const names = signed.names.filter((name) => name !== '');
    return frame(
      words.done.title,
      <>
        {names.length > 0 && (
          <p class="lead">{fill(words.done.signedFor, { names: formatList(signed.language, names) })}</p>
        )}
        <p>{signed.receivedAt === undefined ? kiosk.done.kept : words.done.next}</p>
        {signed.copies === undefined ? (
          <p>{words.done.noCopy}</p>
        ) : (
          signed.copies.map((url) => <CopyCode key={url} url={url} words={kiosk} />)
        )}
        <button type="button" class="primary" onClick={returnToStart}>
          {kiosk.done.next}
        </button>
      </>,
      <DoneMark />,
    );
  }
  return withIdle(
    <Signing
      key={view.draft.self.key}
      delivery={kioskDelivery(token, view.booking)}
      session={view.session}
      words={words}
      sentences={texts.sentences}
      draft={view.draft}
      change={(update) =>
        setView((now) => (now?.kind === 'signing' ? { ...now, draft: update(now.draft) } : now))
      }
      isKept
      isOnlineOnly={!canKeep}
      onLanguage={async (next) => {
        await changeLanguage(next);
        setView((now) =>
          now?.kind === 'signing' && now.draft.language !== next
            ? { ...now, draft: { ...now.draft, language: next, acts: [] } }
            : now,
        );
      }}
      onSigned={(signed) => {
        history.replaceState({}, '', location.pathname);
        setView({ kind: 'done', signed });
        if (signed.receivedAt !== undefined) void refresh(token);
      }}
      onStartAgain={returnToStart}
    />,
  );
}
