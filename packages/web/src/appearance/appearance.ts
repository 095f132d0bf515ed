/** Light or dark, or as the system is. */
export type Scheme = 'system' | 'light' | 'dark';

/** How much fits on a screen: `dense` shows more, `comfortable` leaves more space, as touch screens always do. */
export type Density = 'dense' | 'comfortable';

const SCHEME = { keptAs: 'shipworthy.scheme', usual: 'system', others: ['light', 'dark'] } as const;
const DENSITY = { keptAs: 'shipworthy.density', usual: 'dense', others: ['comfortable'] } as const;

interface Choice<T extends string> {
  readonly keptAs: string;
  readonly usual: T;
  readonly others: readonly T[];
}

/** Choices that the browser did not store, by their key; they last until the page is closed. */
const unstored = new Map<string, string>();

const storedAs = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const chosen = <T extends string>({ keptAs, usual, others }: Choice<T>): T => {
  const kept = unstored.get(keptAs) ?? storedAs(keptAs);
  return others.find((each) => each === kept) ?? usual;
};

const keep = <T extends string>({ keptAs, usual }: Choice<T>, value: T): void => {
  try {
    if (value === usual) localStorage.removeItem(keptAs);
    else localStorage.setItem(keptAs, value);
    unstored.delete(keptAs);
  } catch {
    unstored.set(keptAs, value);
  }
};

/** The colours the person chose in this browser. */
export const chosenScheme = (): Scheme => chosen<Scheme>(SCHEME);

/** The density the person chose in this browser. */
export const chosenDensity = (): Density => chosen<Density>(DENSITY);

/** Applies colours and density to the page; those chosen in this browser, unless given. */
export const showAppearance = (scheme = chosenScheme(), density = chosenDensity()): void => {
  const { dataset } = document.documentElement;
  if (scheme === 'system') delete dataset.scheme;
  else dataset.scheme = scheme;
  dataset.density = density;
};

/** Shows these colours from now on in this browser. */
export const chooseScheme = (scheme: Scheme): void => {
  keep<Scheme>(SCHEME, scheme);
  showAppearance(scheme);
};

/** Shows this density from now on in this browser. */
export const chooseDensity = (density: Density): void => {
  keep<Density>(DENSITY, density);
  showAppearance(undefined, density);
};
