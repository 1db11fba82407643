import { operations } from "@latchkey/contracts";
import { writeCursor } from "@latchkey/service-kit/lists";
import { expect, test } from "vitest";
import { keyLength } from "./queries.ts";

/** JSON escapes a control character to six bytes, which is the most for any character. */
test.each(["\u0001", "🦊", "a"])(
  "a request accepts the cursor of the longest sort key of %j",
  (one) => {
    const order = { by: "n".repeat(64), direction: "desc" } as const;
    const cursor = writeCursor(order, { key: one.repeat(keyLength), id: "x".repeat(64) });
    const { query } = operations.identity.adminListUsers;
    expect(query.safeParse({ cursor })).toMatchObject({ success: true, data: { cursor } });
  },
);
