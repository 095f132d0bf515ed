import { type CommandNode, flattened, valueOptions } from './command-tree.js';

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
  node.options
    .filter(({ choices }) => choices.length > 0)
    .flatMap(({ names, choices }) =>
      names.map((name) => `    '${node.path}:${name}') words='${choices.join(' ')}' ;;`),
    );

/** Completion for bash 3.2 and later. Names and choices are words of letters, digits and hyphens. */
export const bashScript = (root: CommandNode): string => {
  const nodes = flattened(root);
  const values = valueOptions(nodes).join('|');
  return `# Completion of ${root.name} for bash.
_${root.name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='' words='' word i
  COMPREPLY=()
  if [ "$cur" = '=' ]; then cur=''
  elif [ "$prev" = '=' ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      --) return ;;
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
