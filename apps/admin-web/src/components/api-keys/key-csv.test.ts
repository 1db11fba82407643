import { expect, test } from "vitest";
import { keyCsv } from "./key-csv.ts";
import type { ApiKey } from "./api-key.ts";

test("names the owning organization of exported keys", () => {
  const organization = { id: "o1", name: "Acme" };
  const key = { id: "k1", userId: null, user: null, organizationId: "o1", organization };
  expect(keyCsv["organizationId"]?.(key as unknown as ApiKey)).toBe("o1");
  expect(keyCsv["organizationName"]?.(key as unknown as ApiKey)).toBe("Acme");
});
