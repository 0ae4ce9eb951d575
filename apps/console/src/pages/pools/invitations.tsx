import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { invitationsQuery } from '../../api/queries.ts';
import type { Invitations as Settings } from '../../api/resources.ts';
import { Card, Facts, Loaded } from '../../components/layout.tsx';
import { Badge, Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { ChangeInvitations, InvitationWords } from './invitation-dialogs.tsx';

/** How a pool asks its guests by email to sign. */
export function Invitations({ pool, name }: { readonly pool: string; readonly name: string }) {
  const { may } = useSession();
  const query = useQuery(invitationsQuery(pool));
  const { data } = query;
  const canChange = may('operator') && data !== undefined;
  return (
    <Card
      title="E-mail to guests"
      actions={
        <>
          <Link to="/pools/$pool/messages" params={{ pool }}>
            {texts.invitations.messages}
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

function whenOf({ occasions: { daysBefore, eveningBefore, morningOf } }: Settings): string {
  const parts = [
    daysBefore && texts.invitations.daysBefore(daysBefore.days, daysBefore.hour),
    eveningBefore && texts.invitations.eveningBefore(eveningBefore.hour),
    morningOf && texts.invitations.morningOf(morningOf.hour),
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
          {obstacles.map((obstacle) => texts.invitations.obstacles[obstacle]).join(' ')}
        </Notice>
      ) : null}
      <Facts
        items={{
          Status: <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'On' : 'Off'}</Badge>,
          When: whenOf(settings),
          [texts.invitations.sender]: senderName ?? name,
          [texts.invitations.replyTo]: replyTo ?? undefined,
          'Quiet hours':
            quietHours === null ? 'None' : texts.invitations.quietHours(quietHours.from, quietHours.until),
        }}
      />
      {uninvited.length === 0 ? null : (
        <Notice title="Upcoming bookings without a message">
          <ul>
            {uninvited.map(({ bookingSystem, bookingId, day, problem }) => (
              <li key={`${bookingSystem} ${bookingId}`}>
                {day} <code>{bookingId}</code>: {texts.invitations.problem(problem)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
