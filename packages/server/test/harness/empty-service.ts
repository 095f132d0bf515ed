import { inMemory, type OpenStores } from './openings.js';
import { type Service, startService } from './service.js';

/** A service before its set-up, for every test. */
export const useEmptyService = (open: OpenStores = inMemory): (() => Service) => {
  let service: Service | undefined;
  beforeEach(async () => {
    service = await startService(await open());
  });
  afterEach(() => service?.close());
  return () => {
    if (service === undefined) throw new Error('The service has not started yet.');
    return service;
  };
};
