/** A batch function whose calls stay open until they are answered one by one. */
export const heldBatches = <Item, Result>() => {
  const open: { items: readonly Item[]; answer(results: readonly Result[]): void; fail(error: unknown): void }[] = [];
  const seen: (readonly Item[])[] = [];
  return {
    /** Those not answered yet, oldest first. */
    open,
    /** The items of every call so far. */
    seen,
    batch: (items: readonly Item[]): Promise<readonly Result[]> =>
      new Promise((resolve, reject) => {
        seen.push([...items]);
        open.push({ items, answer: resolve, fail: reject });
      }),
  };
};

/** Lets everything that is ready happen. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
