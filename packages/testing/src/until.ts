/** Waits until a condition holds. */
export async function until<Value>(
  condition: () => Promise<Value | undefined | false> | Value | undefined | false,
  what: string,
  withinMs = 120_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
