import { useState } from 'preact/hooks';
import { atHost, client, SERVICE_ADDRESS } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { repositoryHost } from '../../api/session.js';
import { type Action, useAction } from '../../api/use-action.js';
import { projectAddress, WELCOME } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { CopyText } from '../../parts/copy-text.js';
import { ConfirmButton } from '../../parts/dialog.js';
import { Form, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Empty, Panel } from '../../parts/page.js';
import { IfOffered, Shown, Skeleton } from '../../parts/shown.js';
import { isolated } from '../../wording/isolate.js';
import { SettingsPage } from './settings-page.js';
import './settings.css';

/** The person's connection to the repository host, in every state it can be in. */
export const RepositoryHostSettings = () => {
  const host = repositoryHost.value;
  return (
    <SettingsPage title="Repository host">
      <IfOffered group="host">{host === null ? <HostSetup /> : <Connection {...host} />}</IfOffered>
    </SettingsPage>
  );
};

const CALLBACK = '/api/settings/github/callback';

/** No repository host can be connected: what the administrator of the server sets. */
const HostSetup = () => (
  <Empty title="The server is not set up for a repository host">
    <p class="measure">
      With GitHub or GitLab connected, issues, deployments and checks come from your repositories by themselves. Ask the
      administrator of this server to register an OAuth application there, with this address to return to:
    </p>
    <div class="fill">
      <CopyText label="Address to return to" text={SERVICE_ADDRESS + CALLBACK} />
    </div>
    <p>and to start the server with</p>
    <div class="fill">
      <CopyText label="Settings of the server" text={'GITHUB_CLIENT_ID=…\nGITHUB_CLIENT_SECRET=…'} />
    </div>
    <p class="small">
      For GitLab: <code>GITLAB_CLIENT_ID</code>, <code>GITLAB_CLIENT_SECRET</code>, <code>GITLAB_URL</code>, and{' '}
      <code>gitlab</code> for <code>github</code> in the address.
    </p>
  </Empty>
);

interface Host {
  readonly name: string;
  readonly title: string;
}

const Connection = (at: Host) => {
  const host = at.title;
  const connection = useResource(
    'host/connection',
    async (signal) => (await atHost().readHostConnection({ signal })).body,
  );
  return (
    <Shown of={connection}>
      {({ configured, connected, account = '' }) => {
        if (!configured) return <HostSetup />;
        if (!connected)
          return (
            <>
              <Connect {...at} />
              <ConnectByToken host={at} onDone={() => void connection.refresh()} />
            </>
          );
        return (
          <>
            <Panel
              title={`Connected as ${isolated(account)}`}
              beside={
                <ConfirmButton
                  text="Disconnect"
                  title={`Disconnect ${isolated(account)} at ${host}?`}
                  compact
                  perform={() => atHost().disconnectHost()}
                  onDone={() => void connection.refresh()}
                >
                  <p>
                    An approval is ended at {host} too; a token of yours is forgotten here, delete it there. What was
                    imported stays; imports of projects linked by you pause until you connect again, or another owner
                    links them.
                  </p>
                </ConfirmButton>
              }
            >
              <ConnectionCheck host={host} account={account} />
            </Panel>
            <LinkPlaces />
          </>
        );
      }}
    </Shown>
  );
};

/** What an approval allows beyond reading, by the host's name in paths. */
const APPROVED_PERMISSIONS: Readonly<Record<string, string>> = {
  github:
    'GitHub has no smaller permission for this than "repo", which also lets its holder write to all your repositories.',
  gitlab: 'The permission is read_api: reading all that you can read.',
};

const Connect = ({ name, title: host }: Host) => {
  const connect = useConnect();
  return (
    <Empty title={`Connect your account at ${host}`}>
      <p class="measure">
        {host} asks you to approve that Shipworthy may read your account and repositories, and sends you back here.
        Nothing is ever written there, and you can disconnect at any time. {APPROVED_PERMISSIONS[name]}
      </p>
      {connect.fault === undefined ? null : <FaultNotice fault={connect.fault} />}
      <Button look="main" busy={connect.running} onClick={() => void connect.run()}>
        Connect {host}
      </Button>
    </Empty>
  );
};

const LEAVING_MS = 5_000;

/** Goes to the host's page of approval; the host sends the person back to these settings. */
const useConnect = (): Action<[]> =>
  useAction(async () => {
    const { body } = await atHost().connectHost();
    location.assign(body.data.url);
    // Keeps the button disabled until the browser has left the page, so that a second click starts nothing. If the
    // person comes back to this page, the button works again.
    await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
  });

interface ConnectByTokenProps {
  readonly host: { readonly name: string; readonly title: string };
  readonly onDone: () => void;
}

