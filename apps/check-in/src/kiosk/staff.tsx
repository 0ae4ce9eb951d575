import { useRef, useState } from 'preact/hooks';
import { onSubmit } from '../fields/field.tsx';
import { sendWaiting } from '../outbox/load-outbox.ts';
import { useWaiting } from '../screens/frame.tsx';
import { formatTime } from '../text/formats.ts';
import { fill } from '../text/words.ts';
import type { PinVerifier } from './day.ts';
import { leaveFullScreen } from './device.ts';
import { CodeField } from './pairing.tsx';
import { pinWaitMs, tryPin } from './pin.ts';
import type { KioskWords } from './text/words.ts';

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
