const read = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="latchkey-${name}"]`)?.content;

const features = read("features")?.split(" ");

/**
 * What the gateway writes into the page: below which path operations are, where the web is, how it is called, and which features
 * are on (undefined where a page was not told).
 */
export const pageFacts = {
  basePath: read("base-path") ?? "/api/auth",
  webPath: read("admin-path") ?? "/admin",
  appName: read("app-name") ?? "Latchkey",
  features: features && new Set(features),
};
