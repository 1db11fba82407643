const browsers: readonly [name: string, mark: RegExp][] = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
];

const systems: readonly [name: string, mark: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

const nameIn = (agent: string, marks: typeof browsers): string | undefined =>
  marks.find(([, mark]) => mark.test(agent))?.[0];

/** The browser and the operating system of a user agent, as far as they are known. */
export const partsOfAgent = (
  agent: string,
): { browser: string | undefined; system: string | undefined } => ({
  browser: nameIn(agent, browsers),
  system: nameIn(agent, systems),
});
