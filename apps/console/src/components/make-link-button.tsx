import type { ReactNode } from 'react';
import { call } from '../api/client.ts';
import { checkInLinksKey } from '../api/queries.ts';
import type { NewCheckInLink } from '../api/resources.ts';
import { Button } from './button.tsx';
import { CheckInLinkDialog } from './check-in-link.tsx';
import type { OpeningButton } from './dialog.tsx';
import { useToast } from './toasts.tsx';
import { useChange } from './use-change.ts';

interface MakeLinkButtonProps extends OpeningButton {
  readonly label: string;
  readonly pool: string;
  readonly place: NewCheckInLink;
  /** The title of the dialog that shows the link. */
  readonly title: string;
  readonly lead: string;
  readonly heading: ReactNode;
}

/** Creates a signing link and shows it, once only. */
export function MakeLinkButton({ label, pool, place, title, lead, heading, ...button }: MakeLinkButtonProps) {
  const toast = useToast();
  const make = useChange({
    change: () => call('POST', '/v1/pools/:pool/check-in-links', { params: { pool }, body: place }),
    queryKey: checkInLinksKey(pool),
  });
  return (
    <>
      <Button
        {...button}
        isBusy={make.isPending}
        onClick={() => make.mutate(undefined, { onError: (error) => toast(error.message) })}
      >
        {label}
      </Button>
      {make.data === undefined ? null : (
        <CheckInLinkDialog
          onClose={make.reset}
          title={title}
          lead={lead}
          link={make.data}
          isShownOnce
          heading={heading}
        />
      )}
    </>
  );
}
