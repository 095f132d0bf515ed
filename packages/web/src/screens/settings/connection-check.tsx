import { atHost } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Skeleton } from '../../parts/shown.js';
import { useConnect } from './use-connect.js';

/** The host has answered by then, or the server says that it did not; not waited for again. */
const CHECK_MS = 5_000;

/** What the host says that the connection could do beyond reading; nothing where it only reads. */
const Power = ({ host, mayWrite }: { readonly host: string; readonly mayWrite: boolean | null }) => {
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

/** Whether the connection still works: the host says so, refuses it, or cannot be asked now. */
export const ConnectionCheck = ({ host, account }: { readonly host: string; readonly account: string }) => {
  const check = useResource(
    'host/check',
    async (signal) => (await atHost().checkHostConnection({ signal, timeoutMs: CHECK_MS })).body,
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
          <strong>The connection works.</strong> {host} lets Shipworthy read as {account}; nothing is ever written
          there.
        </p>
        <Power host={host} mayWrite={value.may_write} />
        {retry}
      </Notice>
    );
  return (
    <Notice look="bad">
      <p>
        <strong>{host} refused the connection.</strong> Approve access again; projects linked by you stand still until
        then.
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
