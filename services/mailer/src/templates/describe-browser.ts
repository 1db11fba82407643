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
  ["an iPhone", /\biPhone\b/],
  ["an iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

const nameIn = (userAgent: string, marks: Marks): string | undefined =>
  marks.find(([, mark]) => mark.test(userAgent))?.[0];

/**
 * Describes a user agent, such as "Firefox on Linux". Returns undefined if the browser is unknown. The description contains no
 * text of the user agent, because its sender could put a message into the mail.
 */
export const describeBrowser = (userAgent: string): string | undefined => {
  const browser = nameIn(userAgent, browsers);
  const system = nameIn(userAgent, systems);
  return browser && system ? `${browser} on ${system}` : browser;
};
