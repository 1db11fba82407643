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

/** Attack: an observer reads the screen or the terminal's log. */
test("returns the edited input without showing it", async () => {
  const { input, prompt, shown } = openTerminal();
  const answer = prompt.ask("Password: ");
  for (const key of ["h", "u", "n", "x", "\u007F", "t", "\r"]) input.write(key);
  expect(await answer).toBe("hunt");
  prompt.close();
  expect(await shown()).toBe("Password: \n");
});

test("uses lines that are pasted together for successive prompts", async () => {
  const { input, prompt } = openTerminal();
  input.write("first line\rsecond line\r");
  expect(await prompt.ask("Password: ")).toBe("first line");
  expect(await prompt.ask("Once more: ")).toBe("second line");
  prompt.close();
});

test("rejects at the end of the input", async () => {
  const { input, prompt } = openTerminal();
  const answer = prompt.ask("Password: ");
  input.end();
  await expect(answer).rejects.toThrow("no answer");
});
