import type { NewApiKey } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client, SERVICE_ADDRESS } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Once } from '../../parts/once.js';
import { Empty, Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { keyLines, projectOf } from './key-lines.js';
import { KeyRow } from './key-row.js';
import { NewKey } from './new-key.js';
import { SettingsPage } from './settings-page.js';
import './settings.css';

/** The person's keys for pipelines. */
export const ApiKeys = () => {
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewApiKey | undefined>(undefined);
  const known = useResource('api-keys', async (signal) => {
    const [{ body: keys }, { body: teams }] = await Promise.all([
      client.listApiKeys({ signal }),
      client.listTeams({ signal }),
    ]);
    return { keys: keys.data, teams: teams.data };
  });
  const create = (text: string) => (
    <Button look="main" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {text}
    </Button>
  );
  const { keys = [], teams = [] } = known.state.value.value ?? {};
  const refresh = () => void known.refresh();
  return (
    <SettingsPage title="API keys" actions={keys.length === 0 ? undefined : create('New key')}>
      {created === undefined ? null : (
        <Panel
          title={`The key “${created.name}”`}
          beside={
            <Button compact onClick={() => setCreated(undefined)}>
              I have kept it
            </Button>
          }
        >
          <Once
            texts={keyLines({
              address: SERVICE_ADDRESS,
              key: created,
              project: projectOf(teams, created),
            }).map(({ title, text }) => [title, text] as const)}
          >
            Copy the key now and keep it in your CI's secrets: it is not shown again.
          </Once>
        </Panel>
      )}
      <Shown of={known}>
        {() =>
          keys.length === 0 ? (
            <Empty title="Create your first key">
              <p>
                Pipelines report deployments and test runs with an API key. It can do at most what you can do, and you
                can revoke it at any time.
              </p>
              {create('Create your first key')}
            </Empty>
          ) : (
            <Table
              cards
              label="API keys"
              heads={['Name', 'Permissions', 'Access', 'Last used', 'Expires', { number: 'Action' }]}
            >
              {keys.map((apiKey) => (
                <KeyRow
                  key={apiKey.id}
                  apiKey={apiKey}
                  teams={teams}
                  onDone={() => {
                    if (created?.id === apiKey.id) setCreated(undefined);
                    refresh();
                  }}
                />
              ))}
            </Table>
          )
        }
      </Shown>
      {creating ? (
        <NewKey
          teams={teams}
          onClose={() => setCreating(false)}
          onDone={(key) => {
            setCreating(false);
            setCreated(key);
            refresh();
          }}
        />
      ) : null}
    </SettingsPage>
  );
};
