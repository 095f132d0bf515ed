/** The slug itself, then with 2, 3, ... behind it, leaving out those known to be taken. */
export function* numberedSlugs(slug: string, taken: ReadonlySet<string>, separator = '-'): Generator<string> {
  if (!taken.has(slug)) yield slug;
  for (let number = 2; ; number += 1) {
    const numbered = `${slug}${separator}${number}`;
    if (!taken.has(numbered)) yield numbered;
  }
}

/** Stores under the first slug that is free; one taken in the meantime by somebody else is passed over. */
export const storeUnderFreeSlug = async (
  slug: string,
  taken: readonly string[],
  store: (slug: string) => Promise<boolean>,
  separator?: string,
): Promise<string> => {
  for (const candidate of numberedSlugs(slug, new Set(taken), separator)) {
    if (await store(candidate)) return candidate;
  }
  throw new Error('numbers never end');
};
