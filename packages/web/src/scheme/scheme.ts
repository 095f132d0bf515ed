/** Light or dark, or as the system is. */
export type Scheme = 'system' | 'light' | 'dark';

const KEPT_AS = 'shipworthy.scheme';

/** What the person chose in this browser. */
export const chosenScheme = (): Scheme => {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
};

/** Shows the application so. */
export const showScheme = (scheme: Scheme): void => {
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
};

/** Shows it so from now on in this browser. */
export const chooseScheme = (scheme: Scheme): void => {
  showScheme(scheme);
  try {
    if (scheme === 'system') localStorage.removeItem(KEPT_AS);
    else localStorage.setItem(KEPT_AS, scheme);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
};
