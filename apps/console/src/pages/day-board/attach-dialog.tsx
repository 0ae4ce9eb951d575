import { useQuery } from '@tanstack/react-query';
import { nameKey } from '@waiver-service/forms';
import { type ReactNode, useId, useState } from 'react';
import { call } from '../../api/client.ts';
import { bookingQuery } from '../../api/queries.ts';
import type { BookingAnswer, Day, DayBooking } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, useChange } from '../../components/dialog.tsx';
import { BookingSystemChoice, ChoiceField, handleSubmit, TextField } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { formatTimeIn } from '../../text/formats.ts';
import styles from './day.module.css';

interface ListedBooking {
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** A booking's value in the choice field. */
export const bookingChoice = ({ bookingSystem, bookingId }: ListedBooking): string =>
  JSON.stringify([bookingSystem, bookingId]);

/**
 * The current choice and its booking. The list may change while the dialog is open: a booking that has disappeared is
 * deselected. Besides a booking, the choice can be `other` or empty.
 */
export function chosenBooking<Booking extends ListedBooking>(
  bookings: readonly Booking[],
  choice: string,
): { readonly choice: string; readonly booking: Booking | undefined } {
  const booking = bookings.find((each) => bookingChoice(each) === choice);
  if (booking !== undefined || choice === 'other') return { choice, booking };
  return { choice: bookings.length > 0 ? '' : 'other', booking };
}

/** A guest to whom a waiver can be attached. */
interface FreeGuest {
  readonly id: string;
  readonly name: string | undefined;
}

interface AttachedWaiver {
  readonly id: string;
  readonly name: string;
}

/** By waiver id: a guest, `none` (attach without a guest), or `leave` (do not attach). */
type AttachChoices = Readonly<Record<string, GuestChoice>>;
type GuestChoice = `guest:${string}` | 'none' | 'leave';

/** The initial choices: the guest with the same name, unless another guest or waiver has that name, too. */
export function proposedChoices(
  waivers: readonly AttachedWaiver[],
  guests: readonly FreeGuest[],
): AttachChoices {
  const named = <Person extends { readonly name: string | undefined }>(
    people: readonly Person[],
    key: string,
  ) => people.filter(({ name }) => key !== '' && nameKey(name) === key);
  return Object.fromEntries(
    waivers.map(({ id, name }): [string, GuestChoice] => {
      const key = nameKey(name);
      const [guest, ...others] = named(guests, key);
      const isClear = others.length === 0 && named(waivers, key).length === 1;
      return [id, guest !== undefined && isClear ? `guest:${guest.id}` : 'none'];
    }),
  );
}

/** The waivers to attach, in the given order. */
export function chosenWaivers(
  waivers: readonly AttachedWaiver[],
  choices: AttachChoices,
): readonly { readonly id: string; readonly bookingGuestId: string | null }[] {
  return waivers.flatMap(({ id }) => {
    const choice = choices[id] ?? 'none';
    if (choice === 'leave') return [];
    return [{ id, bookingGuestId: choice === 'none' ? null : choice.slice('guest:'.length) }];
  });
}

interface Target {
  readonly bookingSystem: string;
  readonly bookingId: string;
  /** The guests who can be chosen: they have an id, and have not signed another waiver. */
  readonly guests: readonly FreeGuest[];
}

interface AttachDialogProps {
  readonly onClose: () => void;
  readonly pool: string;
  /** The waiver to attach, then those signed together with it, which may be attached too. */
  readonly waivers: readonly AttachedWaiver[];
  /** Preselected. */
  readonly booking?: DayBooking;
  /** Its bookings can be chosen. */
  readonly day?: Day;
}

const targetOf = ({ bookingSystem, bookingId, guests }: DayBooking): Target => ({
  bookingSystem,
  bookingId,
  guests: (guests ?? []).flatMap(({ kind, state, bookingGuestId: id, name }) =>
    kind === 'listed' && state !== 'signed' && id !== undefined ? { id, name } : [],
  ),
});

/** The used fields of a booking read by its id. */
interface FoundBooking {
  readonly bookingSystem: string;
  readonly booking: { readonly id: string };
  readonly guests: BookingAnswer['guests'];
}

const targetOfFound = ({ bookingSystem, booking, guests }: FoundBooking): Target => ({
  bookingSystem,
  bookingId: booking.id,
  guests: (guests ?? []).flatMap(({ bookingGuestId: id, signed, prefill: { name } }) =>
    signed || id === undefined ? [] : { id, name: typeof name === 'string' ? name : undefined },
  ),
});

/** Attaches waivers to a booking of the day, or to any other by its id, and to its guests. */
export function AttachDialog({ onClose, pool, waivers, booking, day }: AttachDialogProps) {
  const open = (day?.bookings ?? (booking === undefined ? [] : [booking])).filter(
    ({ isCancelled, fetchedAt }) => !isCancelled && fetchedAt !== null,
  );
  const [selected, setSelected] = useState(() =>
    booking === undefined ? (open.length > 0 ? '' : 'other') : bookingChoice(booking),
  );
  const { choice, booking: listed } = chosenBooking(open, selected);
  const [sought, setSought] = useState<SoughtBooking>({ id: '', bookingSystem: '' });
  const found = useQuery({
    ...bookingQuery(pool, sought.id, sought.bookingSystem || undefined, false),
    enabled: choice === 'other' && sought.id !== '',
  });
  const other = choice === 'other' && found.data !== undefined ? targetOfFound(found.data) : undefined;
  const target = listed === undefined ? other : targetOf(listed);
  return (
    <AttachForm
      key={target && bookingChoice(target)}
      onClose={onClose}
      pool={pool}
      waivers={waivers}
      target={target}
    >
      {open.length === 0 ? null : (
        <ChoiceField
          label="Booking"
          value={choice}
          choices={[
            ...(choice === '' ? [['', 'Choose…'] as const] : []),
            ...open.map((each) => [bookingChoice(each), labelOf(each, day?.timeZone)] as const),
            ['other', 'Another booking…'] as const,
          ]}
          onChange={setSelected}
        />
      )}
      {choice === 'other' ? (
        <FindBooking
          pool={pool}
          sought={sought}
          onFind={setSought}
          isBusy={found.isFetching}
          error={found.error}
        />
      ) : null}
    </AttachForm>
  );
}

/** `09:30 · BK-1001 · Ann Booker`. */
function labelOf({ sessions: [first], reference, booker }: DayBooking, timeZone: string | undefined): string {
  const time =
    first === undefined || timeZone === undefined ? '' : formatTimeIn(timeZone, new Date(first.startsAt));
  return [time, reference, booker].filter(Boolean).join(' · ');
}

interface SoughtBooking {
  readonly id: string;
  /** An install name; empty for the pool's default. */
  readonly bookingSystem: string;
}

interface FindBookingProps {
  readonly pool: string;
  readonly sought: SoughtBooking;
  readonly onFind: (booking: SoughtBooking) => void;
  readonly isBusy: boolean;
  readonly error: Error | null;
}

function FindBooking({ pool, sought, onFind, isBusy, error }: FindBookingProps) {
  const [typed, setTyped] = useState(sought.id);
  const [bookingSystem, setBookingSystem] = useState(sought.bookingSystem);
  const find = handleSubmit(() => onFind({ id: typed.trim(), bookingSystem }));
  return (
    <>
      <BookingSystemChoice pool={pool} value={bookingSystem} onChange={setBookingSystem} />
      <form className={styles.find} onSubmit={find}>
        <TextField label="Booking id" value={typed} onChange={setTyped} maxLength={256} required />
        <Button type="submit" isBusy={isBusy}>
          Find
        </Button>
        <ProblemNotice error={error} />
      </form>
    </>
  );
}

interface AttachFormProps extends Pick<AttachDialogProps, 'onClose' | 'pool' | 'waivers'> {
  readonly target: Target | undefined;
  readonly children: ReactNode;
}

function AttachForm({ onClose, pool, waivers, target, children }: AttachFormProps) {
  const [choices, setChoices] = useState(() => proposedChoices(waivers, target?.guests ?? []));
  const formId = useId();
  const attached = chosenWaivers(waivers, choices);
  const attach = useChange({
    change: () => {
      const [first, ...together] = attached;
      if (target === undefined || first === undefined) throw new Error('nothing is attached');
      const { bookingSystem, bookingId } = target;
      return call('PUT', '/v1/admin/pools/:pool/waivers/:id/booking', {
        params: { pool, id: first.id },
        body: { bookingSystem, bookingId, bookingGuestId: first.bookingGuestId, together },
      });
    },
    done: 'Attached. The booking system will be updated.',
  });
  const submit = handleSubmit(() => attach.mutate(undefined, { onSuccess: onClose }));
  return (
    <Dialog
      onClose={onClose}
      title={waivers.length === 1 ? 'Attach the waiver' : 'Attach the waivers'}
      lead="The booking system is notified of who has signed; a previous booking is notified that the waiver is no longer there."
      closeLabel={texts.actions.cancel}
      isBusy={attach.isPending}
      action={
        <Button
          type="submit"
          form={formId}
          look="primary"
          isBusy={attach.isPending}
          disabled={target === undefined || attached.length === 0}
        >
          Attach
        </Button>
      }
    >
      {children}
      <form id={formId} className="form" onSubmit={submit}>
        {target === undefined
          ? null
          : waivers.map(({ id, name }, place) => (
              <ChoiceField<GuestChoice>
                key={id}
                label={`${name} is`}
                hint={
                  target.guests.length === 0
                    ? 'The booking has no guests with an id: the waivers count for the whole booking.'
                    : undefined
                }
                value={choices[id] ?? 'none'}
                choices={[
                  ...target.guests.map(
                    (guest) => [`guest:${guest.id}`, guest.name ?? guest.id] as [GuestChoice, string],
                  ),
                  ['none', 'None of the named guests'],
                  ...(place === 0 ? [] : [['leave', 'Do not attach'] as [GuestChoice, string]]),
                ]}
                onChange={(choice) => setChoices({ ...choices, [id]: choice })}
              />
            ))}
        <ProblemNotice error={attach.error} />
      </form>
    </Dialog>
  );
}
