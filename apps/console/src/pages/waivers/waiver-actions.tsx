import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { dataOf, destinationsQuery } from '../../api/queries.ts';
import type { WaiverDetail } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useChange } from '../../components/use-change.ts';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { nameOfDestination } from '../deliveries/destination-name.tsx';

interface OfWaiver {
  readonly waiver: WaiverDetail;
}

const pathOf = ({ pool, id }: WaiverDetail) => ({ path: { pool, id } });

/** Who was told of a waiver so far. */
function Told({ waiver }: OfWaiver) {
  const { data: destinations = [] } = useQuery(destinationsQuery);
  const ids = [...new Set(waiver.deliveries.map(({ destination }) => destination))];
  const names = ids.map((id) => {
    const destination = destinations.find((each) => each.id === id);
    return { id, name: destination === undefined ? id : nameOfDestination(destination) };
  });
  return (
    <div>
      <p>{texts.waivers.told(ids.length)}</p>
      <ul>
        {names.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </div>
  );
}

/** The actions that a person may take with a waiver. */
export function WaiverActions({ waiver }: OfWaiver) {
  const { may } = useSession();
  if (!may('operator')) return null;
  return (
    <>
      <ExportButton waiver={waiver} />
      {waiver.deleted ? null : <MoveButton waiver={waiver} />}
      {waiver.hold === undefined ? <HoldButton waiver={waiver} /> : <ReleaseButton waiver={waiver} />}
      {waiver.deleted ? null : <VoidButton waiver={waiver} />}
      {waiver.hold === undefined ? <EraseButton waiver={waiver} /> : null}
    </>
  );
}

function VoidButton({ waiver }: OfWaiver) {
  const voiding = useChange({
    change: () => dataOf(api.POST('/v1/pools/{pool}/waivers/{id}/void', { params: pathOf(waiver) })),
    done: texts.waivers.wasVoided,
  });
  return (
    <ConfirmButton
      label={texts.waivers.void}
      title={texts.waivers.void}
      lead={texts.waivers.voidLead}
      confirm={texts.waivers.void}
      isDangerous
      action={voiding}
    >
      <Told waiver={waiver} />
    </ConfirmButton>
  );
}

function MoveButton({ waiver }: OfWaiver) {
  const [bookingId, setBookingId] = useState('');
  const [guest, setGuest] = useState('');
  const moving = useChange({
    change: () =>
      dataOf(
        api.PATCH('/v1/pools/{pool}/waivers/{id}', {
          params: pathOf(waiver),
          body: { bookingId: bookingId.trim(), bookingGuestId: guest.trim() || null },
        }),
      ),
    done: texts.waivers.moved,
  });
  return (
    <ConfirmButton
      label={texts.waivers.move}
      title={texts.waivers.moveTitle}
      lead={texts.waivers.moveLead}
      confirm={texts.waivers.moveConfirm}
      action={moving}
    >
      <TextField label={texts.fields.booking} value={bookingId} onChange={setBookingId} required />
      <TextField
        label={texts.fields.bookingGuest}
        hint={texts.waivers.guestHint}
        value={guest}
        onChange={setGuest}
      />
      <Told waiver={waiver} />
    </ConfirmButton>
  );
}

function HoldButton({ waiver }: OfWaiver) {
  const [reason, setReason] = useState('');
  const holding = useChange({
    change: () =>
      dataOf(
        api.PUT('/v1/admin/pools/{pool}/waivers/{id}/hold', { params: pathOf(waiver), body: { reason } }),
      ),
    done: texts.waivers.wasHeld,
  });
  return (
    <ConfirmButton
      label={texts.waivers.hold}
      title={texts.waivers.holdTitle}
      lead={texts.waivers.holdLead}
      confirm={texts.waivers.holdConfirm}
      action={holding}
    >
      <TextField
        label={texts.waivers.holdReason}
        value={reason}
        onChange={setReason}
        maxLength={1_000}
        required
      />
    </ConfirmButton>
  );
}

function ReleaseButton({ waiver }: OfWaiver) {
  const releasing = useChange({
    change: () => api.DELETE('/v1/admin/pools/{pool}/waivers/{id}/hold', { params: pathOf(waiver) }),
    done: texts.waivers.wasReleased,
  });
  return (
    <ConfirmButton
      label={texts.waivers.release}
      title={texts.waivers.release}
      lead={texts.waivers.releaseLead}
      confirm={texts.waivers.release}
      action={releasing}
    />
  );
}

/** Hands a document to the browser to save. */
function save(document_: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(document_);
  link.download = texts.waivers.exportName;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function ExportButton({ waiver: { pool, id } }: OfWaiver) {
  const toast = useToast();
  const exporting = useMutation({
    mutationFn: async () => {
      const { data } = await api.GET('/v1/admin/pools/{pool}/export', {
        params: { path: { pool }, query: { waiverId: id } },
        parseAs: 'blob',
      });
      if (data !== undefined) save(data);
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
      {texts.waivers.export}
    </Button>
  );
}

function EraseButton({ waiver }: OfWaiver) {
  const { pool, id, answers } = waiver;
  const email = typeof answers?.email === 'string' ? answers.email.trim() : '';
  const [what, setWhat] = useState<'one' | 'all'>('one');
  const navigate = useNavigate();
  const erasing = useChange({
    change: async () => {
      const erasure = await dataOf(
        api.POST('/v1/admin/pools/{pool}/erasures', {
          params: { path: { pool } },
          body: what === 'all' ? { email } : { waiverId: id },
        }),
      );
      await navigate({ to: '/waivers', search: { pool } });
      return erasure;
    },
    done: ({ waivers }) => texts.waivers.erased(waivers),
  });
  return (
    <ConfirmButton
      label={texts.waivers.erase}
      title={texts.waivers.eraseTitle}
      lead={texts.waivers.eraseLead}
      confirm={texts.waivers.eraseConfirm}
      isDangerous
      action={erasing}
    >
      {email === '' ? null : (
        <ChoiceField
          label={texts.waivers.eraseWhat}
          value={what}
          choices={[
            ['one', texts.waivers.eraseOne],
            ['all', texts.waivers.eraseAll(email)],
          ]}
          onChange={setWhat}
        />
      )}
      <Told waiver={waiver} />
    </ConfirmButton>
  );
}
