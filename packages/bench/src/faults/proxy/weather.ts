/** What the way between two programs is like. */
export type Weather =
  | { readonly kind: 'clear' }
  /** Everything arrives that much later, in each direction. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Nothing arrives and nobody is told, also on connections that were made before; it arrives once the weather changes. */
  | { readonly kind: 'black hole' }
  /** That much is carried in each direction of each connection. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** A connection breaks once that many bytes went in one direction. */
  | {
      readonly kind: 'break after';
      readonly bytes: number;
      readonly direction: Direction;
      readonly by: Break;
    };

/** From the client to the server, or back. */
export type Direction = 'up' | 'down';

/** How both sides see a connection end: as if the other had ended it, or by a reset. */
export type Break = 'cut' | 'reset';
