type Marks = readonly (readonly [name: string, mark: RegExp])[];

/** Browsers by their marks. Those whose user agent also names another browser come first. */
const browsers: Marks = [
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const systems: Marks = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

const nameIn = (userAgent: string, marks: Marks): string | undefined =>
  marks.find(([, mark]) => mark.test(userAgent))?.[0];

/** The names of a browser and its system. They need no translation. */
interface Browser {
  browser?: string | undefined;
  system?: string | undefined;
}

/**
 * Returns the names of the browser and the system of a user agent, as far as they are known. They contain no text of the user agent,
 * because its sender could put a message into the mail.
 */
export const describeBrowser = (userAgent: string): Browser => ({
  browser: nameIn(userAgent, browsers),
  system: nameIn(userAgent, systems),
});
