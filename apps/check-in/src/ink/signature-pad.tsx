import type { Stroke } from '@waiver-service/forms';
import type { TargetedPointerEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useSigning } from '../screens/signing-context.ts';
import { type Drawing, emptyDrawing, isFull, pathOf, withPoint } from './strokes.ts';

/** A drawing as vector lines, which survive rotation, scrolling and zooming. */
export function DrawingView({ strokes, width, height }: Drawing) {
  return (
    <svg class="drawing" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {strokes.map((stroke, index) => (
        <path key={index} d={pathOf(stroke)} />
      ))}
    </svg>
  );
}

interface SignaturePadProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly drawing: Drawing | undefined;
  readonly onDraw: (drawing: Drawing | undefined) => void;
}

/** Converts screen coordinates to the drawing's, whatever the pad's current size. */
function toDrawing(
  pad: Element,
  { width, height }: Drawing,
  { clientX, clientY }: PointerEvent,
): [number, number] {
  const box = pad.getBoundingClientRect();
  const scale = Math.min(box.width / width, box.height / height) || 1;
  const left = box.left + (box.width - width * scale) / 2;
  const top = box.top + (box.height - height * scale) / 2;
  return [(clientX - left) / scale, (clientY - top) / scale];
}

const eventsOf = (event: PointerEvent): readonly PointerEvent[] => {
  const all = event.getCoalescedEvents?.() ?? [];
  return all.length > 0 ? all : [event];
};

/** When the last stroke ended, in milliseconds since the first point. */
const lastMs = (strokes: readonly Stroke[]): number => strokes.at(-1)?.at(-1)?.[2] ?? 0;

/** A stroke in progress: the draft changes only when it ends. */
interface StrokeUnderWay {
  readonly pointer: number;
  readonly drawing: Drawing;
}

export function SignaturePad({ id, describedBy, isInvalid, drawing, onDraw }: SignaturePadProps) {
  const { words } = useSigning();
  const [underWay, setUnderWay] = useState<StrokeUnderWay>();
  // A ref, because pointer events arrive faster than the page renders.
  const latest = useRef<StrokeUnderWay | undefined>(undefined);
  const startedAt = useRef<number | undefined>(undefined);
  const set = (next: StrokeUnderWay | undefined) => {
    latest.current = next;
    setUnderWay(next);
  };

  const add = (pad: Element, before: Drawing, event: PointerEvent, isNewStroke: boolean): Drawing => {
    const ms = event.timeStamp - (startedAt.current ?? event.timeStamp);
    return withPoint(before, [...toDrawing(pad, before, event), ms], isNewStroke);
  };
  const begin = (event: TargetedPointerEvent<HTMLElement>) => {
    // Ignore a second finger, and the palm of the hand that holds the pen.
    if (!event.isPrimary || event.button !== 0 || latest.current !== undefined) return;
    const pad = event.currentTarget;
    pad.setPointerCapture(event.pointerId);
    const { width, height } = pad.getBoundingClientRect();
    const before = drawing ?? emptyDrawing(width, height);
    // After a reload, the time continues from the drawing's last point.
    if (drawing === undefined || startedAt.current === undefined) {
      startedAt.current = event.timeStamp - lastMs(before.strokes);
    }
    set({ pointer: event.pointerId, drawing: add(pad, before, event, true) });
  };
  const move = (event: TargetedPointerEvent<HTMLElement>) => {
    const pad = event.currentTarget;
    const { current } = latest;
    if (current === undefined || current.pointer !== event.pointerId) return;
    const extended = eventsOf(event).reduce((before, one) => add(pad, before, one, false), current.drawing);
    set({ ...current, drawing: extended });
  };
  const end = (event: TargetedPointerEvent<HTMLElement>) => {
    const { current } = latest;
    if (current === undefined || current.pointer !== event.pointerId) return;
    set(undefined);
    onDraw(current.drawing);
  };

  const shown = underWay?.drawing ?? drawing;
  return (
    <div class="signature">
      <div
        id={id}
        class="pad"
        role="img"
        // Focused when the signature is missing: nothing else of the pad takes the focus while it is empty.
        tabIndex={-1}
        aria-label={shown === undefined ? words.signature.empty : words.signature.drawn}
        aria-describedby={describedBy}
        data-invalid={isInvalid}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      >
        {shown === undefined ? (
          <span class="pad-hint">{words.signature.drawHere}</span>
        ) : (
          <DrawingView {...shown} />
        )}
      </div>
      <div class="pad-actions">
        <span class="help" role="status">
          {drawing !== undefined && isFull(drawing) && <span>{words.signature.isFull}</span>}
        </span>
        <button type="button" class="quiet" disabled={shown === undefined} onClick={() => onDraw(undefined)}>
          {words.signature.clear}
        </button>
      </div>
    </div>
  );
}
