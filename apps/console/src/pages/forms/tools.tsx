import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { texts } from '../../text/english.ts';

interface ToolProps {
  /** Shown; the label is read. */
  readonly sign: '↑' | '↓' | '×';
  readonly label: string;
  readonly onClick: () => void;
}

/** A small button beside a part of the form. */
export const Tool = ({ sign, label, onClick }: ToolProps) => (
  <Button size="small" look="quiet" aria-label={label} onClick={onClick}>
    {sign}
  </Button>
);

interface RemoveToolProps {
  readonly label: string;
  readonly lead: string;
  readonly onRemove: () => void;
}

export const RemoveTool = ({ label, lead, onRemove }: RemoveToolProps) => (
  <ConfirmButton
    size="small"
    look="quiet"
    label="×"
    aria-label={label}
    title={label}
    confirm={texts.actions.remove}
    lead={lead}
    change={async () => onRemove()}
    queryKey={['none']}
  />
);
