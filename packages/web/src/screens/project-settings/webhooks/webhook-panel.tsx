import type { Webhook } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { ConfirmButton } from '../../../parts/confirm-button.js';
import { FaultNotice } from '../../../parts/notice.js';
import { Once } from '../../../parts/once.js';
import { Panel } from '../../../parts/page.js';
import { Deliveries } from './deliveries.js';
import { WebhookState } from './webhook-state.js';
import { EVENTS } from './webhook-words.js';

interface WebhookPanelProps {
  readonly webhook: Webhook;
  readonly place: ProjectPlace;
  /** Its signing secret, when it was made just now. */
  readonly secret: string | undefined;
  readonly onSecret: (secret: string) => void;
  readonly onChange: () => void;
}

/** One webhook: where to, what of, how it fares, and what can be done with it. */
export const WebhookPanel = ({ webhook, place, secret, onSecret, onChange }: WebhookPanelProps) => {
  const path = { ...inProject(place), webhook_id: webhook.id };
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(0);
  const test = useAction(async () => {
    await client.testWebhook({ path });
    setOpen(true);
    setSent(sent + 1);
  });
  const toggle = async () => {
    // Somebody else may have changed it: what is shown then is how it is now.
    if (!(await turn.run())) onChange();
  };
  const enabled = webhook.state === 'enabled';
  const turn = useAction(async () => {
    await client.changeWebhook({
      path,
      body: { state: enabled ? 'disabled' : 'enabled' },
      ifMatch: webhook.version,
    });
    onChange();
  });
  const target = webhook.url.replace(/^https?:\/\//, '');
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
          <Once texts={[['Signing secret', secret]]}>
            Copy the secret now and keep it at the receiver, which checks the messages with it: it is not shown again.
          </Once>
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
        {open ? <Deliveries path={path} sent={sent} /> : null}
      </div>
    </Panel>
  );
};
