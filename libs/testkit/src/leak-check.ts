import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeEach } from "vitest";
import { openResources } from "./open-resources.ts";

/**
 * Fails a test that leaves open a connection, server, worker or child process which did not exist before it, and a file that leaves
 * one of these or a timer. Call it first in a test file, so that its checks run after the file's own hooks.
 * @param per "file" if the tests share pools that open lazily: everything is then checked only after the last test
 * @param closingMs how long closing may take on a busy machine
 */
export function expectNoLeaks(per: "test" | "file" = "test", closingMs = 5_000): void {
  // Counted while the file loads, because from the first hook on the runner occasionally has its own timer.
  const atStart = openResources();
  afterAll(() => check(() => growth(atStart), closingMs));
  if (per === "file") return;

  let beforeTest = new Map<string, number>();
  beforeEach(() => {
    beforeTest = openResources();
  });
  // Timers are checked only at the end of the file, because within a test the runner's own timers look the same.
  afterEach(() =>
    check(() => growth(beforeTest).filter(([kind]) => kind !== "Timeout"), closingMs),
  );
}

type Growth = [kind: string, more: number][];

async function check(leaks: () => Growth, closingMs: number): Promise<void> {
  if (await settles(() => leaks().length === 0, closingMs)) return;
  throw new Error(
    `Left open: ${leaks()
      .map(([kind, more]) => `${more} ${kind}`)
      .join(", ")}`,
  );
}

/** Checks only between delays, because a running timer would be counted. Starts one turn later, because Node announces workers late. */
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
