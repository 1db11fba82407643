import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import { limitWithin } from "../../limit-within.ts";
import { NotProven } from "../../not-proven.ts";
import { beginChallenge, beginChallenges, newAppHolder, shared } from "../../second-factors.ts";
import { breakdowns, isServed, tally } from "../../tally.ts";

const { verifyTotp } = operations.identity;
const name = "twoFactor.accountLockout.maxFailedAttempts";
/** Fewer than the tries of one sign-in, so that only the limit of the user applies. */
const triesEach = 4;

const codeOf = ({ body }: Answer): string | undefined =>
  (body as { code?: string } | undefined)?.code;
const isLimited = (answer: Answer): boolean =>
  answer.status === 429 && codeOf(answer) !== "ACCOUNT_TEMPORARILY_LOCKED";

/** Checks that concurrent wrong codes over several sign-ins never exceed those of a user. */
export const secondFactorLock: Check = {
  class: "counters",
  name: "of many wrong codes at once over several sign-ins a user has the configured number",
  remedy: `More codes were compared than ${name}. Update Latchkey.`,
  run: async (context) => {
    const { callers } = context.measure;
    if (context.option("twoFactor.accountLockout.enabled") === false)
      throw new NotProven("twoFactor.accountLockout.enabled");
    const max = limitWithin(context, name);
    const holder = await newAppHolder(context);
    const waiting = await beginChallenges(context, holder, Math.ceil(callers / triesEach));
    const wrong = holder.app.wrongCodes(callers);
    const answers = await context.race((index) =>
      shared(waiting, index).ask(verifyTotp, { body: { code: wrong[index] } }, { isOnce: true }),
    );
    const contenders = answers.filter((answer) => !isLimited(answer));
    if (contenders.length <= max)
      throw new NotProven(`limits and --callers that let more than ${max} codes in at once`);
    const compared = contenders.filter((answer) => codeOf(answer) === "INVALID_CODE").length;
    const late = await (
      await beginChallenge(context, holder)
    ).ask(verifyTotp, { body: { code: holder.app.codeAt(0) } }, { isOnce: true });
    return {
      figures: `${contenders.length} at once: ${tally(contenders)}; then the right one: ${describeAnswer(late)}`,
      problems: [
        ...(compared === max ? [] : [`${compared} codes were compared, not ${max}`]),
        ...(isServed(late) ? ["the right code was accepted during the lock"] : []),
        ...breakdowns([...contenders, late]),
      ],
    };
  },
};
