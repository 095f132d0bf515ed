import { type CommandNode, flattened, valueOptions } from './command-tree.js';

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
  node.options
    .filter(({ choices }) => choices.length > 0)
    .flatMap(({ names, choices }) =>
      names.map(
        (name) => `    ${powershellQuoted(`${node.path}:${name}`)} = @(${choices.map(powershellQuoted).join(', ')})`,
      ),
    );

/** Completion for PowerShell 5.1 and later. */
export const powershellScript = (root: CommandNode): string => {
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
