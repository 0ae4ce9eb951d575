/**
 * Copies a text. Without clipboard access, as for a page over plain HTTP on a local network, selects the shown text
 * instead, for the person to copy.
 *
 * @returns whether it was copied
 */
export async function copyOrSelect(text: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shown !== null) getSelection()?.selectAllChildren(shown);
    return false;
  }
}
