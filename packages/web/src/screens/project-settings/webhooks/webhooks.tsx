import type { WebhookWithSecret } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Dialog } from '../../../parts/dialog.js';
import { TextField, Ticks } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import { FaultNotice } from '../../../parts/notice.js';
import { Empty } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import { ForOwners, ProjectPage } from '../project-page.js';
import { WebhookPanel } from './webhook-panel.js';
import { EVENTS, type EventName } from './webhook-words.js';

/** Where a project's events are sent to. */
export const Webhooks = () => (
  <ProjectPage title="Webhooks">
    {({ place, owner }) => (owner ? <List place={place} /> : <ForOwners what="see its webhooks" />)}
  </ProjectPage>
);

const List = ({ place }: { readonly place: ProjectPlace }) => {
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<{ readonly of: string; readonly text: string } | undefined>(undefined);
  const webhooks = useResource(projectKey(place, 'webhooks'), async (signal) => {
    return (await client.listWebhooks({ path: inProject(place), signal })).body.data;
  });
  const refresh = () => void webhooks.refresh();
  const create = (
    <Button look="main" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      New webhook
    </Button>
  );
  return (
    <>
      <Shown of={webhooks}>
        {(known) =>
          known.length === 0 ? (
            <Empty title="No webhook">
              <p class="measure">
                A webhook tells a chat, a pipeline or a dashboard when the gate decides otherwise or a release ships.
              </p>
              {create}
            </Empty>
          ) : (
            <>
              <div>{create}</div>
              {known.map((webhook) => (
                <WebhookPanel
                  key={webhook.id}
                  webhook={webhook}
                  place={place}
                  secret={secret?.of === webhook.id ? secret.text : undefined}
                  onSecret={(text) => setSecret({ of: webhook.id, text })}
                  onChange={refresh}
                />
              ))}
            </>
          )
        }
      </Shown>
      {creating ? (
        <NewWebhook
          place={place}
          onClose={() => setCreating(false)}
          onDone={({ secret: text, ...webhook }) => {
            setCreating(false);
            setSecret({ of: webhook.id, text });
            refresh();
          }}
        />
      ) : null}
    </>
  );
};

interface NewWebhookProps {
  readonly place: ProjectPlace;
  readonly onClose: () => void;
  readonly onDone: (webhook: WebhookWithSecret) => void;
}

const USUAL: readonly EventName[] = ['gate.changed', 'release.shipped'];

/** Where a project's events shall be sent to, and which. */
const NewWebhook = ({ place, onClose, onDone }: NewWebhookProps) => {
  const [url, setUrl] = useState('https://');
  const [types, setTypes] = useState(USUAL);
  const create = useAction(async () => {
    onDone((await client.createWebhook({ path: inProject(place), body: { url, types } })).body.data);
  });
  const wrong = create.fault?.fields ?? {};
  return (
    <Dialog title="New webhook" onClose={onClose} onSubmit={() => void create.run()}>
      {create.fault === undefined ? null : <FaultNotice fault={{ ...create.fault, fields: {} }} />}
      <TextField
        label="Address"
        hint="Messages are sent there by POST, signed after Standard Webhooks."
        type="url"
        autocomplete="off"
        value={url}
        onValue={setUrl}
        wrong={wrong['/url']}
      />
      <Ticks legend="Send when" choices={EVENTS} chosen={types} onChosen={setTypes} wrong={wrong['/types']} />
      <div class="row">
        <Button submit look="main" busy={create.running}>
          Create the webhook
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
