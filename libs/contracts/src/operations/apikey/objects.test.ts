import { expect, test } from "vitest";
import { ownMembers, permissions } from "./objects.ts";

const read = (json: string) => permissions.optional().safeParse(JSON.parse(json));

test.each(['{"__proto__":["read"]}', '{"invoice":["read"],"__proto__":["read"]}'])(
  "rejects %s, because a part of it would not be checked",
  (json) => {
    expect(read(json).success).toBe(false);
  },
);

test.each(['{"constructor":["read"]}', '{"toString":[]}', "{}"])("accepts %s unchanged", (json) => {
  expect(read(json)).toEqual({ success: true, data: JSON.parse(json) });
});

test.each(['{"a":"read"}', '{"a":[1]}', '{"":["read"]}', '["read"]', "null", '"read"'])(
  "rejects %s",
  (json) => {
    expect(read(json).success).toBe(false);
  },
);

test.each([Number.POSITIVE_INFINITY, Number.NaN, 0.5])(
  "rejects a lifetime of %d seconds",
  (given) => {
    expect(ownMembers.expiresIn.safeParse(given).success).toBe(false);
  },
);
