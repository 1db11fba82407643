/** Whether a text looks like an email. Only the server knows whether it is one: it accepts Unicode domains and drops blanks around. */
export const looksLikeEmail = (text: string): boolean => /^\S+@\S+$/.test(text.trim());
