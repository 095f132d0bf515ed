/**
 * The user's own command with the prompt in it: in place of `{prompt}`, else as its last argument. The prompt travels as an
 * argument of the shell (as a variable on Windows), so that no sign in it means anything to the shell.
 */
export const agentCommand = (
  typed: string,
  prompt: string,
  platform: NodeJS.Platform,
): { readonly words: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } => {
  const [place, shell] = platform === 'win32' ? ['"%SHIPWORTHY_PROMPT%"', 'cmd.exe'] : ['"$1"', 'sh'];
  const filled = typed.replaceAll(/"\{prompt\}"|'\{prompt\}'|\{prompt\}/g, () => place);
  const command = filled === typed ? `${typed} ${place}` : filled;
  return platform === 'win32'
    ? { words: [shell, '/d', '/s', '/c', command], env: { SHIPWORTHY_PROMPT: prompt } }
    : { words: [shell, '-c', command, 'agent', prompt], env: {} };
};
