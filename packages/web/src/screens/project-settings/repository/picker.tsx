import type { HostRepository } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { atHost } from '../../../api/client.js';
import { usePaged } from '../../../api/paged.js';
import { HOST_SCREEN } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { TextField, useSettled } from '../../../parts/field.js';
import { FaultNotice, Notice } from '../../../parts/notice.js';
import { Panel } from '../../../parts/page.js';
import { Skeleton } from '../../../parts/shown.js';
import { ShowMore } from '../../../parts/table.js';

/** The host answers so many at once. */
const MOST_AT_ONCE = 100;

interface PickerProps {
  readonly host: string;
  readonly onPicked: (path: string) => void;
}

const One = ({ repository, onPicked }: { readonly repository: HostRepository } & Pick<PickerProps, 'onPicked'>) => (
  <li>
    <span>
      {repository.path}{' '}
      <span class="small soft">
        {[repository.private ? 'private' : '', repository.archived ? 'archived' : ''].filter(Boolean).join(', ')}
      </span>
    </span>
    <Button compact onClick={() => onPicked(repository.path)} label={`Pick ${repository.path}`}>
      Pick
    </Button>
  </li>
);

/** The repositories the connected account can read; an empty list says why it is empty. */
export const Picker = ({ host, onPicked }: PickerProps) => {
  const [search, setSearch] = useState('');
  const wanted = useSettled(search.trim());
  const [said, setSaid] = useState<{ readonly account: string; readonly message: string | undefined } | undefined>();
  const list = usePaged(`host/repositories/${wanted}`, async ({ limit, cursor }, signal) => {
    const { body } = await atHost().listRepositories({
      query: {
        limit: Math.min(limit, MOST_AT_ONCE),
        ...(cursor === undefined ? {} : { cursor }),
        ...(wanted === '' ? {} : { search: wanted }),
      },
      signal,
    });
    setSaid({ account: body.account, message: body.message });
    return body;
  });
  const { value, fault } = list.state.value;
  return (
    <Panel
      title="Pick a repository"
      beside={
        said === undefined ? undefined : (
          <span class="small soft">
            Signed in at {host} as <strong>{said.account}</strong> · <a href={HOST_SCREEN}>another account?</a>
          </span>
        )
      }
    >
      <div class="stack">
        <TextField label="Search" type="search" autocomplete="off" value={search} onValue={setSearch} />
        {fault === undefined ? null : (
          <>
            <FaultNotice fault={fault} onRetry={() => void list.refresh()} />
            {fault.type === 'host-rejected' ? (
              <p>
                <a href={HOST_SCREEN}>Approve access again</a>
              </p>
            ) : null}
          </>
        )}
        {value === undefined ? (
          fault === undefined ? (
            <Skeleton />
          ) : null
        ) : value.rows.length === 0 ? (
          <Notice look="attention">
            <p role="status">{said?.message ?? 'There is none.'}</p>
            {wanted === '' ? (
              <p>
                <a href={HOST_SCREEN}>Connect another account</a>
              </p>
            ) : null}
          </Notice>
        ) : (
          <>
            <ul class="repositories">
              {value.rows.map((repository) => (
                <One key={repository.id} repository={repository} onPicked={onPicked} />
              ))}
            </ul>
            <ShowMore of={list} rows="repositories" />
          </>
        )}
      </div>
    </Panel>
  );
};
