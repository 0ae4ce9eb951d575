import { useEffect, useRef, useState } from 'preact/hooks';
import type { KioskWords } from './text/english.ts';

const warningS = 20;
const touches = ['pointerdown', 'pointermove', 'keydown', 'input', 'scroll'] as const;

interface IdleProps {
  readonly afterS: number;
  readonly words: KioskWords;
  /** Discards what was typed. */
  readonly onReturn: () => void;
}

/** Returns to the first screen when the tablet is idle, after a warning. */
export function Idle({ afterS, words, onReturn }: IdleProps) {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let last = Date.now();
    const touch = () => {
      last = Date.now();
      setSecondsLeft(undefined);
    };
    for (const kind of touches) addEventListener(kind, touch, { capture: true, passive: true });
    const timer = setInterval(() => {
      const idleS = (Date.now() - last) / 1_000;
      if (idleS < afterS) return;
      const left = Math.ceil(afterS + warningS - idleS);
      if (left <= 0) onReturn();
      else setSecondsLeft(left);
    }, 500);
    return () => {
      clearInterval(timer);
      for (const kind of touches) removeEventListener(kind, touch, { capture: true });
    };
  }, [afterS, onReturn]);
  const isWarning = secondsLeft !== undefined;
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
    >
      <h2 id="idle-title">{words.idle.title}</h2>
      <p id="idle-text">{words.idle.text(secondsLeft ?? warningS)}</p>
      <button type="button" class="primary" onClick={() => setSecondsLeft(undefined)}>
        {words.idle.goOn}
      </button>
    </dialog>
  );
}
