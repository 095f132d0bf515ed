/** The groups of operations, in the order of the documentation. */
export const TAGS = {
  session: 'Setting up, signing in and out, inviting people.',
  people: 'All accounts of the service, for its administrators.',
  teams: 'Teams, their members and their audit log.',
  projects: 'Projects, the policy of their ship gate, and the portfolio of all of them.',
  releases: 'What may ship: planned, active, shipped or canceled.',
  readiness: 'The readiness score of a release, the rows behind it, its history, the ship gate and its waivers.',
  checklist: 'The launch checklist of a release.',
  issues: 'Issues and bugs, which fill the axes scope and quality.',
  deployments: 'What the deploy pipeline reports; fills the axis stability.',
  'test-runs': 'What the tests report; fills the axis verification.',
  repository: 'The repository a project is linked to, and what is imported from it.',
  webhooks: 'Where the events of a project are sent to: messages after Standard Webhooks.',
  settings: 'The connection to the repository host, and API keys.',
  service: 'The contract itself and the health of the service.',
} as const;

export type Tag = keyof typeof TAGS;
