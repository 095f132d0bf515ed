import { completeStores, type OfferedStores, type StoreGroup, type StoresWithFeed } from '@shipworthy/domain';

/** Stores ready to be proved. */
export interface OpenStores {
  readonly stores: OfferedStores;
  /** A second bundle on the same data: reads back what the first one wrote, so that nothing passes by being cached. */
  readonly again: OfferedStores;
  close(): Promise<void>;
}

/** Opens stores on data of their own, empty at first. */
export type OpenOffered = () => Promise<OpenStores>;

/** What suites run on: whole bundles, and which groups of them are really there. */
export interface CompleteStores extends OpenStores {
  readonly stores: StoresWithFeed;
  readonly again: StoresWithFeed;
  offers(group: StoreGroup): boolean;
}

/** Opens such stores on data of their own. */
export type Open = () => Promise<CompleteStores>;

/** The stores a suite runs on, once they are open. */
export type Opened = () => CompleteStores;

/** Opens the stores as suites need them. */
export const openComplete =
  (open: OpenOffered, without: readonly StoreGroup[]): Open =>
  async () => {
    const { stores, again, close } = await open();
    return {
      stores: completeStores(stores),
      again: completeStores(again),
      offers: (group) => !without.includes(group),
      close,
    };
  };
