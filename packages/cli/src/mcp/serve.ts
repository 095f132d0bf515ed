import { Writable } from 'node:stream';
import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  McpServer,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Ajv, AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { FORMATS } from '@shipworthy/client/contract';
import { AGENT_RULES } from '../agent-rules.js';
import { failureOf, unexpectedWords } from '../failure.js';
import { harmless, inertJson } from '../output/safe-text.js';
import { type CommandSession, interruption } from '../session.js';
import { VERSION } from '../version.js';
import { openToolSession, type Tool, type ToolEffect } from './tool.js';
import {
  finishDeploymentTool,
  getAxisRows,
  getDifference,
  getGate,
  getHistory,
  getScorecard,
  listNotCountedTool,
  listProjectsTool,
  listReleasesTool,
  recordDeploymentTool,
  recordTestRunTool,
  whatIfTool,
} from './tools.js';

/** Serves until the client ends the conversation. Failure (exit 130, 143) when interrupted. */
export const serveMcp = (session: CommandSession, allowWrites: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const { world, screen } = session;
    const out = new Writable({
      decodeStrings: false,
      write: (message: string, _encoding, done) => {
        // A server may repeat what it was sent, such as the key.
        world.stdout.write(inertJson(screen.shown(String(message))));
        done();
      },
    });
    const transport = new StdioServerTransport(world.stdin, out);
    const handle = serveStdio(() => createMcpServer(session, allowWrites), {
      transport,
      onerror: (error) => screen.warn(error.message),
    });
    const giveBack = session.takeInterrupts((signal) => {
      reject(interruption(signal));
      void handle.close();
    });
    const ended = transport.onclose;
    transport.onclose = () => {
      ended?.();
      giveBack();
      resolve();
    };
  });

const INSTRUCTIONS = `Answers how ready a release is and what still holds it (the ship gate). Ask get_gate before saying that something may ship; go is the only yes, unknown means that no one could check. Pull requests are opened by the user on the host, never from here. The rules are the resource shipworthy://agent-rules.`;

const annotationsOf = (effect: ToolEffect): ToolAnnotations => ({
  readOnlyHint: effect === 'reads',
  destructiveHint: false,
  idempotentHint: effect !== 'records',
  openWorldHint: false,
});

const validator = () =>
  new AjvJsonSchemaValidator(
    new Ajv({ strict: false, validateSchema: false, allErrors: true, formats: { ...FORMATS } }),
  );

/** The server for coding agents over a session: every tool that reads, and with `allowWrites` those that record. */
const createMcpServer = (session: CommandSession, allowWrites: boolean): McpServer => {
  const server = new McpServer({ name: 'shipworthy', version: VERSION }, { instructions: INSTRUCTIONS });
  const judge = validator();
  for (const tool of ALL_TOOLS) {
    if (tool.effect !== 'reads' && !allowWrites) continue;
    const { name, title, description, effect } = tool;
    // The contract's schemas are JSON Schema; the SDK's type for them is only wider.
    const inputSchema = fromJsonSchema(tool.input as JsonSchemaType, judge);
    server.registerTool(
      name,
      { title, description, inputSchema, annotations: { title, ...annotationsOf(effect) } },
      (args, context) => answerBy(session, tool, args, context.mcpReq.signal),
    );
  }
  server.registerResource(
    'agent-rules',
    'shipworthy://agent-rules',
    { title: 'Rules for coding agents', mimeType: 'text/markdown' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text: AGENT_RULES }] }),
  );
  server.registerPrompt(
    'what-still-holds',
    {
      title: 'What still holds the release?',
      description: 'Asks for the reasons of the ship gate and the least work on each.',
    },
    () => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: 'What still holds the active release? Ask get_gate, list the reasons in its order with the least that clears each, and say which of them can be worked on in this repository. Change nothing.',
          },
        },
      ],
    }),
  );
  return server;
};

/** Every tool, in the order an agent sees them. What changes something is offered only where that was allowed. */
const ALL_TOOLS: readonly Tool[] = [
  getGate,
  getScorecard,
  getAxisRows,
  whatIfTool,
  getHistory,
  getDifference,
  listNotCountedTool,
  listProjectsTool,
  listReleasesTool,
  recordTestRunTool,
  recordDeploymentTool,
  finishDeploymentTool,
];

const errorText = ({ screen, world }: CommandSession, tool: Tool, error: unknown): string => {
  const failure = failureOf(error);
  if (failure !== undefined)
    return [failure.message, ...failure.faults, ...failure.fixes.map((fix) => `Fix: ${fix}`)].join('\n');
  screen.warn(`${tool.name}: ${unexpectedWords(error, world.env)}`);
  return 'An unexpected error; what is known of it is in the log of this server (stderr).';
};

/** Calls a tool. A failure becomes an answer, too, with the sentence that the command would print. */
const answerBy = async (
  session: CommandSession,
  tool: Tool,
  args: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> => {
  try {
    const { text, structured } = await tool.run(openToolSession(session, signal), args);
    return { content: [{ type: 'text', text: harmless(text) }], structuredContent: { ...structured } };
  } catch (error) {
    return { content: [{ type: 'text', text: harmless(errorText(session, tool, error)) }], isError: true };
  }
};
