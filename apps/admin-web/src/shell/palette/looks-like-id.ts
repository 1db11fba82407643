/** Whether a text may be the whole id of something, and is worth asking for by itself. */
export const looksLikeId = (text: string): boolean => /^[\w-]{16,64}$/.test(text);
