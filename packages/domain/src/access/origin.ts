/** Where a request without a known person comes from. */
export interface Origin {
  /** Network address of the caller. */
  readonly address: string;
  readonly requestId: string;
}
