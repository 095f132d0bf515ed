/** Where a request without a known person comes from. */
export interface Origin {
  /** Network address of the caller. */
  readonly address: string;
  readonly requestId: string;
}

const hex = (group: number): string => group.toString(16);

/** The eight groups of an IPv6 address in any of its spellings (RFC 4291, 2.2). */
const groupsOf = (address: string): readonly number[] => {
  const asHex = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${hex(Number(a) * 256 + Number(b))}:${hex(Number(c) * 256 + Number(d))}`,
  );
  const [head = '', tail] = asHex.split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, behind] = [numbers(head), tail === undefined ? [] : numbers(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - behind.length) }, () => 0);
  return [...before, ...zeros, ...behind];
};

/**
 * What limits count as one caller: an IPv4 address, or the /64 network that a single IPv6 subscriber holds. An IPv4 address
 * written as IPv6 is that IPv4 address.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  const [zone = ''] = address.split('%', 1);
  const groups = groupsOf(zone);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups.slice(0, 4).map(hex).join(':')}::/64`;
};
