import type { StoresWithFeed } from '@shipworthy/domain';

/** Stores ready to be proved. */
export interface OpenStores {
  readonly stores: StoresWithFeed;
  /** A second bundle on the same data: reads back what the first one wrote, so that nothing passes by being cached. */
  readonly again: StoresWithFeed;
  close(): Promise<void>;
}

/** Opens stores on data of their own, empty at first. */
export type Open = () => Promise<OpenStores>;

/** The stores a suite runs on, once they are open. */
export type Opened = () => OpenStores;
