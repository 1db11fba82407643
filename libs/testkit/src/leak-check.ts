import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeEach } from "vitest";
import { openResources } from "./open-resources.ts";

const closingMs = 1_000;

/**
 * Fails a test that leaves a connection, server, worker or child process open which was not there before it,
 * and a file that leaves one of these or a timer. Call it first in a test file, so that its checks run after
 * the file's own hooks.
 * @param per "file" when the tests share pools that open lazily: all is then checked after the last one only
 */
export function expectNoLeaks(per: "test" | "file" = "test"): void {
  // Taken while the file loads: from the first hook on, the runner has a timer of its own now and then.
  const atStart = openResources();
  afterAll(() => check(() => growth(atStart)));
  if (per === "file") return;

  let beforeTest = new Map<string, number>();
  beforeEach(() => {
    beforeTest = openResources();
  });
  // Timers wait for the file's end: within a test, the runner's own cannot be told apart.
  afterEach(() => check(() => growth(beforeTest).filter(([kind]) => kind !== "Timeout")));
}

type Growth = [kind: string, more: number][];

async function check(leaks: () => Growth): Promise<void> {
  if (await settles(() => leaks().length === 0, closingMs)) return;
  throw new Error(
    `Left open: ${leaks()
      .map(([kind, more]) => `${more} ${kind}`)
      .join(", ")}`,
  );
}

/** Asks between waits only, as a timer of its own would be counted. Begins a turn later: Node announces workers late. */
async function settles(condition: () => boolean, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  await nextTurn();
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await delay(5);
  }
  return true;
}

function growth(since: ReadonlyMap<string, number>): Growth {
  return [...openResources()]
    .map(([kind, count]): Growth[number] => [kind, count - (since.get(kind) ?? 0)])
    .filter(([, more]) => more > 0);
}
