import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eachTick, everyMs } from "./each-tick.ts";
import { relativeText } from "./relative-text.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.stubGlobal("document", new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("runs one clock for all listeners, and stops it with the last one", () => {
  let count = 0;
  const ends = [1, 2, 3].map(() => eachTick(() => (count += 1)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(everyMs);
  expect(count).toBe(3);
  ends[0]?.();
  vi.advanceTimersByTime(everyMs);
  expect(count).toBe(5);
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(count).toBe(5);
});

test("starts again for a listener that comes after the last one has left", () => {
  eachTick(() => {})();
  let count = 0;
  const end = eachTick(() => (count += 1));
  vi.advanceTimersByTime(2 * everyMs);
  expect(count).toBe(2);
  end();
});

test("calls listeners at once when the page is shown again", () => {
  let count = 0;
  const end = eachTick(() => (count += 1));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(count).toBe(1);
  end();
});

test("renews a relative text before it is older than its unit", () => {
  const at = new Date(0);
  const exact = () => relativeText(at, new Date());
  let shown = exact();
  let behindMs = 0;
  const end = eachTick(() => (shown = exact()));
  for (let second = 0; second < 600; second += 1) {
    vi.advanceTimersByTime(1000);
    behindMs = shown === exact() ? 0 : behindMs + 1000;
    expect(behindMs).toBeLessThan(60_000);
  }
  expect(shown).toBe("10 minutes ago");
  end();
});
