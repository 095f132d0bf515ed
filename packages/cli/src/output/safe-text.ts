import type { World } from '../world.js';

// What a server, a file, a report, git or the environment says is shown as text and never obeyed: a terminal obeys control
// characters, a CI system obeys commands that it finds in its log. Everything that is written passes here, last of all.

// Control characters except tabs and line feeds, separators that some viewers take for line ends, and bidi characters.
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces the characters that steer a terminal or reorder text. */
export const harmless = (text: string): string => text.replace(STEERING, '\u{fffd}');

// Each run of colons is looked at once: foreign text may hold a million of them.
const COLONS = /:{2,}/g;
/** What may follow two colons of an IPv6 address such as `[fe80::a]`, up to its bracket. */
const REST_OF_ADDRESS = /[\da-f:.]{0,45}(?:%\w{1,32})?\]/iy;

const beginsLine = (text: string, at: number): boolean => {
  let before = at - 1;
  while (/[^\S\n\r\u2028\u2029]/.test(text.charAt(before))) before -= 1;
  return before < 0 || /\s/.test(text.charAt(before));
};

/** Puts spaces between the colons of GitHub's `::name::` and of `::` that begins a line; not in `[fe80::a]`. */
const withColonsApart = (run: string, at: number, text: string): string => {
  const end = at + run.length;
  REST_OF_ADDRESS.lastIndex = end;
  if (/[a-z_-]/i.test(text.charAt(end)) && !REST_OF_ADDRESS.test(text)) return `${': '.repeat(run.length - 1)}:`;
  return beginsLine(text, at) ? `: ${run.slice(1)}` : run;
};

// `##[name]` of GitHub and Azure, `##vso[name]` of Azure, `##teamcity[name]` of TeamCity.
const HASHES = /##(?=\w*\[)/g;

/** Text in which no CI system finds a command, anywhere in a line. */
export const inert = (text: string): string => text.replace(COLONS, withColonsApart).replace(HASHES, '## ');

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes a JSON document harmless: it triggers no terminal or CI command in a log, and parses to the same value. */
export const inertJson = (json: string): string =>
  // A document has line ends only between its parts, and two colons or hashes side by side only inside of a string.
  json.replace(STEERING, escaped).replace(/:(?=:)|#(?=#)/g, escaped);

/** Takes secrets out of texts. */
interface Hiding {
  /** Removes this text from all later output, also where it is encoded for an address. */
  readonly hide: (secret: string) => void;
  readonly shown: (text: string) => string;
}

// A key typed in place of a name must not appear in the log of a pipeline.
const ANY_KEY = /swk_[0-9A-Za-z]{8,}/g;

/** Whether the text holds what looks like an API key. */
export const holdsKey = (text: string): boolean => text.search(ANY_KEY) !== -1;

/** Takes out everything that looks like an API key, and the secrets that the environment and `hide` name. */
export const hiding = ({ env }: Pick<World, 'env'>): Hiding => {
  const secrets = new Set<string>();
  const hide = (secret: string): void => {
    // Shorter secrets would blank out ordinary words.
    if (secret.length >= 8) for (const form of [secret, encodeURIComponent(secret)]) secrets.add(form);
  };
  for (const name of ['SHIPWORTHY_API_KEY', 'SHIPWORTHY_TOKEN']) hide(env[name]?.trim() ?? '');
  return {
    hide,
    shown: (text) =>
      [...secrets].reduce((left, secret) => left.replaceAll(secret, '[hidden]'), text).replace(ANY_KEY, '[hidden]'),
  };
};
