const read = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="latchkey-${name}"]`)?.content;

const features = read("features")?.split(" ");
const web = read("web");

/**
 * The values that the gateway writes into the page: the name and path of the web, the base path of operations, the name of the
 * installation, and the features that are on. Features are undefined if the page does not contain them.
 */
export const pageFacts = {
  web,
  basePath: read("base-path") ?? "/api/auth",
  webPath: read("web-path") ?? `/${web}`,
  appName: read("app-name") ?? "Latchkey",
  features: features && new Set(features),
};

/** Returns a value that the gateway writes into the pages of one web only, as JSON. */
export const readPageFact = (name: string): unknown => {
  const text = read(name);
  return text === undefined ? undefined : JSON.parse(text);
};
