import { HOME } from '../navigation/places.js';
import { Page } from '../parts/page.js';

/** An address nothing lives at. */
export const Lost = () => (
  <Page title="Nothing is here">
    <p>
      The address may be mistyped, or what it named is gone. <a href={HOME}>All projects</a>
    </p>
  </Page>
);
