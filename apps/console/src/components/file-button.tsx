import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { useToast } from './notice.tsx';

/** Saves a file through the browser. A plain link could not send the header that the host requires. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Revoked late: the browser must have started reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

interface FileButtonProps extends Pick<ComponentProps<typeof Button>, 'size'> {
  readonly label: string;
  readonly read: () => Promise<Blob>;
  readonly use: (file: Blob) => void;
}

/** A button that reads a file from the service. */
export function FileButton({ label, read, use, size }: FileButtonProps) {
  const toast = useToast();
  const reading = useMutation({
    mutationFn: read,
    onSuccess: use,
    onError: (error) => toast(error.message),
  });
  return (
    <Button size={size} isBusy={reading.isPending} onClick={() => reading.mutate()}>
      {label}
    </Button>
  );
}
