import type { InputHTMLAttributes } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { onSubmit, onText, Problem } from '../fields/field.tsx';
import { Refused, serviceNow } from '../host/calls.ts';
import { sendWaiting } from '../outbox/load-outbox.ts';
import { useWaiting } from '../screens/frame.tsx';
import { formatTime } from '../text/formats.ts';
import { fill } from '../text/words.ts';
import type { PinVerifier } from './day.ts';
import { leaveFullScreen, pairTablet } from './device.ts';
import type { KioskWords } from './text/words.ts';

interface CodeFieldProps {
  readonly id: string;
  readonly label: string;
  readonly problem: string | undefined;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A code to type on a kiosk, with what was wrong with the last one. */
function CodeField({ id, label, problem, input, value, onInput }: CodeFieldProps) {
  return (
    <div class={problem ? 'field invalid' : 'field'}>
      <label class="label" for={id}>
        {label}
      </label>
      <div role="alert">
        <Problem id={id} problem={problem} />
      </div>
      <input
        id={id}
        class="code"
        autocomplete="off"
        {...input}
        aria-describedby={problem && `${id}-problem`}
        value={value}
        {...onText(onInput)}
      />
    </div>
  );
}

interface PairingProps {
  readonly words: KioskWords;
  readonly canKeep: boolean;
  /** Whether the previous pairing was ended elsewhere. */
  readonly hasEnded: boolean;
  readonly onPaired: (token: string) => void;
}

const problemOf = ({ pair }: KioskWords, error: unknown): string => {
  const code = error instanceof Refused ? error.code : 'offline';
  if (code === 'pairing_code_wrong') return pair.wrong;
  return code === 'too_many_requests' ? pair.tooMany : pair.offline;
};

/** Pairs this tablet as a kiosk, with a code from the console. */
export function Pairing({ words, canKeep, hasEnded, onPaired }: PairingProps) {
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  /** Set at once, unlike `isBusy`: a second press may come before the next rendering. */
  const isUnderWay = useRef(false);
  const [problem, setProblem] = useState<string>();
  if (!canKeep) return <p class="note">{words.pair.cannotKeep}</p>;
  const pair = async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      onPaired(await pairTablet(code));
    } catch (error) {
      setProblem(problemOf(words, error));
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return (
    <form onSubmit={onSubmit(() => void pair())}>
      {hasEnded && <p class="note">{words.pair.ended}</p>}
      <p class="intro">{words.pair.intro}</p>
      <CodeField
        id="pairing-code"
        label={words.pair.code}
        problem={problem}
        input={{ dir: 'ltr', autocapitalize: 'characters', spellcheck: false, maxLength: 40 }}
        value={code}
        onInput={setCode}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy || code.trim() === ''}>
          {isBusy ? words.pair.pairing : words.pair.pair}
        </button>
      </div>
    </form>
  );
}

/** The number of wrong PINs in a row on this tablet, and until when further attempts are blocked. */
interface PinAttempts {
  readonly wrong: number;
  /** Milliseconds since 1970, by the service's clock: the tablet's may be set meanwhile. */
  readonly until: number;
}

const freeAttempts = 5;
const firstWaitMs = 60_000;
const maxWaitMs = 3_600_000;
const storageKey = 'kiosk-pin';

/** After another wrong PIN: from the fifth on, each doubles the wait, up to an hour. */
export function afterWrongPin({ wrong }: PinAttempts, now: number): PinAttempts {
  const next = wrong + 1;
  const waitMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (next - freeAttempts));
  return { wrong: next, until: next < freeAttempts ? 0 : now + waitMs };
}

const none: PinAttempts = { wrong: 0, until: 0 };

/** Kept in the browser's storage, so that reloading the page gives no extra attempts. */
function readAttempts(): PinAttempts {
  try {
    return { ...none, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') };
  } catch {
    return none;
  }
}

function writeAttempts(attempts: PinAttempts): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(attempts));
  } catch {
    // A kiosk has storage; without it, a reload resets the limit.
  }
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

