import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { firstStepsQuery } from '../../api/queries.ts';
import type { FirstSteps } from '../../api/resources.ts';
import { Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';

export const onlyOwners = 'Only owners can set it up. Ask one of them.';

/** How many of the four steps are done. */
export const countDone = (steps: FirstSteps): number => Object.values(steps).filter(Boolean).length;

/** Links to the first steps until they are done, and says who can take them. */
export function StartInvitation() {
  const { data: steps } = useQuery(firstStepsQuery);
  const { may } = useSession();
  if (steps === undefined || steps.booking) return null;
  const done = countDone(steps);
  return (
    <Notice title={done === 0 ? 'Nothing is set up yet' : `${done} of 4 steps done`}>
      {may('owner') ? (
        <p>
          Connect a booking system and read the first booking, step by step.{' '}
          <Link to="/start">{done === 0 ? 'Start' : 'Continue'}</Link>
        </p>
      ) : (
        <p>{onlyOwners}</p>
      )}
    </Notice>
  );
}
