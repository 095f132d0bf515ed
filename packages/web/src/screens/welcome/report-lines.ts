import type { ProjectPlace } from '../../navigation/places.js';

export interface LinesGiven {
  readonly address: string;
  readonly key: string;
  readonly app: string;
  readonly place: ProjectPlace;
}

/** As one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The lines that report, ready to be pasted into a terminal. */
export const linesFor = ({ address, key, app, place }: LinesGiven) => [
  {
    title: 'Settings for both ways',
    text: `export SHIPWORTHY_API_URL=${shellWord(address)}\nexport SHIPWORTHY_API_KEY=${shellWord(key)}`,
  },
  {
    title: 'With the command',
    text: [
      'npx shipworthy tests record report.xml',
      `npx shipworthy deploy run --app ${shellWord(app)} --env production -- ./deploy.sh`,
    ].join('\n'),
  },
  {
    title: 'With curl',
    text: [
      `curl -sS "$SHIPWORTHY_API_URL/api/teams/${place.teamId}/projects/${place.projectId}/test-runs" \\`,
      '  -H "Authorization: Bearer $SHIPWORTHY_API_KEY" -H "Content-Type: application/json" \\',
      `  -d '{"total": 10, "passed": 10, "failed": 0}'`,
      'curl -sS "$SHIPWORTHY_API_URL/api/deployments" \\',
      '  -H "Authorization: Bearer $SHIPWORTHY_API_KEY" -H "Content-Type: application/json" \\',
      `  -d ${shellWord(JSON.stringify({ app_name: app, environment: 'production', commit_sha: '0123abc', status: 'success' }))}`,
    ].join('\n'),
  },
];
