import { Badge } from '../../components/badge.tsx';
import { texts } from '../../text/english.ts';

interface SignedCountProps {
  readonly waivers: { readonly signed: number; readonly pax: number | null };
}

export function SignedCount({ waivers: { signed, pax } }: SignedCountProps) {
  const isComplete = pax !== null && signed >= pax;
  return <Badge tone={isComplete ? 'good' : 'warning'}>{texts.bookings.signedOf(signed, pax)}</Badge>;
}
