import { usageFailure } from '../failure.js';
import { REPOSITORY_FILE } from '../settings/find-files.js';

const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // The parser's own words would quote the text, which may hold a key.
  }
  throw usageFailure(`${REPOSITORY_FILE} is not a JSON object.`, 'Correct the file or remove it.');
};

/** The settings file with address and project; every other member stays, and a key is never added. */
export const withSettings = (before: string | undefined, apiUrl: string, app: string): string => {
  const members = before === undefined ? {} : membersOf(before);
  if (before !== undefined && members.api_url === apiUrl && members.app === app) return before;
  return `${JSON.stringify({ ...members, api_url: apiUrl, app }, null, 2)}\n`;
};

/** The key such a file holds, so that it is never shown; undefined when there is none. */
export const keyIn = (text: string | undefined): string | undefined => {
  const key = text === undefined ? undefined : membersOf(text).api_key;
  return typeof key === 'string' && key !== '' ? key : undefined;
};

/** What git is told to leave out, with the settings file in it. */
export const withoutSettingsFile = (ignore: string): string => {
  const named = ignore.split(/\r?\n/).some((line) => [REPOSITORY_FILE, `/${REPOSITORY_FILE}`].includes(line.trim()));
  if (named) return ignore;
  return `${ignore}${ignore === '' || ignore.endsWith('\n') ? '' : '\n'}${REPOSITORY_FILE}\n`;
};
