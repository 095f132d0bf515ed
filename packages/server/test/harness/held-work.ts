/** Work of callers that goes on until the test lets it end, as while a connection to the database waits for an answer. */
export interface HeldWork {
  /** The callers whose work goes on now. */
  readonly inside: readonly string[];
  /** How much of it began since it was last let end. */
  readonly begun: number;
  /** Begins work of the caller; resolves once the test lets it end. */
  hold(caller: string): Promise<void>;
  /** Lets all that began end. */
  releaseAll(): void;
  /** Lets what begins end, until it is so. */
  releaseUntil(isSo: () => boolean): Promise<void>;
}

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Resolves once it is so. */
export const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await turnOfLoop();
};

export const createHeldWork = (): HeldWork => {
  const inside: string[] = [];
  const releases: (() => void)[] = [];
  const releaseAll = (): void => {
    for (const release of releases.splice(0)) release();
  };
  return {
    inside,
    get begun() {
      return releases.length;
    },
    async hold(caller) {
      inside.push(caller);
      await new Promise<void>((resolve) => releases.push(resolve));
      inside.splice(inside.indexOf(caller), 1);
    },
    releaseAll,
    async releaseUntil(isSo) {
      while (!isSo()) {
        releaseAll();
        await turnOfLoop();
      }
    },
  };
};
