const read = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="latchkey-${name}"]`)?.content;

const features = read("features")?.split(" ");

/**
 * The values that the gateway writes into the page: the base path of operations, the path and name of the admin web, and the
 * features that are on. Features are undefined if the page does not contain them.
 */
export const pageFacts = {
  basePath: read("base-path") ?? "/api/auth",
  webPath: read("admin-path") ?? "/admin",
  appName: read("app-name") ?? "Latchkey",
  features: features && new Set(features),
};
