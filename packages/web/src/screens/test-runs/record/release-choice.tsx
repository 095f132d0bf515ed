import type { Release } from '@shipworthy/client';
import { type ProjectPlace, projectAddress } from '../../../navigation/places.js';
import { Choice } from '../../../parts/field.js';
import { Notice } from '../../../parts/notice.js';
import { RELEASE_STATES } from '../../../wording/names.js';

/** Releases a test run may count for: the active one first. */
export const openReleases = (releases: readonly Release[]): readonly Release[] => [
  ...releases.filter(({ state }) => state === 'active'),
  ...releases.filter(({ state }) => state === 'planned'),
];

interface ReleaseChoiceProps {
  /** Open ones, one at least. */
  readonly open: readonly Release[];
  readonly chosen: Release;
  readonly place: ProjectPlace;
  readonly wrong: string | undefined;
  readonly onChoose: (releaseId: string) => void;
}

/** Which release the run counts for, by name. */
export const ReleaseChoice = ({ open, chosen, place, wrong, onChoose }: ReleaseChoiceProps) => (
  <>
    {open[0]?.state === 'active' ? null : (
      <Notice look="attention">
        <p>
          No release is active. The run goes to the planned one chosen here; to make it the active one, press Activate
          on <a href={projectAddress(place)}>the project's page</a>.
        </p>
      </Notice>
    )}
    {open.length === 1 ? (
      <p>
        Counts for <strong>{chosen.name}</strong>, the {chosen.state} release.
      </p>
    ) : (
      <Choice
        label="Counts for release"
        value={chosen.id}
        wrong={wrong}
        choices={open.map(({ id, name, state }) => [id, `${name} (${RELEASE_STATES[state].toLowerCase()})`] as const)}
        onValue={onChoose}
      />
    )}
  </>
);
