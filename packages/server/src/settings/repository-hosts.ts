import type { SettingsReader } from './reader.js';

/** How the repository host is reached; one at most is set up. */
export interface RepositoryHosts {
  /** null: GitHub is not set up as repository host. */
  readonly github: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly apiUrl: URL;
    readonly webUrl: URL;
  } | null;
  /** null: GitLab is not. */
  readonly gitlab: { readonly clientId: string; readonly clientSecret: string; readonly url: URL } | null;
}

/** The OAuth application of a repository host; null: neither of its settings is there. */
const applicationOf = (reader: SettingsReader, host: 'GITHUB' | 'GITLAB') => {
  const clientId = reader.text(`${host}_CLIENT_ID`);
  const clientSecret = reader.text(`${host}_CLIENT_SECRET`);
  if (clientId === undefined && clientSecret === undefined) return null;
  if (clientId === undefined) reader.fault(`${host}_CLIENT_ID`, `is needed beside ${host}_CLIENT_SECRET.`);
  if (clientSecret === undefined) reader.fault(`${host}_CLIENT_SECRET`, `is needed beside ${host}_CLIENT_ID.`);
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
};

/** The repository host whose OAuth application the settings name. */
export const repositoryHostsOf = (reader: SettingsReader): RepositoryHosts => {
  const apiUrl = reader.address('GITHUB_API_URL', 'https://api.github.com');
  const webUrl = reader.address('GITHUB_WEB_URL', 'https://github.com');
  const url = reader.address('GITLAB_URL', 'https://gitlab.com');
  const github = applicationOf(reader, 'GITHUB');
  const gitlab = applicationOf(reader, 'GITLAB');
  if (github && gitlab)
    reader.fault('GITLAB_CLIENT_ID', 'excludes GITHUB_CLIENT_ID: one repository host can be set up.');
  return { github: github && { ...github, apiUrl, webUrl }, gitlab: gitlab && { ...gitlab, url } };
};
