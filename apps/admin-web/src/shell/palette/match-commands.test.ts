import { expect, test } from "vitest";
import type { Command } from "./command.ts";
import { matchCommands } from "./command.ts";

const command = (label: string, hint?: string): Command => ({
  id: label,
  label,
  ...(hint !== undefined && { hint }),
  icon: (() => null) as never,
  run: () => {},
});
const commands = [command("Audit log"), command("API keys"), command("Theme", "Dark")];

test.each([
  ["", ["Audit log", "API keys", "Theme"]],
  ["a", ["Audit log", "API keys"]],
  ["log aud", ["Audit log"]],
  ["DARK", ["Theme"]],
  ["udit", []],
  ["a z", []],
])("finds by %s: %j", (text, labels) => {
  expect(matchCommands(commands, text).map(({ label }) => label)).toEqual(labels);
});
