import { type CommandNode, flattened, valueOptions } from './command-tree.js';

const zshQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word with what it means, as _describe takes it. */
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
  node.options
    .filter(({ choices }) => choices.length > 0)
    .flatMap(({ names, choices }) =>
      names.map(
        (name) => `    ${zshQuoted(`${node.path}:${name}`)}) compadd -- ${choices.map(zshQuoted).join(' ')}; return ;;`,
      ),
    );

/** Completion for zsh; also as a file named _shipworthy in a folder of $fpath. */
export const zshScript = (root: CommandNode): string => {
  const nodes = flattened(root);
  const values = valueOptions(nodes).join('|');
  return `#compdef ${root.name}
# Completion of ${root.name} for zsh.
_${root.name}() {
  local at='' word prev="\${words[CURRENT-1]}"
  local -a entries
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$word" in
      --) _files; return ;;
      ${values}) i=$((i + 1)); continue ;;
    esac
    case "$at/$word" in
      ${nodes
        .slice(1)
        .map(({ path }) => path)
        .join('|')}) at="$at/$word" ;;
    esac
  done
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
