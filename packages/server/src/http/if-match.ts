import { Problem } from './problem.js';

/** No resource has it: what a tag that is not a version stands for, since it matches nothing. */
const NO_VERSION = 0;

/**
 * The version that `If-Match` demands. null without the header or for `*`, which any state fulfils;
 * a tag that is no version answers 0, which no resource has.
 * @throws Problem `version-required` where it is required and names no version
 */
export const versionDemanded = (header: string | undefined, required: boolean): number | null => {
  const value = header?.trim();
  if (value !== undefined && value !== '*') {
    const [, digits] = /^"([1-9]\d{0,9})"$/.exec(value) ?? [];
    return digits === undefined ? NO_VERSION : Number(digits);
  }
  if (required)
    throw new Problem('version-required', 'Send If-Match with the version you saw, for example If-Match: "3".');
  return null;
};
