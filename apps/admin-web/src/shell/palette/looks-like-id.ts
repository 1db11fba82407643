/** Whether a text may be a complete id and is worth a lookup by id. */
export const looksLikeId = (text: string): boolean => /^[\w-]{16,64}$/.test(text);
