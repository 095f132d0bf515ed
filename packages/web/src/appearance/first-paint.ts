import { showAppearance } from './appearance.js';

// A script of its own that the page waits for, so that nothing is painted in other colours or sizes first.
showAppearance();
