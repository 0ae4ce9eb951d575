import type { Signed } from '../draft/draft.ts';
import type { CheckInSession } from '../host/session.ts';
import { fill } from '../text/fill.ts';
import { formatList } from '../text/formats.ts';
import type { Words } from '../text/words.ts';

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
