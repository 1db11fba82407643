import type { Chance } from "./chance.ts";
import type { Attack } from "./wave.ts";

const trickleMs = 700;
/** Longer than any of our servers waits. */
const trickles = 60;
const boundMs = 60_000;

const trickle = (text: string, from: number): Buffer[] => [
  Buffer.from(text.slice(0, from)),
  ...Array.from({ length: trickles }, (_, index) => Buffer.from(text[from + index] ?? "a")),
];

const head =
  "POST /api/auth/sign-in/email HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
const silent = (text: string): Buffer[] => [Buffer.from(text)];

/** Requests that are sent so slowly, or left incomplete, that a server might wait forever. */
const slowPieces: readonly (readonly [pieces: readonly Buffer[], answered: boolean])[] = [
  [[], false],
  [silent("G"), false],
  [silent("\r\n"), false],
  [silent(head), false],
  [trickle(`${head}x-slow: `, head.length + 8), false],
  [trickle(`${head}content-length: 1000\r\n\r\n{"email":"`, head.length + 40), false],
  [trickle(`${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n1`, head.length + 35), false],
  [silent(`${head}content-length: 1000\r\n\r\n{`), false],
  [silent(`${head}transfer-encoding: chunked\r\n\r\n5\r\nhel`), false],
];

/** Sends a byte now and then, or none, and never ends the connection. */
export const slow = (to: string, chance: Chance): Attack => {
  const [pieces] = chance.pick(slowPieces);
  return {
    sent: { to, pieces, pauseMs: trickleMs, boundMs },
    check: ({ ended, milliseconds }) =>
      ended === "nobody" ? `held open for ${milliseconds.toFixed(0)} ms` : undefined,
  };
};
