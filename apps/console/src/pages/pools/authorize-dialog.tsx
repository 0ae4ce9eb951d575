import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import type { InstallationDialogProps } from './test-dialog.tsx';

export function AuthorizeDialog({ onClose, pool, bookingSystem }: InstallationDialogProps) {
  const make = useMutation({
    networkMode: 'always',
    mutationFn: () =>
      call('POST', '/v1/admin/pools/:pool/installations/:booking_system/authorize', {
        params: { pool, booking_system: bookingSystem },
      }),
  });
  return (
    <Dialog
      onClose={onClose}
      title={texts.installations.authorizeTitle(bookingSystem)}
      lead={texts.installations.authorizeLead}
      isBusy={make.isPending}
      action={
        make.data === undefined ? (
          <Button look="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
            {texts.installations.makeLink}
          </Button>
        ) : null
      }
    >
      <ProblemNotice error={make.error} />
      {make.data === undefined ? null : (
        <a href={make.data.url} target="_blank" rel="noreferrer">
          {texts.installations.authorizeOpen}
        </a>
      )}
    </Dialog>
  );
}
