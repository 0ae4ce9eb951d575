import { useEffect, useState } from 'react';
import { relativeTime } from './relative-time.ts';

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
/** The current time, again every `everyMs`. */
function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

interface DateTimeProps {
  /** RFC 3339, as the API gives it. */
  readonly value: string | null | undefined;
  readonly style?: 'relative' | 'full';
}

/** A time in the viewer's zone; its title gives it in UTC. */
export function DateTime({ value, style = 'full' }: DateTimeProps) {
  const now = useNow(style === 'relative' ? 10_000 : 3_600_000);
  if (value === null || value === undefined) return <span className="muted">–</span>;
  const at = new Date(value);
  const full = dateAndTime.format(at);
  return (
    <time dateTime={value} title={`${full} · ${at.toISOString()}`}>
      {style === 'relative' ? relativeTime(at, now) : full}
    </time>
  );
}
