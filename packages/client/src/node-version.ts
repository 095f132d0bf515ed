const LEAST = [20, 19] as const;

/**
 * Returns one line that says why our programs cannot run on this version of Node; undefined when they can. Called before
 * anything else is loaded, which an older Node might not understand.
 */
export const oldNodeFault = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return undefined;
  return `Shipworthy needs Node ${LEAST.join('.')} or later; this is ${version}. Install a later one from https://nodejs.org, or choose it in your version manager or image.`;
};
