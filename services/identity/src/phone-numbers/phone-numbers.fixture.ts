import type { Caller, EventData } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import { newCaller } from "@latchkey/testkit";
import { callOf, type TestDeps } from "../second-factor/test-second-factor.fixture.ts";
import { sendPhoneOtp, verifyPhoneNumber } from "./sign-in.ts";

let count = 0;
/** Returns a mobile number that no other test uses. */
export const newNumber = (): string => `+4915${String(100_000_000 + (count += 1))}`;

/** Budgets that no test reaches by the way. */
const ample = { window: 3_600, max: 10_000 };
export const phoneNumberOptions = {
  enabled: true,
  allowedCountries: ["DE", "US"],
  budgets: { number: ample, address: ample, country: ample, dayMax: 100_000 },
};

/** Returns a caller in a browser of its own. */
export const browser = (own: Partial<Caller> = {}): Caller => ({ ...newCaller("any"), ...own });

/** Returns the data of the text messages to a number, oldest first. */
export const textsTo = async (
  { db, ring }: Pick<TestDeps, "db" | "ring">,
  phoneNumber: string,
): Promise<EventData<"phone-code.requested">[]> => {
  const rows = await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "phone-code.requested")
    // In the order of their insertion, because the clocks of tests stand still.
    .orderBy(db.dynamic.ref("ctid"))
    .execute();
  return rows
    .map(
      ({ data }) =>
        JSON.parse(unseal(ring, "event", data) ?? "{}") as EventData<"phone-code.requested">,
    )
    .filter((data) => data.phoneNumber === phoneNumber);
};

/** Returns the caller in the browser to which an answer has given a value. */
export const withKept = (
  caller: Caller,
  effect: Awaited<ReturnType<typeof sendPhoneOtp>>["effect"],
): Caller =>
  effect?.kind === "keep"
    ? { ...caller, kept: { phoneOtp: effect.keeps.phoneOtp?.value ?? "" } }
    : caller;

/** Requests a code. Returns the newest one, or "" if nothing was sent, with the caller in the same browser. */
export const text = async (deps: TestDeps, phoneNumber: string, caller = browser()) => {
  const sentBefore = (await textsTo(deps, phoneNumber)).length;
  const { effect, ...answer } = await sendPhoneOtp(deps, callOf(caller, { phoneNumber }));
  const sent = (await textsTo(deps, phoneNumber)).slice(sentBefore);
  return { answer, code: sent.at(-1)?.code ?? "", own: withKept(caller, effect) };
};

export const verify = (
  deps: TestDeps,
  body: { phoneNumber: string; code: string } & Record<string, unknown>,
  caller = browser(),
) => verifyPhoneNumber(deps, callOf(caller, body));

/** Adds a number to the user of a session by a code. */
export const addNumber = async (deps: TestDeps, phoneNumber: string, caller: Caller) => {
  const { code, own } = await text(deps, phoneNumber, caller);
  return verify(deps, { phoneNumber, code, updatePhoneNumber: true }, own);
};
