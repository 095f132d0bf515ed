import type { AnswerOf } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { CopyText } from '../../../parts/copy-text.js';
import { FaultNotice } from '../../../parts/notice.js';
import { Panel } from '../../../parts/page.js';

/** What to enter at the repository so that it tells of changes at once. */
export const HostWebhook = ({ place }: { readonly place: ProjectPlace }) => {
  const [webhook, setWebhook] = useState<AnswerOf<'readRepositoryWebhook'>['body']['data'] | undefined>(undefined);
  const read = useAction(async () =>
    setWebhook((await client.readRepositoryWebhook({ path: inProject(place) })).body.data),
  );
  return (
    <Panel title="Hear of changes at once">
      <div class="stack">
        <p class="measure">
          The repository is asked for news every few minutes. With a webhook in its settings it tells them within
          seconds.
        </p>
        {read.fault === undefined ? null : <FaultNotice fault={read.fault} />}
        {webhook === undefined ? (
          <div>
            <Button busy={read.running} onClick={() => void read.run()}>
              Show what to enter there
            </Button>
          </div>
        ) : (
          <>
            <CopyText label="Payload URL" text={webhook.url} />
            <CopyText label="Secret" text={webhook.secret} />
            <p>
              Content type <code>{webhook.content_type}</code>; events {webhook.events.join(', ')}.
            </p>
          </>
        )}
      </div>
    </Panel>
  );
};
