import { fromJsonSchema, type JsonSchemaType, McpServer, type ToolAnnotations } from '@modelcontextprotocol/server';
import { Ajv, AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { FORMATS } from '@shipworthy/client/contract';
import { AGENT_RULES } from '../agents/rules.js';
import type { Session } from '../session.js';
import { VERSION } from '../version.js';
import { ALL_TOOLS } from './all-tools.js';
import { answerBy } from './answer.js';
import type { ToolEffect } from './tool.js';

const INSTRUCTIONS = `Answers how ready a release is and what still holds it (the ship gate). Ask get_gate before saying that something may ship; go is the only yes, unknown means that nobody could check. Pull requests are opened by the user on the host, never from here. The rules are the resource shipworthy://agent-rules.`;

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
export const createMcpServer = (session: Session, allowWrites: boolean): McpServer => {
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
