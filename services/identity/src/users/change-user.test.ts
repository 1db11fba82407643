import { expect, test } from "vitest";
import { auditedUser } from "./change-user.ts";

test("records roles and bans with their old and new values", () => {
  const [from, to] = [
    { role: "user", banned: false, banReason: null, banExpires: null },
    { role: "admin", banned: true, banReason: "spam", banExpires: new Date(0) },
  ];
  expect(auditedUser(from, to)).toEqual({ before: from, after: to });
});

test("records only the change, not the value, of names, addresses and additional fields", () => {
  const from = {
    name: "Ada",
    email: "ada@example.com",
    username: "ada",
    displayUsername: "Ada",
    image: "https://example.com/ada.png",
    extra: { phone: "1" },
  };
  const to = {
    name: "Grace",
    email: "grace@example.com",
    username: "grace",
    displayUsername: "Grace",
    image: null,
    extra: { phone: "2" },
  };
  const entry = auditedUser(from, to);
  expect(entry).toEqual({
    after: {
      name: "changed",
      email: "changed",
      username: "changed",
      displayUsername: "changed",
      image: "changed",
      extra: { phone: "changed" },
    },
  });
});
