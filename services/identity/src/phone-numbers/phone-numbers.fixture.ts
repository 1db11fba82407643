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

/** Returns the text messages to a number by the ids of their events. They have no order, because the clocks of tests stand still. */
const textsById = async (
  { db, ring }: Pick<TestDeps, "db" | "ring">,
  phoneNumber: string,
): Promise<Map<string, EventData<"phone-code.requested">>> => {
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "data"])
    .where("name", "=", "phone-code.requested")
    .execute();
  const texts = rows.map(({ id, data }) => {
    const read = JSON.parse(
      unseal(ring, "event", data) ?? "{}",
    ) as EventData<"phone-code.requested">;
    return [id, read] as const;
  });
  return new Map(texts.filter(([, read]) => read.phoneNumber === phoneNumber));
};

/** Returns the data of the text messages to a number. */
export const textsTo = async (deps: Pick<TestDeps, "db" | "ring">, phoneNumber: string) => [
  ...(await textsById(deps, phoneNumber)).values(),
];

/** Returns the caller in the browser to which an answer has given a value. */
export const withKept = (
  caller: Caller,
  effect: Awaited<ReturnType<typeof sendPhoneOtp>>["effect"],
): Caller =>
  effect?.kind === "keep"
    ? { ...caller, kept: { phoneOtp: effect.keeps.phoneOtp?.value ?? "" } }
    : caller;

/** Requests a code. Returns it, or "" if nothing was sent, with the caller in the same browser. */
export const text = async (deps: TestDeps, phoneNumber: string, caller = browser()) => {
  const sentBefore = await textsById(deps, phoneNumber);
  const { effect, ...answer } = await sendPhoneOtp(deps, callOf(caller, { phoneNumber }));
  const sent = [...(await textsById(deps, phoneNumber))].find(([id]) => !sentBefore.has(id));
  return { answer, code: sent?.[1].code ?? "", own: withKept(caller, effect) };
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
