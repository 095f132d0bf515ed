import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { EXIT } from '../failure.js';
import type { Act } from '../session.js';

const HOW = `
  bash        echo 'source <(shipworthy completion bash)' >> ~/.bashrc
  zsh         echo 'source <(shipworthy completion zsh)' >> ~/.zshrc      (after compinit)
  fish        shipworthy completion fish > ~/.config/fish/completions/shipworthy.fish
  powershell  shipworthy completion powershell | Out-String | Invoke-Expression      (in $PROFILE)`;

const programOf = (command: CommandUnknownOpts): CommandUnknownOpts =>
  command.parent === null ? command : programOf(command.parent);

/** `shipworthy completion`: prints a script by which a shell completes commands, options and their values. */
export const completionCommand = (act: Act) =>
  new Command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'powershell'] as const))
    .addHelpText('after', HOW)
    .action(
      act(async ({ world, screen, globals }, shell, _options, command) => {
        const script = SHELLS[shell](treeOf(programOf(command)));
        // Not by `screen.answer`, which would take `::` apart: shells need it, and the script holds no foreign text.
        if (globals.json) screen.answer('', { shell, script });
        else world.stdout.write(script.endsWith('\n') ? script : `${script}\n`);
        return EXIT.done;
      }),
    );

/** An option that a shell can complete. */
interface OptionNode {
  /** The names as they are typed, such as `-h` and `--help`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The allowed values; empty: any value. */
  readonly choices: readonly string[];
}

/** A command with what may follow it. */
export interface CommandNode {
  /** The path below the program, such as `/deploy/run`; empty for the program itself. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly children: readonly CommandNode[];
  /** The command's own options and those of every command above it. */
  readonly options: readonly OptionNode[];
  /** The allowed values of its first argument; empty: any value. */
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

/** The command and all below it, in the order of the help text. `above` holds the options of the commands above it. */
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
const valueOptions = (nodes: readonly CommandNode[]): readonly string[] => [
  ...new Set(
    nodes.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(({ names }) => names)),
  ),
];

/** The paths of all commands below the program. */
const pathsIn = (nodes: readonly CommandNode[]): readonly string[] => nodes.slice(1).map(({ path }) => path);

/** Each name of an option that has choices, with these choices. */
const choicesBelow = ({ options }: CommandNode): readonly (readonly [name: string, choices: readonly string[]])[] =>
  options
    .filter(({ choices }) => choices.length > 0)
    .flatMap(({ names, choices }) => names.map((name) => [name, choices] as const));

/** The parts of the loop over the typed words in which bash and zsh differ. */
interface TypedWords {
  readonly first: number;
  readonly end: string;
  /** The name of the array of typed words. */
  readonly words: string;
  /** The statement that runs at the word `--`. */
  readonly atDashes: string;
}

/** A loop over the words before the cursor, which sets `at` to the path of the command that they name. */
const typedPath = (nodes: readonly CommandNode[], { first, end, words, atDashes }: TypedWords): string =>
  `  for ((i = ${first}; i < ${end}; i++)); do
    word="\${${words}[i]}"
    case "$word" in
      --) ${atDashes} ;;
      ${valueOptions(nodes).join('|')}) i=$((i + 1)); continue ;;
    esac
    case "$at/$word" in
      ${pathsIn(nodes).join('|')}) at="$at/$word" ;;
    esac
  done`;

/** The cases of what may follow a command: its options after a hyphen, else commands and arguments. */
const bashFollowers = (node: CommandNode): readonly string[] => {
  const options = node.options.flatMap(({ names }) => names);
  const words = [...node.children.map(({ name }) => name), ...node.choices];
  return [
    `        '${node.path}:-'*) words='${options.join(' ')}' ;;`,
    ...(words.length > 0 ? [`        '${node.path}:'*) words='${words.join(' ')}' ;;`] : []),
  ];
};

const bashChoiceCases = (node: CommandNode): readonly string[] =>
  choicesBelow(node).map(([name, choices]) => `    '${node.path}:${name}') words='${choices.join(' ')}' ;;`);

/** Completion for bash 3.2 and later. Names and choices need no quotes: they have only letters, digits and hyphens. */
const bashScript = (root: CommandNode): string => {
  const nodes = flattened(root);
  const values = valueOptions(nodes).join('|');
  return `# Completion of ${root.name} for bash.
_${root.name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='' words='' word i
  COMPREPLY=()
  if [ "$cur" = '=' ]; then cur=''
  elif [ "$prev" = '=' ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${typedPath(nodes, { first: 1, end: 'COMP_CWORD', words: 'COMP_WORDS', atDashes: 'return' })}
  case "$at:$prev" in
${nodes.flatMap(bashChoiceCases).join('\n')}
    *)
      case "$prev" in
        ${values}) return ;;
      esac
      case "$at:$cur" in
${nodes.flatMap(bashFollowers).join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _${root.name} ${root.name}
`;
};

const zshQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word with its description, in the form that `_describe` of zsh takes. */
const described = (name: string, description: string): string =>
  zshQuoted(`${name.replaceAll(':', '\\:')}:${description.replaceAll('\n', ' ')}`);

/** The cases of what may follow a command: its options after a hyphen, else commands and arguments. */
const zshFollowers = (node: CommandNode): readonly string[] => {
  const options = node.options.flatMap(({ names, description }) => names.map((name) => described(name, description)));
  const words = [
    ...node.children.map(({ name, description }) => described(name, description)),
    ...node.choices.map((choice) => zshQuoted(choice)),
  ];
  return [
    `    ${zshQuoted(`${node.path}:-`)}*) entries=(${options.join(' ')}) ;;`,
    ...(words.length > 0 ? [`    ${zshQuoted(`${node.path}:`)}*) entries=(${words.join(' ')}) ;;`] : []),
  ];
};

