import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { dataOf } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';

interface AuthorizeDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly pool: string;
  readonly bookingSystem: string;
}

/** Makes the link by which a person agrees at the booking system. */
export function AuthorizeDialog({ isOpen, onClose, pool, bookingSystem }: AuthorizeDialogProps) {
  const make = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/installations/{booking_system}/authorize', {
          params: { path: { pool, booking_system: bookingSystem } },
        }),
      ),
  });
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={texts.installations.authorizeTitle(bookingSystem)}
      lead={texts.installations.authorizeLead}
      footer={
        <>
          <Button onClick={close}>{texts.actions.close}</Button>
          {make.data === undefined ? (
            <Button look="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
              {texts.installations.makeLink}
            </Button>
          ) : null}
        </>
      }
    >
      {make.error === null ? null : <ProblemNotice error={make.error} />}
      {make.data === undefined ? null : (
        <>
          <Copyable text={make.data.url} label={texts.installations.authorizeLink} />
          <a href={make.data.url} target="_blank" rel="noreferrer">
            {texts.installations.authorizeOpen}
          </a>
        </>
      )}
    </Dialog>
  );
}
