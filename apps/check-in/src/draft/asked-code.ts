import type { AskedCode, Draft } from './draft.ts';

/** How long the service accepts a code. */
const worksMs = 10 * 60_000;

/** Sets the code that a returning guest asked for; undefined removes it. */
export function withAskedCode(draft: Draft, asked: AskedCode | undefined): Draft {
  if (asked === draft.askedCode) return draft;
  const { askedCode: _, ...others } = draft;
  return asked === undefined ? others : { ...others, askedCode: asked };
}

/**
 * Whether the guest asked for a code that may still work.
 * @param now - by the service's clock
 */
export const awaitsCode = ({ askedCode }: Draft, now: Date): boolean =>
  askedCode !== undefined && now.getTime() - Date.parse(askedCode.at) < worksMs;
