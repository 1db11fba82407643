/** Whether a text looks like an email. Only the server knows whether it is one. */
export const looksLikeEmail = (text: string): boolean => /^\S+@\S+$/.test(text.trim());
