import { callerHeader, sessionEffectHeader, userRevisionHeader } from "@latchkey/contracts";
import type { Chance } from "./chance.ts";
import { type HttpText, toBytes } from "./http-text.ts";

type Header = readonly [name: string, value: string];
type Make = (chance: Chance, cookie: string) => readonly Header[];

const noise = (chance: Chance, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(33 + chance.below(94)))
    .join("")
    .replaceAll(/[\r\n]/g, "");

const times = (count: number, header: (index: number) => Header): Header[] =>
  Array.from({ length: count }, (_, index) => header(index));

const hosts = [
  "",
  " ",
  "evil.com",
  "localhost:99999",
  "localhost:-1",
  "[::1",
  "a".repeat(5_000),
  "localhost, evil.com",
  "user:password@localhost",
  "xn--a",
  "%00",
  "localhost/../..",
  "\u00e4.example",
];

const addresses = [
  "",
  ",",
  "junk",
  "127.0.0.1, 127.0.0.1",
  "::ffff:1.2.3.4",
  "[::1]:80",
  "1.2.3.4:99999",
  "fe80::1%eth0",
  "1.2.3.4, <script>",
  "\u00ff",
  `${"1.2.3.4,".repeat(2_000)}5.6.7.8`,
];

const forgedCookies = (chance: Chance, cookie: string): string[] => {
  const [name = "", value = ""] = (cookie.split("; ")[0] ?? "").split("=");
  const signed = noise(chance, 43);
  return [
    `${name}=${signed}.${signed}`,
    `${name}=${value.slice(0, -2)}AA`,
    `${name}=${value}; ${name}=${signed}.${signed}`,
    `${name}=${"a".repeat(17_000)}`,
    `auth.session_data=${noise(chance, 400).replaceAll(/[;,"\\]/g, "x")}; ${cookie}`,
    `auth.session_data=${Buffer.from('{"session":{"__proto__":1},"expiresAt":9e99}').toString("base64url")}`,
    `${name}=%; ${name}=%00; =; ;;; a`,
    `"${name}"="${value}"`,
    "a=b; ".repeat(4_000),
    `${name}\0=${value}`,
  ];
};

const inside: readonly Header[] = [
  [callerHeader, "forged"],
  [
    callerHeader,
    `${Buffer.from('{"operation":"getSession","service":"gateway"}').toString("base64url")}.AAAA`,
  ],
  [sessionEffectHeader, Buffer.from('{"kind":"clear"}').toString("base64url")],
  [userRevisionHeader, "somebody 99999999999"],
  ["x-latchkey-anything", "{}"],
  ["authorization", "Bearer a service token for benchmarkS"],
  ["authorization", "Bearer \u00ff\u00fe"],
  ["authorization", `Bearer ${"a.".repeat(8_000)}`],
  ["authorization", "Basic Og=="],
  ["x-request-id", "\u0001\u007f"],
  ["x-api-key", "k".repeat(10_000)],
  ["traceparent", "00-zz-zz-zz"],
];

const makes: readonly Make[] = [
  (chance) => [["x-large", noise(chance, 10_000 + chance.below(40_000))]],
  (chance) => times(50 + chance.below(2_500), (index) => [`x-${index}`, "y"]),
  (chance) => times(2 + chance.below(30), () => ["host", chance.pick(hosts)]),
  (chance) => [["host", chance.pick(hosts)]],
  (chance) => [["x-forwarded-for", chance.pick(addresses)]],
  (chance) => [
    ["x-forwarded-host", chance.pick(hosts)],
    ["x-forwarded-proto", chance.pick(["https", "javascript", "", "http,https", "\0"])],
    ["forwarded", "for=_hidden;host=evil.com;proto=https"],
  ],
  (chance, cookie) => [["cookie", chance.pick(forgedCookies(chance, cookie))]],
  (chance, cookie) =>
    times(2 + chance.below(20), () => [
      "cookie",
      chance.pick(forgedCookies(chance, cookie)).slice(0, 900),
    ]),
  (chance) => [chance.pick(inside)],
  (chance) => times(1 + chance.below(4), () => chance.pick(inside)),
  (chance) => [
    [
      "origin",
      chance.pick([
        "null",
        "",
        "https://evil.com",
        "\u00ff",
        "http://",
        "a".repeat(9_000),
        "http://localhost, https://evil.com",
      ]),
    ],
  ],
  (chance) => [
    ["accept-language", noise(chance, 2_000)],
    ["accept-encoding", "zstd;q=9,br;q=-1,*;q=x"],
  ],
  (chance) => [
    ["range", chance.pick(["bytes=0-,0-,0-", "bytes=-1", "bytes=9-1"])],
    ["if-none-match", "*"],
  ],
  (chance) => [
    [
      "content-type",
      chance.pick([
        "",
        "/",
        "application/json\u00ff",
        "multipart/form-data; boundary=",
        "a".repeat(9_000),
      ]),
    ],
  ],
  (chance) => [
    [
      noise(chance, 8).replaceAll(/[^a-z]/gi, "x"),
      chance
        .bytes(200)
        .toString("latin1")
        .replaceAll(/[\r\n\0]/g, " "),
    ],
  ],
];

/** Returns a valid request with invalid headers. */
export const byHeaders = (valid: readonly HttpText[], cookie: string, chance: Chance): Buffer => {
  const text = chance.pick(valid);
  const make = () => chance.pick(makes)(chance, cookie);
  const odd = chance.oneIn(3) ? [...make(), ...make()] : make();
  return toBytes({ ...text, headers: [...text.headers, ...odd] });
};
