/**
 * Headers of a page with its policy. Whoever opened it, or was opened by it, gets no hold of its window. Redirects go without, so
 * that a sign-in in a window of its own comes back to the page that opened that.
 */
export const pageHeaders = (policy: string): Record<string, string> => ({
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
});
