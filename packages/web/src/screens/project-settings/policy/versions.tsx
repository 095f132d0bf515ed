import type { PolicyVersion } from '@shipworthy/client';
import type { Paged } from '../../../api/paged.js';
import { Moment } from '../../../parts/moment.js';
import { Panel } from '../../../parts/page.js';
import { ShowMore } from '../../../parts/show-more.js';
import { Shown } from '../../../parts/shown.js';
import { differencesOf } from './policy-words.js';

const Changes = ({
  version,
  before,
}: {
  readonly version: PolicyVersion;
  readonly before: PolicyVersion | undefined;
}) => {
  if (before === undefined) return null;
  const changes = differencesOf(before.policy, version.policy);
  return (
    <ul class="small">
      {changes.length === 0 ? <li class="soft">Nothing is different.</li> : null}
      {changes.map(({ title, first, second }) => (
        <li key={title}>
          {title}: {first} → <strong>{second}</strong>
        </li>
      ))}
    </ul>
  );
};

/** Every policy the project had, newest first: who made it, when, and what it changed. */
export const Versions = ({ versions }: { readonly versions: Paged<PolicyVersion> }) => (
  <Panel title="Versions">
    <Shown of={versions} lines={2}>
      {({ rows }) => (
        <div class="stack">
          <ol class="stack">
            {rows.map((each, at) => (
              <li key={each.version}>
                <strong>Version {each.version}</strong>{' '}
                <span class="soft small">
                  {each.changed_by === null ? 'the defaults' : `by ${each.changed_by}`}, <Moment at={each.changed_at} />
                </span>
                <Changes version={each} before={rows[at + 1]} />
              </li>
            ))}
          </ol>
          <ShowMore of={versions} rows="versions" />
        </div>
      )}
    </Shown>
  </Panel>
);
