import type { Attempt } from '../../api/resources.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Timeline, TimelineItem } from '../../components/timeline.tsx';
import { texts } from '../../text/english.ts';
import styles from './attempt-list.module.css';

const resultOf = ({ status, errorCode }: Attempt) =>
  status === undefined ? texts.errorCodes(errorCode) : texts.delivery.status(status);

const toneOf = ({ outcome }: Attempt): Tone => (outcome === 'accepted' ? 'good' : 'bad');

interface AttemptListProps {
  /** Newest first. */
  readonly attempts: readonly Attempt[];
  /** When the next attempt is due, if any. */
  readonly next: string | undefined;
  /** Whether the delivery waits for its destination to be resumed. */
  readonly isHeld: boolean;
}

/** Attempts as a timeline: when, duration and result, and when the next one is due. */
export function AttemptList({ attempts, next, isHeld }: AttemptListProps) {
  return (
    <Timeline>
      {next === undefined ? null : (
        <TimelineItem
          tone="warning"
          line={
            <>
              <Badge tone="warning">{texts.delivery.nextTry}</Badge>
              {isHeld ? <span>{texts.delivery.heldBack}</span> : <DateTime value={next} style="relative" />}
              {isHeld ? null : <DateTime value={next} />}
            </>
          }
        />
      )}
      {attempts.map((attempt) => (
        <TimelineItem
          key={attempt.at}
          tone={toneOf(attempt)}
          line={
            <>
              <Badge tone={toneOf(attempt)}>{texts.outcomes(attempt.outcome)}</Badge>
              <DateTime value={attempt.at} />
              <span>{resultOf(attempt)}</span>
              <span className="muted">{texts.delivery.duration(attempt.durationMs)}</span>
              <span className="muted">{texts.triggers(attempt.trigger)}</span>
            </>
          }
        >
          {attempt.response === undefined ? null : <pre className={styles.response}>{attempt.response}</pre>}
          {attempt.warnings?.map(({ code, message }) => (
            <p key={`${code} ${message}`} className={styles.warning}>
              {message}
            </p>
          ))}
        </TimelineItem>
      ))}
    </Timeline>
  );
}
