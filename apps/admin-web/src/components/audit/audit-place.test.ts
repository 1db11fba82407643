import { afterAll, describe, expect, test, vi } from "vitest";
import { type AuditPlace, comparePlaces, placeText, readPlace } from "./audit-place.ts";

await vi.hoisted(async () => {
  const { contractsInBrief } = await import("@latchkey/ui/contracts-in-brief");
  vi.stubGlobal("LATCHKEY_CONTRACTS", contractsInBrief("admin"));
});
afterAll(() => vi.unstubAllGlobals());

const place = (own: Partial<AuditPlace> = {}): AuditPlace => ({
  occurredAt: "2026-03-04T05:06:07.008Z",
  service: "identity",
  id: "10",
  ...own,
});

describe("a place in the audit log", () => {
  test("is ordered by time, newest first", () => {
    const later = place({ occurredAt: "2026-03-04T05:06:07.009Z", service: "mailer", id: "1" });
    expect(comparePlaces(later, place())).toBeLessThan(0);
    expect(comparePlaces(place(), later)).toBeGreaterThan(0);
  });

  test("is ordered by service and then by descending id at the same time", () => {
    const [mailer, nine] = [place({ service: "mailer", id: "99" }), place({ id: "9" })];
    expect([nine, mailer, place()].toSorted(comparePlaces)).toEqual([place(), nine, mailer]);
    expect(comparePlaces(place(), place())).toBe(0);
  });

  test("survives a round trip through an address", () => {
    expect(readPlace(placeText(place()))).toEqual(place());
  });

  test.each([
    "",
    "eyJrIjoxfQ",
    "never~identity~1",
    "2026-03-04T05:06:07.008Z~nobody~1",
    "2026-03-04T05:06:07.008Z~identity~",
    "2026-03-04T05:06:07.008Z~identity~1 or 1",
    "2026-03-04T05:06:07.008Z~identity~1~2",
  ])("is not read from invalid text: %s", (text) => {
    expect(readPlace(text)).toBeUndefined();
  });
});
