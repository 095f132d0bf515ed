import type { Webhook } from '@shipworthy/client';
import { Moment } from '../../../parts/moment.js';
import { Notice } from '../../../parts/notice.js';
import { disabledText } from './webhook-words.js';

/** Whether a webhook is told of events, why not, and what else is worth knowing. */
export const WebhookState = ({ webhook }: { readonly webhook: Webhook }) => {
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
            What happens meanwhile is sent once it is enabled again.
          </p>
        </Notice>
      )}
      {failing_since === null || disabled !== null ? null : (
        <Notice look="attention">
          <p>
            <strong>Nothing gets through.</strong> The first failure was <Moment at={failing_since} />; after five days
            the webhook is disabled.
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
