/**
 * Copies a text. Where the browser gives no clipboard, as to a page over plain HTTP on a local network, selects it where it
 * is shown, so that a person can.
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
