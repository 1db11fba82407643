import { expect, test } from "vitest";
import { sentenceText } from "./audit-words.ts";

const ada = { id: "u1", name: "Ada" };
const byAda = { kind: "user", id: "u1" };
const byAdmin = { kind: "user", id: "u2" };
const onAda = { kind: "user", id: "u1" };

const sentence = (action: string, actor = byAda, subject = onAda, after = {}) =>
  sentenceText({ action, actor, subject, after }, ada);

test("says who did what to whom", () => {
  expect(sentence("user.created")).toBe("Ada signed up");
  expect(sentence("user.banned", byAdmin)).toBe("An admin banned Ada");
  expect(sentence("user.banned", byAda, byAdmin)).toBe("Ada banned another user");
  expect(sentence("password.changed", byAdmin)).toBe("An admin changed the password of Ada");
  expect(sentence("session.created", byAda, { kind: "session", id: "s1" })).toBe("Ada signed in");
  expect(sentence("api-key.created", byAda, { kind: "api-key", id: "k1" })).toBe(
    "Ada created an API key",
  );
  expect(sentence("user.ban-expired", { kind: "system", id: "" })).toBe(
    "The system ended the ban of Ada, which had expired",
  );
});

test("names the service that acted, and the organization of a member", () => {
  const service = { kind: "service", id: "billing" };
  expect(sentence("user.created", service)).toBe("The service billing created Ada");
  expect(sentence("member.added", byAda, { kind: "organization", id: "o1" })).toBe(
    "Ada added a member to an organization",
  );
  expect(sentence("user.merged", byAdmin)).toBe("An admin merged another user into Ada");
});

test("counts refused sign-ins, with the reason", () => {
  const refused = (after: object) => sentence("sign-in.refused", byAda, onAda, after);
  expect(refused({ reason: "wrong-password", count: 3 })).toBe(
    "Sign-in refused: wrong password, 3 times",
  );
  expect(refused({ reason: "constructor" })).toBe("Sign-in refused");
});

test("describes an action of another version by the parts of its name", () => {
  expect(sentence("odd-key.created")).toBe("Odd key created");
  expect(sentence("constructor")).toBe("Constructor");
  expect(sentence("")).toBe("–");
});
