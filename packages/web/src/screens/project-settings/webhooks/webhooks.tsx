import type { Webhook, WebhookWithSecret } from '@shipworthy/client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { usePaged } from '../../../api/paged.js';
import { useResource } from '../../../api/resource.js';
import { useAction, useCreation } from '../../../api/use-action.js';
import { inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { OneTimeSecrets } from '../../../parts/copy-text.js';
import { ConfirmButton, Dialog } from '../../../parts/dialog.js';
import { CheckboxGroup, TextField } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import { ExportCsv } from '../../../parts/list-filter.js';
import { Moment } from '../../../parts/moment.js';
import { FaultNotice, Notice } from '../../../parts/notice.js';
import { Empty, Panel } from '../../../parts/page.js';
import { IfOffered, Shown } from '../../../parts/shown.js';
import { ShowMore, Table } from '../../../parts/table.js';
import { offerUndo } from '../../../parts/undo.js';
import { isolated } from '../../../wording/isolate.js';
import { countOf } from '../../../wording/numbers.js';
import { ForOwners, ProjectPage } from '../project-page.js';
import {
  attemptText,
  deliveryText,
  disabledText,
  EVENTS,
  type EventName,
  type ShownDelivery,
} from './webhook-words.js';

/** Where a project's events are sent to. */
export const Webhooks = () => (
  <ProjectPage title="Webhooks">
    {({ place, owner }) => (
      <IfOffered group="webhooks">{owner ? <List place={place} /> : <ForOwners what="see its webhooks" />}</IfOffered>
    )}
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
                A webhook tells a chat, a pipeline or a dashboard when a gate decision changes or a release ships.
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

const DEFAULT_EVENTS: readonly EventName[] = ['gate.changed', 'release.shipped'];

/** The form of a new webhook: its address and its events. */
const NewWebhook = ({ place, onClose, onDone }: NewWebhookProps) => {
  const [url, setUrl] = useState('https://');
  const [types, setTypes] = useState(DEFAULT_EVENTS);
  const create = useAction(async () => {
    onDone((await client.createWebhook({ path: inProject(place), body: { url, types } })).body.data);
  });
  const wrong = create.fault?.fields ?? {};
  return (
    <Dialog
      title="New webhook"
      onClose={onClose}
      fault={create.fault}
      fields={['/url', '/types']}
      onSubmit={() => create.run()}
    >
      <TextField
        label="Address"
        hint="Messages are sent there by POST, signed after Standard Webhooks."
        type="url"
        autocomplete="off"
        value={url}
        onValue={setUrl}
        wrong={wrong['/url']}
      />
      <CheckboxGroup legend="Send when" choices={EVENTS} chosen={types} onChosen={setTypes} wrong={wrong['/types']} />
      <div class="row">
        <Button submit look="main" busy={create.running}>
          Create the webhook
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};

interface WebhookPanelProps {
  readonly webhook: Webhook;
  readonly place: ProjectPlace;
  /** Its signing secret, when it was made just now. */
  readonly secret: string | undefined;
  readonly onSecret: (secret: string) => void;
  readonly onChange: () => void;
}

/** One webhook: its address, its events, its state, and the actions on it. */
const WebhookPanel = ({ webhook, place, secret, onSecret, onChange }: WebhookPanelProps) => {
  const path = { ...inProject(place), webhook_id: webhook.id };
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(0);
  const test = useCreation(async (keyed) => {
    await client.testWebhook(keyed({ path }));
    setOpen(true);
    setSent(sent + 1);
  });
  const toggle = async () => {
    // Another person may have changed it: shows its present state.
    if (!(await turn.run())) onChange();
  };
  const enabled = webhook.state === 'enabled';
  const turn = useAction(async () => {
    const set = async (state: 'enabled' | 'disabled', ifMatch: number) => {
      const { body } = await client.changeWebhook({ path, body: { state }, ifMatch });
      onChange();
      return body.data.version;
    };
    const [before, after] = enabled ? (['enabled', 'disabled'] as const) : (['disabled', 'enabled'] as const);
    const version = await set(after, webhook.version);
    offerUndo(`${target}: ${after}.`, () => set(before, version));
  });
  const target = isolated(webhook.url.replace(/^https?:\/\//, ''));
  const named = (text: string): string => `${text} the webhook to ${target}`;
  const fault = test.fault ?? turn.fault;
  return (
    <Panel title={target}>
      <div class="stack">
        <p class="small soft">
          {EVENTS.filter(([type]) => webhook.types.includes(type))
            .map(([, text]) => text)
            .join(' · ')}
        </p>
        <WebhookState webhook={webhook} />
        {secret === undefined ? null : (
          <OneTimeSecrets texts={[['Signing secret', secret]]}>
            Copy the secret now and keep it at the receiver, which checks the messages with it: it is not shown again.
          </OneTimeSecrets>
        )}
        {fault === undefined ? null : <FaultNotice fault={fault} />}
        <div class="row">
          {enabled ? (
            <Button compact busy={test.running} onClick={() => void test.run()} label={`Send a test to ${target}`}>
              Send a test
            </Button>
          ) : null}
          <Button
            compact
            busy={turn.running}
            onClick={() => void toggle()}
            label={named(enabled ? 'Disable' : 'Enable')}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button compact pressed={open} onClick={() => setOpen(!open)} label={`Deliveries to ${target}`}>
            Deliveries
          </Button>
          <ConfirmButton
            text="Rotate the secret"
            label={`Rotate the secret of ${target}`}
            title="Give it another secret?"
            compact
            perform={async () => onSecret((await client.rotateWebhookSecret({ path })).body.data.secret)}
            onDone={onChange}
          >
            <p>For 24 hours messages are signed with both, so that the receiver can change over.</p>
          </ConfirmButton>
          <ConfirmButton
            text="Remove"
            label={named('Remove')}
            title={`${named('Remove')}?`}
            compact
            perform={() => client.removeWebhook({ path })}
            onDone={onChange}
          >
            <p>Its deliveries go with it; what was waiting is not sent.</p>
          </ConfirmButton>
        </div>
        {open ? <Deliveries path={path} place={place} target={target} sent={sent} /> : null}
      </div>
    </Panel>
  );
};

/** Whether events are sent to a webhook, why not, and since when sending fails. */
const WebhookState = ({ webhook }: { readonly webhook: Webhook }) => {
  const disabled = disabledText(webhook);
  const { disabled_at, failing_since, former_secret_until } = webhook;
  return (
    <>
      {disabled === null ? null : (
        <Notice look="attention">
          <p>
            <strong>Nothing is sent.</strong> {disabled}
            {disabled_at === null ? null : (
              <>
                {' '}
                That was <Moment at={disabled_at} />.
              </>
            )}{' '}
            Events of that time are sent once it is enabled again.
          </p>
        </Notice>
      )}
      {failing_since === null || disabled !== null ? null : (
        <Notice look="attention">
          <p>
            <strong>Deliveries fail.</strong> The first failure was <Moment at={failing_since} />; after five days the
            webhook is disabled.
          </p>
        </Notice>
      )}
      {former_secret_until === null ? null : (
        <p class="small soft">
          Messages are signed with the former secret too, until <Moment at={former_secret_until} />.
        </p>
      )}
    </>
  );
};

interface DeliveriesProps {
  readonly path: { readonly team_id: string; readonly project_id: string; readonly webhook_id: string };
  readonly place: ProjectPlace;
  /** The address that the deliveries are sent to. */
  readonly target: string;
  /** Changes when something was sent from here. */
  readonly sent: number;
}

const LOOK_AGAIN_MS = 1_500;
const ICONS = { pending: 'clock', delivered: 'done', failed: 'bad' } as const;

/** The deliveries of a webhook, newest first, with their results and a button to send each again. */
const Deliveries = ({ path, place, target, sent }: DeliveriesProps) => {
  const list = usePaged(`webhook/${path.webhook_id}/deliveries`, async (query, signal) => {
    return (await client.listDeliveries({ path, query, signal })).body;
  });
  const replay = useAction(async (delivery_id: string) => {
    await client.replayDelivery({ path: { ...path, delivery_id } });
    await list.refresh();
  });
  const pending = list.state.value.value?.rows.some(({ state }) => state === 'pending') ?? false;
  useEffect(() => {
    if (sent > 0) void list.refresh();
  }, [sent]);
  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => void list.refresh(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [pending]);
  return (
    <Shown of={list} lines={2}>
      {({ rows }) =>
        rows.length === 0 ? (
          <p class="soft">Nothing was sent yet. Deliveries are kept for 30 days.</p>
        ) : (
          <div class="stack">
            {replay.fault === undefined ? null : <FaultNotice fault={replay.fault} />}
            <Table cards label="Deliveries" heads={['When', 'What', 'How it went', { number: 'Action' }]}>
              {rows.map((delivery) => (
                <Row
                  key={delivery.id}
                  delivery={delivery}
                  busy={replay.running}
                  onReplay={() => void replay.run(delivery.id)}
                />
              ))}
            </Table>
            <div class="row">
              <ExportCsv
                place={place}
                file={`webhooks/${path.webhook_id}/deliveries.csv`}
                of={`deliveries to ${target}`}
              />
            </div>
            <ShowMore of={list} rows="deliveries" />
          </div>
        )
      }
    </Shown>
  );
};

const Row = ({ delivery, onReplay, busy }: { delivery: ShownDelivery; onReplay: () => void; busy: boolean }) => {
  const last = delivery.attempts.at(-1);
  return (
    <tr>
      <td data-head="When">
        <Moment at={delivery.at} />
      </td>
      <td data-head="What">{delivery.type}</td>
      <td data-head="How it went">
        <span class={`delivery ${delivery.state}`}>
          <Icon name={ICONS[delivery.state]} /> {deliveryText(delivery)}
        </span>
        <br />
        <span class="small soft">
          {last === undefined
            ? 'not tried yet'
            : `${countOf(delivery.tries, 'try', 'tries')}; last: ${attemptText(last)}`}
          {delivery.next_at === null ? null : (
            <>
              , again <Moment at={delivery.next_at} />
            </>
          )}
        </span>
      </td>
      <td class="number">
        <Button compact busy={busy} onClick={onReplay} label={`Send again: ${delivery.type} of ${delivery.at}`}>
          Send again
        </Button>
      </td>
    </tr>
  );
};
