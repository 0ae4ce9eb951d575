import type { AlertEvent, SentAlert } from '../../api/resources.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Empty } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import styles from './sent-alerts.module.css';

const toneOf = (event: AlertEvent): Tone => {
  if (event === 'destination.recovered') return 'good';
  return event === 'installation.pending' ? 'warning' : 'bad';
};

export function SentAlerts({ sent }: { readonly sent: readonly SentAlert[] }) {
  if (sent.length === 0) return <Empty title={texts.alerts.noneSent} />;
  return (
    <ul>
      {sent.map(({ id, at, type, message, alertName, state }) => (
        <li key={id} className={styles.sent}>
          <span className={styles.head}>
            <Badge tone={toneOf(type)}>{texts.alertEvents[type]}</Badge>
            <DateTime value={at} style="relative" />
            <span className="muted">{texts.alerts.told(alertName, texts.deliveryStates[state])}</span>
          </span>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}
