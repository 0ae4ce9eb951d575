import { useRef } from 'preact/hooks';
import type { Words } from '../text/words.ts';

interface StartAgainProps {
  readonly words: Words;
  readonly onConfirm: () => void;
}

/** Deletes what was entered, once the guest has confirmed that. */
export function StartAgain({ words, onConfirm }: StartAgainProps) {
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
