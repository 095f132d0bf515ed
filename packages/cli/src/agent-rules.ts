/** The page of rules for coding agents, in Markdown. It promises only what the command and its MCP server do. */
export const AGENT_RULES = `## Releases and the ship gate (Shipworthy)

Rules for coding agents that work in this repository.

- **You may push a branch after asking your user.** Ask each time, and push nothing else: no default branch, no tag, no
  forced push.
- **The user opens the pull request on the host.** Nothing here ever opens, approves or merges one: neither you, nor
  \`shipworthy\`, nor its server.
- Before you say that a release is ready, ask what still holds it: \`npx @shipworthy/cli gate\`, or the tool \`get_gate\` of
  \`npx @shipworthy/cli mcp\`. \`go\` is the only yes. \`hold\` names its reasons and the least that clears each; \`unknown\` and
  exit code 5 mean that no one could check, never that all is well.
- Name the reasons as they are. What \`what_if\` answers is supposed, not measured: say so.
- **Report only what happened.** Never report a deployment that did not take place or a test run that did not run, never
  guess counts, never report one twice. Take counts from the report of the test tool: \`npx @shipworthy/cli tests record FILE\`.
  Pipelines report by themselves; leave it to them.
- Do not make the gate greener by other means: no test deleted or skipped for it, no bug relabelled, no checklist item
  ticked without its evidence or marked as not applicable, no policy or minimum changed, no waiver asked for in the user's
  name.
- **Keys stay secret.** Never print, log, commit or paste the value of \`SHIPWORTHY_API_KEY\`, of a key file, or of the
  member \`api_key\` of \`.shipworthy.json\`. Say only whether one is set: \`npx @shipworthy/cli doctor\` does that.
- Where something cannot be reached, \`npx @shipworthy/cli doctor\` says what is missing and how to mend it. Show the user its
  fix; change no credentials, keys or git settings yourself.
`;