const zshChoiceCases = (node: CommandNode): readonly string[] =>
  choicesBelow(node).map(
    ([name, choices]) =>
      `    ${zshQuoted(`${node.path}:${name}`)}) compadd -- ${choices.map(zshQuoted).join(' ')}; return ;;`,
  );

/** Completion for zsh; works when it is sourced, and as a file `_shipworthy` in a folder of $fpath. */
const zshScript = (root: CommandNode): string => {
  const nodes = flattened(root);
  const values = valueOptions(nodes).join('|');
  return `#compdef ${root.name}
# Completion of ${root.name} for zsh.
_${root.name}() {
  local at='' word prev="\${words[CURRENT-1]}"
  local -a entries
  integer i
${typedPath(nodes, { first: 2, end: 'CURRENT', words: 'words', atDashes: '_files; return' })}
  case "$at:$prev" in
${nodes.flatMap(zshChoiceCases).join('\n')}
  esac
  case "$prev" in
    ${values}) _files; return ;;
  esac
  case "$at:\${words[CURRENT]}" in
${nodes.flatMap(zshFollowers).join('\n')}
  esac
  if ((\${#entries})); then _describe -V ${root.name} entries; else _files; fi
}
if [ "\${funcstack[1]}" = _${root.name} ]; then _${root.name} "$@"; else compdef _${root.name} ${root.name}; fi
`;
};

const fishQuoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ')}'`;

const optionLine = (root: CommandNode, at: string, { names, description, takesValue, choices }: OptionNode): string => {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = choices.length > 0 ? [`-x -a ${fishQuoted(choices.join(' '))}`] : takesValue ? ['-r'] : [];
  return [
    `complete -c ${root.name} -n ${fishQuoted(`__${root.name}_at ${at}`)}`,
    ...flags,
    ...value,
    `-d ${fishQuoted(description)}`,
  ].join(' ');
};

const linesOf = (root: CommandNode, node: CommandNode): readonly string[] => {
  const at = node.path || '/';
  const begin = `complete -c ${root.name} -n ${fishQuoted(`__${root.name}_at ${at}`)} -f -a`;
  return [
    ...node.children.map(({ name, description }) => `${begin} ${fishQuoted(name)} -d ${fishQuoted(description)}`),
    ...(node.choices.length > 0 ? [`${begin} ${fishQuoted(node.choices.join(' '))}`] : []),
    ...node.options.map((option) => optionLine(root, at, option)),
  ];
};

/** Completion for fish. */
const fishScript = (root: CommandNode): string => {
  const nodes = flattened(root);
  return `# Completion of ${root.name} for fish.
function __${root.name}_at
    set -l at
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case --
                return 1
            case ${valueOptions(nodes).join(' ')}
                set skip 1
                continue
        end
        switch "$at/$word"
            case ${pathsIn(nodes).join(' ')}
                set at "$at/$word"
        end
    end
    test -n "$at"; or set at /
    test "$at" = "$argv[1]"
end
${nodes.flatMap((node) => linesOf(root, node)).join('\n')}
`;
};

const powershellQuoted = (text: string): string => `'${text.replaceAll("'", "''").replaceAll('\n', ' ')}'`;

const entry = (name: string, description: string): string =>
  `@(${powershellQuoted(name)}, ${powershellQuoted(description || name)})`;

/** What may follow a command: its options after a hyphen, else commands and arguments. */
const powershellFollowers = (node: CommandNode): readonly string[] => {
  const options = node.options.flatMap(({ names, description }) => names.map((name) => entry(name, description)));
  const words = [
    ...node.children.map(({ name, description }) => entry(name, description)),
    ...node.choices.map((choice) => entry(choice, choice)),
  ];
  return [
    `    ${powershellQuoted(`${node.path}:-`)} = @(${options.join(', ')})`,
    `    ${powershellQuoted(`${node.path}:`)} = @(${words.join(', ')})`,
  ];
};

const choiceLines = (node: CommandNode): readonly string[] =>
  choicesBelow(node).map(
    ([name, choices]) =>
      `    ${powershellQuoted(`${node.path}:${name}`)} = @(${choices.map(powershellQuoted).join(', ')})`,
  );

/** Completion for PowerShell 5.1 and later. */
const powershellScript = (root: CommandNode): string => {
  const nodes = flattened(root);
  return `# Completion of ${root.name} for PowerShell.
Register-ArgumentCompleter -Native -CommandName ${root.name} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $choices = @{
${nodes.flatMap(choiceLines).join('\n')}
  }
  $entries = @{
${nodes.flatMap(powershellFollowers).join('\n')}
  }
  $values = @(${valueOptions(nodes).map(powershellQuoted).join(', ')})
  $at = ''
  $previous = ''
  $skip = $false
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $word = $element.ToString()
    if ($word -ceq '--') { return }
    $previous = $word
    if ($skip) { $skip = $false; continue }
    if ($values -ccontains $word) { $skip = $true; continue }
    if ($entries.ContainsKey("$at/\${word}:")) { $at = "$at/$word" }
  }
  $key = "\${at}:$previous"
  if ($choices.ContainsKey($key)) {
    $choices[$key] | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
    return
  }
  if ($skip) { return }
  $hyphen = if ($wordToComplete.StartsWith('-')) { '-' } else { '' }
  $entries["\${at}:$hyphen"] | Where-Object { $_[0] -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
};

/** The supported shells, each with the function that makes its script. */
export const SHELLS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const satisfies Readonly<Record<string, (root: CommandNode) => string>>;
