import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';

/** A guest's name, or why none is shown. @param name an answer: anything that a waiver app sent */
export function GuestName({ name }: { readonly name: unknown }) {
  const { may } = useSession();
  if (!may('operator')) return texts.guests.hidden;
  return typeof name === 'string' && name !== '' ? name : texts.guests.unnamed;
}
