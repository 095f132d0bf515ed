import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** An option as it is completed. */
export interface OptionNode {
  /** `-h`, `--help`: as it is written. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The values there are; none where any will do. */
  readonly choices: readonly string[];
}

/** A command with what may follow it. */
export interface CommandNode {
  /** From the program on, each after a slash; empty for the program itself. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly children: readonly CommandNode[];
  /** Its own and those of every command above it. */
  readonly options: readonly OptionNode[];
  /** What its first argument may be; none where any will do. */
  readonly choices: readonly string[];
}

const optionsOf = (command: CommandUnknownOpts): readonly OptionNode[] => {
  const help = command.createHelp();
  return help.visibleOptions(command).map((option) => ({
    names: [option.short, option.long].filter((name) => name !== undefined),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }));
};

/** The command and all below it, in the order of the help text. `path` and `above` are those of what it stands in. */
export const treeOf = (command: CommandUnknownOpts, path = '', above: readonly OptionNode[] = []): CommandNode => {
  const own = optionsOf(command);
  const known = new Set(own.flatMap(({ names }) => names));
  const options = [...own, ...above.filter(({ names }) => !names.some((name) => known.has(name)))];
  return {
    path,
    name: command.name(),
    description: command.description(),
    children: command.commands.map((child) => treeOf(child, `${path}/${child.name()}`, options)),
    options,
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
};

/** A command and all below it, as a list. */
export const flattened = (node: CommandNode): readonly CommandNode[] => [node, ...node.children.flatMap(flattened)];

/** The names of all options that take a value, each once. */
export const valueOptions = (nodes: readonly CommandNode[]): readonly string[] => [
  ...new Set(
    nodes.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(({ names }) => names)),
  ),
];
