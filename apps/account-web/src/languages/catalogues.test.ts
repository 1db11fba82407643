import { describe, expect, test } from "vitest";
import { messages as account } from "./en/account/index.ts";
import { messages as front } from "./en/front/index.ts";
import { type Language, languages } from "./languages.ts";

const english = { front, account };

/** The languages that have every message. A translation that is complete is added here. */
const complete: readonly Language[] = ["en"];

type Messages = Readonly<Record<string, unknown>>;

/** Returns the keys of all messages. Languages have other plural forms, so a message with several counts as one. */
const keysOf = (messages: Messages, path = ""): string[] =>
  Object.entries(messages).flatMap(([name, value]) => {
    const key = `${path}${name.replace(/_(?:zero|one|two|few|many|other)$/, "")}`;
    return typeof value === "string" ? [key] : keysOf(value as Messages, `${key}.`);
  });

const readMessages = async (language: Language, group: string): Promise<Messages> => {
  const { messages } = (await import(`./${language}/${group}/index.ts`)) as { messages: Messages };
  return messages;
};

describe.each(Object.entries(english))("the messages of the group %s", (group, messages) => {
  const known = new Set(keysOf(messages));

  test.each(complete)("are complete in %s", async (language) => {
    const keys = new Set(keysOf(await readMessages(language, group)));
    expect([...known].filter((key) => !keys.has(key))).toEqual([]);
  });

  test.each(languages.map(({ tag }) => tag))("have only known keys in %s", async (language) => {
    const keys = keysOf(await readMessages(language, group));
    expect(keys.filter((key) => !known.has(key))).toEqual([]);
  });
});