/** Whether the PIN is correct. Slow on purpose: a second or two on an old tablet. */
async function isPin(pin: string, { salt, iterations, hash }: PinVerifier): Promise<boolean> {
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveBits']);
  const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: fromBase64Url(salt), iterations };
  const bits = new Uint8Array(await subtle.deriveBits(pbkdf2, key, 256));
  return fromBase64Url(hash).every((byte, index) => byte === bits[index]);
}

/** How many milliseconds the next attempt must wait. */
const pinWaitMs = ({ until }: PinAttempts = readAttempts()): number =>
  Math.max(0, until - serviceNow().getTime());

/** Tries a PIN. @returns `wait` after too many wrong ones */
export async function tryPin(pin: string, verifier: PinVerifier): Promise<'right' | 'wrong' | 'wait'> {
  const attempts = readAttempts();
  if (pinWaitMs(attempts) > 0) return 'wait';
  if (await isPin(pin, verifier)) {
    writeAttempts(none);
    return 'right';
  }
  const next = afterWrongPin(attempts, serviceNow().getTime());
  writeAttempts(next);
  return pinWaitMs(next) > 0 ? 'wait' : 'wrong';
}

interface StaffProps {
  readonly words: KioskWords;
  readonly language: string;
  readonly pin: PinVerifier;
  /** False: this browser cannot store new signings. */
  readonly canKeep: boolean;
  /** When the day was read. */
  readonly at: string;
  readonly timeZone: string;
  readonly onClose: () => void;
  readonly onUnpair: () => void;
}

/** Behind the PIN: the waiting signings, and the button that ends the kiosk. */
export function Staff(props: StaffProps) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? <Settings {...props} /> : <PinForm {...props} onOpen={() => setOpen(true)} />;
}

const minutesLeft = () => Math.ceil(pinWaitMs() / 60_000);

function PinForm({ words, pin, onClose, onOpen }: StaffProps & { readonly onOpen: () => void }) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const open = async () => {
    setBusy(true);
    setTyped('');
    const result = await tryPin(typed, pin);
    setBusy(false);
    if (result === 'right') onOpen();
    else
      setProblem(result === 'wait' ? fill(words.staff.wait, { minutes: minutesLeft() }) : words.staff.wrong);
  };
  return (
    <form onSubmit={onSubmit(() => void open())}>
      <CodeField
        id="kiosk-pin"
        label={words.staff.pin}
        problem={problem}
        input={{ type: 'password', inputMode: 'numeric', maxLength: 12 }}
        value={typed}
        onInput={setTyped}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy || typed === ''}>
          {isBusy ? words.staff.checking : words.staff.open}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          {words.staff.close}
        </button>
      </div>
    </form>
  );
}

function Settings({ words, language, canKeep, at, timeZone, onClose, onUnpair }: StaffProps) {
  const { count, since } = useWaiting();
  const dialog = useRef<HTMLDialogElement>(null);
  const timeOf = (moment: string) => formatTime(language, moment, timeZone);
  return (
    <>
      <p class="lead">
        {count === 0
          ? words.staff.nothingWaits
          : fill(words.staff.waits, { count, since: timeOf(since ?? at) })}
      </p>
      <p>{fill(words.staff.updated, { time: timeOf(at) })}</p>
      {!canKeep && <p class="note">{words.pair.cannotKeep}</p>}
      <div class="kiosk-actions">
        <button type="button" class="primary" onClick={onClose}>
          {words.staff.close}
        </button>
        {count > 0 && (
          <button type="button" class="secondary" onClick={() => void sendWaiting()}>
            {words.staff.sendNow}
          </button>
        )}
        {document.fullscreenElement !== null && (
          <button type="button" class="secondary" onClick={leaveFullScreen}>
            {words.staff.leaveFullScreen}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
          {words.staff.unpair}
        </button>
      </div>
      <dialog ref={dialog} aria-labelledby="unpair-question">
        <h2 id="unpair-question">{words.staff.unpairQuestion}</h2>
        <p>{words.staff.unpairText}</p>
        <div class="actions">
          <button type="button" class="primary" onClick={onUnpair}>
            {words.staff.unpair}
          </button>
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            {words.staff.cancel}
          </button>
        </div>
      </dialog>
    </>
  );
}
