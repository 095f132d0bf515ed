/** The project whose API paths the lines use. */
interface LinesPlace {
  readonly teamId: string;
  readonly projectId: string;
}

/** A few lines for a terminal, and what they are. */
export interface ReportLines {
  readonly title: string;
  readonly text: string;
}

interface LinesGiven {
  readonly address: string;
  readonly key: string;
  readonly app: string;
  readonly place: LinesPlace;
}

/** Quotes a text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const posting = (path: string, body: string): string =>
  [
    `curl -sS "$SHIPWORTHY_API_URL${path}" \\`,
    '  -H "Authorization: Bearer $SHIPWORTHY_API_KEY" -H "Content-Type: application/json" \\',
    `  -d ${body}`,
  ].join('\n');

/** The lines that set the service's address and the API key. */
export const settingLines = ({ address, key }: Pick<LinesGiven, 'address' | 'key'>): ReportLines => ({
  title: 'Settings for both ways',
  text: `export SHIPWORTHY_API_URL=${shellWord(address)}\nexport SHIPWORTHY_API_KEY=${shellWord(key)}`,
});

/** The command that records a test report; `app` names the project. */
export const testCommand = (app: string): string =>
  `npx @shipworthy/cli tests record report.xml --app ${shellWord(app)}`;

export const deployLine = (app: string): string =>
  `npx @shipworthy/cli deploy run --app ${shellWord(app)} --env production -- ./deploy.sh`;

/** The command that reports an own axis; `app` names the project. */
export const axisLine = (app: string, axis: string): string =>
  `npx @shipworthy/cli axis report ${axis} --app ${shellWord(app)} --part 48 --whole 50`;

export const axisPosting = ({ teamId, projectId }: LinesPlace, axis: string): string =>
  posting(`/api/teams/${teamId}/projects/${projectId}/axes/${axis}/reports`, `'{"part": 48, "whole": 50}'`);

export const testPosting = ({ teamId, projectId }: LinesPlace): string =>
  posting(`/api/teams/${teamId}/projects/${projectId}/test-runs`, `'{"total": 10, "passed": 10, "failed": 0}'`);

export const deployPosting = (app: string): string =>
  posting(
    '/api/deployments',
    shellWord(JSON.stringify({ app_name: app, environment: 'production', commit_sha: '0123abc', status: 'success' })),
  );

/** The lines that report, ready to be pasted into a terminal. */
export const linesFor = ({ address, key, app, place }: LinesGiven): readonly ReportLines[] => [
  settingLines({ address, key }),
  { title: 'With the command', text: `${testCommand(app)}\n${deployLine(app)}` },
  { title: 'With curl', text: `${testPosting(place)}\n${deployPosting(app)}` },
];
