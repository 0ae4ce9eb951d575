import { useState } from 'preact/hooks';
import type { Signed } from '../draft/draft.ts';
import { readDocument } from '../host/calls.ts';
import type { CheckInSession } from '../host/session.ts';
import type { Words } from '../text/english.ts';
import { formatList } from '../text/formats.ts';

interface DoneProps {
  readonly token: string;
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
export function Done({ token, session, words, signed, onAnother }: DoneProps) {
  const names = signed.names.filter((name) => name !== '');
  return (
    <>
      {names.length > 0 && <p class="lead">{words.done.signedFor(formatList(signed.language, names))}</p>}
      {signed.receivedAt === undefined ? (
        <p>{words.done.waits}</p>
      ) : (
        <>
          <p>{words.done.next}</p>
          <Download token={token} id={signed.id} receivedAt={signed.receivedAt} words={words} />
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

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked late: Safari reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface DownloadProps extends Pick<DoneProps, 'token' | 'words'> {
  readonly id: string;
  readonly receivedAt: string;
}

function Download({ token, id, receivedAt, words }: DownloadProps) {
  const [state, setState] = useState<'ready' | 'loading' | 'failed'>('ready');
  const download = async () => {
    setState('loading');
    try {
      save(await readDocument(token, id), `waiver-${receivedAt.slice(0, 10)}.html`);
      setState('ready');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <button type="button" class="primary" disabled={state === 'loading'} onClick={() => void download()}>
        {state === 'loading' ? words.done.downloading : words.done.download}
      </button>
      <p class={state === 'failed' ? 'problem' : 'help'} role="status">
        {state === 'failed' ? words.done.downloadFailed : words.done.downloadHere}
      </p>
    </>
  );
}
