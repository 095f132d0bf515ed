/** Makes sure that what was found is what was wanted, compared as text: databases tell counts in several types. @throws Error */
export const requireEqual = (what: string, found: unknown, wanted: unknown): void => {
  if (String(found) !== String(wanted)) throw new Error(`${what}: ${String(found)} instead of ${String(wanted)}.`);
};
