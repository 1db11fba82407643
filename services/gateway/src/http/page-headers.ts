/**
 * Headers of a page with its policy. Other origins get no reference to its window. Redirects omit them, so that a sign-in in a popup
 * returns
 * to the page that opened it.
 */
export const pageHeaders = (policy: string): Record<string, string> => ({
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
});
