/** Whether a text can explain anything: it holds a letter or a digit of any script. */
export const isExplanation = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
