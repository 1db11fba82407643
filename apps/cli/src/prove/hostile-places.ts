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

/** URLs that no webhook may have, because they lead into the network of a deployment or send events in plain text. */
export const internalURLs: readonly string[] = [
  `http://${evil}/`,
  `ftp://${evil}/`,
  "file:///etc/passwd",
  "gopher://127.0.0.1:6379/_FLUSHALL",
  "javascript:alert(1)",
  "data:text/plain,x",
  `https://user:secret@${evil}/`,
  "https://0.0.0.0/",
  "https://10.0.0.1/",
  "https://100.64.0.1/",
  "https://127.0.0.1/",
  "https://127.0.0.2/",
  "https://127.2/",
  "https://0x7f000001/",
  "https://0x7f000002/",
  "https://0177.0.0.2/",
  "https://2130706433/",
  "https://2130706434/",
  "https://\uff11\uff12\uff17.0.0.2/",
  "https://169.254.169.254/latest/meta-data/",
  "https://172.16.0.1/",
  "https://192.168.0.1/",
  "https://192.0.2.1/",
  "https://198.18.0.1/",
  "https://224.0.0.1/",
  "https://255.255.255.255/",
  "https://[::]/",
  "https://[::1]/",
  "https://[fd00::1]/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
  "https://[ff02::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[::ffff:7f00:2]/",
  "https://[64:ff9b::a00:1]/",
  "https://[2002:a00:1::]/",
  "http://localhost:1/",
];

/** Names that only exist inside networks. No public server has them, so one that answers is internal. */
export const internalNames: readonly string[] = [
  "metadata.google.internal",
  "host.docker.internal",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "localhost.localdomain",
  "ip6-localhost",
  "postgres",
  "redis",
];
