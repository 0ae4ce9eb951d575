import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../text/words.ts';
import type { KioskWords } from './text/words.ts';

const warningS = 20;
const touches = ['pointerdown', 'pointermove', 'keydown', 'input', 'scroll'] as const;

interface LeftAloneProps {
  readonly afterS: number;
  /** Discards what was typed. */
  readonly onReturn: () => void;
}

interface IdleProps extends LeftAloneProps {
  readonly words: KioskWords;
}

/**
 * When the tablet was last touched, by `performance.now()`: a tablet's clock is corrected while a guest types, and by a
 * day. Where that stops while the tablet sleeps, the sleep counts all the same. @param counts whether a touch counts now
 */
function useLastTouch(counts: () => boolean) {
  const last = useRef(0);
  useEffect(() => {
    last.current = performance.now();
    const touch = () => {
      if (counts()) last.current = performance.now();
    };
    const unseenMs = () => Date.now() - performance.now();
    let whenHidden: number | undefined;
    const turn = () => {
      if (document.visibilityState === 'hidden') whenHidden = unseenMs();
      else if (whenHidden !== undefined) last.current -= Math.max(0, unseenMs() - whenHidden);
    };
    for (const kind of touches) addEventListener(kind, touch, { capture: true, passive: true });
    document.addEventListener('visibilitychange', turn);
    return () => {
      for (const kind of touches) removeEventListener(kind, touch, { capture: true });
      document.removeEventListener('visibilitychange', turn);
    };
  }, []);
  return last;
}

/** Returns when the tablet is idle, without a warning: where a guest loses little. */
export function LeftAlone({ afterS, onReturn }: LeftAloneProps) {
  const last = useLastTouch(() => true);
  useEffect(() => {
    const timer = setInterval(() => {
      if (performance.now() - last.current >= afterS * 1_000) onReturn();
    }, 500);
    return () => clearInterval(timer);
  }, [afterS, onReturn]);
  return null;
}

/** Returns to the first screen when the tablet is idle, after a warning. */
export function Idle({ afterS, words, onReturn }: IdleProps) {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const dialog = useRef<HTMLDialogElement>(null);
  // Not while the warning is shown: if a touch closed it, the click that follows would reach what is behind it.
  const last = useLastTouch(() => dialog.current?.open !== true);
  useEffect(() => {
    const timer = setInterval(() => {
      const idleS = (performance.now() - last.current) / 1_000;
      if (idleS < afterS) return;
      const left = Math.ceil(afterS + warningS - idleS);
      setSecondsLeft(left > 0 ? left : undefined);
      if (left <= 0) onReturn();
    }, 500);
    return () => clearInterval(timer);
  }, [afterS, onReturn]);
  const isWarning = secondsLeft !== undefined;
  const stay = () => {
    last.current = performance.now();
    setSecondsLeft(undefined);
  };
  useEffect(() => {
    if (isWarning) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isWarning]);
  return (
    <dialog
      ref={dialog}
      class="idle"
      role="alertdialog"
      aria-labelledby="idle-title"
      aria-describedby="idle-text"
      onCancel={stay}
    >
      <h2 id="idle-title">{words.idle.title}</h2>
      <p id="idle-text">{fill(words.idle.text, { seconds: secondsLeft ?? warningS })}</p>
      <button type="button" class="primary" onClick={stay}>
        {words.idle.goOn}
      </button>
    </dialog>
  );
}
