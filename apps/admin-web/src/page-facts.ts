const read = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="latchkey-${name}"]`)?.content;

/** What the gateway writes into the page: below which path operations are, where the web is, and how it is called. */
export const pageFacts = {
  basePath: read("base-path") ?? "/api/auth",
  webPath: read("admin-path") ?? "/admin",
  appName: read("app-name") ?? "Latchkey",
};
