import { atHost } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { repositoryHost } from '../../api/session.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { FaultNotice } from '../../parts/notice.js';
import { Empty, Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { ConnectByToken } from './connect-by-token.js';
import { ConnectionCheck } from './connection-check.js';
import { HostSetup } from './host-setup.js';
import { LinkPlaces } from './link-places.js';
import { SettingsPage } from './settings-page.js';
import { useConnect } from './use-connect.js';
import './settings.css';

/** What an approval allows beyond reading, by the host's name in paths. */
const WIDE: Readonly<Record<string, string>> = {
  github:
    'GitHub has no smaller permission for this than "repo", which also lets its holder write to all your repositories.',
  gitlab: 'The permission is read_api: reading all that you can read.',
};

interface Host {
  readonly name: string;
  readonly title: string;
}

const Connect = ({ name, title: host }: Host) => {
  const connect = useConnect();
  return (
    <Empty title={`Connect your account at ${host}`}>
      <p class="measure">
        {host} asks you to approve that Shipworthy may read your account and repositories, and sends you back here.
        Nothing is ever written there, and you can disconnect at any time. {WIDE[name]}
      </p>
      {connect.fault === undefined ? null : <FaultNotice fault={connect.fault} />}
      <Button look="main" busy={connect.running} onClick={() => void connect.run()}>
        Connect {host}
      </Button>
    </Empty>
  );
};

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
              title={`Connected as ${account}`}
              beside={
                <ConfirmButton
                  text="Disconnect"
                  title={`Disconnect ${account} at ${host}?`}
                  compact
                  perform={() => atHost().disconnectHost()}
                  onDone={() => void connection.refresh()}
                >
                  <p>
                    An approval is ended at {host} too; a token of yours is forgotten here, delete it there. What was
                    imported stays; projects linked by you stand still until you connect again, or another owner links
                    them.
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

/** The person's connection to the repository host, in every state it can be in. */
export const RepositoryHost = () => {
  const host = repositoryHost.value;
  return (
    <SettingsPage title="Repository host">{host === null ? <HostSetup /> : <Connection {...host} />}</SettingsPage>
  );
};
