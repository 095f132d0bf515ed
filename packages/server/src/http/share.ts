/** Something there is only so much of, shared by callers of whom none gets all. */
export interface Share {
  readonly taken: number;
  /** Whose bound so much more would cross; null: nobody's. */
  crossed(caller: string, amount: number): 'caller' | 'all' | null;
  /** Takes so much, whatever the bounds say. */
  take(caller: string, amount: number): void;
  give(caller: string, amount: number): void;
}

/** One caller may have half of what all have together, so that whoever asks for too much leaves room for others. */
export const createShare = (most: number): Share => {
  const byCaller = new Map<string, number>();
  const mostOfOne = Math.ceil(most / 2);
  let taken = 0;
  return {
    get taken() {
      return taken;
    },
    crossed(caller, amount) {
      if (taken + amount > most) return 'all';
      return (byCaller.get(caller) ?? 0) + amount > mostOfOne ? 'caller' : null;
    },
    take(caller, amount) {
      taken += amount;
      byCaller.set(caller, (byCaller.get(caller) ?? 0) + amount);
    },
    give(caller, amount) {
      taken -= amount;
      const left = (byCaller.get(caller) ?? 0) - amount;
      if (left > 0) byCaller.set(caller, left);
      else byCaller.delete(caller);
    },
  };
};
