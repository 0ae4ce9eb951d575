import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useToast } from '../../components/toasts.tsx';
import { texts } from '../../text/english.ts';

/** A signing, and one of its waivers, through which its files are read. */
export interface OfSigning {
  readonly pool: string;
  readonly waiverId: string;
  readonly signing: string;
}

interface FileButtonProps {
  readonly label: string;
  readonly read: () => Promise<Blob>;
  readonly use: (file: Blob) => void;
}

function FileButton({ label, read, use }: FileButtonProps) {
  const toast = useToast();
  const reading = useMutation({
    mutationFn: read,
    onSuccess: use,
    onError: (error) => toast(error.message),
  });
  return (
    <Button size="small" isBusy={reading.isPending} onClick={() => reading.mutate()}>
      {label}
    </Button>
  );
}

/** Opens a page in a new tab; saves it if the browser blocks the tab. */
function showPage(page: Blob, name: string): void {
  const url = URL.createObjectURL(page);
  if (open(url, '_blank') === null) saveFile(page, name);
  // Revoked late: the tab must have loaded it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const readDocument = ({ pool, waiverId }: OfSigning, type: 'text/html' | 'application/pdf') =>
  call('GET', '/v1/pools/:pool/waivers/:id/document', {
    params: { pool, id: waiverId },
    headers: { Accept: type },
    parseAs: 'blob',
  });

/** A signing's document: as a page in a new tab, and as a PDF to save. */
export function DocumentButtons(of: OfSigning) {
  return (
    <>
      <FileButton
        label={texts.signing.document}
        read={() => readDocument(of, 'text/html')}
        use={(page) => showPage(page, texts.signing.documentName(of.signing))}
      />
      <FileButton
        label={texts.signing.pdf}
        read={() => readDocument(of, 'application/pdf')}
        use={(pdf) => saveFile(pdf, texts.signing.pdfName(of.signing))}
      />
    </>
  );
}

/** The file that `waiver-service verify` reads. */
export function EvidenceButton({ pool, waiverId, signing }: OfSigning) {
  return (
    <FileButton
      label={texts.signing.evidence}
      read={() =>
        call('GET', '/v1/pools/:pool/waivers/:id/evidence', {
          params: { pool, id: waiverId },
          parseAs: 'blob',
        })
      }
      use={(file) => saveFile(file, texts.signing.evidenceName(signing))}
    />
  );
}
