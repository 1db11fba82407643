/** Code of the page that could not be loaded. Unlike for the browser's own error, the router does not reload the page for it. */
class LoadFailure extends Error {}

/**
 * Whether code of the page could not be loaded: without a network, or because an update replaced the version that served the page. The
 * messages are those of Chromium, Firefox and Safari.
 */
export const isLoadFailure = (error: unknown): boolean =>
  error instanceof LoadFailure ||
  (error instanceof TypeError &&
    /dynamically imported module|importing a module script failed/i.test(error.message));

/**
 * Wraps the import of a screen. If it fails, the router shows its error page. Without the wrapper the router would reload the page, and
 * without a network the browser would then replace the whole web by its own error page.
 */
export const screenOf =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    try {
      return await load();
    } catch (error) {
      throw isLoadFailure(error)
        ? new LoadFailure("a screen could not be loaded", { cause: error })
        : error;
    }
  };

/** Reports an error for which React shows an error page. A screen that no network could load is no fault of the page. */
export const reportCaughtError = (error: unknown): void => {
  if (!isLoadFailure(error)) reportError(error);
};

/** Reloads the page if its server answers. Otherwise the page stays, because the browser would replace it by an error page. */
export const reloadPage = async (): Promise<void> => {
  const { href } = window.location;
  const isReachable = await fetch(href, { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
  if (isReachable) window.location.reload();
};
