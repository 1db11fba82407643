/**
 * Whether code of the page could not be loaded: without a network, or because an update replaced the version that served the page. The
 * messages are those of Chromium, Firefox and Safari.
 */
export const isLoadFailure = (error: unknown): boolean =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script failed/i.test(error.message);
