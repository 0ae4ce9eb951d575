import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { invitationsQuery } from '../../api/queries.ts';
import type { Invitations as Settings } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { ChangeInvitations } from './change-invitations.tsx';
import { InvitationWords } from './invitation-words.tsx';

interface InvitationsProps {
  readonly pool: string;
  readonly name: string;
}

/** How a pool asks its guests by email to sign. */
export function Invitations({ pool, name }: InvitationsProps) {
  const { may } = useSession();
  const query = useQuery(invitationsQuery(pool));
  const { data } = query;
  const canChange = may('operator') && data !== undefined;
  return (
    <Card
      title={texts.invitations.title}
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
  return parts.filter((part) => part !== null).join(', ') || texts.invitations.never;
}

function Shown({ settings, name }: { readonly settings: Settings; readonly name: string }) {
  const { enabled, obstacles, uninvited, senderName, replyTo, quietHours } = settings;
  return (
    <div className="stack">
      <p className="muted">{texts.invitations.lead}</p>
      {enabled && obstacles.length > 0 ? (
        <Notice tone="warning" title={texts.invitations.nothingSent}>
          {obstacles.map((obstacle) => texts.invitations.obstacles[obstacle]).join(' ')}
        </Notice>
      ) : null}
      <Facts
        items={{
          [texts.invitations.status]: (
            <Badge tone={enabled ? 'good' : 'neutral'}>
              {enabled ? texts.invitations.on : texts.invitations.off}
            </Badge>
          ),
          [texts.invitations.when]: whenOf(settings),
          [texts.invitations.sender]: senderName ?? name,
          [texts.invitations.replyTo]: replyTo ?? undefined,
          [texts.invitations.quiet]:
            quietHours === null
              ? texts.invitations.noQuietHours
              : texts.invitations.quietHours(quietHours.from, quietHours.until),
        }}
      />
      {uninvited.length === 0 ? null : (
        <Notice title={texts.invitations.uninvited}>
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
