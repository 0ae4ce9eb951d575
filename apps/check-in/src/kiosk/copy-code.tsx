import { encode } from 'uqr';
import type { KioskWords } from './text/words.ts';

/** The link to a copy as a code, for the guest's phone: dark on light in every theme, with the margin that cameras need. */
export function CopyCode({ url, words }: { readonly url: string; readonly words: KioskWords }) {
  const { data, size } = encode(url, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('');
  return (
    <figure class="copy-code">
      <svg
        role="img"
        aria-label={words.done.copyCode}
        viewBox={`0 0 ${size} ${size}`}
        shape-rendering="crispEdges"
      >
        <path fill="#ffffff" d={`M0 0h${size}v${size}h-${size}z`} />
        <path fill="#000000" d={path} />
      </svg>
      <figcaption>{words.done.copy}</figcaption>
    </figure>
  );
}
