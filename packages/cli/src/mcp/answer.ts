import type { CallToolResult } from '@modelcontextprotocol/server';
import { failureOf, unexpectedWords } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import type { Session } from '../session.js';
import { openDesk } from './desk.js';
import type { Tool } from './tool.js';

const errorText = ({ screen, world }: Session, tool: Tool, error: unknown): string => {
  const failure = failureOf(error);
  if (failure !== undefined)
    return [failure.message, ...failure.faults, ...failure.fixes.map((fix) => `Fix: ${fix}`)].join('\n');
  screen.warn(`${tool.name}: ${unexpectedWords(error, world.env)}`);
  return 'An unexpected error; what is known of it stands in the log of this server (stderr).';
};

/** Calls a tool. What goes wrong is an answer too, in the sentence the command would say. */
export const answerBy = async (
  session: Session,
  tool: Tool,
  args: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> => {
  try {
    const { text, structured } = await tool.run(openDesk(session, signal), args);
    return { content: [{ type: 'text', text: harmless(text) }], structuredContent: { ...structured } };
  } catch (error) {
    return { content: [{ type: 'text', text: harmless(errorText(session, tool, error)) }], isError: true };
  }
};
