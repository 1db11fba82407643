import type { Check } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import type { Answer } from "../../http/connections.ts";
import { isNotOffered } from "../../offered-operations.ts";
import {
  type Asked,
  comparedQuestions,
  createKnown,
  type Kind,
  kinds,
  nobodyOf,
  type Question,
} from "../../questions.ts";

const sendQuestion = (
  { anybody }: CheckContext,
  { operation, body }: Question,
  asked: Asked,
): Promise<Answer> => anybody().ask(operation, { body: body(asked) });

const cookieNames = ({ cookies }: Answer): string =>
  cookies
    .map((cookie) => cookie.split("=")[0])
    .toSorted()
    .join();

/** Returns the differences between two replies. Values of random headers are ignored. */
const differences = (answer: Answer, usual: Answer, random: ReadonlySet<string>): string[] => {
  const names = (one: Answer) => Object.keys(one.headers).toSorted().join();
  const values = (one: Answer) =>
    Object.entries(one.headers)
      .filter(([name]) => !random.has(name))
      .map(([name, value]) => `${name}: ${String(value)}`)
      .toSorted()
      .join("\n");
  return [
    answer.status === usual.status ? "" : "status",
    answer.text === usual.text ? "" : "body",
    names(answer) === names(usual) && values(answer) === values(usual) ? "" : "headers",
    cookieNames(answer) === cookieNames(usual) ? "" : "cookies",
  ].filter(Boolean);
};

/** Returns the headers that differ between replies for the same kind of address. */
const randomHeaders = (answers: readonly Answer[]): Set<string> => {
  const names = new Set(answers.flatMap(({ headers }) => Object.keys(headers)));
  const isRandom = (name: string) =>
    new Set(answers.map(({ headers }) => JSON.stringify(headers[name]))).size > 1;
  // Adds counters and times that happened to be equal.
  return new Set(["date", "age", "x-request-id", ...Array.from(names).filter(isRandom)]);
};

const unknownAsked = 3;

/** Attack: finding out which addresses of a list have accounts. */
export const sameAnswers: Check = {
  class: "enumeration",
  name: "who is known is answered as who is unknown",
  remedy:
    "Replies reveal who has an account. Check whether hooks or a proxy change them, and update Latchkey.",
  run: async (context) => {
    const subjects: (readonly [Kind, Asked])[] = [];
    for (const kind of kinds) subjects.push([kind, await createKnown(context, kind)]);
    const problems: string[] = [];
    let offered = 0;
    for (const question of comparedQuestions) {
      const unknown: Answer[] = [];
      for (let count = 0; count < unknownAsked; count += 1)
        unknown.push(await sendQuestion(context, question, nobodyOf(context)));
      const [usual] = unknown;
      if (!usual || isNotOffered(usual)) continue;
      offered += 1;
      const random = randomHeaders(unknown);
      for (const [kind, asked] of subjects) {
        const differs = differences(await sendQuestion(context, question, asked), usual, random);
        if (differs.length > 0)
          problems.push(`${question.name}: ${differs.join(" and ")} tell who is ${kind}`);
      }
    }
    return { figures: `${offered} questions about ${kinds.join(", ")} and unknown`, problems };
  },
};
