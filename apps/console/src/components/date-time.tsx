import { useSyncExternalStore } from 'react';
import { serviceNow } from '../api/client.ts';
import { formatFullTime, relativeTime } from '../text/formats.ts';

// One clock for the whole page, so that its times agree.
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = serviceNow();

function tick(): void {
  now = serviceNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = serviceNow();
    timer = setInterval(tick, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface DateTimeProps {
  /** RFC 3339, from the API. */
  readonly value: string | null | undefined;
  readonly style?: 'relative' | 'full';
}

/** A time in the viewer's time zone; the title adds UTC. */
export function DateTime({ value, style = 'full' }: DateTimeProps) {
  if (value === null || value === undefined) return <span className="muted">–</span>;
  const at = new Date(value);
  const full = formatFullTime(at);
  return (
    <time dateTime={value} title={`${full} · ${at.toISOString()}`}>
      {style === 'relative' ? <RelativeTime at={at} /> : full}
    </time>
  );
}

/** How long ago a time was; rerendered only when the text changes. */
function RelativeTime({ at }: { readonly at: Date }) {
  return useSyncExternalStore(subscribe, () => relativeTime(at, now));
}
