import { Link } from '@tanstack/react-router';
import type { AlertEvent, SentAlert } from '../../api/resources.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Badge, Empty, type Tone } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import styles from '../operations/operations.module.css';

const toneOf = (event: AlertEvent): Tone => {
  if (event === 'destination.recovered') return 'good';
  return event === 'installation.pending' ? 'warning' : 'bad';
};

export function SentAlerts({ sent }: { readonly sent: readonly SentAlert[] }) {
  if (sent.length === 0) {
    return (
      <Empty title="No alerts in the last 90 days">
        Alerts sent to the recipients are listed here. Test one to check that it arrives.
      </Empty>
    );
  }
  return (
    <ul>
      {sent.map((alert) => (
        <li key={alert.id} className={styles.sent}>
          <span className={styles.head}>
            <Badge tone={toneOf(alert.type)}>{texts.alertEvents[alert.type]}</Badge>
            <DateTime value={alert.at} style="relative" />
            <span className="muted">
              {`to ${alert.alertName}: ${texts.deliveryStates[alert.state].toLowerCase()}`}
            </span>
          </span>
          <span>
            {alert.message} <Subject alert={alert} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Links to an alert's subject: the messages, which name their guests and bookings, or the installation. */
function Subject({ alert: { type, pool, destination } }: { readonly alert: SentAlert }) {
  if (pool === undefined || destination === undefined) return null;
  if (type === 'installation.pending' || type === 'installation.auth_rejected') {
    return (
      <Link to="/pools/$pool" params={{ pool }}>
        Open pool
      </Link>
    );
  }
  const state = type === 'delivery.dead' ? 'dead' : undefined;
  return (
    <Link to="/deliveries" search={{ pool, destination, state }}>
      Show deliveries
    </Link>
  );
}
