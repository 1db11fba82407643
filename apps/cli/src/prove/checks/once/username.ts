import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { NotProven } from "../../not-proven.ts";
import { breakdowns, contendersOf, isServed, tally } from "../../tally.ts";

const { identity } = operations;

/** Checks that a username goes to one of several concurrent users. */
export const username: Check = {
  class: "once",
  name: "one of two users gets a username that both request at once",
  remedy: "Look for two users of one username, and for the unique index identity.user has on it.",
  run: async (context) => {
    if (context.option("username.enabled") === false) throw new NotProven("username.enabled");
    const { ada, bob } = await context.people();
    const body = { username: context.newName().replaceAll("-", "_") };
    const takers = [ada, bob];
    const answers = await context.race((index) => {
      const { browser } = takers[index % 2] ?? ada;
      return browser.ask(identity.updateUser, { body }, { isOnce: true });
    });
    const contenders = contendersOf(answers);
    const winners = takers.filter((_, index) =>
      answers.some((answer, of) => of % 2 === index && isServed(answer)),
    );
    return {
      figures: `${contenders.length} at once: ${tally(contenders)}`,
      problems: [
        ...(winners.length === 1 ? [] : [`${winners.length} of 2 users have the username, not 1`]),
        ...breakdowns(contenders),
      ],
    };
  },
};
