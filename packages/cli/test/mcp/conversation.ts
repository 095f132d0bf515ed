import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { COMMAND } from '../shipworthy-process.js';

/** What a tool answered. */
export interface Said {
  readonly text: string;
  readonly data: never;
  readonly isError: boolean;
}

/** A real client of the protocol and the command behind it, in a process of its own. */
export interface Conversation {
  readonly client: Client;
  readonly ask: (tool: string, args?: Record<string, unknown>) => Promise<Said>;
  /** Ends the conversation; answers what the process wrote to stderr. */
  readonly end: () => Promise<string>;
}

/** Starts `shipworthy mcp` in a folder with only that environment. */
export const converse = (
  folder: string,
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Conversation> => converseWith(COMMAND, folder, env, ...words);

/** The same with the command at a path, such as an installed one. */
export const converseWith = async (
  main: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Conversation> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', ...words],
    cwd: folder,
    env: { ...env, HOME: folder },
    stderr: 'pipe',
  });
  const log = text(transport.stderr as Readable);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    ask: async (name, args = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      const said = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      return {
        text: said,
        data: (structuredContent as { data: never } | undefined)?.data as never,
        isError: isError ?? false,
      };
    },
    end: async () => {
      await client.close();
      return log;
    },
  };
};
