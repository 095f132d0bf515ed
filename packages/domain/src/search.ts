import type { IssueState } from './issue.js';
import type { ReleaseState } from './release/release.js';

/** What can be found by its name, in the order in which equally good matches are answered. */
export const FOUND_KINDS = ['project', 'release', 'issue'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** How well a name matches, best first: it is the text, begins with it, has a word that begins with it, or holds all of its words. */
export const MATCHES = ['exact', 'prefix', 'word', 'part'] as const;
export type Match = (typeof MATCHES)[number];

/** A text to look for. */
export interface SearchText {
  /** The words that a name must hold; none: a search finds nothing, and a filter of a list keeps every row. */
  readonly words: readonly string[];
  /** The words with one space between them. */
  readonly phrase: string;
  /** The number of an issue at its host, such as `42` of `#42`; null: the text is not a number. */
  readonly number: string | null;
  /** The text as an id (a UUID) in lower case; null: the text is not an id. */
  readonly id: string | null;
}

/** A text of more words than this is looked for as one phrase. */
const MOST_WORDS = 8;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Parses the text that a person entered. */
export const searchTextOf = (text: string): SearchText => {
  const parts = text.normalize('NFC').split(/\s+/u).filter(Boolean);
  const phrase = parts.join(' ');
  const words = parts.length > MOST_WORDS ? [phrase] : parts;
  const id = phrase.toLowerCase();
  return { words, phrase, number: /^#?(\d{1,12})$/.exec(phrase)?.[1] ?? null, id: UUID.test(id) ? id : null };
};

/**
 * Returns a character's spellings that count as equal: both cases, if each is one character. The same in all stores.
 */
export const spellingsOf = (character: string): readonly string[] => {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  const all = new Set([character, lower, upper, upper.toLowerCase(), lower.toUpperCase()]);
  return [...all].filter((spelling) => [...spelling].length === 1);
};

/** ASCII that is no letter or digit: a word begins behind it. Written for the brackets of a regular expression. */
export const BETWEEN_WORDS = ' -/:-@[-`{-~';

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');

/** Returns the source of a regular expression that finds the text in any case. */
export const inAnyCase = (text: string): string =>
  [...text]
    .map((character) => {
      const spellings = spellingsOf(character);
      return spellings.length === 1 ? escaped(character) : `[${spellings.join('')}]`;
    })
    .join('');

const finds = (before: string, text: string, behind = ''): RegExp => new RegExp(before + inAnyCase(text) + behind, 'u');

/** Whether a name holds every word, in any case; without a text every name does. */
export const holdsWords = (text: Pick<SearchText, 'words'> | undefined): ((name: string) => boolean) => {
  const each = text?.words.map((word) => finds('', word)) ?? [];
  return (name) => each.every((word) => word.test(name));
};

/** Returns the rest of a text behind a project's name, to be looked for in that project; null: it does not begin so. */
export const restWithin = ({ phrase }: SearchText, project: string): string | null => {
  const [name, text] = [[...project], [...phrase]];
  if (name.length + 1 >= text.length || text[name.length] !== ' ') return null;
  const isSame = name.every((character, place) => spellingsOf(text[place] ?? '').includes(character));
  return isSame ? text.slice(name.length + 1).join('') : null;
};

/** What is found by its name. */
export interface Findable {
  readonly name: string;
  readonly id: string;
  /** A further name that matches only as a whole, in any case; null: none. */
  readonly key: string | null;
  /** The address at its host, whose end may be its number; null: none. */
  readonly url: string | null;
}

/**
 * Returns a function that says how well a record of a project matches a text; undefined: not at all. Words that the
 * project's name holds may be missing in the record's name, but not all words.
 * `project` is the project's name; null: projects themselves are looked for.
 */
export const matcherOf = (
  text: SearchText,
): ((project: string | null) => (findable: Findable) => Match | undefined) => {
  const { words, phrase, number, id } = text;
  const each = words.map((word) => finds('', word));
  const patternsOf = (one: string) =>
    [finds('^', one, '$'), finds('^', one), finds(`[${BETWEEN_WORDS}]`, one)] as const;
  const own = patternsOf(phrase);
  return (project) => {
    const missing = each.filter((word) => project === null || !word.test(project));
    const rest = project === null ? null : restWithin(text, project);
    const patterns = rest === null ? [own] : [own, patternsOf(rest)];
    return (findable) => {
      const { name, key, url } = findable;
      if (words.length === 0) return undefined;
      if (findable.id === id || (key !== null && own[0].test(key))) return 'exact';
      if (number !== null && url?.endsWith(`/${number}`)) return 'exact';
      if (missing.length > 0 ? !missing.every((word) => word.test(name)) : !each.some((word) => word.test(name)))
        return undefined;
      if (patterns.some(([exact]) => exact.test(name))) return 'exact';
      if (patterns.some(([, prefix]) => prefix.test(name))) return 'prefix';
      return patterns.some(([, , word]) => word.test(name)) ? 'word' : 'part';
    };
  };
};

/** A release or an issue that was found in a project. */
export interface FoundRecord {
  readonly kind: Exclude<FoundKind, 'project'>;
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly state: ReleaseState | IssueState;
  readonly match: Match;
}

export interface SearchStore {
  /**
   * The releases and issues of these projects that match, as `matcherOf` says: best first, then releases before issues, then newest
   * first (createdAt, then id), `limit` at most.
   */
  find(
    projects: readonly { readonly id: string; readonly name: string }[],
    text: SearchText,
    limit: number,
  ): Promise<readonly FoundRecord[]>;
}
