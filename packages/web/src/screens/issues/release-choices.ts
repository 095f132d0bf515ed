import type { Release } from '@shipworthy/client';
import { useReleases } from '../../api/releases.js';
import type { ProjectPlace } from '../../navigation/places.js';

/** The releases an issue may belong to, as far as they are known. */
export const useReleaseChoices = (place: ProjectPlace): readonly Release[] =>
  useReleases(place).state.value.value ?? [];
