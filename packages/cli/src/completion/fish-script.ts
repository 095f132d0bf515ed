import { type CommandNode, flattened, type OptionNode, valueOptions } from './command-tree.js';

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
export const fishScript = (root: CommandNode): string => {
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
            case ${nodes
              .slice(1)
              .map(({ path }) => path)
              .join(' ')}
                set at "$at/$word"
        end
    end
    test -n "$at"; or set at /
    test "$at" = "$argv[1]"
end
${nodes.flatMap((node) => linesOf(root, node)).join('\n')}
`;
};
