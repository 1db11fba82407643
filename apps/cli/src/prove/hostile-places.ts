const evil = "evil.example";

/** The host of every forbidden redirect target. */
export const evilHost = evil;

/** Texts that some URL parser has resolved to another host, whatever a deployment trusts. */
const anywhere = [
  `https://${evil}`,
  `https://${evil}/`,
  `HTTPS://${evil}/`,
  `//${evil}`,
  `///${evil}`,
  `//${evil}/%2e%2e`,
  `/\\${evil}`,
  `\\\\${evil}`,
  `/\t/${evil}`,
  `/\n/${evil}`,
  ` //${evil}`,
  `https:${evil}`,
  `https:/${evil}`,
  `https:\\\\${evil}`,
  `/%2f${evil}`,
  `/%5c${evil}`,
  `/a\r\nSet-Cookie: a=b`,
  `/a%0d%0aLocation:%20https://${evil}`,
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\nscript:alert(1)",
  "javascript://x/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://x/y",
  `https://@${evil}/`,
  `https://${evil}:443@${evil}/`,
  `http://2130706433/`,
  `http://0x7f.1/`,
  `https://[::ffff:7f00:1]/`,
  `https://${evil}.`,
  `https://${evil},x`,
  `https://evil\u3002example/`,
  `https://evil\uff0eexample/`,
  `\u2028//${evil}`,
  "null",
  evil,
];

/** Texts that look like a trusted origin but are not. */
const imitations = ({ protocol, host, hostname }: URL): string[] => [
  `${protocol}//${host}.${evil}/`,
  `${protocol}//${host}@${evil}/`,
  `${protocol}//${host}:x@${evil}/`,
  `${protocol}//${host}%2f@${evil}/`,
  `${protocol}//${evil}\\@${host}/`,
  `${protocol}//${evil}\uff0f.${hostname}/`,
  `${protocol}//${evil}%23.${hostname}/`,
  `${protocol}//x${hostname}.${evil}/`,
  `//${host}.${evil}`,
  `javascript:${protocol}//${host}`,
  `${protocol}\\\\${host}\\..\\${evil}`,
  `${protocol}//${host}\t.${evil}/`,
];

/** Returns every forbidden redirect target for a deployment with that origin. */
export const hostilePlaces = (origin: string): readonly string[] => [
  ...anywhere,
  ...imitations(new URL(origin)),
];

/** Returns the same as values of the `Origin` header. */
export const hostileOrigins = (origin: string): readonly string[] => {
  const { protocol, host, hostname } = new URL(origin);
  return [
    "null",
    `https://${evil}`,
    `${protocol}//${host}.${evil}`,
    `${protocol}//x${hostname}.${evil}`,
    `${protocol}//${evil}.${evil}`,
    `${protocol}//${hostname}:1`,
  ];
};
