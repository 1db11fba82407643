import { twoFactorReplyHeader, twoFactorRequestHeader } from "@latchkey/contracts";
import { decodeBase32, totpCode, totpStep } from "@latchkey/crypto";
import fc from "fast-check";
import { sendRequest } from "../send-request.ts";
import type { Side, Subject } from "../check-model.ts";
import type { ModelSystem } from "../system.ts";
import { firstPassword, signUpAt, type Somebody, staySignedIn } from "../users.ts";
import { type Entered, type FactorCall, type FactorState, factorTruth, isLocked } from "./truth.ts";

const form = { digits: 6, period: 30 };
const codesAmount = 10;

const stepNow = (): number => totpStep(Date.now(), form);

const entered = fc.oneof(
  // Codes of this step and the next one stay valid if the step ends meanwhile.
  { weight: 3, arbitrary: fc.record({ from: fc.constant("app" as const), ahead: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ from: fc.constant("backup" as const), code: fc.nat(codesAmount - 2) }),
  },
  { weight: 6, arbitrary: fc.constant("wrong" as const) },
);

const picked = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("begin" as const) }) },
  {
    weight: 9,
    /** Picks a waiting sign-in by number, the newest first. */
    arbitrary: fc.record({ kind: fc.constant("enter" as const), which: fc.nat(2), entered }),
  },
);
type Picked = typeof picked extends fc.Arbitrary<infer One> ? One : never;

const enteredOf = (one: Extract<Picked, { kind: "enter" }>["entered"]): Entered => {
  if (one === "wrong" || one.from === "backup") return one;
  return { from: "app", step: stepNow() + one.ahead };
};

/** Turns an app on by the code of the step before the present one. Returns its secret and backup codes. */
const enable = async ({ gateways }: ModelSystem, person: Somebody) => {
  const [base = ""] = gateways;
  const post = <Body>(path: string, cookie: string, body: object) =>
    sendRequest<Body>(`${base}${path}`, { cookie }, body);
  const prepared = await post<{ totpURI: string; backupCodes: string[] }>(
    "/two-factor/enable",
    person.cookie,
    { password: firstPassword },
  );
  const { totpURI, backupCodes } = prepared.body;
  const secret = decodeBase32(new URL(totpURI).searchParams.get("secret") ?? "");
  if (!secret) throw new Error("the URI has no secret");
  const code = totpCode(secret, stepNow() - 1, form);
  const on = await post<object>("/two-factor/verify-totp", person.cookie, { code });
  const [cookie = ""] = on.headers
    .getSetCookie()
    .filter((line) => line.includes("session_token="))
    .map((line) => line.split(";")[0]);
  if (on.said !== "200" || !cookie) throw new Error(`turning the second factor on: ${on.said}`);
  return { secret, backupCodes, cookie };
};

const open = async (system: ModelSystem): Promise<Side<Picked, FactorCall>> => {
  const person = await signUpAt(system);
  const { secret, backupCodes, cookie } = await enable(system, person);
  /** The values of the waiting sign-ins, by name. */
  const values = new Map<string, string>();
  const begin = async (name: string, base: string): Promise<string> => {
    const body = { email: person.email, password: firstPassword };
    const answer = await sendRequest<{ twoFactorRedirect?: true }>(
      `${base}/sign-in/email`,
      {},
      body,
    );
    values.set(name, answer.headers.get(twoFactorReplyHeader) ?? "");
    return `${answer.said} ${answer.body.twoFactorRedirect ? "waiting" : "signed in"}`;
  };
  const codeOf = (given: Entered): { path: string; code: string } => {
    if (given === "wrong") return { path: "totp", code: "wrong" };
    return given.from === "app"
      ? { path: "totp", code: totpCode(secret, given.step, form) }
      : { path: "backup-code", code: backupCodes[given.code] ?? "" };
  };
  let lookCount = 0;
  return {
    name: (one, id) => {
      if (one.kind === "begin") return { kind: "begin", waiting: `w${id}` };
      const waiting = [...values.keys()].at(-1 - (one.which % Math.max(values.size, 1)));
      return waiting === undefined
        ? undefined
        : { kind: "enter", waiting, entered: enteredOf(one.entered) };
    },
    send: async (call, replica) => {
      const base = system.gateways[replica] ?? "";
      if (call.kind === "begin") return begin(call.waiting, base);
      const { path, code } = codeOf(call.entered);
      const headers = { [twoFactorRequestHeader]: values.get(call.waiting) ?? "" };
      return (await sendRequest(`${base}/two-factor/verify-${path}`, headers, { code })).said;
    },
    stay: () => staySignedIn(system, { cookie }),
    look: async () => {
      const base = system.gateways[(lookCount += 1) % 2];
      const { body } = await sendRequest<{ backupCodesLeft: number; lockedUntil: string | null }>(
        `${base}/two-factor/status`,
        { cookie },
      );
      const { backupCodesLeft, lockedUntil } = body;
      const isHeld = lockedUntil !== null && Date.parse(lockedUntil) > Date.now();
      return { now: { backupCodesLeft, isLocked: isHeld } };
    },
  };
};

/** The second factor of a user, under concurrent sign-ins. */
export const secondFactors: Subject<FactorState, Picked, FactorCall> = {
  name: "second factors",
  truth: factorTruth,
  start: () => ({
    now: 0,
    waiting: {},
    lastStep: -1,
    backupCodes: Array.from({ length: codesAmount }, (_, code) => code),
    failures: 0,
    lockedUntil: null,
  }),
  picked,
  atOnceMax: 4,
  view: (state) => ({
    now: { backupCodesLeft: state.backupCodes.length, isLocked: isLocked(state) },
  }),
  open,
};
