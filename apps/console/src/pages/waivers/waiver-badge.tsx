import type { WaiverRecord } from '../../api/resources.ts';
import { Badge } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';

export function WaiverBadge({ waiver }: { readonly waiver: Pick<WaiverRecord, 'deleted' | 'currentPage'> }) {
  if (waiver.deleted) return <Badge tone="bad">{texts.waiverStates.voided}</Badge>;
  if (waiver.currentPage !== null) return <Badge tone="warning">{texts.waiverStates.unfinished}</Badge>;
  return <Badge tone="good">{texts.waiverStates.signed}</Badge>;
}

/** The guest's name, or the record's id if the name is unknown or may not be seen. */
export function nameOfGuest({ id, answers }: Pick<WaiverRecord, 'id' | 'answers'>): string {
  const name = answers?.name;
  return typeof name === 'string' && name !== '' ? name : id;
}
