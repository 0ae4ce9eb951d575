import { type Drawing, pathOf } from './strokes.ts';

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
