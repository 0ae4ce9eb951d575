import type { Attempt } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { texts } from '../../text/english.ts';
import styles from './attempt-list.module.css';

const resultOf = ({ status, errorCode }: Attempt) =>
  status === undefined ? texts.errorCodes(errorCode) : texts.delivery.status(status);

/** Attempts as a timeline: when, how long it took, and what came back. */
export function AttemptList({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <ol className={styles.timeline}>
      {attempts.map((attempt) => (
        <li key={attempt.at} className={attempt.outcome === 'accepted' ? styles.accepted : styles.failed}>
          <p className={styles.line}>
            <Badge tone={attempt.outcome === 'accepted' ? 'good' : 'bad'}>
              {texts.outcomes(attempt.outcome)}
            </Badge>
            <DateTime value={attempt.at} />
            <span>{resultOf(attempt)}</span>
            <span className="muted">{texts.delivery.duration(attempt.durationMs)}</span>
            <span className="muted">{texts.triggers(attempt.trigger)}</span>
          </p>
          {attempt.response === undefined ? null : <pre className={styles.response}>{attempt.response}</pre>}
          {attempt.warnings?.map(({ code, message }) => (
            <p key={`${code} ${message}`} className={styles.warning}>
              {message}
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}
