import { expect, test } from "vitest";
import { showProblem, type SignInProblem } from "./sign-in-problem.ts";

const at = "2026-06-01T12:00:00Z";
const refused = (reason: string, own: object = {}) =>
  ({
    kind: "refused",
    blocks: false,
    reason,
    count: 1,
    addressCount: 1,
    ipAddress: "192.0.2.1",
    lastAt: at,
    ...own,
  }) as SignInProblem;

const problems: [problem: SignInProblem, title: string, remedies: string[]][] = [
  [{ kind: "banned", blocks: true, until: at, reason: "Spam" }, "Banned temporarily", ["unban"]],
  [{ kind: "banned", blocks: true, until: null, reason: null }, "Banned permanently", ["unban"]],
  [
    { kind: "address-not-verified", blocks: true, canResend: true },
    "Email not verified",
    ["send-verification", "verify"],
  ],
  [
    { kind: "address-not-verified", blocks: false, canResend: false },
    "Email not verified",
    ["verify"],
  ],
  [
    { kind: "password-reset-required", blocks: true, since: at },
    "New password required",
    ["reset", "password"],
  ],
  [{ kind: "no-sign-in-method", blocks: true }, "No way to sign in", ["reset"]],
  [
    { kind: "invited", blocks: true, since: at, until: null },
    "Invited, no password chosen yet",
    ["resend-invitation"],
  ],
  [
    { kind: "second-factor-unusable", blocks: true },
    "Second factor cannot be used",
    ["reset-second-factor"],
  ],
  [
    { kind: "second-factor-locked", blocks: true, until: at },
    "Second factor locked after too many wrong codes",
    ["reset-second-factor"],
  ],
  [
    { kind: "second-factor-pending", blocks: false, isEnrolment: false, since: at, until: at },
    "A sign-in is waiting for its second factor",
    ["reset-second-factor"],
  ],
  [
    { kind: "second-factor-pending", blocks: false, isEnrolment: true, since: at, until: at },
    "A sign-in is waiting for a second factor to be set up",
    ["reset-second-factor"],
  ],
  [{ kind: "mail-limit-reached", blocks: false, until: at }, "Email limit reached", []],
  [
    refused("wrong-password", { count: 12 }),
    "Wrong password 12 times from 192.0.2.1",
    ["reset", "sign-out"],
  ],
  [
    refused("wrong-password", { count: 1200, addressCount: 3 }),
    "Wrong password 1,200 times from 3 IP addresses, most from 192.0.2.1",
    ["reset", "sign-out"],
  ],
  [refused("wrong-code", { ipAddress: null }), "Wrong or expired code once", []],
  [
    refused("wrong-second-factor"),
    "Wrong second factor code once from 192.0.2.1",
    ["reset-second-factor"],
  ],
  [
    refused("second-factor-missing"),
    "Required second factor missing once from 192.0.2.1",
    ["reset-second-factor"],
  ],
  [
    refused("second-factor-locked"),
    "Refused while the second factor was locked once from 192.0.2.1",
    ["reset-second-factor"],
  ],
  [refused("banned"), "Banned once from 192.0.2.1", ["unban"]],
  [
    refused("address-not-verified"),
    "Email not verified once from 192.0.2.1",
    ["send-verification"],
  ],
  [refused("rate-limited"), "Rate limited once from 192.0.2.1", []],
  [refused("passkey-refused"), "Passkey refused once from 192.0.2.1", ["reset"]],
  [refused("provider-refused"), "Sign-in with a provider refused once from 192.0.2.1", []],
  [refused("other"), "Refused for another reason once from 192.0.2.1", []],
];

test.each(problems)("shows %o in words, with its remedies", (problem, title, remedies) => {
  expect(showProblem(problem)).toMatchObject({ title, remedies });
});
