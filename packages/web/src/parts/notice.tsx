import type { ComponentChildren } from 'preact';
import type { CallFault } from '../api/fault.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** Something to know, with an icon and never by colour alone. */
export const Notice = ({
  look,
  children,
}: {
  readonly look: 'bad' | 'attention' | 'good';
  readonly children: ComponentChildren;
}) => (
  <div class={`notice ${look}`} role={look === 'bad' ? 'alert' : undefined}>
    <Icon name={look === 'good' ? 'done' : look} />
    {children}
  </div>
);

/** What went wrong, how to try again, and under which id the server noted it. */
export const FaultNotice = ({
  fault,
  onRetry,
}: {
  readonly fault: CallFault;
  readonly onRetry?: (() => void) | undefined;
}) => (
  <Notice look="bad">
    {Object.entries(fault.fields).map(([pointer, message]) => (
      <p key={pointer}>
        {pointer.slice(1)}: {message}
      </p>
    ))}
    {Object.keys(fault.fields).length > 0 ? null : <p>{fault.message}</p>}
    {onRetry === undefined ? null : (
      <p>
        <Button compact onClick={onRetry}>
          Retry
        </Button>
      </p>
    )}
    {fault.requestId === null ? null : <p class="small soft">Request {fault.requestId}</p>}
  </Notice>
);
