import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { invitationsQuery } from '../../api/queries.ts';
import type { Invitations as Settings } from '../../api/resources.ts';
import { Card, Facts, Loaded } from '../../components/layout.tsx';
import { Badge, Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { count } from '../../text/formats.ts';
import { ChangeInvitations, InvitationWords } from './invitation-dialogs.tsx';

const problems: Readonly<Record<string, string>> = {
  'no-form': 'no published form for its activity',
  'no-address': 'guests without an e-mail address that mail can be sent to',
  unread: 'cannot be read now',
  'quiet-hours': 'quiet hours until it begins',
};

const obstacleTexts = {
  no_mail_server: 'No mail server is set (SMTP_URL and ALERT_FROM).',
  no_form: 'The pool has no published form: there is nothing to sign.',
  no_booking_system: 'No booking system is installed.',
};

/** How a pool asks its guests by email to sign. */
export function Invitations({ pool, name }: { readonly pool: string; readonly name: string }) {
  const { may } = useSession();
  const query = invitationsQuery(pool);
  const { data } = useQuery(query);
  const canChange = may('operator') && data !== undefined;
  return (
    <Card
      title="E-mail to guests"
      actions={
        <>
          <Link to="/pools/$pool/messages" params={{ pool }}>
            Messages
          </Link>
          {canChange ? <InvitationWords pool={pool} settings={data} /> : null}
          {canChange ? <ChangeInvitations pool={pool} settings={data} /> : null}
        </>
      }
    >
      <Loaded query={query}>{(settings) => <Shown settings={settings} name={name} />}</Loaded>
    </Card>
  );
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

function whenOf({ occasions: { daysBefore, eveningBefore, morningOf } }: Settings): string {
  const parts = [
    daysBefore && `${count(daysBefore.days)} days before at ${clock(daysBefore.hour)}`,
    eveningBefore && `the evening before at ${clock(eveningBefore.hour)}`,
    morningOf && `in the morning at ${clock(morningOf.hour)}`,
  ];
  return parts.filter((part) => part !== null).join(', ') || 'Never: no occasion is chosen';
}

function Shown({ settings, name }: { readonly settings: Settings; readonly name: string }) {
  const { enabled, obstacles, uninvited, senderName, replyTo, quietHours } = settings;
  return (
    <div className="stack">
      <p className="muted">
        Guests who have not signed are asked to before they come, each with their own link.
      </p>
      {enabled && obstacles.length > 0 ? (
        <Notice tone="warning" title="Nothing is sent">
          {obstacles.map((obstacle) => obstacleTexts[obstacle]).join(' ')}
        </Notice>
      ) : null}
      <Facts
        items={{
          Status: <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'On' : 'Off'}</Badge>,
          When: whenOf(settings),
          'Sender name': senderName ?? name,
          'Replies go to': replyTo ?? undefined,
          'Quiet hours':
            quietHours === null ? 'None' : `${clock(quietHours.from)} to ${clock(quietHours.until)}`,
        }}
      />
      {uninvited.length === 0 ? null : (
        <Notice title="Upcoming bookings without a message">
          <ul>
            {uninvited.map(({ bookingSystem, bookingId, day, problem }) => (
              <li key={`${bookingSystem} ${bookingId}`}>
                {day} <code>{bookingId}</code>: {problems[problem] ?? problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
