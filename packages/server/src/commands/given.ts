/** What a command takes behind its name. */
export interface Takes {
  /** How its one argument is called; missing: it takes none. */
  readonly argument?: string;
  /** Whether the argument may be missing. */
  readonly optional?: true;
  readonly flags?: readonly string[];
}

/** What was given to a command. */
export interface Given {
  /** Empty where none is given. */
  readonly argument: string;
  readonly flags: ReadonlySet<string>;
}

/** Reads the words behind a command's name; a sentence that says what is wrong with them instead. */
export const readGiven = (
  command: string,
  words: readonly string[],
  { argument, optional, flags = [] }: Takes,
): Given | string => {
  const shown = words.filter((word) => word.startsWith('--'));
  const rest = words.filter((word) => !word.startsWith('--'));
  const unknown = shown.find((word) => !flags.includes(word));
  if (unknown !== undefined) return `${command} does not know ${unknown}.`;
  const [first = '', second] = rest;
  if (argument === undefined)
    return rest.length === 0 ? { argument: '', flags: new Set(shown) } : `${command} takes no arguments.`;
  if (first === '' && !optional) return `${command} needs its ${argument}.`;
  return second === undefined ? { argument: first, flags: new Set(shown) } : `${command} takes one ${argument}.`;
};