/** How to make a token that only reads chosen repositories, by the host's name in paths. */
const TOKEN_ADVICE: Readonly<Record<string, string>> = {
  github:
    'At GitHub: Settings, Developer settings, Fine-grained tokens. Choose the repositories, and read-only access to Issues, Deployments, Checks, Actions, Commit statuses and Metadata.',
  gitlab:
    'At GitLab: Settings, Access tokens of the project or group. Choose the role Reporter and the scope read_api.',
};
const ANY_TOKEN = 'Choose the repositories, and read access only.';

/** Connects by a token that the person made at the host for chosen repositories. */
const ConnectByToken = ({ host, onDone }: ConnectByTokenProps) => {
  const [token, setToken] = useState('');
  const connect = useAction(async () => {
    await atHost().connectHostByToken({ body: { token } });
    setToken('');
    onDone();
  });
  const wrong = connect.fault?.fields ?? {};
  return (
    <Panel title="Use a token for chosen repositories">
      <Form look="stack measure" fault={connect.fault} fields={['/token']} onSubmit={() => connect.run()}>
        <TextField
          label={`Token of ${host.title}`}
          hint={`${TOKEN_ADVICE[host.name] ?? ANY_TOKEN} It is kept sealed and never shown again; to end it, delete it at ${host.title}.`}
          type="password"
          autocomplete="off"
          value={token}
          onValue={(text) => setToken(text.trim())}
          wrong={wrong['/token']}
        />
        <div>
          <Button submit busy={connect.running}>
            Use this token
          </Button>
        </div>
      </Form>
    </Panel>
  );
};

/** The time limit of the check, in milliseconds: the host answers within it, or the server says that it did not. */
const CHECK_MS = 5_000;

/** Whether the connection still works: the host says so, refuses it, or cannot be asked now. */
const ConnectionCheck = ({ host, account }: { readonly host: string; readonly account: string }) => {
  const check = useResource(
    'host/check',
    async (signal) => (await atHost().checkHostConnection({ signal, timeoutMs: CHECK_MS })).body,
    { isReadRegularly: false },
  );
  const again = useConnect();
  const { value, fault, reading } = check.state.value;
  const retry = (
    <p>
      <Button compact busy={reading} onClick={() => void check.refresh()}>
        Check again
      </Button>
    </p>
  );
  if (fault !== undefined)
    return (
      <Notice look="attention">
        <p>
          <strong>Could not check now.</strong> {fault.message} The connection stays as it is.
        </p>
        {retry}
      </Notice>
    );
  if (value === undefined) return <Skeleton lines={2} />;
  if (value.status === 'ok')
    return (
      <Notice look="good">
        <p>
          <strong>The connection works.</strong> {host} lets Shipworthy read as <bdi>{account}</bdi>; nothing is ever
          written there.
        </p>
        <WritePermission host={host} mayWrite={value.may_write} />
        {retry}
      </Notice>
    );
  return (
    <Notice look="bad">
      <p>
        <strong>{host} refused the connection.</strong> Approve access again; imports of projects linked by you pause
        until then.
      </p>
      {again.fault === undefined ? null : <FaultNotice fault={again.fault} />}
      <p>
        <Button look="main" compact busy={again.running} onClick={() => void again.run()}>
          Approve again
        </Button>
      </p>
    </Notice>
  );
};

/** Warns of permissions beyond reading that the host reports for the connection; nothing when it only reads. */
const WritePermission = ({ host, mayWrite }: { readonly host: string; readonly mayWrite: boolean | null }) => {
  if (mayWrite === false) return null;
  return (
    <p>
      <span class="marked">
        <Icon name="attention" />{' '}
        {mayWrite ? 'This connection may also write.' : `${host} does not say whether it may also write.`}
      </span>{' '}
      {mayWrite ? 'Narrower is a token for chosen repositories that only reads.' : null}
    </p>
  );
};

/** The projects a person may link a repository to: those of teams they own. */
const LinkPlaces = () => {
  const teams = useResource('link-places', async (signal) => {
    const [{ body: list }, { body: caller }] = await Promise.all([
      client.listTeams({ signal }),
      client.whoAmI({ signal }),
    ]);
    const owned = new Set(caller.data.teams.filter(({ role }) => role === 'owner').map(({ id }) => id));
    return list.data.filter(({ id }) => owned.has(id));
  });
  return (
    <Panel title="Link a repository to a project">
      <Shown of={teams} lines={2}>
        {(known) =>
          known.every(({ projects }) => projects.length === 0) ? (
            <p class="soft">
              You own no project yet. <a href={WELCOME}>Create a project</a>, then link its repository.
            </p>
          ) : (
            <ul class="stack tight">
              {known.flatMap((team) =>
                team.projects.map((project) => (
                  <li key={project.id}>
                    <a href={`${projectAddress({ teamId: team.id, projectId: project.id })}/settings/repository`}>
                      <bdi>{project.name}</bdi>
                    </a>{' '}
                    <span class="soft small">{team.name}</span>
                  </li>
                )),
              )}
            </ul>
          )
        }
      </Shown>
    </Panel>
  );
};
