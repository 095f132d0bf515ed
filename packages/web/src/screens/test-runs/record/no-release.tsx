import { type ProjectPlace, projectAddress } from '../../../navigation/places.js';
import { Empty } from '../../../parts/page.js';

/** A test run always belongs to a release; without an open one there is nothing to record for. */
export const NoRelease = ({ place }: { readonly place: ProjectPlace }) => (
  <Empty title="No release is open">
    <p>A test run belongs to a release. Open the project, create a release and press Activate; then record the run.</p>
    <a class="button main" href={projectAddress(place)}>
      Open the project
    </a>
  </Empty>
);
