/** Saves a file through the browser. A plain link could not send the header that the host requires. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Revoked late: the browser must have started reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
