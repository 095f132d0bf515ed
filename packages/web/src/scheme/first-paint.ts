import { chosenScheme, showScheme } from './scheme.js';

// A script of its own that the page waits for, so that nothing is painted in the other colours first.
showScheme(chosenScheme());
