import { useEffect, useState } from 'preact/hooks';
import { type Waiting, waiting } from '../outbox/waiting.ts';
import { fillCounted } from '../text/fill.ts';
import type { Words } from '../text/words.ts';

export function useWaiting(): Waiting {
  const [shown, setShown] = useState(waiting.get);
  useEffect(() => {
    setShown(waiting.get());
    return waiting.watch(() => setShown(waiting.get()));
  }, []);
  return shown;
}

/** A line on every screen while a signing waits on this device, and after it was sent. */
export function WaitingLine({ words }: { readonly words: Words }) {
  const { count, stuck, sent } = useWaiting();
  return (
    <div role="status">
      {stuck > 0 && <p class="note">{fillCounted(words.waiting.stuck, stuck)}</p>}
      {count > stuck && <p class="note">{fillCounted(words.waiting.count, count - stuck)}</p>}
      {count === 0 && sent > 0 && <p class="note sent">{words.waiting.sent}</p>}
    </div>
  );
}
