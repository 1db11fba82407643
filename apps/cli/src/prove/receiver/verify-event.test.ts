import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { refusalOf } from "./verify-event.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const now = 1_800_000_000_000;
const body = '{"type":"webhook.test"}';
const id = "an-id";

const signedAt = (time: number) => ({
  body,
  headers: {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(time / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(time), body),
  },
});

test("accepts a request that the published library has signed", () => {
  expect(refusalOf(signedAt(now), { secret, now })).toBeUndefined();
});

test("accepts a request if one of its signatures is of the secret", () => {
  const { headers } = signedAt(now);
  const both = `v1,AAAA ${headers["webhook-signature"]}`;
  const request = { body, headers: { ...headers, "webhook-signature": both } };
  expect(refusalOf(request, { secret, now })).toBeUndefined();
});

const sent = signedAt(now);
const withHeader = (name: string, value: string | undefined) => ({
  body,
  headers: { ...sent.headers, [name]: value },
});

test.each([
  ["a changed body", { ...sent, body: `${body} ` }, "signature"],
  ["another id", withHeader("webhook-id", "another"), "signature"],
  ["a newer time", withHeader("webhook-timestamp", String(now / 1_000 + 60)), "signature"],
  ["a signature of another version", withHeader("webhook-signature", "v2,AAAA"), "signature"],
  ["a request that was recorded long ago", signedAt(now - 301_000), "timestamp"],
  ["a request of the future", signedAt(now + 301_000), "timestamp"],
  ["an unreadable time", withHeader("webhook-timestamp", "1e9"), "timestamp"],
  ["no signature", withHeader("webhook-signature", undefined), "no headers"],
] as const)("refuses %s", (_, request, reason) => {
  expect(refusalOf(request, { secret, now })).toBe(reason);
});

test("refuses a request that another secret has signed", () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  expect(refusalOf(sent, { secret: other, now })).toBe("signature");
});
