import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { dataOf, destinationsQuery } from '../../api/queries.ts';
import type { WaiverDetail } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { nameOfDestination } from '../deliveries/destination-name.tsx';

interface OfWaiver {
  readonly waiver: WaiverDetail;
}

const pathOf = ({ pool, id }: WaiverDetail) => ({ path: { pool, id } });

/** A button that opens a dialog, which says what will happen, and does it. */
function Action(props: {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly dialog: (open: { readonly isOpen: boolean; readonly onClose: () => void }) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look={props.isDangerous ? 'danger' : 'plain'} onClick={() => setIsOpen(true)}>
        {props.label}
      </Button>
      {props.dialog({ isOpen, onClose: () => setIsOpen(false) })}
    </>
  );
}

/** Does something to a waiver, reads again what is shown, and says that it is done. */
function useWaiverMutation<Result>(act: () => Promise<Result>, done: (result: Result) => string) {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: act,
    async onSuccess(result) {
      await queries.invalidateQueries();
      toast(done(result));
    },
  });
}

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
  const voiding = useWaiverMutation(
    () => dataOf(api.POST('/v1/pools/{pool}/waivers/{id}/void', { params: pathOf(waiver) })),
    () => texts.waivers.wasVoided,
  );
  return (
    <Action
      label={texts.waivers.void}
      isDangerous
      dialog={(open) => (
        <ConfirmDialog
          {...open}
          title={texts.waivers.void}
          lead={texts.waivers.voidLead}
          confirm={texts.waivers.void}
          isDangerous
          action={voiding}
        >
          <Told waiver={waiver} />
        </ConfirmDialog>
      )}
    />
  );
}

function MoveButton({ waiver }: OfWaiver) {
  const [bookingId, setBookingId] = useState('');
  const [guest, setGuest] = useState('');
  const moving = useWaiverMutation(
    () =>
      dataOf(
        api.PATCH('/v1/pools/{pool}/waivers/{id}', {
          params: pathOf(waiver),
          body: { bookingId: bookingId.trim(), bookingGuestId: guest.trim() || null },
        }),
      ),
    () => texts.waivers.moved,
  );
  return (
    <Action
      label={texts.waivers.move}
      dialog={(open) => (
        <ConfirmDialog
          {...open}
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
        </ConfirmDialog>
      )}
    />
  );
}

function HoldButton({ waiver }: OfWaiver) {
  const [reason, setReason] = useState('');
  const holding = useWaiverMutation(
    () =>
      dataOf(
        api.PUT('/v1/admin/pools/{pool}/waivers/{id}/hold', { params: pathOf(waiver), body: { reason } }),
      ),
    () => texts.waivers.wasHeld,
  );
  return (
    <Action
      label={texts.waivers.hold}
      dialog={(open) => (
        <ConfirmDialog
          {...open}
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
        </ConfirmDialog>
      )}
    />
  );
}

function ReleaseButton({ waiver }: OfWaiver) {
  const releasing = useWaiverMutation(
    () => api.DELETE('/v1/admin/pools/{pool}/waivers/{id}/hold', { params: pathOf(waiver) }),
    () => texts.waivers.wasReleased,
  );
  return (
    <Action
      label={texts.waivers.release}
      dialog={(open) => (
        <ConfirmDialog
          {...open}
          title={texts.waivers.release}
          lead={texts.waivers.releaseLead}
          confirm={texts.waivers.release}
          action={releasing}
        />
      )}
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
  const erasing = useWaiverMutation(
    async () => {
      const erasure = await dataOf(
        api.POST('/v1/admin/pools/{pool}/erasures', {
          params: { path: { pool } },
          body: what === 'all' ? { email } : { waiverId: id },
        }),
      );
      await navigate({ to: '/waivers', search: { pool } });
      return erasure;
    },
    ({ waivers }) => texts.waivers.erased(waivers),
  );
  return (
    <Action
      label={texts.waivers.erase}
      isDangerous
      dialog={(open) => (
        <ConfirmDialog
          {...open}
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
        </ConfirmDialog>
      )}
    />
  );
}
