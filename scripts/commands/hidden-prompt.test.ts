import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openHiddenPrompt } from "./hidden-prompt.ts";

const openTerminal = () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const prompt = openHiddenPrompt({ input, output });
  const shown = () => text(output.end());
  return { input, prompt, shown };
};

/** Attack: somebody looks over the shoulder, or at the record of the terminal. */
test("what is typed is given back, corrections made, and never shown", async () => {
  const { input, prompt, shown } = openTerminal();
  const answer = prompt.ask("Password: ");
  for (const key of ["h", "u", "n", "x", "\u007F", "t", "\r"]) input.write(key);
  expect(await answer).toBe("hunt");
  prompt.close();
  expect(await shown()).toBe("Password: \n");
});

test("lines that are pasted at once answer one question after the other", async () => {
  const { input, prompt } = openTerminal();
  input.write("first line\rsecond line\r");
  expect(await prompt.ask("Password: ")).toBe("first line");
  expect(await prompt.ask("Once more: ")).toBe("second line");
  prompt.close();
});

test("the end of the input is no answer", async () => {
  const { input, prompt } = openTerminal();
  const answer = prompt.ask("Password: ");
  input.end();
  await expect(answer).rejects.toThrow("no answer");
});
