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
  const last = useRef(0);
  useEffect(() => {
    last.current = Date.now();
    // Not while the warning is shown: if a touch closed it, the click that follows would reach what is behind it.
    const touch = () => {
      if (dialog.current?.open !== true) last.current = Date.now();
    };
    for (const kind of touches) addEventListener(kind, touch, { capture: true, passive: true });
    const timer = setInterval(() => {
      const idleS = (Date.now() - last.current) / 1_000;
      if (idleS < afterS) return;
      const left = Math.ceil(afterS + warningS - idleS);
      setSecondsLeft(left > 0 ? left : undefined);
      if (left <= 0) onReturn();
    }, 500);
    return () => {
      clearInterval(timer);
      for (const kind of touches) removeEventListener(kind, touch, { capture: true });
    };
  }, [afterS, onReturn]);
  const isWarning = secondsLeft !== undefined;
  const stay = () => {
    last.current = Date.now();
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
      <p id="idle-text">{words.idle.text(secondsLeft ?? warningS)}</p>
      <button type="button" class="primary" onClick={stay}>
        {words.idle.goOn}
      </button>
    </dialog>
  );
}
