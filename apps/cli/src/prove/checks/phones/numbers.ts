import { randomInt } from "node:crypto";
import { operations } from "@latchkey/contracts";
import { getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import type { Check } from "../../check.ts";
import type { CheckContext, Person } from "../../check-context.ts";
import { done } from "../../done.ts";
import type { Browser } from "../../http/browser.ts";
import { judgeServed } from "../../judge-served.ts";
import { codeTextedBy } from "../../mails.ts";
import { NotProven } from "../../not-proven.ts";

const { identity } = operations;

type Country = Parameters<typeof getExampleNumber>[0];

/** The last digits of a number, which are chosen at random. */
const chosenDigits = 5;

/** Returns a mobile number of a country, or undefined if the country has none of this form. */
const numberOf = (country: Country): string | undefined => {
  const example = getExampleNumber(country, examples)?.number ?? "";
  const chosen = String(randomInt(10 ** chosenDigits)).padStart(chosenDigits, "0");
  const number = example.slice(0, -chosenDigits) + chosen;
  return parsePhoneNumberFromString(number)?.isValid() ? number : undefined;
};

/** Returns a number that the deployment accepts. It may be somebody's, so nothing may be sent to it. */
const newNumber = (context: CheckContext): string => {
  if (context.option("phoneNumber.enabled") !== true) throw new NotProven("phoneNumber.enabled");
  if (context.option("phoneNumber.sendURL"))
    throw new NotProven(
      "captured text messages (no phoneNumber.sendURL): others would reach real people",
    );
  const countries = context.option("phoneNumber.allowedCountries") as Country[]; // the deployment has checked them
  const number = countries.map(numberOf).find((one) => one !== undefined);
  if (number === undefined) throw new NotProven("a country whose numbers can be made up");
  return number;
};

/** Requests a code in a browser. Returns the body that uses it. */
const requestCode = async (context: CheckContext, browser: Browser, phoneNumber: string) => {
  const code = await codeTextedBy(context, phoneNumber, () =>
    done(browser.ask(identity.sendPhoneOtp, { body: { phoneNumber } }), "a code by text message"),
  );
  return { phoneNumber, code };
};

/** Checks that a code in a text message signs in once under concurrent uses. */
const textedCode: Check = {
  class: "phones",
  name: "a code in a text message signs in once",
  remedy: "A code in a text message was accepted twice. Update Latchkey.",
  run: async (context) => {
    const phoneNumber = newNumber(context);
    const { browser } = await context.newPerson();
    const own = await requestCode(context, browser, phoneNumber);
    const body = { ...own, updatePhoneNumber: true };
    await done(browser.ask(identity.verifyPhoneNumber, { body }), "a proof of a number");
    const stranger = context.anybody();
    const used = await requestCode(context, stranger, phoneNumber);
    const answers = await context.race(() =>
      stranger.copy().ask(identity.verifyPhoneNumber, { body: used }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};

/** As many as the smallest usual budget of messages to a number serves. */
const takersMax = 4;

/** Checks that of users who prove one number at the same time one gets it. */
const takenNumber: Check = {
  class: "phones",
  name: "one of many users who prove a number at once gets it",
  remedy:
    "Look for two users of one number, and for the unique index identity.user has on phone_number.",
  run: async (context) => {
    const phoneNumber = newNumber(context);
    const max = Number(context.option("phoneNumber.budgets.number.max"));
    const takers: { browser: Person["browser"]; body: object }[] = [];
    for (let count = 0; count < Math.min(takersMax, max); count += 1) {
      const { browser } = await context.newPerson();
      const body = await requestCode(context, browser, phoneNumber);
      takers.push({ browser, body: { ...body, updatePhoneNumber: true } });
    }
    const answers = await context.race(async (index) => {
      const taker = takers[index % takers.length];
      if (!taker) throw new NotProven("a budget of messages to a number");
      const { browser, body } = taker;
      return browser.ask(identity.verifyPhoneNumber, { body }, { isOnce: true });
    });
    return judgeServed(answers);
  },
};

export const phones: readonly Check[] = [textedCode, takenNumber];
