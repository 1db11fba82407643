/**
 * Loads a page anew that the browser kept in memory when it was left, and shows again after "Back". It may show the data of a user who has
 * signed out since, or wait for a provider that the user has left.
 */
export const reloadKeptPage = (): void =>
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) window.location.reload();
  });
