/** Whether an `Accept` or `Accept-Encoding` header names the very type or coding, and does not forbid it. */
export const accepts = (header: string | undefined, name: string): boolean =>
  (header ?? '').split(',').some((part) => {
    const [named, weight = ''] = part.trim().split(';');
    return named?.trim() === name && !/q=0(\.0*)?$/.test(weight.trim());
  });
